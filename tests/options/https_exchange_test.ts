import assert from "node:assert/strict";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { exchange } from "../../server/options/https_exchange.ts";
import { soon } from "../listen/_fixture.ts";

/** Asks a server that answers every request with those bytes. */
async function asked(bytes: string): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on("error", () => {}).on("data", () => socket.write(bytes));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const signal = new AbortController().signal;
  try {
    const open = () => http.request({ host: "127.0.0.1", port, method: "POST", agent: false });
    const { status, body } = await soon(exchange(open, new Uint8Array(2), 10, signal), "the end");
    return `${status} ${body}`;
  } finally {
    await new Promise<void>((done) => server.close(() => done()));
  }
}

Deno.test("an answer is read whole, up to its bound", async () => {
  assert.equal(await asked("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"), "200 hi");
  await assert.rejects(asked(`HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n${"x".repeat(11)}`), /larger than 10 bytes/);
});

Deno.test("a server that makes something else of a connection has not answered", async () => {
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  await assert.rejects(asked(upgrade), /closed without an answer/);
});
