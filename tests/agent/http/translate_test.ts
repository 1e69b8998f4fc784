import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocket } from "ws";
import { PROTOCOL, translate } from "../../../agent/http/streams/translate.ts";

async function portOf(server: http.Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

Deno.test("A client of a process that reads nothing is written to: only so is one noticed that is held back and has gone", async () => {
  const held: Duplex[] = [];
  const runtime = http.createServer().on("upgrade", (_request, socket) => {
    held.push(socket.on("error", () => {}).pause());
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n");
  });
  const url = `http://127.0.0.1:${await portOf(runtime)}/exec`;
  const agent = http.createServer().on("upgrade", (request, socket, first) => {
    held.push(socket.on("error", () => {}));
    const response = new http.ServerResponse(request);
    response.assignSocket(request.socket);
    const incoming = { request, response, upgrade: { first }, signal: new AbortController().signal };
    const wanted = { tty: false, stdin: true, stdout: true, stderr: false };
    void translate(incoming as unknown as Parameters<typeof translate>[0], url, wanted, 0);
  });
  const client = new WebSocket(`ws://127.0.0.1:${await portOf(agent)}/`, PROTOCOL);
  const pinged = new Promise<void>((resolve) => client.once("ping", () => resolve()));
  await new Promise<void>((resolve) => client.once("open", () => resolve()));
  client.send(new Uint8Array(3 * 1024 * 1024));
  await pinged;
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  for (const socket of held) socket.destroy();
  client.terminate();
  await closed;
  await Promise.all([runtime, agent].map((server) => new Promise<void>((done) => server.close(() => done()))));
  assert.equal(held.length, 2);
});
