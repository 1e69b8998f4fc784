/** Connections to a real server process: WebSockets over TLS with a token, clients that go away, GOAWAY and the stream limit by option. */
import assert from "node:assert/strict";
import type { Buffer } from "node:buffer";
import http2 from "node:http2";
import tls from "node:tls";
import { WebSocket } from "ws";
import { ServerProcess, until } from "./_server.ts";

const TOKEN = "s3cret.token_of~ann";
const TOKENS = `${TOKEN},ann,1,"system:masters"\n`;
const PATH = "/api/v1/namespaces/default/configmaps";
const MAX_STREAMS = 7;
const subprotocol = (token: string) =>
  `base64url.bearer.authorization.k8s.io.${
    new TextEncoder().encode(token).toBase64({ alphabet: "base64url", omitPadding: true })
  }`;

/** A server, and what a client needs of it. */
interface World {
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** A request as the administrator; its answer's body. */
  ask(path: string, body?: unknown): Promise<string>;
  /** Watches of config maps that the server holds. */
  watches(): Promise<number>;
}

Deno.test("connections: WebSockets with a token, leavers, GOAWAY and the stream limit, over TLS", async (test) => {
  const tokens = await Deno.makeTempFile({ prefix: "orch-tokens-" });
  await Deno.writeTextFile(tokens, TOKENS);
  const server = await ServerProcess.start("kubernetes", [
    `--token-auth-file=${tokens}`,
    "--goaway-chance=0.02",
    `--http2-max-streams-per-connection=${MAX_STREAMS}`,
  ]);
  const read = (name: string) => Deno.readTextFileSync(`${server.dir}/data/${name}`);
  const [ca, cert, key] = [read("ca.crt"), read("admin.crt"), read("admin.key")];
  const client = Deno.createHttpClient({ caCerts: [ca], cert, key });
  const ask = async (path: string, body?: unknown) => {
    const answer = await fetch(`https://127.0.0.1:${server.port}${path}`, {
      client,
      ...(body === undefined
        ? {}
        : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return text;
  };
  const watches = async () => {
    const lines = (await ask("/metrics")).split("\n").filter((l) =>
      /^apiserver_registered_watchers\{.*configmaps/.test(l)
    );
    return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };
  const world: World = { port: server.port, ca, cert, key, ask, watches };
  try {
    await ask(PATH, { metadata: { name: "one" } });
    for (const [name, step] of Object.entries(STEPS)) await test.step(name, () => step(world));
  } finally {
    client.close();
    await server.end();
    await Deno.remove(tokens);
  }
});

const STEPS: Readonly<Record<string, (w: World) => Promise<void>>> = {
  "a WebSocket logs in by a token among its subprotocols": async (w) => {
    const socket = webSocket(w, [subprotocol(TOKEN), "base64.binary.k8s.io"]);
    const event = JSON.parse(await firstMessage(socket));
    assert.deepEqual([event.type, event.object.kind], ["ADDED", "ConfigMap"]);
    assert.equal(socket.protocol, "base64.binary.k8s.io");
    socket.close();
    assert.equal(await refusal(webSocket(w, [subprotocol("another"), "base64.binary.k8s.io"])), 401);
    assert.equal(await refusal(webSocket(w, [subprotocol(TOKEN)])), 401, "a token needs a subprotocol beside it");
    assert.equal(await refusal(webSocket(w, [])), 403, "nobody may watch without saying who it is");
    await until("the watch is freed", async () => await w.watches() === 0);
  },
  "a client that goes away frees its watch": async (w) => {
    const { cert, key } = w;
    const socket = webSocket(w, [], { cert, key });
    await firstMessage(socket);
    const plain = await tlsSocket(w);
    plain.write(`GET ${PATH}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => plain.once("data", resolve));
    const session = await watching(w);
    await until("all are counted", async () => await w.watches() === 3);
    for (
      const [left, leave] of [[2, () => socket.terminate()], [1, () => plain.destroy()], [
        0,
        () => session.destroy(),
      ]] as const
    ) {
      leave();
      await until(`${left} watches are left`, async () => await w.watches() === left);
    }
  },
  "half a body, then nothing: others are served, and nothing is made of it": async (w) => {
    const half = await tlsSocket(w), body = JSON.stringify({ metadata: { name: "half" } });
    half.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${
        body.slice(0, 10)
      }`,
    );
    for (let i = 0; i < 20; i++) await w.ask(PATH);
    half.destroy();
    const names = JSON.parse(await w.ask(PATH)).items.map((i: { metadata: { name: string } }) => i.metadata.name);
    assert.deepEqual(names.filter((n: string) => n === "half"), []);
  },
  "--http2-max-streams-per-connection is what clients are told": async (w) => {
    const session = http2Session(w);
    const settings = await new Promise<http2.Settings>((resolve) => session.once("remoteSettings", resolve));
    assert.equal(settings.maxConcurrentStreams, MAX_STREAMS);
    session.destroy();
  },
  "--goaway-chance sends clients away": async (w) => {
    let away = 0, answered = 0;
    while (away < 3) {
      const session = http2Session(w);
      let told = false;
      session.once("goaway", () => told = true);
      while (!told) {
        const statuses = await Promise.all(Array.from({ length: 3 }, () => get(session, `${PATH}/one`)));
        assert.deepEqual(statuses.filter((s) => s !== 200 && s !== 0), []);
        answered += statuses.length;
        // One in fifty requests: so many without is a matter of a million years.
        assert.ok(answered < 5000, `${away} times told in ${answered} requests`);
      }
      away++;
      session.close();
    }
  },
  "no request is lost by a client that comes back": async (w) => {
    for (let i = 0; i < 100; i++) await Promise.all(Array.from({ length: 5 }, () => w.ask(`${PATH}/one`)));
  },
};

function webSocket({ port, ca }: World, protocols: string[], pair: { cert?: string; key?: string } = {}): WebSocket {
  const socket = new WebSocket(`wss://127.0.0.1:${port}${PATH}?watch=1`, protocols, { ca, ...pair });
  socket.on("error", () => {});
  return socket;
}

function firstMessage(socket: WebSocket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once("message", (data: Uint8Array) => resolve(new TextDecoder().decode(data)));
    socket.once("close", () => reject(new Error("closed without a message")));
  });
}

/** The HTTP status that a WebSocket was refused with. */
function refusal(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once("unexpected-response", (_: unknown, answer: { statusCode: number; resume(): void }) => {
      answer.resume();
      socket.terminate();
      resolve(answer.statusCode);
    });
    socket.once("open", () => reject(new Error("not refused")));
  });
}

function tlsSocket({ port, ca, cert, key }: World): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect(
      { host: "127.0.0.1", port, ca, cert, key, ALPNProtocols: ["http/1.1"] },
      () => resolve(socket),
    );
    socket.on("error", reject);
  });
}

function http2Session({ port, ca, cert, key }: World): http2.ClientHttp2Session {
  const session = http2.connect(`https://127.0.0.1:${port}`, { ca, cert, key });
  session.on("error", () => {});
  return session;
}

/** A session that holds a watch. One that is sent away gives it up, see `get`, and is followed by another. */
async function watching(w: World): Promise<http2.ClientHttp2Session> {
  for (;;) {
    const session = http2Session(w), stream = session.request({ ":path": `${PATH}?watch=1` });
    let told = false;
    session.once("goaway", () => told = true);
    stream.on("error", () => {});
    // Who is sent away is told so before the answer.
    await new Promise((resolve) => stream.once("data", resolve).once("end", resolve));
    if (!told) return session;
    session.destroy();
  }
}

/** The status of an answer. 0: the runtime's client gives up what it sends as it is told to go away (Node's own does not). */
function get(session: http2.ClientHttp2Session, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": path });
    let status = 0;
    stream.on("response", (headers) => status = Number(headers[":status"]));
    stream.on("data", (_: Buffer) => {});
    stream.on("end", () => resolve(status));
    stream.on("error", reject);
  });
}
