/** Messages and frames that come in pieces of any length. */
import assert from "node:assert/strict";
import { framed, MessageReader } from "../../schema/grpc/framing.ts";
import { SentFrames } from "../../schema/grpc/sent_frames.ts";

function* pieces(whole: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < whole.length; at += length) yield whole.subarray(at, at + length);
}

const joined = (parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((p) => [...p]));

Deno.test("grpc: messages are the same however they are cut", () => {
  const messages = [0, 1, 0, 4, 300, 0].map((length, i) => new Uint8Array(length).fill(i));
  const whole = joined(messages.map((m) => framed(m, 300)));
  for (let length = 1; length <= whole.length; length++) {
    const reader = new MessageReader(300);
    assert.deepEqual([...pieces(whole, length)].flatMap((p) => [...reader.read(p)]), messages);
    assert.ok(reader.empty);
  }
});

Deno.test("grpc: what is sent of each stream is counted however it is cut", () => {
  const frame = (type: number, stream: number, length: number) =>
    Uint8Array.of(length >> 16, length >> 8, length, type, 1, 0, 0, stream >> 8, stream, ...new Uint8Array(length));
  const whole = joined([
    new Uint8Array(24),
    frame(4, 0, 0),
    frame(1, 3, 20),
    frame(0, 3, 300),
    frame(0, 259, 0),
    frame(0, 3, 7),
  ]);
  for (let length = 1; length <= whole.length; length++) {
    const told: number[][] = [];
    const frames = new SentFrames((stream, count) => told.push([stream, count]));
    for (const piece of pieces(whole, length)) frames.read(piece);
    assert.deepEqual(told, [[3, 300], [259, 0], [3, 7]]);
  }
});
