import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { Exchanges } from "../../server/listen/exchanges.ts";
import { pipe } from "../../server/listen/pipe.ts";
import { ca, session, soon, until, withListener } from "./_fixture.ts";

const CHUNK = new Uint8Array(64 * 1024);
/** More than the buffers of four sockets and both HTTP sides may hold for one client. */
const BOUND = 48 * 1024 * 1024;

/** Waits until a number has grown and no longer grows. */
async function settled(read: () => number): Promise<number> {
  await until("the number grows", () => read() > 0);
  let last = -1;
  let same = 0;
  await until("the number settles", async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    same = read() === last ? same + 1 : 0;
    last = read();
    return same > 10;
  });
  return last;
}

for (const protocol of ["HTTP/1.1", "HTTP/2"]) {
  Deno.test(`listener: a client that does not read stops the writer, ${protocol}`, async () => {
    let written = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            written += CHUNK.length;
            controller.enqueue(CHUNK);
          },
        }, { highWaterMark: 0 }),
      );
    const handler = (request: Request) => new URL(request.url).pathname === "/" ? endless() : new Response("ok");
    await withListener(handler, {}, async ({ port }) => {
      const stop = protocol === "HTTP/2" ? pausedStream(port) : await pausedSocket(port);
      const stalledAt = await settled(() => written);
      assert.ok(stalledAt > 0 && stalledAt < BOUND, `stopped after ${stalledAt} bytes`);
      stop();
    });
  });
}

/** A socket of the runtime's own: those of `node:tls` read on when paused. */
const connect = (port: number) => Deno.connectTls({ hostname: "127.0.0.1", port, caCerts: [ca.cert] });

async function pausedSocket(port: number): Promise<() => void> {
  const socket = await connect(port);
  await socket.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  return () => socket.close();
}

function pausedStream(port: number): () => void {
  const client = session(port);
  const stream = client.request({ ":path": "/" });
  stream.on("error", () => {});
  stream.pause();
  return () => client.destroy();
}

Deno.test("listener: a handler that does not read stops the sender, and gets all once it does", async () => {
  let go = () => {};
  const wait = new Promise<void>((resolve) => go = resolve);
  const handler = async (request: Request) => {
    await wait;
    let size = 0;
    for await (const chunk of request.body!) size += chunk.length;
    return new Response(String(size));
  };
  await withListener(handler, {}, async ({ port }) => {
    const total = 96 * 1024 * 1024;
    const socket = await connect(port);
    const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${total}\r\n\r\n`;
    await socket.write(new TextEncoder().encode(head));
    let sent = 0;
    const sending = (async () => {
      while (sent < total) sent += await socket.write(CHUNK);
    })();
    const stalledAt = await settled(() => sent);
    assert.ok(stalledAt < BOUND, `stopped after ${stalledAt} bytes`);
    go();
    await soon(sending, "the end of the body");
    assert.match(await new Response(socket.readable).text(), new RegExp(`\r\n\r\n${total}$`));
  });
});

Deno.test("listener: a client that sends at once is held back before there is a way for what it sends", async () => {
  let taken = 0;
  const flood = new Worker(new URL("./_flood.ts", import.meta.url), { type: "module" });
  flood.onmessage = ({ data }) => taken = data;
  await withListener(() => new Promise(() => {}), {}, async ({ port }) => {
    flood.postMessage({ port, caCerts: [ca.cert] });
    const stalledAt = await settled(() => taken);
    assert.ok(stalledAt < BOUND, `stopped after ${stalledAt} bytes`);
    flood.terminate();
  });
});

Deno.test("listener: a client held back for a request that was refused early is heard with its next one", async () => {
  const stream = (write: (chunk: Uint8Array, done: () => void) => void) =>
    new Duplex({ read() {}, write: (chunk, _encoding, done) => write(chunk, done) });
  const outer = stream((_chunk, done) => done()), refusing = stream(() => {});
  const heard = Promise.withResolvers<string>();
  const other = stream((chunk) => heard.resolve(new TextDecoder().decode(chunk)));
  const link = (socket: Duplex) => ({ socket, forget() {} });
  pipe({
    outer: outer as Socket,
    flow: { pause: () => void outer.pause(), resume: () => void outer.resume() },
    link: link(refusing),
    renew: () => Promise.resolve(link(other)),
    exchanges: new Exchanges(),
    tap: undefined,
    lingerMs: 0,
    may: () => true,
    done() {},
  });
  const length = 1 << 20;
  outer.push(`PUT / HTTP/1.1\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(length)}`);
  await until("the client's being held back", () => outer.isPaused());
  refusing.push("HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  await until("the end of the refusing link", () => refusing.destroyed);
  outer.push("GET /next HTTP/1.1\r\n\r\n");
  assert.match(await soon(heard.promise, "the next request"), /^GET \/next /);
  for (const one of [outer, other]) one.destroy();
});

Deno.test("listener: a client that was given to another server takes what that one has left as slowly as it likes", async () => {
  const stream = (write: (chunk: Uint8Array, done: () => void) => void) =>
    new Duplex({ read() {}, write: (chunk, _encoding, done) => write(chunk, done) });
  const inner = stream((_chunk, done) => done()), other = stream(() => {});
  let got = "", take = () => {};
  const outer = stream((chunk, done) => {
    got += new TextDecoder().decode(chunk);
    take = done;
  });
  const exchanges = new Exchanges();
  const give = pipe({
    outer: outer as Socket,
    flow: { pause: () => void outer.pause(), resume: () => void outer.resume() },
    link: { socket: inner, forget() {} },
    renew: () => Promise.reject(new Error("there is none")),
    exchanges,
    tap: undefined,
    lingerMs: 0,
    may: () => true,
    done() {},
  });
  outer.push("GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
  await until("the request's being heard", () => exchanges.over);
  assert.ok(give(other, new TextEncoder().encode("head "), new Uint8Array()));
  outer.push("x".repeat(1 << 20));
  await until("the client's being held back", () => outer.isPaused());
  other.push("all ");
  other.push("of it");
  other.push(null);
  await until("the other server's end", () => other.destroyed);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual([outer.destroyed, outer.isPaused()], [false, false]);
  while (!outer.writableFinished) {
    take();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert.equal(got, "head all of it");
  outer.destroy();
});

Deno.test("listener: a client takes the last of an answer after which its connection ends as slowly as it likes", async () => {
  const stream = (write: (chunk: Uint8Array, done: () => void) => void) =>
    new Duplex({ read() {}, write: (chunk, _encoding, done) => write(chunk, done) });
  const inner = stream((_chunk, done) => done());
  let got = "", take = () => {};
  const outer = stream((chunk, done) => {
    got += new TextDecoder().decode(chunk);
    take = done;
  });
  pipe({
    outer: outer as Socket,
    flow: { pause: () => void outer.pause(), resume: () => void outer.resume() },
    link: { socket: inner, forget() {} },
    renew: () => Promise.reject(new Error("there is none")),
    exchanges: new Exchanges(),
    tap: undefined,
    lingerMs: 0,
    may: () => true,
    done() {},
  });
  const answer = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
  outer.push("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  for (const part of [answer, "all ", "of it"]) inner.push(part);
  inner.push(null);
  await until("the inner server's end", () => inner.destroyed);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(outer.destroyed, false);
  await until("the end", () => {
    take();
    return outer.destroyed;
  });
  assert.equal(got, `${answer}all of it`);
});
