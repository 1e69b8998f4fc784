/** A page of another origin in a browser: what `--cors-allowed-origins` lets it do, over HTTP/2 and WebSockets (Chromium). */
import assert from "node:assert/strict";
import { ServerProcess } from "./_server.ts";

const TOKEN = "s3cret";
const MAPS = "/api/v1/namespaces/default/configmaps";
const BROWSER = "chromium";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--ignore-certificate-errors"];

/** For a browser on a machine that is busy with other things. */
const PATIENCE_MS = 120_000;

const ignore = !await installed(); // chromium is not installed

Deno.test(
  { name: "a browser: a page of an allowed origin reads, writes and watches, no other one", ignore },
  async () => {
    const told = Promise.withResolvers<unknown>();
    const page = await Deno.readTextFile(new URL("browser_page.html", import.meta.url));
    const host = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      if (request.method === "POST") told.resolve(await request.json());
      return new Response(page, { headers: { "content-type": "text/html" } });
    });
    const { port } = host.addr, dir = await Deno.makeTempDir({ prefix: "orch-browser-" });
    let server: ServerProcess | undefined;
    try {
      await Deno.writeTextFile(`${dir}/tokens`, `${TOKEN},ann,1,"system:masters"\n`);
      server = await ServerProcess.start("kubernetes", [
        `--token-auth-file=${dir}/tokens`,
        `--cors-allowed-origins=^http://127\\.0\\.0\\.1:${port}$`,
      ]);
      const query = new URLSearchParams({ server: `https://127.0.0.1:${server.port}`, maps: MAPS, token: TOKEN });
      const browser = new Deno.Command(BROWSER, {
        args: [...FLAGS, `--user-data-dir=${dir}/profile`, `http://127.0.0.1:${port}/?${query}`],
        env: { TMPDIR: dir },
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn();
      const late = setTimeout(() => told.reject(new Error("the page told nothing")), PATIENCE_MS);
      const ended = browser.status.then(({ code }) => told.reject(new Error(`the browser ended with ${code}`)));
      try {
        assert.deepEqual(await told.promise, {
          refused: 403,
          made: 201,
          names: ["a"],
          date: true,
          watched: ["ADDED", "a"],
          socket: ["ADDED", "a"],
          elsewhere: "TypeError",
        });
      } finally {
        clearTimeout(late);
        browser.kill("SIGTERM");
        await ended;
      }
    } finally {
      await server?.end();
      await host.shutdown();
      await Deno.remove(dir, { recursive: true });
    }
  },
);

async function installed(): Promise<boolean> {
  try {
    return (await new Deno.Command(BROWSER, { args: ["--version"], stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}
