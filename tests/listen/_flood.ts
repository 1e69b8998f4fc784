/** A client on a thread of its own that sends as fast as it can from its first moment on; tells how many bytes were taken. */
const CHUNK = new Uint8Array(64 * 1024);
const HEAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n";
const starter = globalThis as unknown as Worker;

starter.addEventListener("message", async ({ data: { port, caCerts } }) => {
  const socket = await Deno.connectTls({ hostname: "127.0.0.1", port, caCerts });
  await socket.write(new TextEncoder().encode(HEAD));
  for (let sent = 0;; starter.postMessage(sent)) sent += await socket.write(CHUNK);
});
