import assert from "node:assert/strict";
import { ca, soon, until, withListener } from "./_fixture.ts";

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
