/** Answers that must end. */
import assert from "node:assert/strict";
import { inTime } from "../../server/in_time.ts";

/** A body of three bytes so far, what is done with it, and what is heard of its end. */
async function heardOf(
  ms: number,
  run: (
    reader: ReadableStreamDefaultReader<Uint8Array>,
    source: ReadableStreamDefaultController<Uint8Array>,
  ) => Promise<unknown>,
) {
  let source!: ReadableStreamDefaultController<Uint8Array>, left = false;
  const heard: number[] = [];
  const from = new ReadableStream<Uint8Array>({ start: (c) => void (source = c), cancel: () => void (left = true) });
  const reader = inTime(from, ms, (bytes) => void heard.push(bytes)).getReader();
  source.enqueue(new Uint8Array(3));
  assert.equal((await reader.read()).value?.length, 3);
  assert.deepEqual(heard, []);
  await run(reader, source);
  // Nobody hears of what has ended once more.
  await reader.cancel().catch(() => {});
  return { heard, left };
}

Deno.test("an answer ends once, with all that was taken of it: whole, failed, left or late", async () => {
  const whole = await heardOf(60_000, async (reader, source) => {
    source.close();
    assert.equal((await reader.read()).done, true);
  });
  assert.deepEqual(whole, { heard: [3], left: false });
  const failed = await heardOf(60_000, async (reader, source) => {
    source.error(new Error("gone"));
    await assert.rejects(reader.read(), /gone/);
  });
  assert.deepEqual(failed, { heard: [3], left: false });
  const left = await heardOf(Infinity, (reader) => reader.cancel());
  assert.deepEqual(left, { heard: [3], left: true });
  const late = await heardOf(20, async (reader) => await assert.rejects(reader.read(), /not whole within 0\.02 s/));
  assert.deepEqual(late, { heard: [3], left: true });
});
