/** Handlers against real servers on the loopback. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { createServer as createHttp2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import * as grpc from "../../libraries/grpc.ts";
import { dialText } from "../../../agent/probes/address.ts";
import { HookHandlers } from "../../../agent/probes/mod.ts";
import { type HandlerParts, runProbe } from "../../../agent/probes/handlers.ts";
import { RuntimeError } from "../../../agent/runtime/types.ts";
import type { Handler } from "../../../agent/types.ts";
import { freePort } from "../../fixture/free_port.ts";
import { realClock, target, told } from "./parts.ts";

const noRuntime = { execSync: () => Promise.reject(new Error("no runtime")) };

function partsWith(runtime: HandlerParts["runtime"] = noRuntime): HandlerParts {
  return { runtime, events: told().events, clock: realClock, gate: () => true };
}

const ask = (handler: Handler, seconds = 60, container = {}, parts = partsWith()) =>
  runProbe(parts, target(container), handler, seconds, new AbortController().signal);

/** Runs with the server listening, which is closed after. */
async function listening(server: Server, run: (port: number) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run((server.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
      (server as { closeAllConnections?: () => void }).closeAllConnections?.();
    });
  }
}

const serving = (listener: RequestListener, run: (port: number) => Promise<void>) =>
  listening(createServer(listener) as Server, run);

Deno.test("an HTTP probe says who it is, follows its own host only, and goes by the status", async () => {
  const heard: string[][] = [];
  const answers: RequestListener = (q, r) => {
    heard.push(q.rawHeaders);
    const [, status, location] = q.url!.split("!");
    r.statusCode = Number(status ?? 200);
    if (location) r.setHeader("location", location);
    r.end(q.url === "/long" ? "x".repeat(20_000) : `at ${q.url}`);
  };
  await serving(answers, async (port) => {
    const get = (path: string, more = {}) => ask({ httpGet: { path, port, ...more } });
    assert.deepEqual(await get("/a?b=c"), { result: "success", output: "at /a?b=c" });
    const first = heard.pop()!.join("|");
    assert.match(first, /User-Agent\|kube-probe\/1\.37/);
    assert.match(first, /Accept\|\*\/\*/);
    const headers = [["Host", "named"], ["x-a", "1"], ["X-A", "2"], ["user-agent", "me"], ["Accept", ""]];
    await get("/", { httpHeaders: headers.map(([name, value]) => ({ name, value })) });
    const second = heard.pop()!.join("|");
    assert.match(second, /Host\|named\|X-A\|1\|X-A\|2\|User-Agent\|me/);
    assert.doesNotMatch(second, /Accept|kube-probe/);
    await get("/", { httpHeaders: [{ name: "User-Agent", value: "" }] });
    assert.doesNotMatch(heard.pop()!.join("|"), /User-Agent/);
    assert.equal((await get("/a b%zz?q")).output, "at /a%20b%25zz%3Fq");
    assert.equal((await get("/long")).output.length, 10 * 1024);
    assert.deepEqual(await get("/!302!/there"), { result: "success", output: "at /there" });
    assert.deepEqual(await get("/!307!http://other.invalid/"), {
      result: "warning",
      output: "Probe terminated redirects, Response body: at /!307!http://other.invalid/",
    });
    assert.deepEqual(await get("/!404!"), { result: "failure", output: "HTTP probe failed with statuscode: 404" });
    const loop = await get("/!301!/!301!");
    assert.equal(loop.result, "success");
    const named = { httpGet: { port: "web" } };
    assert.equal((await ask(named, 60, { ports: [{ name: "web", containerPort: port }] })).result, "success");
    assert.deepEqual(await ask(named), { result: "error", output: 'port "web" not found' });
  });
});

Deno.test("an HTTP probe may be by HTTP/2 in clear text, where the gate is on", async () => {
  const heard: unknown[] = [];
  const server = createHttp2Server();
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    heard.push([headers[":method"], headers[":authority"], headers["user-agent"], headers["x-a"]]);
    const [path, status, location] = String(headers[":path"]).split("!");
    if (path === "/never") return;
    stream.respond({ ":status": Number(status ?? 200), ...(location ? { location } : {}) });
    stream.end(`at ${headers[":path"]}`);
  });
  await listening(server as Server, async (port) => {
    const httpGet = { port, protocol: "HTTP2" as const };
    const get = (path: string, more = {}, seconds = 60) => ask({ httpGet: { ...httpGet, path, ...more } }, seconds);
    const headers = [["Host", "named"], ["X-A", "1"]].map(([name, value]) => ({ name: name!, value: value! }));
    assert.deepEqual(await get("/a?b", { httpHeaders: headers }), { result: "success", output: "at /a?b" });
    assert.deepEqual(heard.pop(), ["GET", "named", "kube-probe/1.37", "1"]);
    assert.deepEqual(await get("/!302!/there"), { result: "success", output: "at /there" });
    assert.equal((await get("/!404!")).output, "HTTP probe failed with statuscode: 404");
    assert.match((await get("/never", {}, 1)).output, /context deadline exceeded|the handler's time is over/);
    const off = { ...partsWith(), gate: () => false };
    assert.equal((await ask({ httpGet: { ...httpGet, path: "/" } }, 2, {}, off)).result, "failure");
  });
  await serving((_, r) => r.end("one"), async (port) => {
    const { result, output } = await ask({ httpGet: { path: "/", port, protocol: "HTTP2" } }, 2);
    assert.equal(result, "failure", output);
  });
});

Deno.test("an HTTP probe tells why it got no answer", async () => {
  const port = freePort();
  assert.deepEqual(await ask({ httpGet: { path: "/x", port } }), {
    result: "failure",
    output: `Get "http://127.0.0.1:${port}/x": dial tcp 127.0.0.1:${port}: connect: connection refused`,
  });
  await serving(() => {}, async (port) => {
    const { result, output } = await ask({ httpGet: { path: "/x", port } }, 0.05);
    assert.equal(result, "failure");
    assert.match(output, /context deadline exceeded/);
  });
  await serving((q, r) => r.writeHead(302, { location: q.url! }).end(), async (port) => {
    const { output } = await ask({ httpGet: { path: "/x", port } });
    assert.equal(output, 'Get "/x": stopped after 10 redirects');
  });
  const babbling = createTcpServer((socket) => {
    socket.once("data", () => socket.end("babble\r\n\r\n", () => socket.destroy())).on("error", () => {});
  });
  await listening(babbling, async (port) => {
    const { output } = await ask({ httpGet: { path: "/x", port } });
    assert.match(output, /: net\/http: HTTP\/1\.x transport connection broken: malformed HTTP response "babble"$/);
  });
  const unknown = Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND", hostname: "no.such.invalid" });
  const lookup = /^dial tcp: lookup no\.such\.invalid( on \S+:53)?: no such host$/;
  assert.match(dialText("no.such.invalid:80", unknown), lookup);
  const switching = createTcpServer((socket) => {
    const head = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: upgrade", "", ""];
    socket.once("data", () => socket.write(head.join("\r\n"))).on("error", () => {});
  });
  await listening(switching, async (port) => {
    assert.deepEqual(await ask({ httpGet: { path: "/x", port } }), {
      result: "failure",
      output: "HTTP probe failed with statuscode: 101",
    });
  });
});

/** A pair that nobody vouches for. */
function selfSigned(): { key: string; cert: string } {
  const dir = Deno.makeTempDirSync();
  try {
    const [key, cert] = [`${dir}/key.pem`, `${dir}/cert.pem`];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=no one"];
    execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: Deno.readTextFileSync(key), cert: Deno.readTextFileSync(cert) };
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
}

Deno.test("HTTPS is asked without looking at the certificate, and a hook falls back to HTTP", async () => {
  await listening(createSecureServer(selfSigned(), (_, r) => r.end("hidden")) as Server, async (port) => {
    assert.deepEqual(await ask({ httpGet: { port, scheme: "HTTPS" } }), { result: "success", output: "hidden" });
  });
  await serving((_, r) => r.writeHead(500).end(), async (port) => {
    const { lines, events } = told();
    const hooks = new HookHandlers({ ...partsWith(), events });
    const handler: Handler = { httpGet: { port, scheme: "HTTPS" } };
    assert.match((await ask(handler)).output, /server gave HTTP response to HTTPS client/);
    const done = await hooks.run(target({}), handler, new AbortController().signal);
    assert.deepEqual(done, { ok: true, output: "" });
    assert.match(lines.join(), /^Warning\|LifecycleHTTPFallback\|request to HTTPS lifecycle hook 127/);
  });
});

Deno.test("a TCP probe wants a connection, no more", async () => {
  await listening(createTcpServer((s) => s.destroy()), async (port) => {
    assert.deepEqual(await ask({ tcpSocket: { port } }), { result: "success", output: "" });
  });
  const port = freePort();
  const refused = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
  assert.deepEqual(await ask({ tcpSocket: { port } }), { result: "failure", output: refused });
});

Deno.test("a gRPC probe asks for the health of the service", async () => {
  const server = new grpc.Server();
  const plain = (b: Uint8Array) => new Uint8Array(b);
  const method = {
    path: "/grpc.health.v1.Health/Check",
    requestStream: false,
    responseStream: false,
    requestSerialize: (b: Uint8Array) => b as never,
    requestDeserialize: plain,
    responseSerialize: (b: Uint8Array) => b as never,
    responseDeserialize: plain,
  };
  let known = true, agent: unknown;
  const check: grpc.handleUnaryCall<Uint8Array, Uint8Array> = (call, answer) => {
    agent = call.metadata.get("user-agent")[0];
    const service = new TextDecoder().decode(call.request.subarray(2));
    if (service === "late") return;
    if (!known) return answer({ code: grpc.status.UNIMPLEMENTED, details: "what?" });
    answer(null, Buffer.from([8, service === "good" ? 1 : 2]));
  };
  server.addService({ Check: method }, { Check: check });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (e, port) => e ? reject(e) : resolve(port))
  );
  try {
    assert.deepEqual(await ask({ grpc: { port, service: "good" } }), { result: "success", output: "service healthy" });
    assert.match(String(agent), /^kube-probe\/1\.37/);
    assert.equal((await ask({ grpc: { port } })).output, 'service unhealthy (responded with "NOT_SERVING")');
    // TLS in front of it.
    const front = createTlsServer({ ...selfSigned(), ALPNProtocols: ["h2"] }, (secure) => {
      const plain = connect(port, "127.0.0.1");
      for (const [from, to] of [[secure, plain], [plain, secure]] as const) {
        from.pipe(to);
        from.on("error", () => to.destroy()).on("close", () => to.destroy());
      }
    });
    await listening(front, async (port) => {
      const hidden: Handler = { grpc: { port, service: "good", mode: "TLS" } };
      assert.deepEqual(await ask(hidden), { result: "success", output: "service healthy" });
      const without = { ...partsWith(), gate: (name: string) => name !== "GRPCContainerProbeTLS" };
      assert.equal((await ask(hidden, 1, {}, without)).result, "failure");
    });
    const late = await ask({ grpc: { port, service: "late" } }, 3);
    assert.equal(late.output, "timeout: health rpc did not complete within 3s");
    known = false;
    const unknown = await ask({ grpc: { port, service: "good" } });
    assert.match(unknown.output, /does not implement the grpc health protocol \(grpc\.health\.v1\.Health\): what\?$/);
  } finally {
    server.forceShutdown();
  }
  const none = freePort();
  assert.equal(
    (await ask({ grpc: { port: none } }, 1)).output,
    `timeout: failed to connect service "127.0.0.1:${none}" within 1s: context deadline exceeded`,
  );
});

Deno.test("a command's exit code counts, and its output to 10 KiB", async () => {
  let code = 0, heard: unknown;
  const bytes = (text: string) => new TextEncoder().encode(text);
  const parts = partsWith({
    execSync: (id, cmd, seconds) => {
      heard = [id, cmd, seconds];
      if (code < 0) return Promise.reject(new RuntimeError("DeadlineExceeded", "late"));
      return Promise.resolve({ stdout: bytes("o".repeat(10_000)), stderr: bytes("e".repeat(1000)), exitCode: code });
    },
  });
  const exec = { exec: { command: ["cat", "$(FILE) $$(FILE) $(NONE)"] } };
  const env = { env: [{ name: "FILE", value: "/f" }] };
  const good = await ask(exec, 7, env, parts);
  assert.deepEqual(heard, ["id1", ["cat", "/f $(FILE) $(NONE)"], 7]);
  assert.deepEqual([good.result, good.output.length, good.output.at(-1)], ["success", 10 * 1024, "e"]);
  code = 3;
  assert.equal((await ask(exec, 7, env, parts)).result, "failure");
  code = -1;
  assert.deepEqual(await ask({ exec: { command: ["a", "b"] } }, 60, {}, parts), {
    result: "failure",
    output: 'command timed out: "a b" timed out after 1m0s',
  });
  assert.equal((await ask(exec)).result, "error");
  const broken = partsWith({ execSync: () => Promise.reject(new RuntimeError("NotFound", "no such task")) });
  assert.deepEqual(await ask(exec, 7, env, broken), {
    result: "error",
    output: "rpc error: code = NotFound desc = no such task",
  });
});

Deno.test("a hook's command runs as it is written, and what fails says of which hook", async () => {
  let heard: unknown;
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hooks = new HookHandlers(partsWith({
    execSync: (_id, cmd) => {
      heard = cmd;
      if (cmd[0] === "none") return Promise.reject(new RuntimeError("Unknown", "no such file"));
      return Promise.resolve({ stdout: bytes("out\n"), stderr: bytes("err\n"), exitCode: cmd[0] === "false" ? 3 : 0 });
    },
  }));
  const at = target({ env: [{ name: "FILE", value: "/f" }] });
  const run = (handler: Handler) => hooks.run(at, handler, new AbortController().signal);
  const command = ["sh", "-c", "echo $$ $(FILE) $$(FILE)"];
  assert.deepEqual([await run({ exec: { command } }), heard], [{ ok: true, output: "out\nerr\n" }, command]);
  const { name, namespace, uid } = at.pod.metadata!;
  const where = `for Container "${at.container.name}" in Pod "${name}_${namespace}(${uid})" failed - error:`;
  const told = async (handler: Handler) => (await run(handler)).output.replace(where, "of it:");
  assert.equal(
    await told({ exec: { command: ["false", "x"] } }),
    `Exec lifecycle hook ([false x]) of it: command 'false x' exited with 3: err\n, message: "out\\nerr\\n"`,
  );
  assert.equal(
    await told({ exec: { command: ["none"] } }),
    'Exec lifecycle hook ([none]) of it: rpc error: code = Unknown desc = no such file, message: ""',
  );
  const port = freePort();
  assert.equal(
    await told({ httpGet: { port, path: "/a" } }),
    `HTTP lifecycle hook (/a) of it: Get "http://127.0.0.1:${port}/a": dial tcp 127.0.0.1:${port}: connect: connection refused`,
  );
});

Deno.test("hooks sleep, and are let go when the container ends", async () => {
  const hooks = new HookHandlers(partsWith({ execSync: (_id, _cmd, _s, signal) => Promise.reject(signal!.reason) }));
  const run = (handler: Handler, signal: AbortSignal) => hooks.run(target({}), handler, signal);
  assert.equal((await run({ sleep: { seconds: 0.001 } }, new AbortController().signal)).ok, true);
  const gone = AbortSignal.abort();
  assert.deepEqual(await run({ sleep: { seconds: 99 } }, gone), {
    ok: false,
    output:
      'Sleep lifecycle hook (99) for Container "c" in Pod "p_ns(u1)" failed - error: container terminated before sleep hook finished',
  });
  assert.equal((await run({ exec: { command: ["x"] } }, gone)).ok, false);
  assert.equal((await run({}, gone)).ok, false);
});
