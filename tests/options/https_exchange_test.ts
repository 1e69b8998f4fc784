import assert from "node:assert/strict";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { exchange } from "../../server/options/https_exchange.ts";
import { soon, until } from "../listen/_fixture.ts";

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

Deno.test("an answer that announces itself without end is none", async () => {
  const early = "HTTP/1.1 103 Early Hints\r\n\r\n", answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
  assert.equal(await asked(early.repeat(100) + answer), "200 hi");
  await assert.rejects(asked(early.repeat(101) + answer), /more than 100 answers of 1xx/);
});

Deno.test("a request that is ended on a kept connection is not sent once more", async () => {
  const heard: string[] = [], open = new Set<net.Socket>();
  const server = http.createServer((request, response) => {
    heard.push(request.url!);
    if (request.url !== "/silent") response.end("hi");
  });
  server.on("connection", (socket) => open.add(socket.once("close", () => open.delete(socket))));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const ask = (path: string, signal = new AbortController().signal) =>
    exchange(() => http.request({ host: "127.0.0.1", port, path, method: "POST", agent }), undefined, 10, signal);
  try {
    await soon(ask("/first"), "the answer");
    await until("the connection to be free", () => Object.keys(agent.freeSockets).length > 0);
    const end = new AbortController(), ended = ask("/silent", end.signal);
    await until("the request", () => heard.includes("/silent"));
    assert.equal(open.size, 1, "it goes by the connection that was kept");
    end.abort(new Error("enough"));
    await assert.rejects(ended, /enough/);
    await soon(ask("/last"), "the answer after it");
    assert.deepEqual(heard, ["/first", "/silent", "/last"]);
  } finally {
    agent.destroy();
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  }
});
