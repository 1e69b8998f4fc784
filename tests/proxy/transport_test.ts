import assert from "node:assert/strict";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { proxyTransport } from "../../server/options/proxy_client.ts";
import type { ProxyAnswer, ProxyTransport } from "../../server/proxy/types.ts";
import { ca, serving, soon, until } from "../listen/_fixture.ts";

/** How a server answers the n-th request on one of its connections. */
type Answer = (socket: net.Socket, n: number) => void;

interface Behind {
  readonly transport: ProxyTransport;
  readonly open: ReadonlySet<net.Socket>;
  send(method: string, body?: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<ProxyAnswer>;
}

/** Resolves when the last request came by the connection of the one before. */
async function waits(heard: readonly net.Socket[]): Promise<void> {
  await until("a request by a kept connection", () => heard.length > 1 && heard.at(-1) === heard.at(-2));
}

/** A server that answers as it likes, byte by byte, and a way to it. */
async function withBehind(answer: Answer, run: (b: Behind) => Promise<void>): Promise<void> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    let n = 0;
    open.add(socket);
    socket.on("error", () => {}).once("close", () => open.delete(socket));
    socket.on("data", (chunk) => / HTTP\/1\.1\r\n/.test(chunk.toString("latin1")) && answer(socket, ++n));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const transport = proxyTransport();
  const target = { host: "127.0.0.1", port, authority: "behind", path: "/" };
  const never = new AbortController().signal;
  try {
    await run({
      transport,
      open,
      send: (method, body, signal = never) =>
        transport.send(target, { method, headers: [], body: body ?? null }, signal),
    });
  } finally {
    transport.close();
    for (const socket of open) socket.destroy();
    await new Promise<void>((done) => server.close(() => done()));
  }
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
const text = async ({ body }: ProxyAnswer): Promise<string> => await new Response(body).text();

Deno.test("A server that upgrades unasked has given no answer, and its connection ends", async () => {
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nmore";
  await withBehind((socket) => socket.write(upgrade), async ({ send, open }) => {
    await assert.rejects(soon(send("GET"), "the failure"), /an upgrade that nobody asked for/);
    await until("the connection's end", () => open.size === 0);
  });
});

Deno.test("A connection that ends without an answer is told of, whatever was asked", async () => {
  // The runtime ends a connection by itself that is a tunnel from here on.
  await withBehind((socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n"), async ({ send, open }) => {
    await assert.rejects(soon(send("CONNECT"), "the failure"), /closed without an answer/);
    await until("the connection's end", () => open.size === 0);
  });
});

Deno.test("What is asked on a kept connection that breaks is asked again only where that changes nothing", async () => {
  const rows: [method: string, body: boolean, again: boolean][] = [
    ["GET", false, true],
    ["OPTIONS", false, true],
    ["DELETE", false, false],
    ["POST", false, false],
    ["POST", true, false],
  ];
  for (const [method, withBody, again] of rows) {
    let broken = 0;
    const answer: Answer = (socket, n) => {
      if (n === 1) return void socket.write(OK);
      broken++;
      socket.resetAndDestroy();
    };
    await withBehind(answer, async ({ send }) => {
      // Until one goes by a connection that was kept: when it is there for the next is the runtime's affair.
      await until("a connection to be used again", async () => {
        const answered = send(method, withBody ? new Blob(["x"]).stream() : undefined).then(text);
        const said = await soon(answered.catch(() => "failed"), "the end");
        if (broken > 0) assert.deepEqual([said, broken], [again ? "hi" : "failed", 1], method);
        return broken > 0;
      });
    });
  }
});

Deno.test("A client that goes takes its request along from a kept connection, too", async () => {
  const heard: net.Socket[] = [], gone = new AbortController();
  const answer: Answer = (socket, n) => heard.push(socket) === 1 || n === 1 ? void socket.write(OK) : undefined;
  await withBehind(answer, async ({ send, open }) => {
    await until("a connection to be used again", async () => {
      if (heard.length > 0 && heard.at(-1) === heard.at(-2)) return true;
      // The second on one connection waits for its answer, until its client goes.
      await Promise.race([send("GET", undefined, gone.signal).then(text).catch(() => {}), waits(heard)]);
      return false;
    });
    gone.abort();
    await until("the connection's end", () => open.size === 0);
    const before = heard.length;
    assert.equal(await soon(send("GET").then(text), "the answer"), "hi");
    assert.equal(heard.length, before + 1, "nothing was asked in between");
  });
});

Deno.test("A server that announces its answer without end has given none, on new and on kept connections", async () => {
  const early = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n".repeat(101);
  for (const kept of [false, true]) {
    const answer: Answer = (socket, n) => void socket.write(kept && n === 1 ? OK : early + OK);
    await withBehind(answer, async ({ send, open }) => {
      await until("the failure", async () => {
        const said = await soon(send("GET").then(text).catch((e: Error) => e.message), "the end");
        if (said !== "hi") assert.match(said, /more than 100 answers of 1xx/);
        return said !== "hi";
      });
      await until("the connection's end", () => open.size === 0);
    });
  }
});

Deno.test("What is asked goes round all kept connections that a server has forgotten", async () => {
  const KEPT = 4;
  let forgotten = false;
  const waiting: net.Socket[] = [];
  const answer: Answer = (socket, n) => {
    if (forgotten) return n === 1 ? void socket.write(OK) : void socket.resetAndDestroy();
    // All at once: each has a connection of its own.
    waiting.push(socket);
    if (waiting.length === KEPT) { for (const one of waiting) one.write(OK); }
  };
  await withBehind(answer, async ({ send, open }) => {
    assert.deepEqual(
      await soon(Promise.all(Array.from({ length: KEPT }, () => send("GET").then(text))), "answers"),
      Array.from({ length: KEPT }, () => "hi"),
    );
    assert.equal(open.size, KEPT);
    forgotten = true;
    assert.equal(await soon(send("GET").then(text), "the answer"), "hi");
  });
});

for (const secure of [false, true]) {
  Deno.test(`A server that leaves an upgraded connection without reading all is heard out${secure ? ", over TLS" : ""}`, async () => {
    const at = { hostname: "127.0.0.1", port: 0 };
    using listener = secure ? Deno.listenTls({ ...at, cert: serving.cert, key: serving.key }) : Deno.listen(at);
    const { port } = listener.addr as Deno.NetAddr, bytes = (text: string) => new TextEncoder().encode(text);
    const tls = secure ? { name: "127.0.0.1", ca: ca.cert, insecure: false } : undefined;
    const target = { host: "127.0.0.1", port, authority: "behind", path: "/", ...(tls ? { tls } : {}) };
    const headers = [["connection", "Upgrade"], ["upgrade", "x"]] as const;
    const transport = proxyTransport(), accepted = listener.accept();
    const asked = transport.upgrade(target, { method: "GET", headers, body: null }, new AbortController().signal);
    const its = await accepted;
    await its.read(new Uint8Array(64 * 1024));
    await its.write(bytes("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"));
    const tunnel = await soon(asked, "the upgrade");
    assert.ok("stream" in tunnel);
    const stream = tunnel.stream.pause();
    const written = () => new Promise<void>((done) => stream.write("what it leaves unread", () => done()));
    await soon(written(), "the write");
    await its.write(bytes("the last words"));
    its.close();
    for (let i = 0; i < 3; i++) await soon(written(), "a write");
    let text = "";
    stream.on("data", (chunk) => text += new TextDecoder().decode(chunk));
    const closed = new Promise<void>((done) => stream.once("close", () => done()));
    stream.resume();
    await soon(closed, "the end");
    assert.equal(text, "the last words");
    transport.close();
  });
}

Deno.test("Headers whose names objects of the language inherit something by are passed on as others", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr, transport = proxyTransport(), accepted = listener.accept();
  const headers = ["constructor", "__proto__", "x-a", "constructor"].map((name, i) => [name, String(i)] as const);
  const target = { host: "127.0.0.1", port, authority: "behind", path: "/" };
  const asked = transport.send(target, { method: "GET", headers, body: null }, new AbortController().signal);
  const its = await accepted, head = new Uint8Array(64 * 1024);
  const length = await its.read(head), lines = new TextDecoder().decode(head.subarray(0, length!)).split("\r\n");
  await its.write(new TextEncoder().encode(OK));
  assert.equal(await text(await asked), "hi");
  its.close();
  transport.close();
  assert.deepEqual(lines.slice(1, 6), ["host: behind", "constructor: 0", "constructor: 3", "__proto__: 1", "x-a: 2"]);
});

/** A server over TLS: connections wait for their handshake until the test begins it. */
async function withHandshakes(
  answered: () => Promise<void>,
  run: (
    b: { waiting: net.Socket[]; begin(): void; send(ms: number, signal?: AbortSignal): Promise<string> },
  ) => Promise<void>,
  authority = ca.cert,
): Promise<void> {
  const waiting: net.Socket[] = [], open = new Set<net.Socket>();
  const behind = https.createServer(serving, (_, response) => void answered().then(() => response.end("hi")));
  const front = net.createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    waiting.push(socket);
  });
  await new Promise<void>((done) => front.listen(0, "127.0.0.1", done));
  const { port } = front.address() as AddressInfo, transport = proxyTransport();
  const tls = { name: "localhost", ca: authority, insecure: false, cert: undefined, key: undefined };
  const never = new AbortController().signal;
  const send = async (connectMs: number, signal = never): Promise<string> => {
    const target = { host: "127.0.0.1", port, authority: "behind", path: "/", tls, connectMs };
    return await text(await transport.send(target, { method: "GET", headers: [], body: null }, signal));
  };
  try {
    await run({ waiting, begin: () => void behind.emit("connection", waiting.shift()), send });
  } finally {
    transport.close();
    for (const socket of open) socket.destroy();
    await new Promise<void>((done) => front.close(() => done()));
  }
}

const LONG = 600_000, MOST = 8;

Deno.test("Of many requests at once few open connections at a time, and others go by those", async () => {
  await withHandshakes(() => Promise.resolve(), async ({ waiting, begin, send }) => {
    const answers = Array.from({ length: 40 }, () => send(LONG));
    await until("so many connections", () => waiting.length === MOST);
    const gone = new AbortController(), left = send(LONG, gone.signal);
    gone.abort(new Error("it left"));
    await assert.rejects(left, /it left/);
    let all = false;
    const over = Promise.all(answers).finally(() => all = true);
    // A connection for those that still wait is only opened where none is free.
    await until("all answers", () => {
      assert.ok(waiting.length <= MOST);
      if (waiting.length > 0) begin();
      return all;
    });
    assert.deepEqual(new Set(await over), new Set(["hi"]));
  });
});

Deno.test("Who waits for a connection to a server that does not answer waits no longer than for one of his own", async () => {
  await withHandshakes(() => Promise.resolve(), async ({ waiting, send }) => {
    const over = Promise.allSettled(Array.from({ length: 40 }, () => send(200)));
    await until("so many connections", () => waiting.length === MOST);
    const all = await over;
    const reasons = all.map((one) => one.status === "rejected" && (one.reason as Error).message);
    assert.deepEqual(new Set(reasons), new Set(["the connection timed out"]));
    assert.equal(waiting.length, MOST);
  });
});

Deno.test("A server that is trusted by its own certificate may answer later than its connection is there", async () => {
  const asked = Promise.withResolvers<void>(), answer = Promise.withResolvers<void>();
  const answered = async () => {
    asked.resolve();
    await answer.promise;
  };
  await withHandshakes(answered, async ({ waiting, begin, send }) => {
    const ms = 5_000, sent = send(ms);
    await until("a connection", () => waiting.length === 1);
    begin();
    await asked.promise;
    setTimeout(answer.resolve, ms + 500);
    assert.equal(await sent, "hi");
  }, serving.cert);
});
