/** The log of a real process: its two streams, and what waits when it ends. */
import assert from "node:assert/strict";
import { freePort } from "../fixture/free_port.ts";
import { connectTls, readUntil } from "../listen/_fixture.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a server until `until` has been done, then ends it by a signal; without it, to its own end. */
async function ran(flags: readonly string[], until?: (url: string) => Promise<void>): Promise<Ended> {
  const dir = await Deno.makeTempDir({ prefix: "orch-log-" });
  try {
    const own = [`--data-dir=${dir}`, "--storage-backend=memory", "--bind-address=127.0.0.1", "--plain-http"];
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--unstable-kv", MAIN, ...own, "--controllers=-*", ...flags],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const err = new Response(child.stderr).text();
    let out = "", told = until === undefined;
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      out += text;
      const [, url] = /listens on (\S+)/.exec(out) ?? [];
      if (url === undefined || told) continue;
      told = true;
      await until!(url);
      child.kill("SIGTERM");
    }
    return { code: (await child.status).code, out, err: await err };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

const FORMATS: readonly [format: string, lines: RegExp][] = [
  ["text", /^info: httplog: HTTP: \{"verb":"GET","URI":"\/version\?n=\d"/],
  ["json", /^\{"ts":\d+,"level":"info","logger":"httplog","v":3,"msg":"HTTP"/],
];
for (const [format, lines] of FORMATS) {
  Deno.test(`buffered lines of ${format} are written when the process ends, on standard output`, async () => {
    const { code, out, err } = await ran([
      `--secure-port=${freePort()}`,
      "--feature-gates=LoggingAlphaOptions=true",
      `--logging-format=${format}`,
      `--log-${format}-split-stream`,
      `--log-${format}-info-buffer-size=1Mi`,
      "--log-flush-frequency=1h",
      "--v=3",
    ], async (url) => {
      for (let n = 0; n < 3; n++) await (await fetch(`${url}/version?n=${n}`)).text();
    });
    assert.equal(code, 0, err);
    assert.equal(out.split("\n").filter((l) => lines.test(l)).length, 3, out);
    assert.doesNotMatch(err, /httplog/);
  });
}

Deno.test("a server whose options cannot be says so on standard error, and ends with 1", async () => {
  const { code, out, err } = await ran(["--log-text-split-stream", "--vmodule=a"]);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /--log-text-split-stream: .*LoggingAlphaOptions/);
  assert.match(err, /--vmodule: .*pattern=N/);
});

Deno.test("what there is to say of the options are lines of the log, in its format", async () => {
  const own = [`--secure-port=${freePort()}`, "--enable-logs-handler=false", "--logging-format=json"];
  const { code, err } = await ran(own, () => Promise.resolve());
  const lines = err.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  assert.equal(code, 0, err);
  assert.ok(lines.some(({ level, msg }) => level === "warn" && msg.includes("--enable-logs-handler")), err);
});

for (const [v, lines] of [["4", 0], ["5", 1]] as const) {
  Deno.test(`a client who speaks no TLS is counted, and at level 5 told in one line: --v=${v}`, async () => {
    let metrics = "";
    const tokens = await Deno.makeTempFile({ prefix: "orch-tokens-" });
    await Deno.writeTextFile(tokens, "secret,somebody,1\n");
    const flags = [`--secure-port=${freePort()}`, "--plain-http=false", `--token-auth-file=${tokens}`];
    const { code, err } = await ran([...flags, `--v=${v}`], async (url) => {
      const { port } = new URL(url);
      const plain = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
      await plain.write(new TextEncoder().encode("DELETE / HTTP/1.1\r\n\r\n"));
      await new Response(plain.readable).bytes().catch(() => {});
      const socket = await connectTls(Number(port), { rejectUnauthorized: false });
      const head = "Host: x\r\nAuthorization: Bearer secret\r\nConnection: close";
      socket.write(`GET /metrics HTTP/1.1\r\n${head}\r\n\r\n`);
      metrics = await readUntil(socket, () => false);
    });
    await Deno.remove(tokens);
    assert.equal(code, 0, err);
    assert.match(metrics, /^apiserver_tls_handshake_errors_total 1$/m);
    const told = /^info: listener: TLS handshake error from 127\.0\.0\.1:\d+: \S.*$/;
    assert.equal(err.split("\n").filter((line) => told.test(line)).length, lines, err);
    assert.doesNotMatch(err, /connection failed|^\s+at /m);
  });
}
