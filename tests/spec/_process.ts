/** A server process of its own, for options that only a process heeds. */
import { ServerProcess } from "../e2e/_server.ts";

/** Runs with a server process in memory, asked as its administrator; `dir` is a directory that is gone after. */
export async function withProcess(
  flags: (dir: string) => string[],
  run: (server: ServerProcess, ask: (path: string, body?: unknown) => Promise<Response>) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "orch-process-" });
  let server: ServerProcess | undefined;
  try {
    const started = server = await ServerProcess.start("kubernetes", ["--storage-backend=memory", ...flags(dir)]);
    const read = (name: string) => Deno.readTextFileSync(`${started.dir}/data/${name}`);
    const client = Deno.createHttpClient({
      caCerts: [read("ca.crt")],
      cert: read("admin.crt"),
      key: read("admin.key"),
    });
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
