/** Reads a file again and again; tells the lengths that it had. */
const READS = 2_000;

const here = self as unknown as { postMessage(lengths: number[]): void };

self.addEventListener("message", (e) => {
  const { data: path } = e as MessageEvent<string>, lengths = new Set<number>();
  for (let i = 0; i < READS; i++) lengths.add(Deno.readFileSync(path).length);
  here.postMessage([...lengths]);
});
