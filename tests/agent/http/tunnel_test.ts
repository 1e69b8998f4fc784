/** What the runtime says last reaches its client, whatever the client still sends. */
import assert from "node:assert/strict";
import { type Duplex, duplexPair } from "node:stream";
import { join } from "../../../agent/http/streams/join.ts";
import { openStream } from "../../../agent/http/streams/tunnel.ts";
import { soon, until } from "../../listen/_fixture.ts";

const LAST = "the last words";

/** Resolves once the system has taken it, or said that it does not. */
const written = (stream: Duplex, data: string | Uint8Array) =>
  soon(new Promise<void>((done) => stream.write(data, () => done())), "the write");

async function textOf(stream: Duplex): Promise<string> {
  let text = "";
  stream.on("data", (chunk) => text += new TextDecoder().decode(chunk));
  await soon(new Promise<void>((done) => stream.once("close", () => done())), "the end");
  return text;
}

Deno.test("A runtime that leaves without reading all of the input is heard out, though writing to it fails", async () => {
  using runtime = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = runtime.accept();
  const headers = { connection: "Upgrade", upgrade: "SPDY/3.1" };
  const opening = openStream(
    "POST",
    `http://127.0.0.1:${runtime.addr.port}/exec`,
    headers,
    new AbortController().signal,
  );
  const its = await accepted;
  await its.read(new Uint8Array(64 * 1024));
  await its.write(
    new TextEncoder().encode("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n"),
  );
  const opened = await soon(opening, "the upgrade");
  assert.ok("stream" in opened);
  const { stream } = opened;
  stream.pause();
  await written(stream, "input that it leaves unread");
  await its.write(new TextEncoder().encode(LAST));
  its.close();
  await written(stream, "more");
  await written(stream, "and more");
  assert.equal(await textOf(stream.resume()), LAST);
});

Deno.test("A client that the runtime left while it was held back is read off, and is sent all", async () => {
  const [client, ours] = duplexPair(), [runtime, its] = duplexPair();
  join(ours, its, 0);
  const part = new Uint8Array(1024 * 1024);
  const sent = [part, part, part].map((data) => written(client, data));
  await until("the client's being held back", () => ours.isPaused());
  runtime.write("x".repeat(1024 * 1024));
  runtime.end(LAST);
  const text = textOf(client.once("end", () => client.end()));
  await Promise.all(sent);
  assert.equal((await text).length, 1024 * 1024 + LAST.length);
});
