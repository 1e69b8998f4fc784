/** What the runtime says last reaches its client, whatever the client still sends. */
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { join } from "../../../agent/http/streams/join.ts";
import { dataFrame, NOTHING, StreamOpener } from "../../../agent/http/streams/spdy.ts";
import { FrameBounds } from "../../../agent/http/streams/spdy_bounds.ts";
import { openStream } from "../../../agent/http/streams/tunnel.ts";
import { concat } from "../../../schema/values/bytes.ts";
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

Deno.test("A refusal of the runtime is passed on with its headers, but for those of its connection", async () => {
  const runtime = http.createServer((_request, response) => {
    response.writeHead(403, { "x-accepted-stream-protocol-versions": "portforward.k8s.io", "keep-alive": "timeout=9" });
    response.end("unable to upgrade\n");
  });
  await new Promise<void>((done) => runtime.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(runtime.address() as AddressInfo).port}/portforward`;
  const answer = await openStream("POST", url, {}, new AbortController().signal);
  assert.ok("body" in answer);
  const { date: _date, ...headers } = answer.headers!;
  assert.deepEqual([answer.status, answer.body], [403, "unable to upgrade\n"]);
  assert.deepEqual(headers, {
    "content-type": "text/plain; charset=utf-8",
    "x-accepted-stream-protocol-versions": "portforward.k8s.io",
  });
  await new Promise<void>((done) => runtime.close(() => done()));
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

Deno.test("Frames of SPDY begin where the one before ends, whatever pieces they come in", () => {
  const frames = [
    new StreamOpener().open({ streamtype: "error" }).frame,
    dataFrame(3, new Uint8Array(300), false),
    dataFrame(3, new Uint8Array(), true),
    NOTHING,
  ];
  const bytes = concat(frames), begins = [0];
  for (const { length } of frames) begins.push(begins.at(-1)! + length);
  for (let size = 1; size <= bytes.length; size++) {
    const bounds = new FrameBounds();
    for (let at = 0; at < bytes.length; at += size) {
      assert.equal(bounds.between, begins.includes(at), `${at} by ${size}`);
      bounds.pass(bytes.subarray(at, at + size));
    }
    assert.ok(bounds.between);
  }
});

Deno.test("A client of SPDY that is held back is written to, between frames: only so is noticed that it has gone", async () => {
  const [client, ours] = duplexPair(), [runtime, its] = duplexPair();
  join(ours, its, 0, new FrameBounds());
  client.write(new Uint8Array(1024 * 1024));
  const frame = dataFrame(5, new Uint8Array(3), true);
  runtime.write(frame);
  const [first] = await soon(once(client, "data"), "the frame");
  const [second] = await soon(once(client, "data"), "what is sent next");
  assert.deepEqual([first, second].map((chunk) => Uint8Array.from(chunk)), [frame, NOTHING]);
  for (const end of [client, runtime]) end.destroy();
  for (const end of [ours, its]) end.destroy();
});
