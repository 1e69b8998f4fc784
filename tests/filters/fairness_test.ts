/** Priority and fairness (specification, "Limits"): matching, seats, queues. */
import assert from "node:assert/strict";
import { requestInfo } from "../../server/filters/request_info.ts";
import { levelRules } from "../../server/flowcontrol/fairness.ts";
import { dealHand, Level, type LevelRules } from "../../server/flowcontrol/level.ts";
import { compileSchemas } from "../../server/flowcontrol/matching.ts";
import type { User } from "../../server/request.ts";
import type { Obj } from "../../schema/model/types.ts";
import { ADMIN } from "../fixture/server.ts";
import { served, somebody } from "./_server.ts";

const asked = (user: User, method: string, path: string) => {
  const url = new URL(`https://test${path}`);
  return { user, info: requestInfo(method, url.pathname, url.searchParams) };
};

const account = (namespace: string, name: string): User => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
});
const node: User = { name: "system:node:n", groups: ["system:nodes", "system:authenticated"] };

const PLACES: [User, string, string, string][] = [
  [ADMIN, "GET", "/api/v1/pods", "exempt"],
  [somebody("jo"), "GET", "/api/v1/pods", "global-default"],
  [somebody("jo"), "GET", "/readyz", "probes"],
  [somebody("jo"), "GET", "/version", "global-default"],
  [account("kube-system", "x"), "GET", "/api/v1/pods", "kube-system-service-accounts"],
  [account("default", "x"), "GET", "/api/v1/pods", "service-accounts"],
  [node, "PATCH", "/api/v1/nodes/n/status", "system-node-high"],
  [node, "GET", "/api/v1/pods", "system-nodes"],
  [
    account("kube-system", "x"),
    "PUT",
    "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l",
    "system-leader-election",
  ],
];
Deno.test("requests are placed by the first schema that matches", () =>
  served([], async (s) => {
    const objects = s.server.registries.lister.list("flowschemas.flowcontrol.apiserver.k8s.io");
    const schemas = compileSchemas(objects);
    for (const [user, method, path, name] of PLACES) {
      const of = asked(user, method, path);
      assert.equal(schemas.find((x) => x.matches(of))?.name, name, `${user.name} ${method} ${path}`);
    }
  }));

Deno.test("every answer names its schema and level, by uid", () =>
  served([], async (s) => {
    const { headers } = await s.fetch("/api/v1/namespaces", {}, somebody("jo"));
    const at = "/apis/flowcontrol.apiserver.k8s.io/v1";
    const schema = await s.fetch(`${at}/flowschemas/global-default`);
    const level = await s.fetch(`${at}/prioritylevelconfigurations/global-default`);
    assert.equal(headers.get("x-kubernetes-pf-flowschema-uid"), schema.body.metadata.uid);
    assert.equal(headers.get("x-kubernetes-pf-prioritylevel-uid"), level.body.metadata.uid);
  }));

const level = (name: string, spec: Record<string, unknown>): Obj => ({
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "PriorityLevelConfiguration",
  metadata: { name },
  spec,
} as Obj);

Deno.test("the total is shared by nominal shares", () => {
  const rules = levelRules([
    level("a", { type: "Limited", limited: { nominalConcurrencyShares: 10, lendablePercent: 50 } }),
    level("b", { type: "Limited", limited: { nominalConcurrencyShares: 30, borrowingLimitPercent: 10 } }),
    level("x", { type: "Exempt", exempt: { nominalConcurrencyShares: 0 } }),
  ], 100);
  assert.deepEqual(rules.map((r) => [r.name, r.seats, r.lendable, r.borrowing, r.exempt]), [
    ["a", 25, 13, Infinity, false],
    ["b", 75, 0, 8, false],
    ["x", 0, 0, Infinity, true],
  ]);
});

const rules = (more: Partial<LevelRules>): LevelRules => ({
  name: "l",
  uid: "",
  exempt: false,
  seats: 1,
  lendable: 0,
  borrowing: 0,
  ...more,
});
const never = () => new AbortController().signal;

Deno.test("without queues what finds no seat is refused", async () => {
  const l = new Level(rules({ seats: 2 }), () => false);
  assert.equal(l.enter("f", 1, 1000, never), undefined);
  assert.equal(l.enter("f", 1, 1000, never), undefined);
  assert.equal(await l.enter("f", 1, 1000, never), "concurrency-limit");
  l.leave(1);
  assert.equal(l.enter("f", 1, 1000, never), undefined);
});

Deno.test("seats are borrowed while others have them free", async () => {
  const l = new Level(rules({ borrowing: 1 }), () => true);
  assert.equal(l.enter("f", 1, 1000, never), undefined);
  assert.equal(l.enter("f", 1, 1000, never), undefined);
  assert.equal(await l.enter("f", 1, 1000, never), "concurrency-limit");
});

Deno.test("a full queue refuses, a long wait too, and one whose client goes leaves the queue", async () => {
  const l = new Level(rules({ queues: { count: 1, hand: 1, length: 2 } }), () => false);
  assert.equal(l.enter("f", 1, 1000, never), undefined);
  const gone = new AbortController();
  const late = l.enter("f", 1, 5, never);
  const left = l.enter("f", 1, 60_000, () => gone.signal);
  assert.equal(await l.enter("f", 1, 1000, never), "queue-full");
  assert.equal(await late, "time-out");
  gone.abort();
  assert.equal(await left, "cancelled");
  assert.equal(l.state.queued, 0);
  l.leave(1);
  assert.deepEqual(l.state, { inUse: 0, executing: 0, queued: 0 });
});

Deno.test("a flow of few requests is not held up by one of many", async () => {
  const l = new Level(rules({ queues: { count: 64, hand: 1, length: 1000 } }), () => false);
  l.enter("busy", 1, 60_000, never);
  const order: string[] = [];
  const enter = (flow: string) =>
    l.enter(flow, 1, 60_000, never)!.then(() => {
      order.push(flow);
      l.leave(1);
    });
  const all = Array.from({ length: 100 }, () => enter("busy"));
  all.push(enter("rare"));
  l.leave(1);
  await Promise.all(all);
  assert.ok(order.indexOf("rare") <= 2, `rare came at ${order.indexOf("rare")}`);
});

Deno.test("a hand is of different queues, the same for a flow each time", () => {
  for (let i = 0; i < 200; i++) {
    const hand = dealHand(`flow ${i}`, 16, 4);
    assert.equal(new Set(hand).size, 4);
    assert.ok(hand.every((q) => q >= 0 && q < 16));
    assert.deepEqual(dealHand(`flow ${i}`, 16, 4), hand);
  }
});

Deno.test("new rules keep those who wait", async () => {
  const l = new Level(rules({ queues: { count: 4, hand: 2, length: 10 } }), () => false);
  l.enter("f", 1, 60_000, never);
  const waiting = l.enter("g", 1, 60_000, never);
  l.rules = rules({ seats: 2, queues: { count: 8, hand: 2, length: 10 } });
  assert.equal(await waiting, undefined);
});

Deno.test("a limit of one lets requests through one after the other", () =>
  served(["--max-requests-inflight=1", "--max-mutating-requests-inflight=1"], async (s) => {
    const user = somebody("jo");
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => s.fetch("/api/v1/namespaces/default", {}, user)),
    );
    assert.deepEqual(new Set(answers.map((a) => a.status)), new Set([200]));
  }));
