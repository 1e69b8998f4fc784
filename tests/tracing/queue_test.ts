/** Spans on their way out: batches, bounds, what is lost. */
import assert from "node:assert/strict";
import { logger } from "../../schema/log/log.ts";
import { oneStream } from "../../schema/log/streams.ts";
import { ExportError, QUEUE_LIMITS, type QueueLimits, type SendSpans, SpanQueue } from "../../schema/tracing/queue.ts";
import type { SpanRecord } from "../../schema/tracing/span.ts";

const span = (name: string): SpanRecord => ({
  context: { traceId: "1".repeat(32), spanId: "1".repeat(16), sampled: true, state: "" },
  parentId: "",
  remoteParent: false,
  link: undefined,
  name,
  kind: 1,
  start: 0,
  end: 1,
  attributes: new Map(),
  lost: 0,
  failure: undefined,
});

const LIMITS: QueueLimits = { ...QUEUE_LIMITS, spans: 4, batch: 2, wait: 3_600_000, pause: 1 };

/** A queue, the batches that its collector got, and what it was told of those lost. */
function queue(answer: (batch: number) => number | Promise<number>, limits: Partial<QueueLimits> = {}) {
  const got: string[][] = [], lost: string[] = [];
  const send: SendSpans = async (spans) => {
    got.push(spans.map((s) => s.name));
    return await answer(got.length);
  };
  const made = new SpanQueue(send, (e) => lost.push((e as Error).message), { ...LIMITS, ...limits });
  const add = (...names: string[]) => names.forEach((n) => made.add(span(n)));
  return { made, add, got, lost };
}

Deno.test("a full batch is sent at once, what is left at the end", async () => {
  const { made, add, got } = queue(() => 0);
  add("a", "b", "c");
  assert.deepEqual(got, [["a", "b"]]);
  await made.close(1000);
  assert.deepEqual(got, [["a", "b"], ["c"]]);
  assert.deepEqual(made.counts, { sent: 3, failed: 0, dropped: 0 });
});

Deno.test("a small batch is sent when it is old", async () => {
  const sent = Promise.withResolvers<number>();
  const { made, add, got } = queue(() => (sent.resolve(0), 0), { wait: 1 });
  add("a");
  await sent.promise;
  assert.deepEqual(got, [["a"]]);
  await made.close(1000);
});

Deno.test("spans past the bound are dropped and counted while a collector does not answer", async () => {
  const answered = Promise.withResolvers<number>();
  const { made, add } = queue(() => answered.promise);
  add("a", "b", "c", "d", "e", "f", "g");
  assert.equal(made.counts.dropped, 1);
  answered.resolve(0);
  await made.close(1000);
  assert.deepEqual(made.counts, { sent: 6, failed: 0, dropped: 1 });
  add("late");
  assert.equal(made.counts.dropped, 2);
});

Deno.test("a batch is tried again while that may help, and not beyond its time", async () => {
  const { made, add, got, lost } = queue((n) => n < 3 ? Promise.reject(new ExportError("busy", true)) : 0);
  const done = Promise.withResolvers<void>();
  add("a", "b");
  const look = setInterval(() => made.counts.sent === 2 && done.resolve(), 1);
  await done.promise;
  clearInterval(look);
  assert.deepEqual([got.length, lost], [3, []]);
  await made.close(1000);

  const short = queue(() => Promise.reject(new ExportError("busy", true)), { total: 0 });
  short.add("a", "b");
  await short.made.close(1000);
  assert.deepEqual([short.got.length, short.lost, short.made.counts.failed], [1, ["busy"], 2]);
});

Deno.test("what the log tells of a lost batch is one line", async () => {
  const lines: string[] = [];
  const log = logger("text", Date.now, oneStream((line) => lines.push(line)));
  const refuses = () => Promise.reject(new ExportError("no collector", false));
  const made = new SpanQueue(refuses, (e) => log("warn", "spans are lost", e), LIMITS);
  made.add(span("a"));
  await made.close(1000);
  assert.deepEqual(lines, ["warn: spans are lost: ExportError: no collector"]);
});

Deno.test("what a collector refuses is not sent again", async () => {
  const { made, add, got, lost } = queue(() => Promise.reject(new ExportError("no", false)));
  add("a", "b");
  await made.close(1000);
  assert.deepEqual([got.length, lost, made.counts], [1, ["no"], { sent: 0, failed: 2, dropped: 0 }]);
  const partly = queue(() => 1);
  partly.add("a", "b");
  await partly.made.close(1000);
  assert.deepEqual(partly.made.counts, { sent: 1, failed: 1, dropped: 0 });
});

Deno.test("a server that stops does not wait for a collector that says nothing", async () => {
  const send: SendSpans = (_, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  const lost: unknown[] = [];
  const made = new SpanQueue(send, (e) => lost.push(e), LIMITS);
  made.add(span("a"));
  await made.close(1);
  assert.deepEqual([lost.length, made.counts.failed], [1, 1]);
});
