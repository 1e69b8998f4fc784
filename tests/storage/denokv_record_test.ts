import assert from "node:assert/strict";
import { KIND, LogWriter, readLog, readRecord } from "../../server/storage/denokv/record.ts";
import { bytes } from "./tools.ts";

Deno.test("denokv: a record says what was written, and its own key whatever key was expected there", () => {
  const writer = new LogWriter(7), keys = ["k/a", "k/ab", "k/b", "k/é", "k/\u{1f600}", ""];
  const records = keys.map((key, i) => ({
    kind: KIND.put,
    key,
    revision: 100 + i,
    expiresAt: i * 1_000,
    payload: bytes(`value ${i}`),
    moved: i % 2 === 1,
  }));
  const places = records.map((record) => writer.add(record)), log = writer.finish();
  const expected = records.map((record, i) => ({ ...record, ...places[i] }));
  const plain = (record: typeof expected[number]) => ({ ...record, payload: Uint8Array.from(record.payload) });
  assert.deepEqual([...readLog(log, 7)].map((r) => plain(r as typeof expected[number])), expected);
  for (const [i, key] of keys.entries()) {
    for (const other of [undefined, ...keys]) {
      assert.equal(readRecord(log, 7, places[i]!.offset, other).key, key);
    }
  }
  assert.equal(places.reduce((sum, { length }) => sum + length, 20), log.length);
});

Deno.test("denokv: a log value that is not whole, not its own or longer than it says is damaged", () => {
  const writer = new LogWriter(7);
  writer.add({ kind: KIND.put, key: "k/a", revision: 2, expiresAt: 0, payload: bytes("1") });
  const log = writer.finish(), longer = new Uint8Array(log.length + 1);
  longer.set(log);
  for (let end = 0; end < log.length; end++) assert.throws(() => [...readLog(log.slice(0, end), 7)], /damaged/);
  assert.throws(() => [...readLog(longer, 7)], /damaged/);
  assert.throws(() => [...readLog(log, 8)], /damaged/);
  assert.equal([...readLog(log, 7)].length, 1);
});
