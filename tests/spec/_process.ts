/** A server process of its own, for options that only a process heeds. */
import { ServerProcess } from "../e2e/_server.ts";
import { until } from "../listen/_fixture.ts";
import { map, maps } from "./_spec.ts";

/** What its administrator shows, and trusts. */
function credentials({ dir }: ServerProcess): { caCerts: string[]; cert: string; key: string } {
  const read = (name: string) => Deno.readTextFileSync(`${dir}/data/${name}`);
  return { caCerts: [read("ca.crt")], cert: read("admin.crt"), key: read("admin.key") };
}

/** Runs with a server process in memory, asked as its administrator; `dir` is a directory that is gone after. */
export async function withProcess(
  flags: (dir: string) => string[],
  run: (server: ServerProcess, ask: (path: string, body?: unknown) => Promise<Response>) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "orch-process-" });
  let server: ServerProcess | undefined;
  try {
    const started = server = await ServerProcess.start("kubernetes", ["--storage-backend=memory", ...flags(dir)]);
    const client = Deno.createHttpClient(credentials(started));
    try {
      await run(started, (path, body) =>
        fetch(`https://127.0.0.1:${started.port}${path}`, {
          client,
          ...body === undefined
            ? {}
            : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
        }));
    } finally {
      client.close();
    }
  } finally {
    await server?.end();
    await Deno.remove(dir, { recursive: true });
  }
}

/** A request that is at work as long as a test likes, on a connection of its own. */
export interface Unfinished {
  /** Whether the server takes another connection. */
  taken(): Promise<boolean>;
  /** Sends what is left; the first line of the answer. */
  finish(): Promise<string>;
}

/** Runs while a server is at work on a request whose body has yet to come whole. */
export async function unfinished(
  server: ServerProcess,
  ask: (path: string) => Promise<Response>,
  run: (request: Unfinished) => Promise<void>,
): Promise<void> {
  const options = { hostname: "127.0.0.1", port: server.port, alpnProtocols: ["http/1.1"], ...credentials(server) };
  using connection = await Deno.connectTls(options);
  const body = JSON.stringify(map("a")), head = `POST ${maps("default")} HTTP/1.1\r\nHost: x\r\n`;
  const send = (text: string) => connection.write(new TextEncoder().encode(text));
  await send(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
  await until(
    "the request is at work",
    async () => /^apiserver_current_inflight_requests.*mutating"\} 1$/m.test(await (await ask("/metrics")).text()),
  );
  await run({
    taken: () => Deno.connectTls(options).then((c) => (c.close(), true), () => false),
    finish: async () => {
      await send(body.slice(5));
      const answer = new Uint8Array(64);
      return new TextDecoder().decode(answer.subarray(0, await connection.read(answer) ?? 0)).split("\r\n")[0]!;
    },
  });
}
