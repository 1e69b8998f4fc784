/** Connections of the agent's servers that say nothing, come in crowds or take nothing; frames of SPDY. */
import assert from "node:assert/strict";
import net from "node:net";
import { type Incoming, listen, type ListenOptions } from "../../../agent/http/listen/listen.ts";
import { dataFrame, FrameReader, StreamOpener } from "../../../agent/http/streams/spdy.ts";
import { openStream, tunnel } from "../../../agent/http/streams/tunnel.ts";
import { concat } from "../../../schema/values/bytes.ts";
import { closed, connectTls, readUntil, serving, soon, until } from "../../listen/_fixture.ts";

const BODY = "x".repeat(1_000_000);
const TLS = { pair: () => serving, clientCa: () => "", minVersion: "", cipherSuites: [] };

async function withListener(
  options: Partial<ListenOptions>,
  run: (port: number) => Promise<void>,
): Promise<void> {
  const handle = ({ response }: Incoming) => Promise.resolve(void response.end("here"));
  const failed = () => {};
  const listener = await listen({ host: "127.0.0.1", port: 0, now: () => Date.now(), handle, failed, ...options });
  try {
    await run(listener.port);
  } finally {
    await listener.close(0);
  }
}

/** Long enough for what must not come to be seen. */
const aWhile = () => new Promise((done) => setTimeout(done, 50));

function connect(port: number): net.Socket {
  return net.connect({ host: "127.0.0.1", port }).on("error", () => {});
}

Deno.test("agent listener: connections end that say nothing, ask nothing more, or are too many", async () => {
  const limits = { handshakeMs: 100, idleMs: 100, connections: 2 };
  let time = 0;
  const now = () => time;
  /** Time goes by until they are closed. */
  const late = async (...sockets: net.Socket[]) => {
    const passing = setInterval(() => time += 50, 10);
    await Promise.all(sockets.map(closed)).finally(() => clearInterval(passing));
  };
  await withListener({ limits, now, tls: TLS }, async (port) => {
    await late(connect(port));
    const kept = await connectTls(port);
    kept.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    assert.match(
      await readUntil(kept, (t) => t.endsWith("here\r\n0\r\n\r\n") || t.endsWith("here")),
      /^HTTP\/1.1 200 /,
    );
    await late(kept);
    const [one, two] = [connect(port), connect(port)];
    await Promise.all([one, two].map((s) => new Promise((done) => s.once("connect", done))));
    await closed(connect(port));
    await late(one, two);
  });
  await withListener({ limits, now }, async (port) => {
    const slow = connect(port);
    slow.write("GET / HTTP/1.1\r\nhost: ");
    await late(slow);
    const wrong = connect(port);
    let text = "";
    wrong.on("data", (chunk) => text += chunk);
    wrong.write("no such thing\r\n\r\n");
    await closed(wrong);
    assert.match(text, /^HTTP\/1.1 400 /);
  });
});

Deno.test("agent listener: all interfaces are those of both families", async () => {
  const only = await Deno.readTextFile("/proc/sys/net/ipv6/bindv6only").catch(() => "1");
  const both = only.trim() === "0" && Deno.networkInterfaces().some(({ address }) => address === "::1");
  await withListener({ host: "0.0.0.0" }, async (port) => {
    for (const host of both ? ["127.0.0.1", "[::1]"] : ["127.0.0.1"]) {
      assert.equal(await (await fetch(`http://${host}:${port}/`)).text(), "here");
    }
  });
});

Deno.test("agent listener: a connection is kept for the next request", async () => {
  for (const tls of [undefined, TLS]) {
    await withListener(tls ? { tls } : {}, async (port) => {
      const kept = tls ? await connectTls(port) : connect(port);
      for (let i = 0; i < 3; i++) {
        // Nobody reads the body.
        kept.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`);
        assert.match(await readUntil(kept, (t) => t.endsWith("here")), /^HTTP\/1.1 200 [^]*here$/);
      }
      kept.destroy();
    });
  }
});

Deno.test("agent listener: of a body that nobody reads only so much is read away, and few pieces", async () => {
  for (const [piece, most] of [["x".repeat(65_536), 100], ["x", 20_000]] as const) {
    await withListener({}, async (port) => {
      const sender = connect(port), chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
      sender.write("POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n");
      await readUntil(sender, (t) => t.includes("here"));
      sender.write(chunk.repeat(most));
      await closed(sender);
    });
  }
});

Deno.test("agent listener: requests of one connection are taken one after the other, and only so many ahead", async () => {
  for (const tls of [undefined, TLS]) {
    const came: Incoming[] = [];
    const handle = (incoming: Incoming) => Promise.resolve(void came.push(incoming));
    await withListener({ handle, limits: { ahead: 4 }, ...(tls ? { tls } : {}) }, async (port) => {
      const ask = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\nx`;
      const kept = tls ? await connectTls(port) : connect(port);
      kept.write(["/0", "/1", "/2"].map(ask).join(""));
      for (let i = 0; i < 3; i++) {
        await until("the next one comes", () => came.length > i);
        await aWhile();
        assert.equal(came.length, i + 1);
        came[i]!.response.end(`end of ${i}`);
        await readUntil(kept, (t) => t.includes(`end of ${i}`));
      }
      assert.deepEqual(came.map(({ request }) => request.url), ["/0", "/1", "/2"]);
      kept.write(ask("/").repeat(1_000));
      await closed(kept);
      await until("the one at work hears of it", () => came.length === 4 && came[3]!.signal.aborted);
    });
  }
});

Deno.test("agent listener: an upgrade behind a request waits for its answer", async () => {
  const came: Incoming[] = [];
  const handle = (incoming: Incoming) => Promise.resolve(void came.push(incoming));
  await withListener({ handle }, async (port) => {
    const kept = connect(port);
    kept.write(
      "GET /0 HTTP/1.1\r\nhost: x\r\n\r\nGET /1 HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n",
    );
    await until("the first comes", () => came.length > 0);
    await aWhile();
    assert.equal(came.length, 1);
    came[0]!.response.end("first");
    await until("the other comes", () => came.length === 2);
    assert.ok(came[1]!.upgrade);
    came[1]!.response.end("second");
    await readUntil(kept, (t) => t.includes("second"));
    kept.destroy();
  });
});

Deno.test("agent listener: an upgrade that is refused is over, and each request has the whole time", async () => {
  let now = 0;
  const came: Incoming[] = [];
  const handle = (incoming: Incoming) => {
    came.push(incoming);
    if (incoming.request.url !== "/long") incoming.response.end("here");
    return Promise.resolve();
  };
  await withListener({ now: () => now, limits: { idleMs: 500, answerMs: 1_000 }, handle }, async (port) => {
    const upgrade = "connection: Upgrade\r\nupgrade: x\r\n";
    const ask = (path: string, more = "") => new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`);
    // Its own side stays open.
    const refused = await Deno.connect({ port }), kept = connect(port);
    await refused.write(ask("/", upgrade));
    kept.write(ask("/"));
    await until("both are answered", () => came.length === 2 && came.every(({ signal }) => signal.aborted));
    const [{ peer }] = came.filter(({ upgrade }) => upgrade) as [Incoming];
    now = 400;
    kept.write(ask("/long"));
    await until("another comes", () => came.length === 3);
    const over = closed(peer.raw);
    now = 1_100;
    await over;
    const { response, signal } = came[2]!;
    assert.equal(signal.aborted, false);
    response.end("late");
    await readUntil(kept, (t) => t.includes("late"));
    kept.destroy();
    refused.close();
  });
});

Deno.test("agent listener: a client that sends and is not read is held back", async () => {
  let taken = 0, take = () => {};
  const handle = ({ request: { socket }, response, upgrade }: Incoming) => {
    response.detachSocket(socket);
    taken = upgrade!.first.length;
    socket.on("data", (chunk) => taken += chunk.length);
    socket.pause();
    take = () => void socket.resume();
    return Promise.resolve();
  };
  await withListener({ tls: TLS, handle }, async (port) => {
    const all = 64 * 1024 * 1024, chunk = new Uint8Array(65_536);
    const socket = await connectTls(port);
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n");
    let sent = 0, last = -1;
    const pump = () => {
      while (sent < all) {
        sent += chunk.length;
        if (!socket.write(chunk)) return void socket.once("drain", pump);
      }
    };
    pump();
    while (sent !== last) {
      last = sent;
      await new Promise((done) => setTimeout(done, 300));
    }
    assert.ok(sent < all / 2, `${sent} bytes were taken`);
    take();
    await until("all is there", () => taken >= all);
    socket.destroy();
  });
});

Deno.test("agent listener: closing lets what is at work end, for a time", async () => {
  const begun = Promise.withResolvers<Incoming>();
  const handle = (incoming: Incoming) => Promise.resolve(begun.resolve(incoming));
  const listener = await listen({ host: "127.0.0.1", port: 0, now: () => Date.now(), handle, failed: () => {} });
  const answer = fetch(`http://127.0.0.1:${listener.port}/`);
  const { response } = await begun.promise;
  const idle = connect(listener.port);
  await new Promise((done) => idle.once("connect", done));
  const over = listener.close(10_000);
  await closed(idle);
  response.end("late");
  assert.equal(await (await answer).text(), "late");
  await soon(over, "the end");
});

Deno.test("agent streams: for a client that has gone the runtime begins nothing", async () => {
  let came = 0;
  const handle = ({ peer }: Incoming) => Promise.resolve(void (came++, peer.socket.end("HTTP/1.1 101 X\r\n\r\n")));
  await withListener({ handle }, async (port) => {
    const headers = { connection: "Upgrade", upgrade: "SPDY/3.1" };
    const opened = await openStream("POST", `http://127.0.0.1:${port}/`, headers, AbortSignal.abort());
    assert.equal("body" in opened && opened.body, "the client has gone\n");
  });
  assert.equal(came, 0);
});

Deno.test("agent streams: the runtime is told what a client says, whatever its names, and no tokens", async () => {
  let told: Incoming["request"] | undefined;
  const runtime = ({ request, response, peer }: Incoming) => {
    told = request;
    response.detachSocket(peer.socket);
    return Promise.resolve(void peer.socket.end("HTTP/1.1 101 X\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n"));
  };
  await withListener({ handle: runtime }, async (behind) => {
    const handle = async (incoming: Incoming) => void await tunnel(incoming, `http://127.0.0.1:${behind}/`, 0);
    await withListener({ handle }, async (port) => {
      const client = connect(port);
      const protocols = "sec-websocket-protocol: base64url.bearer.authorization.k8s.io.c2VjcmV0, v4, v5";
      const lines = ["connection: Upgrade", "upgrade: websocket", protocols, "authorization: Bearer secret"];
      client.write(["GET / HTTP/1.1", "host: x", ...lines, "constructor: a", "__proto__: b", "", ""].join("\r\n"));
      await soon(new Promise((done) => client.once("data", done)), "the answer");
      client.destroy();
    });
  });
  const { rawHeaders, headers } = told!;
  assert.equal(headers["sec-websocket-protocol"], "v4, v5");
  assert.ok(!rawHeaders.some((text) => /secret|c2VjcmV0/.test(text)));
  assert.deepEqual(["constructor", "__proto__"].map((name) => rawHeaders[rawHeaders.indexOf(name) + 1]), ["a", "b"]);
});

Deno.test("agent streams: frames come in any pieces", () => {
  const { frame, stream } = new StreamOpener().open({ streamtype: "stdin" });
  assert.equal(stream, 1);
  const ping = Uint8Array.of(0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 2);
  const bytes = concat([
    frame,
    dataFrame(3, new TextEncoder().encode("abc"), false),
    ping,
    dataFrame(3, new TextEncoder().encode("de"), true),
    dataFrame(5, new Uint8Array(), true),
    Uint8Array.of(0x80, 3, 0, 3, 0, 0, 0, 8, 0, 0, 0, 7, 0, 0, 0, 5),
    Uint8Array.of(0x80, 3, 0, 7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 0),
  ]);
  for (let size = 1; size <= bytes.length; size++) {
    let text = "";
    const ended: number[] = [], broken: number[] = [], replies: Uint8Array[] = [];
    const reader = new FrameReader({
      data(stream, piece, fin) {
        if (stream === 3) text += new TextDecoder().decode(piece);
        if (fin) ended.push(stream);
      },
      broken: (stream) => broken.push(stream),
      reply: (frame) => replies.push(frame),
    });
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    assert.deepEqual([text, ended, broken], ["abcde", [3, 5], [7, 0]]);
    assert.deepEqual(replies, [ping]);
  }
  const reader = new FrameReader({ data() {}, broken() {}, reply() {} });
  assert.throws(() => reader.push(Uint8Array.of(0x80, 3, 0, 2, 0, 255, 255, 255)), /a control frame of/);
});
