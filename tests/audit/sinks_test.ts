/** What becomes of events on their way: all are written or told as lost, none twice. */
import assert from "node:assert/strict";
import { Buffered } from "../../server/audit/buffered.ts";
import { AuditEvent } from "../../server/audit/event.ts";
import { type AuditSink, forgiving, logSink, truncating, union, webhookSink } from "../../server/audit/sinks.ts";
import type { EventData } from "../../server/audit/types.ts";
import { settled } from "./_recording.ts";

const VERSION = "audit.k8s.io/v1";
const event = (auditId: string, more: Partial<EventData> = {}): AuditEvent =>
  new AuditEvent({
    ...{ level: 2, auditId, stage: "ResponseComplete", requestUri: "/", verb: "get", user: { name: "", groups: [] } },
    ...{ sourceIps: [], userAgent: "", received: 0, at: 0, annotations: new Map() },
    ...more,
  });
const ids = (events: readonly AuditEvent[]): string => events.map((e) => e.data.auditId).join(" ");

/** Notes what is lost. */
function losses() {
  const lost: string[] = [];
  const tell = (plugin: string, why: unknown, events: readonly AuditEvent[]) =>
    void lost.push(`${plugin} ${ids(events)}: ${why instanceof Error ? why.message : why}`);
  return { lost, tell };
}

Deno.test("a line that cannot be written is told as lost, and those after it are written", () => {
  const lines: string[] = [], { lost, tell } = losses();
  const write = (text: string) => {
    if (text.includes('"b"')) throw new Error("full");
    lines.push(text);
  };
  const sink = logSink({ write, close: () => {} }, "json", VERSION, tell);
  assert.equal(sink.process([event("a"), event("b"), event("c")]), false);
  assert.deepEqual(lines.map((line) => JSON.parse(line).auditID), ["a", "c"]);
  assert.ok(lines.every((line) => line.endsWith("}\n")));
  assert.deepEqual(lost, ["log b: full"]);
  assert.equal(sink.process([event("d")]), true);
});

Deno.test("a webhook is tried five times: what it does not take as a success is one only by its codes from 200 to 299", async () => {
  for (
    const [status, good] of [[200, true], [204, true], [299, true], [300, false], [404, false], [0, false]] as const
  ) {
    const { lost, tell } = losses();
    let tries = 0;
    const post = () => {
      tries++;
      return status === 0 ? Promise.reject(new Error("away")) : Promise.resolve({ status, body: "" });
    };
    const sink = webhookSink(post, VERSION, { firstWait: 0, timeout: 60_000, random: () => 0 }, tell);
    assert.equal(await sink.process([event("a"), event("b")]), good);
    const why = status === 0 ? "away" : `the webhook answered ${status}`;
    assert.deepEqual([tries, lost], good ? [1, []] : [5, [`webhook a b: ${why}`]], String(status));
    await sink.close();
  }
});

Deno.test("a webhook that fails is tried once more when the server stops, and no longer waited for", async () => {
  const { lost, tell } = losses(), first = Promise.withResolvers<void>();
  let tries = 0, closed = false;
  const post = Object.assign(() => {
    tries++;
    first.resolve();
    return Promise.resolve({ status: 500, body: "" });
  }, { close: () => void (closed = true) });
  const sink = webhookSink(post, VERSION, { firstWait: 1e9, timeout: 60_000, random: () => 0 }, tell);
  const work = sink.process([event("a")]);
  await first.promise;
  await new Promise((done) => setTimeout(done));
  await sink.close();
  assert.deepEqual([tries, closed, await work, lost], [2, true, false, ["webhook a: the webhook answered 500"]]);
});

Deno.test("what is on its way to a webhook keeps nobody when the server stops, nor what waits behind it", async () => {
  const { lost, tell } = losses();
  const post = () => Promise.resolve({ status: 500, body: "" });
  const webhook = webhookSink(post, VERSION, { firstWait: 1e9, timeout: 60_000, random: () => 0 }, tell);
  const cut = truncating(webhook, { event: 9_000, batch: 9_000 }, VERSION, "cut", tell);
  const buffered = new Buffered(cut, { buffer: 9, size: 1, wait: 1, atOnce: 1 }, tell, () => 0);
  buffered.process([event("a"), event("b")]);
  await settled();
  let closed = false;
  void buffered.close().then(() => closed = true);
  await settled();
  const why = "the webhook answered 500";
  assert.deepEqual([closed, lost], [true, [`webhook a: ${why}`, `webhook b: ${why}`]]);
});

Deno.test("events that are too large lose their objects, then are lost; what is told of a request stays whole", () => {
  const { lost, tell } = losses(), batches: string[] = [];
  const to: AuditSink = {
    process: (events) => batches.push(ids(events)) > 0,
    close: () => {},
  };
  const size = new TextEncoder().encode(event("a").text(VERSION)).length + 1;
  const sink = truncating(to, { event: size, batch: 2 * size }, VERSION, "cut", tell);
  assert.equal(sink.process(["a", "b", "c"].map((id) => event(id))), true);
  assert.deepEqual(batches.splice(0), ["a b", "c"], "as many in a batch as fit");
  // One character more, and one of two bytes in place of one.
  assert.equal(sink.process([event("dd"), event("e"), event("ü")]), true);
  assert.deepEqual([batches.splice(0), lost.splice(0)], [["e"], [
    "truncate dd ü: an event is too large even without its objects",
  ]]);

  const roomy = truncating(to, { event: size + 50, batch: 9 * size }, VERSION, "cut", tell);
  const kept: AuditEvent[] = [];
  to.process = (events) => kept.push(...events) > 0;
  const object = JSON.stringify("x".repeat(100));
  roomy.process([event("f", { requestObject: object, responseObject: object, annotations: new Map([["n", "1"]]) })]);
  const [cut] = kept.map(({ data }) => data);
  assert.deepEqual([cut!.requestObject, cut!.responseObject, [...cut!.annotations]], [undefined, undefined, [
    ["n", "1"],
    ["cut", "true"],
  ]]);
});

Deno.test("of several sinks each has every event; one that cannot store it says so, and is forgiven where that is asked", async () => {
  const heard: string[] = [];
  const sink = (name: string, stores: boolean | Promise<boolean>): AuditSink => ({
    process: (events) => {
      heard.push(`${name} ${ids(events)}`);
      return stores;
    },
    close: () => void heard.push(`${name} closed`),
  });
  for (const no of [false, Promise.resolve(false)]) {
    for (const order of [[sink("one", no), sink("two", true)], [sink("two", true), sink("one", no)]]) {
      const both = union(order);
      assert.equal(await both.process([event("a")]), false);
      assert.equal(await forgiving(both).process([event("b")]), true);
      await both.close();
      const all = ["one a", "one b", "one closed", "two a", "two b", "two closed"];
      assert.deepEqual(heard.splice(0).sort(), all);
    }
  }
});
