import assert from "node:assert/strict";
import { ca, connectTls, soon, until, withListener } from "./_fixture.ts";

const echo = (request: Request): Response => {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => socket.send(data);
  return response;
};

async function openSocket(url: string, protocol: string): Promise<WebSocket> {
  const client = Deno.createHttpClient({ caCerts: [ca.cert], http2: false });
  const socket = new WebSocket(url.replace("https", "wss"), { protocols: [protocol], client });
  socket.binaryType = "arraybuffer";
  await soon(
    new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    }),
    "the upgrade",
  );
  socket.addEventListener("close", () => client.close());
  return socket;
}

Deno.test("listener: a WebSocket through the terminator, with large messages, alive beyond the idle time", async () => {
  const handler = (request: Request) =>
    request.headers.get("upgrade") === "websocket" ? echo(request) : new Response("no");
  await withListener(handler, { limits: { idleMs: 1 } }, async (listener) => {
    const socket = await openSocket(listener.url, "v5.channel.k8s.io");
    const message = crypto.getRandomValues(new Uint8Array(60_000));
    const ask = () => {
      const answer = new Promise<Uint8Array>((r) => socket.onmessage = ({ data }) => r(new Uint8Array(data)));
      socket.send(message);
      return soon(answer, "the echo");
    };
    for (let i = 0; i < 20; i++) assert.deepEqual(await ask(), message);
    // Longer than two sweeps.
    await new Promise((resolve) => setTimeout(resolve, 2200));
    assert.deepEqual(await ask(), message);
    const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
    socket.close();
    await soon(closed, "the close");
    await until("the connection is forgotten", () => listener.connections() === 0);
  });
});

Deno.test("listener: who says too much over a WebSocket is cut, in a message that does not end too", async () => {
  const handler = (request: Request) =>
    request.headers.get("upgrade") === "websocket" ? echo(request) : new Response("no");
  await withListener(handler, { limits: { socketBytes: 200_000 } }, async (listener) => {
    const messages = await openSocket(listener.url, "x"), closed = new Promise((done) => messages.onclose = done);
    for (let i = 0; i < 3; i++) {
      const answer = new Promise((done) => messages.onmessage = done);
      messages.send(new Uint8Array(60_000));
      await soon(answer, "the echo");
    }
    messages.send(new Uint8Array(60_000));
    await soon(closed, "the end");
    const endless = await connectTls(listener.port);
    const gone = new Promise((done) => endless.on("error", () => {}).once("close", done));
    endless.write(
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    await soon(new Promise((done) => endless.once("data", done)), "the upgrade");
    // A message of 64 KiB and no end; then the same again as its next part.
    const part = new Uint8Array(14 + 65_536);
    part.set([0x02, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]);
    endless.write(part);
    part[0] = 0;
    for (let i = 0; i < 3; i++) endless.write(part);
    await soon(gone, "the end of the endless one");
    assert.equal(await (await fetchOnce(listener.url)).text(), "no");
  });
});

async function fetchOnce(url: string): Promise<Response> {
  const client = Deno.createHttpClient({ caCerts: [ca.cert] });
  try {
    const answer = await fetch(url, { client });
    return new Response(await answer.text());
  } finally {
    client.close();
  }
}
