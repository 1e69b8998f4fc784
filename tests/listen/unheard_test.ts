/** What clients send that nobody asks for is bounded, and what is asked for is not. */
import assert from "node:assert/strict";
import type tls from "node:tls";
import { Unheard } from "../../server/listen/unheard.ts";
import { closed, connectTls, exchange, readUntil, session, soon, withListener } from "./_fixture.ts";

const MiB = 1024 * 1024;
const CHUNK = `10000\r\n${"a".repeat(65_536)}\r\n`;
/** More than the listener takes of what nobody asks for, and than all sockets on the way hold. */
const LONG = 40 * MiB;

const head = (method: string, ...fields: readonly string[]) =>
  [`${method} / HTTP/1.1`, "Host: x", ...fields, "", ""].join("\r\n");

/** Writes the same piece until so much is sent, or the connection is closed; how much that was. */
async function send(socket: tls.TLSSocket, piece: string, most: number): Promise<number> {
  let sent = 0, gone = false;
  socket.once("close", () => gone = true);
  while (sent < most && !gone) {
    sent += piece.length;
    if (socket.write(piece)) continue;
    await soon(new Promise((done) => socket.once("drain", done).once("close", done)), "room to write");
  }
  return sent;
}

Deno.test("unheard: trailers without end end their connection", () =>
  withListener(async (request) => new Response(await request.text()), {}, async ({ port }) => {
    const socket = await connectTls(port);
    socket.write(head("POST", "Transfer-Encoding: chunked") + "2\r\n{}\r\n0\r\n");
    const end = closed(socket);
    const sent = await send(socket, `x: ${"a".repeat(1000)}\r\n`.repeat(50), LONG);
    await end;
    assert.ok(sent < LONG, String(sent));
  }));

Deno.test("unheard: what follows an answer to a body that nobody wants ends its connection", () =>
  withListener(() => new Response("no", { status: 403 }), {}, async ({ port }) => {
    const socket = await connectTls(port);
    socket.write(head("POST", "Transfer-Encoding: chunked"));
    const end = closed(socket), answer = readUntil(socket, (text) => text.includes("no"));
    const sent = await send(socket, CHUNK, LONG);
    assert.match(await answer, /^HTTP\/1\.1 403 /);
    await end;
    assert.ok(sent < LONG, String(sent));
  }));

/** Counts what it reads, as slowly as a pod may. */
async function count(request: Request): Promise<Response> {
  let read = 0;
  for await (const piece of request.body!) {
    if (read % (8 * MiB) < piece.length) await new Promise((done) => setTimeout(done, 5));
    read += piece.length;
  }
  return new Response(String(read));
}

for (
  const [what, fields, piece, last] of [
    ["in chunks", ["Transfer-Encoding: chunked"], CHUNK, "0\r\n\r\n"],
    ["of told length, asked for", [`Content-Length: ${LONG}`, "Expect: 100-continue"], "a".repeat(65_536), ""],
    ["of told length", [`Content-Length: ${LONG}`], "a".repeat(65_536), ""],
  ] as const
) {
  Deno.test(`unheard: a long body that is read comes through: ${what}`, () =>
    withListener(count, {}, async ({ port }) => {
      const socket = await connectTls(port);
      const answer = readUntil(socket, (text) => /\r\n\r\n\d+$/.test(text));
      socket.write(head("PUT", ...fields));
      const size = piece === CHUNK ? LONG / 65_536 * CHUNK.length : LONG;
      assert.equal(await send(socket, piece, size), size);
      socket.write(last);
      assert.match(await answer, new RegExp(`200 OK\r\n[^]*\r\n\r\n${LONG}$`));
      socket.destroy();
    }));
}

Deno.test("unheard: a long body of HTTP/2 that is read comes through", () =>
  withListener(count, {}, async ({ port }) => {
    const client = session(port);
    const answer = await exchange(client, { ":method": "PUT", ":path": "/" }, new Uint8Array(LONG));
    assert.deepEqual(answer, { status: 200, body: String(LONG) });
    client.close();
  }));

Deno.test("unheard: a client has less room while nothing of it is worked on, and all of them have a bound", () => {
  const all = new Unheard({ most: 100, resting: 50, together: 200, little: 20 });
  const one = all.client(), two = all.client(), three = all.client();
  assert.deepEqual([one.sent(50, 0), one.sent(50, 1), one.sent(0, 0), one.sent(1, 1)], [true, true, false, false]);
  one.heard();
  assert.deepEqual([one.sent(90, 1), two.sent(90, 1), all.total], [true, true, 180]);
  // Past the bound of all those go on who have sent little.
  assert.deepEqual([three.sent(20, 1), three.sent(1, 1), two.sent(0, 1)], [true, false, false]);
  one.heard();
  assert.deepEqual([two.sent(0, 1), all.total], [true, 111]);
  two.heard();
  three.heard();
  assert.equal(all.total, 0);
});
