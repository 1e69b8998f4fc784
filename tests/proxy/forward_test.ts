import assert from "node:assert/strict";
import { type Duplex, PassThrough } from "node:stream";
import { WebSocket as Client } from "ws";
import { NO_CONNECTION } from "../../server/filters/env.ts";
import { headersOf } from "../../server/filters/headers.ts";
import { scopeOf } from "../../server/filters/scope.ts";
import { ShutdownGate } from "../../server/filters/shutdown.ts";
import { type AppHandler, listen, type Listening } from "../../server/listen/mod.ts";
import { proxyTransport } from "../../server/options/proxy_client.ts";
import { bodyOf } from "../../server/proxy/body.ts";
import { forward, type ForwardOptions } from "../../server/proxy/forward.ts";
import { answerHeaders, asksUpgrade, requestHeaders } from "../../server/proxy/headers.ts";
import { NoTunnel } from "../../server/proxy/tunnel.ts";
import type { ProxyHeaders, ProxyTls } from "../../server/proxy/types.ts";
import { authority, ca, client as person, serving, soon, until, withListener } from "../listen/_fixture.ts";

const tls: ProxyTls = { name: "localhost", ca: ca.cert, insecure: false };

/** A server, or the port of one, and one before it that passes everything on. */
async function withProxy(
  behind: AppHandler | number,
  options: Partial<ForwardOptions> & { tls?: ProxyTls },
  body: (front: Listening, client: Deno.HttpClient, errors: Error[]) => Promise<void>,
): Promise<void> {
  const transport = proxyTransport(), errors: Error[] = [];
  const back = typeof behind === "number"
    ? { port: behind, close: () => Promise.resolve() }
    : await listen(behind, { hostname: "127.0.0.1", port: 0, tls: serving });
  const front: AppHandler = async (request, connection) => {
    const scope = scopeOf(request, connection, { now: () => 0, auditId: () => "an-id" });
    const { pathname, search } = scope.url;
    const target = {
      host: "127.0.0.1",
      port: back.port,
      tls: options.tls ?? tls,
      authority: "behind.team.svc",
      path: pathname + search,
    };
    try {
      return await forward(scope, { transport, target, ...options });
    } catch (e) {
      errors.push(e as Error);
      return new Response("no", { status: 503 });
    }
  };
  const client = Deno.createHttpClient({ caCerts: [ca.cert] });
  try {
    await withListener(front, { onError: (e) => void errors.push(e as Error) }, (l) => body(l, client, errors));
  } finally {
    client.close();
    transport.close();
    await back.close(0);
  }
}

Deno.test("A request is passed on with its method, path, query and body, and its answer comes back", async () => {
  const seen: Record<string, string>[] = [];
  await withProxy(
    async (request) => {
      seen.push(Object.fromEntries(request.headers));
      const { pathname, search } = new URL(request.url);
      const text = `${request.method} ${pathname}${search} ${await request.text()}`;
      return new Response(text, {
        status: 201,
        headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-own", "y"]],
      });
    },
    {
      set: [["x-remote-user", "ann"], ["x-remote-group", "a"], ["x-remote-group", "b"]],
      drop: (n) => n === "x-secret",
    },
    async ({ url }, client) => {
      const headers = { "x-secret": "s", "x-kept": "k", authorization: "Bearer t", "x-forwarded-for": "10.0.0.1" };
      const response = await fetch(`${url}/a%2Fb?c=d%20e`, { client, method: "PATCH", body: "text", headers });
      assert.equal(response.status, 201);
      assert.equal(await response.text(), "PATCH /a%2Fb?c=d%20e text");
      assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
      assert.equal(response.headers.get("x-own"), "y");
    },
  );
  const { host, "x-kept": kept, "audit-id": audit, "x-remote-group": groups, "x-forwarded-for": forwarded } = seen[0]!;
  assert.deepEqual([host, kept, audit, groups], ["behind.team.svc", "k", "an-id", "a, b"]);
  assert.equal(forwarded, "10.0.0.1, 127.0.0.1");
  assert.ok(!("authorization" in seen[0]!) && !("x-secret" in seen[0]!));
});

Deno.test("A request without a body is passed on without one, of whatever method and in whichever HTTP", async () => {
  const seen: (string | null)[][] = [];
  const behind: AppHandler = ({ method, headers }) => {
    seen.push([method, headers.get("content-length"), headers.get("transfer-encoding")]);
    return new Response("");
  };
  const wanted: (string | null)[][] = [];
  await withProxy(behind, {}, async ({ url }) => {
    for (const http2 of [true, false]) {
      const client = Deno.createHttpClient({ caCerts: [ca.cert], http2, http1: !http2 });
      for (const method of ["OPTIONS", "DELETE", "POST"]) {
        assert.equal(await (await fetch(url, { client, method })).text(), "");
        wanted.push([method, method === "POST" ? "0" : null, null]);
      }
      client.close();
    }
  });
  assert.deepEqual(seen, wanted);
});

Deno.test("A body of which nothing tells how long it is comes whole, and is left when nobody takes it", async () => {
  let left = 0;
  const bodyFrom = async (...pieces: string[]) => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
      cancel: () => void left++,
    });
    const request = new Request("https://h", { method: "POST", body });
    return await bodyOf({ request, headers: headersOf(request) });
  };
  assert.equal(await new Response(await bodyFrom("", "one ", "", "two")).text(), "one two");
  assert.equal(await bodyFrom("", ""), null);
  await (await bodyFrom("one", "two"))!.cancel();
  assert.equal(left, 1);
});

Deno.test("Bodies stream both ways at the same time", async () => {
  // The runtime passes a body back by itself: by way of a stream in script it stops after the first piece of it (docs/limits.md).
  await using echo = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {}, cert: serving.cert, key: serving.key },
    (request) => new Response(request.body),
  );
  await withProxy(echo.addr.port, {}, async ({ url }, client) => {
    const sent = new TransformStream<Uint8Array, Uint8Array>(), writer = sent.writable.getWriter();
    const asked = fetch(url, { client, method: "POST", body: sent.readable });
    void writer.write(new Uint8Array([1]));
    const reader = (await soon(asked, "the head")).body!.getReader();
    for (const byte of [1, 2, 3]) {
      if (byte > 1) void writer.write(new Uint8Array([byte]));
      assert.deepEqual((await soon(reader.read(), "the echo")).value, new Uint8Array([byte]));
    }
    await writer.close();
    assert.equal((await soon(reader.read(), "the end")).done, true);
  });
});

Deno.test("A large answer waits for who reads it, and arrives whole", async () => {
  const chunk = new Uint8Array(64 * 1024).fill(7), chunks = 100;
  let made = 0;
  const large = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          if (made++ < chunks) controller.enqueue(chunk);
          else controller.close();
        },
      }),
    );
  await withProxy(large, {}, async ({ url }, client) => {
    const response = await fetch(url, { client });
    assert.equal((await response.arrayBuffer()).byteLength, chunks * chunk.length);
  });
});

Deno.test("A client that goes takes its request along, before an answer and in the midst of one", async () => {
  let gone = 0, begun = 0;
  const behind: AppHandler = (request) => {
    begun++;
    request.signal.addEventListener("abort", () => gone++);
    if (new URL(request.url).pathname === "/never") return new Promise(() => {});
    return new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array([1])) }));
  };
  await withProxy(behind, {}, async ({ url }, client, errors) => {
    const first = new AbortController();
    const never = fetch(`${url}/never`, { client, signal: first.signal }).catch(() => {});
    await until("the first request", () => begun === 1);
    first.abort();
    await never;
    await until("its end behind", () => gone === 1);
    const second = new AbortController();
    const response = await fetch(`${url}/watch`, { client, signal: second.signal });
    await response.body!.getReader().read();
    second.abort();
    await until("the end of the second", () => gone === 2);
    // Of the first the handler itself heard.
    assert.equal(errors.length, 1);
  });
});

Deno.test("An answer that is cut off behind is cut off for the client", async () => {
  let cut = () => {};
  const endless: AppHandler = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array([1]));
          cut = () => controller.error(new Error("ends"));
        },
      }),
    );
  await withProxy(endless, {}, async ({ url }, client) => {
    for (let i = 0; i < 10; i++) {
      const reader = (await fetch(url, { client })).body!.getReader();
      assert.deepEqual((await reader.read()).value, new Uint8Array([1]));
      cut();
      await assert.rejects(soon(reader.read(), "the end"), (e: Error) => !/did not happen/.test(e.message));
    }
  });
});

Deno.test("The other server is verified by its authority and name, unless nobody asks for that", async () => {
  const answers: AppHandler = (_request, { peerCertificates }) => new Response(String(peerCertificates.length));
  const statusBy = async (with_: ProxyTls) => {
    let text = "";
    await withProxy(answers, { tls: with_ }, async ({ url }, client, errors) => {
      const response = await fetch(url, { client });
      text = `${response.status} ${await response.text()} ${errors.length}`;
    });
    return text;
  };
  assert.equal(await statusBy(tls), "200 0 0");
  assert.equal(await statusBy({ ...tls, name: "other.test" }), "503 no 1");
  assert.equal(await statusBy({ ...tls, ca: authority("another").cert }), "503 no 1");
  assert.equal(await statusBy({ ...tls, ca: "", name: "other.test", insecure: true }), "200 0 0");
  assert.equal(await statusBy({ ...tls, cert: person.cert, key: person.key }), "200 1 0");
});

Deno.test("An answer can be replaced before its body is read", async () => {
  const away: AppHandler = () => new Response("x", { status: 302, headers: { location: "https://else.test/" } });
  const replace: ForwardOptions["replace"] = ({ status }) =>
    status === 302 ? new Response("stays", { status: 502 }) : undefined;
  await withProxy(away, { replace }, async ({ url }, client) => {
    const response = await fetch(url, { client, redirect: "manual" });
    assert.deepEqual([response.status, await response.text()], [502, "stays"]);
  });
});

Deno.test("A WebSocket goes through to the other server, and ends with either side", async () => {
  let closed = 0;
  const echo: AppHandler = (request, connection) => {
    if (request.headers.get("upgrade") === null) return new Response("none", { status: 400 });
    const { response, socket } = connection.upgrade!(request, "one");
    socket.onmessage = ({ data }) => data === "end" ? socket.close() : socket.send(data);
    socket.onclose = () => closed++;
    return response;
  };
  await withProxy(echo, {}, async ({ port }, _client, errors) => {
    for (const byClient of [true, false]) {
      const socket = new Client(`wss://127.0.0.1:${port}/exec`, ["one"], { ca: ca.cert });
      const end = new Promise((resolve) => socket.once("close", resolve));
      await soon(new Promise((done, fail) => socket.once("open", done).once("error", fail)), "the handshake");
      assert.equal(socket.protocol, "one");
      const said = new Promise((resolve) => socket.once("message", (m: unknown) => resolve(String(m))));
      socket.send("hello");
      assert.equal(await soon(said, "the echo"), "hello");
      if (byClient) socket.close();
      else socket.send("end");
      await soon(end, "the end");
    }
    await until("both ends behind", () => closed === 2);
    assert.deepEqual(errors, []);
  });
});

Deno.test("An upgrade that the other server refuses is answered as it says", async () => {
  await withProxy(() => new Response("not here", { status: 403 }), {}, async ({ port }) => {
    const socket = new Client(`wss://127.0.0.1:${port}/`, { ca: ca.cert });
    const refused = new Promise<number>((resolve) => {
      socket.on("error", () => {});
      socket.once("unexpected-response", (request: { destroy(): void }, response: { statusCode: number }) => {
        resolve(response.statusCode);
        request.destroy();
      });
    });
    assert.equal(await soon(refused, "the refusal"), 403);
  });
});

Deno.test("Headers of one connection stay on it", () => {
  const request = headersOf(
    new Request("https://a.test/", {
      headers: {
        ...{ connection: "X-Mine, close", "x-mine": "1", te: "trailers", "x-a": "2", expect: "100-continue" },
        ...{ authorization: "Bearer t", "proxy-authorization": "Basic p", host: "b.test", upgrade: "h2c" },
      },
    }),
  );
  assert.deepEqual(requestHeaders(request, { client: "" }), [["x-a", "2"]]);
  assert.deepEqual(requestHeaders(request, { client: "", set: [["X-A", "3"]] }), [["X-A", "3"]], "one of each name");
  const forwarded = headersOf(new Request("https://a.test/", { headers: { "x-forwarded-for": "192.0.2.1" } }));
  for (const [client, told] of [["", "192.0.2.1"], ["::1", "192.0.2.1, ::1"]] as const) {
    assert.deepEqual(requestHeaders(forwarded, { client }), [["x-forwarded-for", told]]);
  }
  const tokens = headersOf(
    new Request("https://a.test/", {
      headers: { "sec-websocket-protocol": "base64url.bearer.authorization.k8s.io.Zm9v, one" },
    }),
  );
  assert.deepEqual(requestHeaders(tokens, { client: "" }), [["sec-websocket-protocol", "one"]]);
  const token = { "sec-websocket-protocol": "base64url.bearer.authorization.k8s.io.Zm9v" };
  assert.deepEqual(requestHeaders(headersOf(new Request("https://a.test/", { headers: token })), { client: "" }), []);
  const answered = [["Connection", "X-Mine"], ["X-Mine", "1"], ["Transfer-Encoding", "chunked"], ["X-A", "2"]] as const;
  assert.deepEqual(answerHeaders(answered), [["X-A", "2"]]);
  const upgrade = headersOf(
    new Request("https://a.test/", { headers: { connection: "Upgrade", upgrade: "SPDY/3.1" } }),
  );
  assert.equal(asksUpgrade(upgrade), true);
  const asks = (kind: string, connection = "Upgrade") =>
    asksUpgrade(headersOf(new Request("https://a.test/", { headers: { connection, upgrade: kind } })));
  assert.deepEqual(["websocket", "SPDY/3.1, websocket", "h2cx"].map((kind) => asks(kind)), [true, true, true]);
  for (const http of ["h2c", "H2C", "h2", "HTTP/2.0", "TLS/1.2", "websocket, h2c", "h2c,websocket", "x,\tHTTP/1.1"]) {
    assert.equal(asks(http), false, http);
  }
  assert.equal(asks("websocket", "keep-alive"), false);
  assert.deepEqual(requestHeaders(upgrade, { client: "", upgrade: true }), [["connection", "Upgrade"], [
    "upgrade",
    "SPDY/3.1",
  ]]);
});

Deno.test("Header values arrive byte by byte, with a body and without, on new and on kept connections", async () => {
  const seen: (string | null)[] = [];
  const value = String.fromCharCode(0xc3, 0xbc, 0xe6, 0xbc, 0xa2);
  await withProxy(
    async (request) => {
      seen.push(request.headers.get("x-bytes"));
      return new Response(await request.text());
    },
    { set: [["x-bytes", value]] },
    async ({ url }, client) => {
      for (const body of ["one", undefined, "two", "three", undefined]) {
        const method = body === undefined ? "GET" : "POST";
        const answer = await fetch(url, { client, method, ...(body === undefined ? {} : { body }) } as RequestInit);
        assert.equal(await answer.text(), body ?? "");
      }
    },
  );
  assert.deepEqual(seen, Array(5).fill(value));
});

/** A request for a watch, passed on to a server that answers so; whether somebody left its answer, and what is at work yet. */
async function passedOn(
  { status = 200, headers = [], ...more }: Partial<ForwardOptions> & { status?: number; headers?: ProxyHeaders },
  init?: RequestInit,
) {
  let left = false;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (left = true) });
  const answer = { status, headers, body };
  const transport = {
    send: (_target: unknown, _request: unknown, { aborted, reason }: AbortSignal) =>
      aborted ? Promise.reject(reason) : Promise.resolve(answer),
    upgrade: () => Promise.resolve(answer),
    close: () => {},
  };
  const gate = new ShutdownGate(), path = "/apis/g/v1/carts?watch=1";
  const connection = { ...NO_CONNECTION, tunnel: () => assert.fail("no tunnel") };
  const scope = scopeOf(new Request(`https://h${path}`, init), connection, { now: () => 0, auditId: () => "x" });
  const target = { host: "h", port: 1, tls, authority: "h", path };
  const response = await gate.filter(scope, (s) => forward(s, { transport, target, ...more }));
  return { response, left, atWork: gate.active.long };
}

Deno.test("An answer without a body lasts no longer than its head, whatever was asked for, and is left", async () => {
  for (const [status, method] of [[200, "HEAD"], [204, "GET"], [304, "GET"]] as const) {
    const { response, left, atWork } = await passedOn({ status }, { method });
    assert.deepEqual([response.status, response.body, left, atWork], [status, null, true, 0], `${method} ${status}`);
  }
  const { response, left } = await passedOn({ replace: () => new Response("no", { status: 502 }) });
  assert.deepEqual([response.status, left], [502, true], "one that is replaced is left, too");
});

Deno.test("An answer must be whole within the request's time, or within less where that is told", async () => {
  for (const [limitMs, restMs] of [[5, undefined], [5, 60_000], [60_000, 5], [undefined, 5]]) {
    const path = "/apis/g/v1", target = { host: "h", port: 1, tls, authority: "h", path };
    const scope = scopeOf(new Request(`https://h${path}`), NO_CONNECTION, { now: () => 0, auditId: () => "x" });
    if (limitMs) scope.limitMs = limitMs;
    const send = () => Promise.resolve({ status: 200, headers: [], body: new ReadableStream<Uint8Array>() });
    const transport = { send, upgrade: () => assert.fail("no tunnel"), close: () => {} };
    const { body } = await forward(scope, { transport, target, ...(restMs ? { restMs } : {}) });
    await assert.rejects(new Response(body).text(), /not whole within 0.005 s/);
  }
});

Deno.test("A request ends by the signal that it is given, and an upgrade with an answer that is neither", async () => {
  await assert.rejects(passedOn({ signal: AbortSignal.abort(new Error("late")) }), /late/);
  await assert.rejects(passedOn({}, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const headers = { connection: "Upgrade", upgrade: "websocket" };
  await assert.rejects(passedOn({ status: 302 }, { headers }), /invalid upgrade response: status code 302/);
});

Deno.test("A tunnel is over when the other side of it is closed, and is closed where nobody can have it", async () => {
  for (const taken of [true, false]) {
    const stream = new PassThrough(), gate = new ShutdownGate(), path = "/api/v1/nodes/n/proxy/x";
    const request = new Request(`https://h${path}`, { headers: { connection: "Upgrade", upgrade: "websocket" } });
    let other!: Duplex, paid = 0;
    const connection = { ...NO_CONNECTION, tunnel: (given: Duplex) => (other = given, taken) };
    const scope = scopeOf(request, connection, { now: () => 0, auditId: () => "x" });
    scope.pace = { take: (bytes) => Promise.resolve(void (paid += bytes)) };
    const tunnel = { status: 101, headers: [], first: new Uint8Array(), stream };
    const transport = {
      upgrade: () => Promise.resolve(tunnel),
      send: () => assert.fail("no request"),
      close: () => {},
    };
    const target = { host: "h", port: 1, tls, authority: "h", path };
    const given = Promise.try(gate.filter, scope, (s) => forward(s, { transport, target }));
    if (taken) {
      assert.deepEqual([(await given).status, gate.active.long], [101, 1]);
      await new Promise((written) => other.write("text", written));
      assert.ok(paid >= 4, "at the connection's pace");
      await new Promise((closed) => stream.once("close", closed).destroy());
    } else {
      await assert.rejects(given, NoTunnel);
      assert.ok(stream.destroyed);
    }
    assert.equal(gate.active.long, 0);
  }
});

const ENDS: Record<string, (body: ReadableStream<Uint8Array>, behind: TransformStreamDefaultController) => unknown> = {
  "the other server ends it": async (body, behind) => {
    behind.terminate();
    assert.equal(await new Response(body).text(), "one");
  },
  "it fails": async (body, behind) => {
    behind.error(new Error("gone"));
    await assert.rejects(new Response(body).text());
  },
  "the client leaves it": (body) => body.cancel(),
};
for (const path of ["/apis/g/v1/carts?watch=1", "/api/v1/nodes/n/proxy/x"]) {
  for (const [name, ends] of Object.entries(ENDS)) {
    Deno.test(`An answer from ${path} lasts until ${name}, and what waits for its end is told`, async () => {
      let behind!: TransformStreamDefaultController;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
        { start: (c) => void (behind = c) },
        undefined,
        {
          highWaterMark: 4,
        },
      );
      await writable.getWriter().write(new TextEncoder().encode("one"));
      const transport = { send: () => Promise.resolve({ status: 200, headers: [], body: readable }) };
      const scope = scopeOf(new Request(`https://h${path}`), NO_CONNECTION, { now: () => 0, auditId: () => "x" });
      const gate = new ShutdownGate();
      const target = { host: "h", port: 1, tls, authority: "h", path };
      const response = await gate.filter(scope, (s) => forward(s, { transport: transport as never, target }));
      assert.equal(gate.active.long, 1);
      await ends(response.body!, behind);
      assert.equal(gate.active.long, 0);
    });
  }
}
