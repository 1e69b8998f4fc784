import assert from "node:assert/strict";
import net from "node:net";
import { Duplex } from "node:stream";
import type { Connection } from "../../server/request.ts";
import { ca, closed, connectTls, exchange, readUntil, session, soon, until, withListener } from "./_fixture.ts";

const ok = () => new Response("ok");
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

Deno.test("listener: nobody but the terminator is answered on the inner port", async () => {
  let called = 0;
  const handler = () => {
    called++;
    return new Response("ok");
  };
  await withListener(handler, {}, async ({ innerPort }) => {
    const answer = await fetch(`http://127.0.0.1:${innerPort}/`);
    assert.equal(answer.status, 403);
    await answer.body?.cancel();
    const h2 = Deno.createHttpClient({ http1: false });
    const second = await fetch(`http://127.0.0.1:${innerPort}/`, { client: h2 });
    assert.equal(second.status, 403);
    await second.body?.cancel();
    h2.close();
    assert.equal(called, 0);
  });
});

Deno.test("listener: a handshake that does not end is cut", async () => {
  const limits = { handshakeMs: 100 };
  await withListener(ok, { limits }, async (listener) => {
    // Nothing at all; and the beginning of a record, byte by byte.
    const silent = net.connect(listener.port, "127.0.0.1");
    const slow = net.connect(listener.port, "127.0.0.1");
    slow.on("error", () => {});
    const drip = setInterval(() => slow.write(Uint8Array.of(0x16)), 20);
    await Promise.all([closed(silent), closed(slow)]);
    clearInterval(drip);
    await until("both are forgotten", () => listener.connections() === 0);
  });
});

Deno.test("listener: bytes that are no TLS are cut, and told", async () => {
  const told: string[] = [];
  const onHandshakeError = (host: string, port: number, why: string) => told.push(`${host} ${port}: ${why}`);
  await withListener(ok, { onHandshakeError }, async (listener) => {
    const socket = net.connect(listener.port, "127.0.0.1");
    socket.on("error", () => {});
    await new Promise((connected) => socket.once("connect", connected));
    const from = socket.localPort;
    socket.write("DELETE / HTTP/1.1\r\n\r\n");
    await closed(socket);
    await until("the operator hears of it", () => told.length === 1);
    assert.match(told[0]!, new RegExp(`^127.0.0.1 ${from}: \\S`));
  });
});

Deno.test("listener: a plain request where TLS is spoken is told so, however it comes, and let go", async () => {
  const told: string[] = [];
  await withListener(ok, { onHandshakeError: (_host, _port, why) => told.push(why) }, async (listener) => {
    const begins = [[GET], ["GE", "T /"], ["HEAD ", "x".repeat(100_000)], ["POST /"], ["PUT /"], ["O", "PTIONS *"]];
    for (const parts of begins) {
      const socket = net.connect(listener.port, "127.0.0.1").setNoDelay(true);
      const { promise, resolve } = Promise.withResolvers<string>();
      let text = "";
      socket.on("data", (chunk) => text += chunk).once("end", () => resolve(text)).on("error", () => {});
      for (const part of parts) await new Promise((sent) => socket.write(part, sent));
      const answer = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";
      assert.equal(await soon(promise, "the answer"), answer, parts.join(""));
    }
    await until("all are forgotten", () => listener.connections() === 0);
    assert.deepEqual(told, begins.map(() => "client sent an HTTP request to an HTTPS server"));
  });
});

Deno.test("listener: a request head that does not end, and a quiet connection, are cut", async () => {
  const limits = { firstRequestMs: 100, idleMs: 100 };
  await withListener(ok, { limits }, async (listener) => {
    const slow = await connectTls(listener.port);
    slow.write("GET / HTTP/1.1\r\nHost: x\r\n");
    const drip = setInterval(() => slow.write("X-A: b\r\n"), 20);
    const idle = await connectTls(listener.port);
    idle.write(GET);
    await readUntil(idle, (text) => text.endsWith("ok"));
    await Promise.all([closed(slow), closed(idle)]);
    clearInterval(drip);
    await until("both are forgotten", () => listener.connections() === 0);
  });
});

Deno.test("listener: a quiet connection is cut though the clock is set back", async () => {
  const { now } = Date;
  await withListener(ok, { limits: { idleMs: 100 } }, async (listener) => {
    const idle = await connectTls(listener.port);
    idle.write(GET);
    await readUntil(idle, (text) => text.endsWith("ok"));
    Date.now = () => now() - 3_600_000;
    await closed(idle);
  }).finally(() => Date.now = now);
});

Deno.test("listener: a client that takes nothing of what another server left for it is cut as an idle one", async () => {
  const left = new Uint8Array(16 << 20);
  const handler = (_request: Request, connection: Connection) => {
    const other = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    assert.ok(connection.tunnel!(other, new TextEncoder().encode("head"), left));
    other.push(null);
    return Object.defineProperty(new Response(null), "status", { value: 101 });
  };
  await withListener(handler, { limits: { idleMs: 100 } }, async (listener) => {
    const socket = await connectTls(listener.port);
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
    socket.pause();
    await until("the connection is forgotten", () => listener.connections() === 0);
    socket.destroy();
  });
});

Deno.test("listener: a connection with a request in flight is not idle, however long it is quiet", async () => {
  let end = () => {};
  const handler = () => new Response(new ReadableStream({ start: (c) => void (end = () => c.close()) }));
  await withListener(handler, { limits: { idleMs: 1 } }, async ({ port }) => {
    const socket = await connectTls(port);
    socket.write(GET);
    await readUntil(socket, (text) => text.includes("\r\n\r\n"));
    // Longer than two sweeps.
    await new Promise((resolve) => setTimeout(resolve, 2200));
    assert.equal(socket.destroyed, false);
    end();
    assert.match(await readUntil(socket, (text) => text.endsWith("0\r\n\r\n")), /0\r\n\r\n$/);
    socket.destroy();
  });
});

Deno.test("listener: connections over the bound are closed, and served again when others left", async () => {
  await withListener(ok, { limits: { connections: 2 } }, async (listener) => {
    const first = await connectTls(listener.port);
    const second = await connectTls(listener.port);
    await assert.rejects(connectTls(listener.port));
    first.destroy();
    await until("one has left", () => listener.connections() === 1);
    const third = await connectTls(listener.port);
    third.write(GET);
    await readUntil(third, (text) => text.endsWith("ok"));
    second.destroy();
    third.destroy();
  });
});

Deno.test("listener: heads that are too large are refused, others on the connection and beside are served", async () => {
  await withListener(ok, {}, async ({ port }) => {
    const socket = await connectTls(port);
    // More than the inner server's buffer of a head.
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(2 * 1024 * 1024)}\r\n\r\n`);
    assert.match(await readUntil(socket, (text) => text.includes("\r\n")), /^HTTP\/1.1 4(00|31) |^$/);
    socket.destroy();
    const many = await connectTls(port);
    many.write(`GET / HTTP/1.1\r\nHost: x\r\n${"X-A: b\r\n".repeat(1000)}\r\n`);
    assert.match(await readUntil(many, (text) => text.includes("\r\n")), /^HTTP\/1.1 4(00|31) /);
    many.destroy();
    const client = session(port);
    const large = await exchange(client, { ":path": "/", "x-big": "a".repeat(12_000) });
    assert.equal(large.status, 200);
    await exchange(client, { ":path": "/", "x-big": "a".repeat(40_000) }).then(
      ({ status }) => assert.equal(status, 431),
      () => {}, // A reset of the stream is as good.
    );
    client.destroy();
    const fresh = session(port);
    assert.equal((await exchange(fresh, { ":path": "/" })).body, "ok");
    fresh.close();
  });
});

Deno.test("listener: 1,000 idle connections, then normal service", async () => {
  // None is cut while the others come, however long that takes.
  const limits = { handshakeMs: 600_000, firstRequestMs: 600_000 };
  await withListener(ok, { limits }, async (listener) => {
    const idle: net.Socket[] = [];
    // Half of them never speak TLS, half stop after the handshake.
    for (let i = 0; i < 20; i++) {
      const batch = Array.from({ length: 50 }, async (_, n) => {
        if (n % 2) return await connectTls(listener.port);
        const socket = net.connect(listener.port, "127.0.0.1");
        socket.on("error", () => {});
        await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
        return socket;
      });
      idle.push(...await Promise.all(batch));
    }
    await until("all are held", () => listener.connections() === 1000);
    const http = Deno.createHttpClient({ caCerts: [ca.cert] });
    for (let i = 0; i < 20; i++) {
      const answer = await fetch(listener.url, { client: http });
      assert.equal(await answer.text(), "ok");
    }
    http.close();
    for (const socket of idle) socket.destroy();
    await until("all are forgotten", () => listener.connections() === 0);
  });
});

Deno.test("listener: connections opened and closed leave nothing behind", async () => {
  const churn = new URL("./_churn.ts", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: ["run", "-A", "--no-check", churn] })
    .output();
  const [printed, told] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.match(printed!, /^-?\d+\n$/, told!);
  // Both ends are in that process and a pair costs 79 KB: a tenth of them kept would show.
  assert.ok(Number(printed) < 5e6, `grew by ${printed!.trim()} bytes`);
});

Deno.test({
  name: "listener: the system looks after quiet clients, whatever they wait for",
  ignore: Deno.build.os !== "linux", // the timers of sockets are read in /proc
  async fn() {
    await withListener(() => new Response("ok"), {}, async ({ port }) => {
      const socket = await connectTls(port);
      const hex = (n: number) => n.toString(16).toUpperCase().padStart(4, "0");
      const [own, other] = [port, socket.localPort!].map((n) => `0100007F:${hex(n)}`);
      // State 01 is a connection that is there, timer 02 the one that asks.
      await until("a timer runs", async () => {
        const rows = (await Deno.readTextFile("/proc/net/tcp")).split("\n").map((row) => row.trim().split(/\s+/));
        return rows.some((r) => r[1] === own && r[2] === other && r[3] === "01" && r[5]!.startsWith("02:"));
      });
      socket.destroy();
    });
  },
});
