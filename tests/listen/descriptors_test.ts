/** More connections than a process has descriptors for. */
import assert from "node:assert/strict";
import { connectionsFor } from "../../server/listen/limits.ts";
import { until } from "./_fixture.ts";

const DESCRIPTORS = 1024;
/** At three descriptors each, more than there are. */
const CROWD = 600;

Deno.test("listener: connections past a share of the descriptors are closed, and it goes on", async () => {
  const file = new URL("_few_descriptors.ts", import.meta.url).pathname;
  await using child = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${DESCRIPTORS}; exec "$@"`, "sh", Deno.execPath(), "run", "-A", "--no-check", file],
    stdout: "piped",
  }).spawn();
  const port = Number(new TextDecoder().decode((await child.stdout[Symbol.asyncIterator]().next()).value));
  const answers = async () => {
    using client = Deno.createHttpClient({});
    const signal = AbortSignal.timeout(5_000);
    return await fetch(`http://127.0.0.1:${port}/`, { client, signal }).then((r) => r.text(), () => "") === "ok";
  };
  await until("it answers", answers);
  const crowd: Deno.Conn[] = [];
  for (let i = 0; i < CROWD; i++) crowd.push(await Deno.connect({ hostname: "127.0.0.1", port }));
  await until(
    "it closes those past the bound",
    () => crowd.at(-1)!.read(new Uint8Array(1)).then((n) => n === null, () => true),
  );
  for (const one of crowd) one.close();
  await until("it answers when they have gone", answers);
});

Deno.test("listener: as many connections as descriptors allow, where their number is known", () => {
  assert.equal(connectionsFor(1_024, 20_000), 256);
  assert.equal(connectionsFor(1_048_576, 20_000), 20_000);
  assert.equal(connectionsFor(undefined, 20_000), 20_000);
});
