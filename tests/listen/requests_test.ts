import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import type { Connection } from "../../server/request.ts";
import { ca, client, closed, connectTls, exchange, readUntil, session, soon, withListener } from "./_fixture.ts";

const describe = (_request: Request, connection: Connection) =>
  Response.json({
    remote: connection.remoteAddress,
    tls: connection.tls,
    subjects: connection.peerCertificates.map((der) => new X509Certificate(der).subject),
  });

const NOBODY = { remote: "127.0.0.1", tls: true, subjects: [] };
const JANE = { remote: "127.0.0.1", tls: true, subjects: ["O=system:masters\nO=dev\nCN=jane"] };

Deno.test("listener: HTTP/1.1 and HTTP/2 with and without a client certificate", async () => {
  await withListener(describe, {}, async ({ port, url }) => {
    assert.equal(url, `https://127.0.0.1:${port}`);
    for (const [options, expected] of [[{}, NOBODY], [client, JANE]] as const) {
      for (const [http1, http2] of [[true, false], [false, true]] as const) {
        const http = Deno.createHttpClient({ caCerts: [ca.cert], http1, http2, ...options });
        const response = await fetch(url, { client: http });
        assert.deepEqual(await response.json(), expected);
        http.close();
      }
    }
  });
});

Deno.test("listener: the certificates that the client sent come along, leaf first", async () => {
  const { authority } = await import("./_fixture.ts");
  const other = authority("other-ca");
  const pair = other.leaf({ subject: { commonName: "joe" }, usage: "client" });
  await withListener(describe, {}, async ({ port }) => {
    const socket = await connectTls(port, { cert: pair.cert + other.cert, key: pair.key });
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const text = await readUntil(socket, () => false);
    assert.deepEqual(JSON.parse(text.split("\r\n\r\n")[1]!).subjects, ["CN=joe", "CN=other-ca"]);
  });
});

Deno.test("listener: all requests of a connection get the same connection object, others another", async () => {
  const seen: Connection[] = [];
  const note = (_request: Request, connection: Connection) => {
    seen.push(connection);
    return new Response("ok");
  };
  await withListener(note, {}, async ({ port }) => {
    const [a, b] = [session(port), session(port)];
    await exchange(a, { ":path": "/" });
    await Promise.all([exchange(a, { ":path": "/" }), exchange(a, { ":path": "/" })]);
    await exchange(b, { ":path": "/" });
    assert.equal(new Set(seen).size, 2);
    assert.equal(new Set(seen.slice(0, 3)).size, 1);
    const ended = Promise.all([closed(a), closed(b)]);
    a.close();
    b.close();
    await ended;
  });
});

Deno.test("listener: bodies stream both ways, on either protocol, whole", async () => {
  const size = 3 * 1024 * 1024;
  const echo = (request: Request) => new Response(request.body);
  await withListener(async (request) => new Response(await echo(request).arrayBuffer()), {}, async ({ url }) => {
    for (const [http1, http2] of [[true, false], [false, true]] as const) {
      const http = Deno.createHttpClient({ caCerts: [ca.cert], http1, http2 });
      const bytes = crypto.getRandomValues(new Uint8Array(65536));
      const parts = Array.from({ length: size / bytes.length }, () => bytes);
      const response = await fetch(url, {
        client: http,
        method: "POST",
        body: ReadableStream.from(parts) as BodyInit,
      });
      const back = new Uint8Array(await response.arrayBuffer());
      assert.equal(back.length, size);
      assert.deepEqual(back.subarray(size - bytes.length), bytes);
      http.close();
    }
  });
});

Deno.test("listener: pieces of a streamed answer arrive as they are written", async () => {
  let more = () => {};
  const handler = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("one"));
          more = () => {
            controller.enqueue(new TextEncoder().encode("two"));
            controller.close();
          };
        },
      }),
    );
  await withListener(handler, {}, async ({ url }) => {
    for (const [http1, http2] of [[true, false], [false, true]] as const) {
      const http = Deno.createHttpClient({ caCerts: [ca.cert], http1, http2 });
      const reader = (await fetch(url, { client: http })).body!.pipeThrough(new TextDecoderStream()).getReader();
      assert.equal((await reader.read()).value, "one");
      more();
      assert.equal((await reader.read()).value, "two");
      assert.equal((await reader.read()).done, true);
      http.close();
    }
  });
});

Deno.test("listener: pipelined requests on one connection are answered in order", async () => {
  await withListener((request) => new Response(new URL(request.url).pathname), {}, async ({ port }) => {
    const socket = await connectTls(port);
    socket.write(["/a", "/b", "/c"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
    const text = await readUntil(socket, (t) => t.includes("/c"));
    assert.deepEqual(text.match(/^\/[abc]/gm), ["/a", "/b", "/c"]);
    socket.destroy();
    await closed(socket);
  });
});

Deno.test("listener: plain HTTP by the same way", async () => {
  await withListener(describe, { plain: true }, async ({ url, port }) => {
    assert.equal(url, `http://127.0.0.1:${port}`);
    const response = await fetch(url);
    assert.deepEqual(await response.json(), { remote: "127.0.0.1", tls: false, subjects: [] });
  });
});

Deno.test("listener: a unix socket, once more after a crash left its file", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/debug.sock`;
  try {
    // What a crashed process leaves.
    const stale = Deno.listen({ transport: "unix", path });
    await Deno.rename(path, `${path}.kept`);
    stale.close();
    await Deno.rename(`${path}.kept`, path);
    await withListener(describe, { plain: true, path }, async ({ url }) => {
      assert.equal(url, `unix:${path}`);
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
      await assert.rejects(withListener(describe, { plain: true, path }, async () => {}), /another process listens/);
      const socket = await Deno.connect({ transport: "unix", path });
      await socket.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
      const text = await new Response(socket.readable).text();
      assert.deepEqual(JSON.parse(text.split("\r\n\r\n")[1]!), { remote: "", tls: false, subjects: [] });
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("listener: an answer that throws is a 500 without a word, and is told to the operator", async () => {
  const told: unknown[] = [];
  const failing = () => {
    throw new Error("secret");
  };
  await withListener(failing, { onError: (error) => told.push(error) }, async ({ url }) => {
    const http = Deno.createHttpClient({ caCerts: [ca.cert] });
    const response = await fetch(url, { client: http });
    assert.equal(response.status, 500);
    assert.equal(await response.text(), "");
    assert.equal(told.length, 1);
    http.close();
  });
});

Deno.test("listener: all interfaces are those of both families, and clients of either have their own address", async () => {
  const only = await Deno.readTextFile("/proc/sys/net/ipv6/bindv6only").catch(() => "1");
  const both = only.trim() === "0" && Deno.networkInterfaces().some(({ address }) => address === "::1");
  const ask = async (hostname: string, port: number) => {
    const socket = await Deno.connect({ hostname, port });
    await socket.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    const text = await new Response(socket.readable).text();
    return JSON.parse(text.split("\r\n\r\n")[1]!).remote;
  };
  for (const hostname of both ? ["0.0.0.0", "::"] : ["0.0.0.0"]) {
    await withListener(describe, { plain: true, hostname }, async ({ port }) => {
      for (const from of both ? ["127.0.0.1", "::1"] : ["127.0.0.1"]) assert.equal(await ask(from, port), from);
    });
  }
});

Deno.test("listener: a taken port is an error at start", async () => {
  await withListener(describe, {}, async ({ port }) => {
    const told: unknown[] = [];
    await assert.rejects(withListener(describe, { port, onError: (e) => told.push(e) }, async () => {}), {
      message: `Cannot listen on 127.0.0.1:${port}: the address is in use`,
    });
    assert.deepEqual(told, [], "told once");
  });
});

/** A frame of HTTP/2: type, flags, stream, payload. */
function frame(type: number, flags: number, stream: number, payload: Uint8Array): Uint8Array {
  return new Uint8Array([0, payload.length >> 8, payload.length & 255, type, flags, 0, 0, 0, stream, ...payload]);
}

/** A header field of HPACK, literal and not indexed. */
const field = (name: string, value: string) =>
  new TextEncoder().encode(`\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`);

Deno.test("listener: who is refused before the body came gets the answer, and no reset of the stream after it", async () => {
  const [DATA, HEADERS, RESET, SETTINGS] = [0, 1, 3, 4];
  const arrived = Promise.withResolvers<void>();
  const refuse = () => (arrived.resolve(), new Response("no", { status: 401 }));
  await withListener(refuse, {}, async ({ port }) => {
    const socket = await connectTls(port, { ALPNProtocols: ["h2"] });
    const types: number[] = [];
    let buffer = new Uint8Array();
    const over = Promise.withResolvers<void>();
    socket.on("data", (chunk: Uint8Array) => {
      buffer = new Uint8Array([...buffer, ...chunk]);
      for (let end; (end = 9 + (buffer[1]! << 8) + buffer[2]!) <= buffer.length; buffer = buffer.slice(end)) {
        types.push(buffer[3]!);
        // The answer to a ping comes after all that was on its way.
        if (buffer[3] === DATA) socket.write(frame(6, 0, 0, new Uint8Array(8)));
        if (buffer[3] === 6) over.resolve();
      }
    });
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    socket.write(frame(SETTINGS, 0, 0, new Uint8Array()));
    const head = [[":method", "POST"], [":scheme", "https"], [":path", "/"], [":authority", "x"], [
      "content-length",
      "2",
    ]];
    socket.write(frame(HEADERS, 4, 1, new Uint8Array(head.flatMap(([name, value]) => [...field(name!, value!)]))));
    await soon(arrived.promise, "the request");
    socket.write(frame(DATA, 1, 1, new TextEncoder().encode("{}")));
    await soon(over.promise, "the answer to the ping");
    assert.ok(types.includes(DATA) && !types.includes(RESET), types.join(" "));
    socket.destroy();
  });
});
