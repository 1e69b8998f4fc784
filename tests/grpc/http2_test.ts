/** The gRPC client against HTTP/2 servers that say what gRPC servers seldom say. */
import assert from "node:assert/strict";
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from "node:http2";
import { createServer as createPlain } from "node:net";
import { UNIX } from "../../host/grpc.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import { framed } from "../../schema/grpc/framing.ts";
import { requestHeaders } from "../../schema/grpc/headers.ts";
import type { Platform } from "../../schema/grpc/http2.ts";
import type { StatusName } from "../../schema/grpc/status.ts";
import { socketsClosed } from "../fixture/sockets_closed.ts";
import { AT_ONCE, bytes, callTo, failsWith, text, trial, until, using } from "./_trial.ts";

type Handle = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** Bytes that have gone through the client's connections. */
interface Moved {
  read: number;
  written: number;
}

type Run = (client: GrpcClient, sessions: ServerHttp2Session[], moved: Moved) => Promise<void>;

/** {@linkcode UNIX} with a count. */
const counting = (moved: Moved): Platform => ({
  ...UNIX,
  dial: async (path) => {
    const connection = await UNIX.dial(path);
    return {
      read: async (into) => {
        const count = await connection.read(into);
        moved.read += count ?? 0;
        return count;
      },
      write: async (bytes) => {
        const count = await connection.write(bytes);
        moved.written += count;
        return count;
      },
      close: () => connection.close(),
      ref: () => connection.ref(),
      unref: () => connection.unref(),
    };
  },
});

/** A server of one behaviour, and a client of it. */
async function against(handle: Handle, run: Run, settings: Settings = {}): Promise<void> {
  const dir = await Deno.makeTempDir();
  const sessions: ServerHttp2Session[] = [];
  const server = createServer({ settings });
  server.on("session", (session) => {
    session.on("error", () => {});
    sessions.push(session);
  });
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on("error", () => {});
    handle(stream, headers);
  });
  await new Promise<void>((done) => server.listen(`${dir}/http2.sock`, done));
  const moved: Moved = { read: 0, written: 0 };
  const client = new GrpcClient(`${dir}/http2.sock`, counting(moved), AT_ONCE);
  try {
    await run(client, sessions, moved);
  } finally {
    client.close();
    await until(() => sessions.every((s) => s.destroyed));
    await new Promise((done) => server.close(done));
    await socketsClosed();
    await Deno.remove(dir, { recursive: true });
  }
}

const HEAD = { ":status": 200, "content-type": "application/grpc" };
const ANSWER = framed(bytes("answer"), Infinity);

/** Answers with a head, bytes and trailers. */
const answering = (body: Uint8Array, trailers: Record<string, string>): Handle => (stream) => {
  stream.respond(HEAD, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  stream.end(body);
};
const only = (headers: Record<string, string | number>): Handle => (stream) =>
  stream.respond(headers, { endStream: true });
const reset = (code: number): Handle => (stream) => stream.close(code);

const FAULTS: readonly (readonly [name: string, Handle, StatusName, RegExp?])[] = [
  ["HTTP 503", only({ ":status": 503 }), "Unavailable", /HTTP status 503/],
  [
    "HTTP 404 with a body",
    (s) => (s.respond({ ":status": 404, "content-type": "text/html" }), s.end("<p>")),
    "Unimplemented",
  ],
  ["HTTP 401", only({ ":status": 401 }), "Unauthenticated"],
  ["HTTP 418", only({ ":status": 418 }), "Unknown"],
  [
    "another content type",
    (s) => (s.respond({ ":status": 200, "content-type": "text/html" }), s.end("<p>")),
    "Unknown",
    /text\/html/,
  ],
  [
    "trailers only",
    only({ ...HEAD, "grpc-status": "7", "grpc-message": "caf%C3%A9 %zz %FF 5%" }),
    "PermissionDenied",
    /^café %zz \ufffd 5%$/,
  ],
  ["trailers only with another HTTP status", only({ ...HEAD, ":status": 500, "grpc-status": "16" }), "Unauthenticated"],
  ["a status that is none", only({ ...HEAD, "grpc-status": "77" }), "Unknown"],
  ["trailers without a status", answering(ANSWER, { other: "x" }), "Unknown", /without a gRPC status/],
  ["no trailers", (s) => (s.respond(HEAD), s.end(ANSWER)), "Internal"],
  ["no message", answering(new Uint8Array(), { "grpc-status": "0" }), "Internal", /no message/],
  [
    "two messages",
    answering(new Uint8Array([...ANSWER, ...ANSWER]), { "grpc-status": "0" }),
    "Internal",
    /more than one/,
  ],
  [
    "a part of a message",
    answering(new Uint8Array([...ANSWER, ...ANSWER.subarray(0, 7)]), { "grpc-status": "0" }),
    "Internal",
    /part/,
  ],
  [
    "a compressed message",
    answering(Uint8Array.of(1, 0, 0, 0, 1, 9), { "grpc-status": "0" }),
    "Internal",
    /compressed/,
  ],
  ["a reset without a reason", reset(0), "Internal"],
  ["a stream that is refused", reset(7), "Unavailable", /RST_STREAM with code 7/],
  ["a stream that is cancelled", reset(8), "Canceled"],
  ["calm asked for", reset(11), "ResourceExhausted"],
  ["too little security", reset(12), "PermissionDenied"],
  ["an error inside", reset(2), "Internal"],
  ["a connection that breaks", (s) => s.session!.destroy(), "Unavailable", /^Connection dropped/],
];

Deno.test("grpc: what ends a call is told by its status", (t) => {
  const handle: Handle = (stream, headers) => FAULTS[Number(/\d+$/.exec(headers[":path"]!))]![1](stream, headers);
  return against(handle, async (client) => {
    for (const [i, [name, , status, details]] of FAULTS.entries()) {
      const call = callTo(String(i));
      await t.step(
        name,
        () => assert.rejects(client.call(call, bytes("q"), { timeout: 60_000 }), failsWith(status, details)),
      );
    }
  });
});

Deno.test("grpc: an answer that comes before the request is read is an answer", () =>
  against((stream) => {
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on("wantTrailers", () => {
      stream.sendTrailers({ "grpc-status": "0" });
      setImmediate(() => stream.close(0));
    });
    stream.end(ANSWER);
  }, async (client) => {
    for (let i = 0; i < 20; i++) {
      assert.equal(text(await client.call(callTo("x"), new Uint8Array(1024 * 1024), {})), "answer");
    }
  }));

Deno.test("grpc: who does not read holds back the server, and no other call", async () => {
  const enough = 16 * 1024 * 1024, piece = framed(new Uint8Array(64 * 1024), Infinity);
  const much = new Uint8Array(enough / (64 * 1024) * piece.length);
  for (let at = 0; at < much.length; at += piece.length) much.set(piece, at);
  const trailers = { "grpc-status": "0" };
  const handle: Handle = (stream, headers) =>
    answering(headers[":path"] === "/trial.Trial/much" ? much : ANSWER, trailers)(stream, headers);
  await against(handle, async (client, _sessions, moved) => {
    const slow = client.stream(callTo("much"), bytes(""), {});
    let got = (await slow.next()).value!.length;
    for (let i = 0; i < 100; i++) assert.equal(text(await client.call(callTo("x"), bytes(""), {})), "answer");
    assert.ok(moved.read < enough / 8, `${moved.read} bytes were read`);
    for await (const b of slow) got += b.length;
    assert.equal(got, enough);
  });
});

Deno.test("grpc: a server that does not read holds back who writes, and no other call", async () => {
  const enough = 16 * 1024 * 1024, piece = new Uint8Array(64 * 1024);
  let read = 0, idle: ServerHttp2Stream | undefined;
  const handle: Handle = (stream, headers) => {
    if (headers[":path"] !== "/trial.Trial/idle") return answering(ANSWER, { "grpc-status": "0" })(stream, headers);
    idle = stream;
    stream.on("end", () => answering(ANSWER, { "grpc-status": "0" })(stream, headers));
  };
  await against(handle, async (client) => {
    const stream = await client.open(callTo("idle"), {});
    let written = 0;
    const writing = (async () => {
      for (; written < enough; written += piece.length) await stream.write(piece);
      stream.end();
    })();
    for (let i = 0; i < 100; i++) assert.equal(text(await client.call(callTo("x"), bytes(""), {})), "answer");
    assert.ok(written < enough / 8, `${written} bytes were written`);
    idle!.on("data", (b: Uint8Array) => read += b.length);
    await writing;
    assert.equal(text(await stream.next()), "answer");
    assert.equal(read, enough + enough / piece.length * 5);

    const left = await client.open(callTo("idle"), {});
    const waiting = left.write(new Uint8Array(enough));
    left.cancel();
    await waiting;
  });
});

Deno.test("grpc: after GOAWAY calls under way end well, and new ones take another connection", async () => {
  const held: ServerHttp2Stream[] = [];
  const answered = answering(ANSWER, { "grpc-status": "0" });
  await against(
    (stream, headers) => headers[":path"] === "/trial.Trial/held" ? void held.push(stream) : answered(stream, headers),
    async (client, sessions) => {
      const call = (name: string) => client.call(callTo(name), bytes(""), {});
      for (let round = 0; round < 10; round++) {
        const under = Promise.all(Array.from({ length: 5 }, () => call("held")));
        under.catch(() => {});
        await until(() => held.length === 5);
        assert.equal(sessions.length, round + 1);
        sessions[round]!.goaway(0, 2 ** 31 - 1);
        while (sessions.length === round + 1) assert.equal(text(await call("quick")), "answer");
        for (const stream of held.splice(0)) answered(stream, {});
        assert.deepEqual((await under).map(text), new Array(5).fill("answer"));
        await until(() => sessions[round]!.destroyed);
      }
    },
  );
});

Deno.test("grpc: who leaves answers unread holds nothing open", () => {
  const handle = answering(new Uint8Array([...ANSWER, ...ANSWER]), { "grpc-status": "0" });
  return against(handle, async (client, sessions) => {
    for await (const b of client.stream(callTo("x"), bytes(""), {})) {
      assert.equal(text(b), "answer");
      break;
    }
    sessions[0]!.goaway(0);
    await until(() => sessions[0]!.destroyed);
  });
});

Deno.test("grpc: the time that a call has is told, however long it is", async () => {
  const seen: (string | undefined)[] = [];
  await against((stream, headers) => {
    seen.push(headers["grpc-timeout"] as string | undefined);
    assert.deepEqual([headers[":authority"], headers["te"], headers["content-type"], headers[":method"]], [
      "localhost",
      "trailers",
      "application/grpc",
      "POST",
    ]);
    setTimeout(() => answering(ANSWER, { "grpc-status": "0" })(stream, headers), 20);
  }, async (client) => {
    for (const timeout of [undefined, Infinity, 60_000, 2 ** 40]) {
      await client.call(callTo("x"), bytes(""), { timeout });
    }
    assert.deepEqual(seen.slice(0, 2), [undefined, undefined]);
    assert.match(seen[2]!, /^(?:60000|5\d{4})m$/);
    assert.match(seen[3]!, /^1832519[34]M$/);
  });
  const timeOf = (ms: number) => requestHeaders("/x", ms)["grpc-timeout"];
  assert.deepEqual([0.2, 99_999_999, 100_000_000, 2 ** 48].map(timeOf), ["1m", "99999999m", "100000S", "78187494H"]);
});

Deno.test("grpc: who takes connections and ends them at once is not there", async () => {
  const dir = await Deno.makeTempDir();
  const server = createPlain((socket) => socket.destroy());
  await new Promise<void>((done) => server.listen(`${dir}/plain.sock`, done));
  await using(
    `${dir}/plain.sock`,
    AT_ONCE,
    (client) =>
      assert.rejects(
        client.call(callTo("x"), bytes(""), {}),
        failsWith("Unavailable", /plain\.sock/),
      ),
  );
  await new Promise((done) => server.close(done));
  await socketsClosed();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("grpc: more calls than the server takes at once wait for each other", () => {
  let open = 0, most = 0;
  const answered = answering(ANSWER, { "grpc-status": "0" });
  const handle: Handle = (stream, headers) => {
    most = Math.max(most, ++open);
    stream.on("close", () => open--);
    setTimeout(() => answered(stream, headers), 5);
  };
  return against(handle, async (client) => {
    const calls = Array.from({ length: 200 }, () => client.call(callTo("x"), new Uint8Array(1000), {}));
    assert.deepEqual((await Promise.all(calls)).map(text), new Array(200).fill("answer"));
    assert.ok(most <= 10, `${most} at once`);
  }, { maxConcurrentStreams: 10 });
});

/** What a server says first: settings, of which there are none. */
const SETTINGS = Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0);
const alive = (within: number): ClientOptions => ({ ...AT_ONCE, keepAlive: { every: 30, within } });

Deno.test("grpc: who gives no sign of life is lost", async () => {
  const dir = await Deno.makeTempDir(), path = `${dir}/silent.sock`;
  const server = createPlain((socket) => void socket.on("error", () => {}).resume().write(SETTINGS));
  await new Promise<void>((done) => server.listen(path, done));
  await using(path, alive(60), (client) =>
    assert.rejects(
      client.call(callTo("x"), bytes(""), {}),
      failsWith("Unavailable", /^Connection dropped: no sign of life within 0\.06 s$/),
    ));
  await new Promise((done) => server.close(done));
  await socketsClosed();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("grpc: who gives signs of life may take as long as it likes", () =>
  trial((server) =>
    // A busy machine takes its time for a sign, too.
    using(server.path, alive(2_000), async (client) => {
      await assert.rejects(client.call(callTo("never"), bytes(""), { timeout: 2_500 }), failsWith("DeadlineExceeded"));
      assert.equal(text(await client.call(callTo("echo"), bytes("still"), {})), "still");
    })
  ));

Deno.test("grpc: who leaves takes no more calls, and ends those under way well", async () => {
  const held: ServerHttp2Stream[] = [];
  await against((stream) => void held.push(stream), async (client, sessions) => {
    const under = [client.call(callTo("a"), bytes(""), {}), client.call(callTo("b"), bytes(""), {})];
    await until(() => held.length === 2);
    client.leave();
    await assert.rejects(client.call(callTo("c"), bytes(""), {}), failsWith("Canceled"));
    for (const stream of held) {
      assert.equal(sessions[0]!.destroyed, false);
      answering(ANSWER, { "grpc-status": "0" })(stream, {});
    }
    assert.deepEqual((await Promise.all(under)).map(text), ["answer", "answer"]);
    await until(() => sessions[0]!.destroyed);
  });
});

Deno.test("grpc: answers without bytes are not held without end", async () => {
  const empty = framed(new Uint8Array(), Infinity), many = 200_000;
  const much = new Uint8Array(many * empty.length);
  await against(answering(much, { "grpc-status": "0" }), async (client, _sessions, moved) => {
    const slow = client.stream(callTo("x"), bytes(""), {});
    await slow.next();
    await new Promise((done) => setTimeout(done, 200));
    assert.ok(moved.read < much.length / 2, `${moved.read} bytes were read`);
    let count = 1;
    for await (const b of slow) count += 1 + b.length;
    assert.equal(count, many);
  });
});
