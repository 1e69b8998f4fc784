/** Batches beside the requests. */
import assert from "node:assert/strict";
import { Buffered } from "../../server/audit/buffered.ts";
import { AuditEvent } from "../../server/audit/event.ts";
import type { EventData } from "../../server/audit/types.ts";
import { until } from "./_recording.ts";

const event = (auditId: string): AuditEvent => new AuditEvent({ auditId } as EventData);

Deno.test("a throttled buffer goes on though the clock is put back", async () => {
  const seen: string[] = [], limits = { buffer: 10, size: 1, wait: 1, throttle: { qps: 1000, burst: 1 }, atOnce: 1 };
  const sink = {
    process: (events: readonly AuditEvent[]) => seen.push(...events.map((e) => e.data.auditId)) > 0,
    close: () => {},
  };
  let clock = 3_600_000;
  const buffered = new Buffered(sink, limits, () => assert.fail("lost"), () => ++clock);
  buffered.process([event("a")]);
  await until(() => seen.length === 1);
  clock = 0;
  buffered.process([event("b")]);
  await until(() => seen.length === 2);
  assert.deepEqual(seen, ["a", "b"]);
  await buffered.close();
});

Deno.test("what finds the buffer full is lost, what comes after the end too; the rest is stored in order", async () => {
  const seen: string[] = [], lost: string[] = [], limits = { buffer: 2, size: 10, wait: 60_000, atOnce: 1 };
  const sink = {
    process: (events: readonly AuditEvent[]) => seen.push(...events.map((e) => e.data.auditId)) > 0,
    close: () => {},
  };
  const tell = (_plugin: string, why: unknown, events: readonly AuditEvent[]) =>
    void lost.push(...events.map((e) => `${e.data.auditId}: ${why}`));
  const buffered = new Buffered(sink, limits, tell, () => 0);
  assert.equal(buffered.process([event("a"), event("b"), event("c")]), true);
  await buffered.close();
  buffered.process([event("d")]);
  assert.deepEqual([seen, lost], [["a", "b"], ["c: the buffer is full", "d: the server stops"]]);
});

Deno.test("batches are filled anew after one that was waited for, and no more are on their way than may be", async () => {
  const batches: string[] = [], answers: (() => void)[] = [];
  const sink = {
    process: (events: readonly AuditEvent[]) => {
      batches.push(events.map((e) => e.data.auditId).join(" "));
      return new Promise<boolean>((done) => answers.push(() => done(true)));
    },
    close: () => {},
  };
  const limits = { buffer: 10, size: 9, wait: 1, atOnce: 1 };
  const buffered = new Buffered(sink, limits, () => assert.fail("lost"), () => 0);
  buffered.process([event("a")]);
  await until(() => batches.length === 1);
  answers.shift()!();
  buffered.process([event("b")]);
  for (let i = 0; i < 9; i++) await Promise.resolve();
  buffered.process([event("c")]);
  await until(() => batches.length === 2);
  assert.deepEqual(batches, ["a", "b c"]);
  buffered.process([event("d")]);
  let closed = false;
  const closing = buffered.close().then(() => closed = true);
  for (let i = 0; i < 9; i++) await new Promise((done) => setTimeout(done));
  assert.equal(batches.length, 2, "one at a time");
  answers.shift()!();
  await until(() => batches.length === 3);
  await new Promise((done) => setTimeout(done));
  assert.equal(closed, false, "what is on its way is waited for");
  answers.shift()!();
  await closing;
  assert.equal(batches[2], "d");
});
