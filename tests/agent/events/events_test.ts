import assert from "node:assert/strict";
import { correlator } from "../../../agent/events/correlate.ts";
import { openEvents } from "../../../agent/events/mod.ts";
import { ApiError } from "../../../agent/types.ts";
import type { Event, Pod } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { until } from "../../e2e/_server.ts";
import type { Loose } from "../../fixture/loose.ts";
import { fastClock, realClock, withWorld, zeros } from "../client/_client.ts";

const POD: Pod = { metadata: { name: "web", namespace: "default", uid: "u1", resourceVersion: "7" } };
const options = { nodeName: "node-a", nodeUid: () => "u7", eventQps: 0, eventBurst: 0, random: zeros, log: () => {} };

for (const dialect of ["kubernetes", "orch"] as const) {
  Deno.test(`events are counted by the server's own objects, dialect ${dialect}`, async () => {
    await withWorld(dialect, async ({ api, product, t }) => {
      const stop = new AbortController();
      const events = openEvents(api, { ...options, product, clock: realClock });
      const end = events.run(stop.signal);
      for (let i = 0; i < 3; i++) events.pod(POD, "Warning", "BackOff", "again", "spec.containers{main}");
      events.node("Normal", "Starting", "Starting the agent.");
      const all = async (): Promise<Loose[]> => (await t.fetch("/api/v1/namespaces/default/events")).body.items;
      await until("all are sent", async () => (await all()).map((e) => e.count).join() === "1,3");
      const [back, starting] = (await all()).sort((a, b) => a.reason < b.reason ? -1 : 1);
      const component = dialect === "orch" ? "orchlet" : "kubelet";
      assert.deepEqual(back.involvedObject, {
        kind: "Pod",
        namespace: "default",
        name: "web",
        uid: "u1",
        apiVersion: "v1",
        resourceVersion: "7",
        fieldPath: "spec.containers{main}",
      });
      assert.deepEqual(back.source, { component, host: "node-a" });
      assert.deepEqual([back.reportingComponent, back.reportingInstance], [component, "node-a"]);
      assert.match(back.metadata.name, /^web\.[0-9a-f]{16}$/);
      assert.deepEqual(starting.involvedObject, { kind: "Node", name: "node-a", uid: "u7", apiVersion: "v1" });
      await t.fetch(`/api/v1/namespaces/default/events/${back.metadata.name}`, { method: "DELETE" });
      events.pod(POD, "Warning", "BackOff", "again", "spec.containers{main}");
      await until("one that has expired is made anew", async () => (await all()).some((e) => e.count === 4));
      stop.abort();
      await end;
    });
  });
}

Deno.test("similar events are put together, and too many about one object left out", () => {
  const next = correlator().next;
  const event = (message: string, name = "web"): Event => ({
    metadata: { name: `${name}.${message}`, namespace: "default" },
    involvedObject: { kind: "Pod", name, namespace: "default", uid: name },
    type: "Normal",
    reason: "R",
    message,
    count: 1,
  });
  const told = Array.from({ length: 40 }, (_, i) => next(event(`m${i}`), i));
  assert.deepEqual(told.slice(0, 9).map((o) => o!.event.message), [..."012345678"].map((n) => `m${n}`));
  const combined = told.slice(9, 25).map((o) => [o!.event.metadata.name, o!.again, o!.event.count]);
  assert.deepEqual(combined, Array.from({ length: 16 }, (_, i) => ["web.m9", i > 0, i + 1]));
  assert.equal(told[24]!.event.message, "(combined from similar events): m24");
  assert.ok(told.slice(25).every((o) => o === undefined));
  assert.equal(next(event("m", "other"), 50)!.event.count, 1);
  assert.equal(next(event("late"), 300_050)!.again, true);
  assert.equal(next(event("late"), 300_060), undefined);
  assert.equal(next(event("x"), 999_999)!.again, false);
});

Deno.test("events wait for a server that is gone, up to a bound, and one that refuses them gets no second try", async () => {
  const sent: string[] = [];
  let answers: (() => void)[] = [];
  const gone = () => {
    throw new Error("gone");
  };
  const refused = () => {
    throw new ApiError(403, "Forbidden", "no");
  };
  answers = [gone, gone, refused, () => {}];
  const api = {
    request: async (_: string, __: string, { body }: Loose = {}) => {
      sent.push(body.involvedObject.name);
      answers.shift()?.();
      return undefined as Loose;
    },
    follow: () => Promise.resolve(),
  };
  const lines: string[] = [];
  const clock = fastClock();
  const log = (_: string, text: string) => void lines.push(text);
  const events = openEvents({ paced: () => api }, { ...options, product: productOf("orch"), clock, log });
  const pod = (name: string): Pod => ({ metadata: { ...POD.metadata, name, uid: name } });
  for (let i = 0; i < 1010; i++) events.pod(pod(`p${i}`), "Normal", "R", "m");
  assert.equal(lines.length, 10);
  const stop = new AbortController();
  const end = events.run(stop.signal);
  await until("all that waited are sent", () => sent.length === 1002);
  stop.abort();
  await end;
  assert.deepEqual(sent.slice(0, 5), ["p0", "p0", "p0", "p1", "p2"]);
  assert.deepEqual(clock.waited, [10_000, 10_000]);
});
