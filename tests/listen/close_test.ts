import assert from "node:assert/strict";
import { drill } from "./_drill.ts";
import {
  ca,
  closed,
  connectTls,
  exchange,
  isRefused,
  readUntil,
  session,
  soon,
  until,
  withListener,
} from "./_fixture.ts";

/** A handler whose answers wait for a word. */
function held() {
  const waiting: (() => void)[] = [];
  const handler = () => new Promise<Response>((resolve) => waiting.push(() => resolve(new Response("done"))));
  return { waiting, handler, release: () => waiting.forEach((answer) => answer()) };
}

Deno.test("listener: a graceful stop lets requests in flight end, tells HTTP/2 clients, refuses new ones", async () => {
  const { waiting, handler, release } = held();
  await withListener(handler, {}, async (listener) => {
    const { port, url } = listener;
    const http1 = Deno.createHttpClient({ caCerts: [ca.cert], http2: false });
    const http2 = Deno.createHttpClient({ caCerts: [ca.cert], http1: false });
    const answers = [http1, http2].map((client) => fetch(url, { client }).then((r) => r.text()));
    const idle = await connectTls(port);
    const told = session(port);
    const goAway = new Promise<void>((resolve) => told.once("goaway", () => resolve()));
    await soon(new Promise((resolve) => told.once("remoteSettings", resolve)), "SETTINGS");
    await until("both requests are in flight", () => waiting.length === 2);
    const stopped = listener.close(60_000);
    await soon(goAway, "GOAWAY");
    await closed(idle);
    await assert.rejects(connectTls(port));
    release();
    assert.deepEqual(await soon(Promise.all(answers), "both answers"), ["done", "done"]);
    await soon(stopped, "the stop");
    assert.equal(listener.close(0), listener.close(1));
    await until("every connection is forgotten", () => listener.connections() === 0);
    told.destroy();
    http1.close();
    http2.close();
  });
});

Deno.test("listener: what is answered while it stops reaches the client", async () => {
  let begun = false;
  const handler = async (request: Request) => {
    begun = true;
    return new Response(`got ${await request.text()}`);
  };
  await withListener(handler, {}, async (listener) => {
    const socket = await connectTls(listener.port);
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc");
    await until("the request is in flight", () => begun);
    const stopped = listener.close(60_000);
    socket.write("def");
    await readUntil(socket, (text) => text.endsWith("got abcdef"));
    await closed(socket);
    await soon(stopped, "the stop");
  });
});

Deno.test("listener: past its grace a stop cuts what is left", async () => {
  const { waiting, handler, release } = held();
  await withListener(handler, {}, async (listener) => {
    const socket = await connectTls(listener.port);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until("the request is in flight", () => waiting.length === 1);
    await soon(listener.close(20), "the stop");
    await closed(socket);
    await until("every connection is forgotten", () => listener.connections() === 0);
    release();
  });
});

Deno.test("listener: the grace of a stop begins when it is told", async () => {
  const { waiting, handler, release } = held();
  await withListener(handler, {}, async (listener) => {
    const socket = await connectTls(listener.port);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await until("the request is in flight", () => waiting.length === 1);
    const { promise: after, resolve } = Promise.withResolvers<void>();
    const stopped = listener.close(1, after);
    await until("nobody is let in", () => isRefused(listener.port));
    release();
    await readUntil(socket, (text) => text.endsWith("done"));
    await soon(stopped, "the stop");
    resolve();
  });
});

Deno.test("listener: an endless stream ends with the grace", async () => {
  const handler = () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode("tick\n"));
          await new Promise((resolve) => setTimeout(resolve, 5));
        },
      }),
    );
  await withListener(handler, {}, async (listener) => {
    const socket = await connectTls(listener.port);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await readUntil(socket, (text) => text.includes("tick"));
    await soon(listener.close(50), "the stop");
    await closed(socket);
  });
});

Deno.test("listener: a stop that cuts busy streams leaves the process alive", () => drill("_cut_drill.ts"));

Deno.test("listener: a client that is sent away has its connection ended, over HTTP/2 it is told beside", async () => {
  const away = () => new Response("elsewhere", { status: 429, headers: { connection: "close", "retry-after": "5" } });
  await withListener(away, { http2: { sendsAway: true } }, async ({ port }) => {
    const socket = await connectTls(port);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const got = await readUntil(socket, () => false);
    assert.match(got, /^HTTP\/1\.1 429 .*connection: close.*elsewhere$/s);
    const client = session(port);
    const told = new Promise<number>((resolve) => client.once("goaway", resolve));
    const ended = closed(client);
    assert.deepEqual(await exchange(client, { ":path": "/" }), { status: 429, body: "elsewhere" });
    assert.equal(await soon(told, "GOAWAY"), 0);
    client.close();
    await ended;
  });
});
