/** Priority and fairness (specification, "Limits"): matching, seats, queues. */
import assert from "node:assert/strict";
import { requestInfo } from "../../server/filters/request_info.ts";
import { debugFlowPaths } from "../../server/endpoints/debug_flow.ts";
import { fairnessFilter } from "../../server/filters/fairness.ts";
import { Fairness, levelRules } from "../../server/flowcontrol/fairness.ts";
import { type Asking, dealHand, Level, type LevelRules } from "../../server/flowcontrol/level.ts";
import { compileSchemas } from "../../server/flowcontrol/matching.ts";
import type { RequestScope, User } from "../../server/request.ts";
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

const schema = (name: string, spec: Record<string, unknown>): Obj => ({
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "FlowSchema",
  metadata: { name },
  spec,
} as Obj);

Deno.test("a rule is about its subjects, verbs, groups, resources and places, or about its paths", () => {
  const jo = somebody("jo"), anybody = [{ kind: "Group", group: { name: "*" } }];
  const pods = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["a"] };
  const bot = (name: string) => [{ kind: "ServiceAccount", serviceAccount: { namespace: "a", name } }];
  const urls = (...nonResourceURLs: string[]) => ({ nonResourceRules: [{ verbs: ["get"], nonResourceURLs }] });
  const [one, all, path] = ["/api/v1/namespaces/a/pods/p", "/api/v1/pods", "/x/y"];
  const rows: [rule: Record<string, unknown>, user: User, method: string, path: string, ok: boolean][] = [
    [{ resourceRules: [pods] }, jo, "GET", one!, true],
    [{ resourceRules: [pods] }, jo, "PUT", one!, false],
    [{ resourceRules: [pods] }, jo, "GET", "/apis/x.io/v1/namespaces/a/pods/p", false],
    [{ resourceRules: [pods] }, jo, "GET", "/api/v1/namespaces/b/pods/p", false],
    [{ resourceRules: [pods] }, jo, "GET", `${one}/status`, false],
    [{ resourceRules: [{ ...pods, resources: ["pods/status"] }] }, jo, "GET", `${one}/status`, true],
    [{ resourceRules: [{ ...pods, verbs: ["list"] }] }, jo, "GET", all!, false],
    [{ resourceRules: [{ ...pods, verbs: ["list"], clusterScope: true }] }, jo, "GET", all!, true],
    [{ resourceRules: [{ ...pods, namespaces: ["*"], verbs: ["*"] }] }, jo, "GET", all!, false],
    [{ resourceRules: [{ ...pods, verbs: ["*"], apiGroups: ["*"], resources: ["*"] }] }, jo, "GET", path!, false],
    [urls("/x/*"), jo, "GET", path!, true],
    [urls("/x"), jo, "GET", path!, true],
    [urls("/x"), jo, "GET", "/xy", false],
    [urls("/z/*"), jo, "GET", path!, false],
    [urls("/x/*"), jo, "GET", "/x", false],
    [urls("/x/y"), jo, "POST", path!, false],
    [urls("*"), jo, "GET", path!, true],
    [urls("*"), jo, "GET", one!, false],
    [{ ...urls("*"), subjects: [{ kind: "User", user: { name: "jo" } }] }, jo, "GET", path!, true],
    [{ ...urls("*"), subjects: [{ kind: "User", user: { name: "al" } }] }, jo, "GET", path!, false],
    [{ ...urls("*"), subjects: [{ kind: "User", user: { name: "*" } }] }, jo, "GET", path!, true],
    [{ ...urls("*"), subjects: [{ kind: "Group", group: { name: "ops" } }] }, jo, "GET", path!, false],
    [{ ...urls("*"), subjects: bot("x") }, account("a", "x"), "GET", path!, true],
    [{ ...urls("*"), subjects: bot("x") }, account("b", "x"), "GET", path!, false],
    [{ ...urls("*"), subjects: bot("x") }, account("a", "y"), "GET", path!, false],
    [{ ...urls("*"), subjects: bot("*") }, account("a", "y"), "GET", path!, true],
    [{ ...urls("*"), subjects: bot("*") }, account("ab", "y"), "GET", path!, false],
    [{ ...urls("*"), subjects: [{ kind: "Other" }] }, jo, "GET", path!, false],
    [{ ...urls("*"), subjects: undefined }, jo, "GET", path!, false],
  ];
  for (const [rule, user, method, path, ok] of rows) {
    const [compiled] = compileSchemas([schema("s", { rules: [{ subjects: anybody, ...rule }] })]);
    assert.equal(compiled!.matches(asked(user, method, path)), ok, JSON.stringify([rule, user.name, method, path]));
  }
  assert.equal(compileSchemas([schema("s", {})])[0]!.matches(asked(jo, "GET", path!)), false);
});

Deno.test("schemas are tried by precedence, then by name; their flows are of users, of namespaces, or one", () => {
  const of = (name: string, matchingPrecedence?: number) =>
    schema(name, matchingPrecedence === undefined ? {} : { matchingPrecedence });
  const order = compileSchemas([of("b", 5), of("z", 1), of("none"), of("a", 5), of("late", 1001)]).map((s) => s.name);
  assert.deepEqual(order, ["z", "a", "b", "none", "late"]);
  const flow = (type?: string) =>
    compileSchemas([schema("s", type ? { distinguisherMethod: { type } } : {})])[0]!
      .flow(asked(somebody("jo"), "GET", "/api/v1/namespaces/a/pods"));
  assert.deepEqual([flow("ByUser"), flow("ByNamespace"), flow()], ["jo", "a", ""]);
});

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
  const bare = [level("l", { type: "Limited" }), level("x", { type: "Exempt" })];
  const exempt = level("y", { type: "Exempt", exempt: { nominalConcurrencyShares: 10, lendablePercent: 100 } });
  assert.deepEqual(levelRules([...bare, exempt], 40).map((r) => [r.seats, r.lendable]), [[30, 0], [0, 0], [10, 10]]);
});

/** Fairness over objects that a test may change, of ten seats; every path is of the first schema that there is a level for. */
function changing(levels: Obj[], ...of: string[]) {
  const everything = {
    subjects: [{ kind: "Group", group: { name: "*" } }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  };
  const schemas = of.map((name) => schema(name, { rules: [everything], priorityLevelConfiguration: { name } }));
  let changes = 0;
  const lister = { get: () => undefined, list: (id: string) => id.startsWith("flow") ? schemas : levels };
  const fairness = new Fairness({ ...lister, changes: () => changes }, 10);
  return { fairness, changed: () => void changes++, place: () => fairness.place(asked(somebody("jo"), "GET", "/x")) };
}
const limited = (nominalConcurrencyShares: number, more: Record<string, unknown> = {}) => ({
  type: "Limited",
  limited: { nominalConcurrencyShares, ...more },
});

Deno.test("a level that changes keeps who is at work in it, and one that is gone with nobody in it is no more", () => {
  const levels = [level("m", limited(10)), level("n", limited(10))];
  const { fairness, changed, place } = changing(levels, "gone", "m");
  const { schema, level: m } = place()!;
  assert.deepEqual([schema.name, m.rules.seats], ["m", 5], "a schema without a level places nobody");
  assert.equal(m.enter(asking("f"), 1000, never), undefined);
  levels.splice(0, 2, level("m", limited(10)));
  changed();
  assert.equal(place()!.level, m);
  assert.deepEqual([[...fairness.levels()], m.rules.seats, m.state.inUse], [[m], 10, 1]);
});

Deno.test("what one level leaves another one that waits takes, and what is exempt takes from nobody", async () => {
  const queue = { limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit: 10 } } };
  const lent = { lendablePercent: 100, ...queue };
  const levels = [level("a", limited(10, lent)), level("b", limited(10, lent)), level("x", { type: "Exempt" })];
  const { fairness, place } = changing(levels, "a");
  place();
  const [a, b, x] = [...fairness.levels()] as [Level, Level, Level];
  for (let i = 0; i < 20; i++) assert.equal(x.enter(asking("x"), 1000, never), undefined, "never limited");
  const filter = fairnessFilter(fairness as Fairness<RequestScope>, {
    limitMs: 1000,
    count: () => 1,
    now: () => 0,
    headers: { schema: "s", level: "l" },
  });
  const answer = Promise.withResolvers<Response>();
  const first = filter(
    { ...asked(somebody("jo"), "GET", "/x"), head: {} } as RequestScope,
    () => answer.promise,
  );
  for (let i = 0; i < 9; i++) assert.equal(b.enter(asking("g"), 1000, never), undefined);
  const waiting = b.enter(asking("g"), 60_000, never);
  assert.equal(b.state.queued, 1);
  answer.resolve(new Response());
  await first;
  assert.deepEqual([a.state.inUse, b.state.queued], [0, 0]);
  assert.equal(await waiting, undefined);
});

Deno.test("a list takes a seat for each hundred objects that it goes through, ten at most; what lasts takes none", async () => {
  const pods = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true };
  const placed = (name: string, kind: string, who: string, matchingPrecedence: number) =>
    schema(name, {
      rules: [{ subjects: [{ kind, [kind.toLowerCase()]: { name: who } }], resourceRules: [pods] }],
      priorityLevelConfiguration: { name },
      matchingPrecedence,
    });
  const schemas = [placed("x", "User", "root", 1), placed("l", "Group", "*", 2)];
  const levels = [level("l", limited(10, { limitResponse: { type: "Reject" } })), level("x", { type: "Exempt" })];
  let objects = 0;
  const lister = { get: () => undefined, list: (id: string) => id.startsWith("flow") ? schemas : levels };
  const fairness = new Fairness<RequestScope>({ ...lister, changes: () => 1 }, 20);
  const headers = { schema: "s", level: "l" };
  const filter = fairnessFilter(fairness, { limitMs: 1000, count: () => objects, now: () => 0, headers });
  const through = (method: string, path: string, user = "jo") => {
    const of = asked(somebody(user), method, path), url = new URL(`https://test${path}`);
    const scope = { ...of, query: url.searchParams, head: {}, signal: never() } as RequestScope;
    let seats = -1;
    const next = () => {
      seats = [...fairness.levels()].reduce((n, l) => n + l.state.inUse, 0);
      return new Response();
    };
    return Promise.try(filter, scope, next).then(() => seats, (e) => e);
  };
  const all = "/api/v1/pods";
  const rows: [objects: number, method: string, path: string, seats: number][] = [
    [0, "GET", all, 1],
    [100, "GET", all, 1],
    [101, "GET", all, 2],
    [5000, "GET", all, 10],
    [5000, "GET", `${all}?limit=250`, 3],
    [150, "GET", `${all}?limit=500`, 2],
    [5000, "GET", "/api/v1/namespaces/a/pods/p", 1],
    [5000, "POST", "/api/v1/namespaces/a/pods", 1],
    [5000, "GET", `${all}?watch=1`, 1],
    [5000, "GET", "/api/v1/namespaces/a/pods/p/log", 0],
    [5000, "GET", "/version", 0],
  ];
  for (const [count, method, path, seats] of rows) {
    objects = count;
    assert.equal(await through(method, path), seats, `${count} ${method} ${path}`);
  }
  objects = 5000;
  const [l] = [...fairness.levels()] as [Level];
  const taken = { ...asking("f"), seats: 20 };
  assert.equal(l.enter(taken, 1000, never), undefined);
  const refused = await through("GET", all);
  assert.deepEqual([refused.code, refused.details.retryAfterSeconds], [429, 1]);
  assert.equal(await through("GET", all, "root"), 21, "what is exempt takes one");
  l.leave(taken);
  assert.equal(await through("GET", all), 10);
});

Deno.test("a request waits for a seat a quarter of its own time, a minute at most, and no longer than its client", async () => {
  const queue = { limitResponse: { type: "Queue", queuing: { queues: 1, handSize: 1, queueLengthLimit: 10 } } };
  const { fairness, place } = changing([level("q", limited(10, queue))], "q"), { level: q } = place()!;
  const all = { ...asking("f"), seats: 10 };
  assert.equal(q.enter(all, 1000, never), undefined);
  const ask = (usual: number, own?: number, signal = never()) => {
    const filter = fairnessFilter(fairness as Fairness<RequestScope>, {
      limitMs: usual,
      count: () => 1,
      now: () => 0,
      headers: { schema: "s", level: "l" },
    });
    const scope = { ...asked(somebody("jo"), "GET", "/x"), head: {}, signal, limitMs: own } as RequestScope;
    return Promise.try(filter, scope, () => new Response()).then(({ status }) => status, ({ code }) => code);
  };
  const hour = 3_600_000, moreThanTimersTake = 2 ** 33;
  const patient = ask(moreThanTimersTake);
  assert.deepEqual(await Promise.all([ask(hour, 4), ask(4)]), [429, 429]);
  const gone = new AbortController(), left = ask(hour, hour, gone.signal);
  gone.abort();
  assert.equal(await left, 429);
  q.leave(all);
  assert.equal(await patient, 200);
});

Deno.test("a level has with all that it borrows no more than it may, nor than there is", () => {
  const borrowing = (nominalConcurrencyShares: number, borrowingLimitPercent?: number) => ({
    type: "Limited",
    limited: { nominalConcurrencyShares, borrowingLimitPercent },
  });
  const levels = [level("a", borrowing(10, 100)), level("b", borrowing(30, 10)), level("c", borrowing(60))];
  const jo = somebody("jo"),
    rules = [{
      subjects: [{ kind: "User", user: { name: "*" } }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    }];
  const schemas = [schema("s", { rules, priorityLevelConfiguration: { name: "a" } })];
  const fairness = new Fairness({
    get: () => undefined,
    list: (id) => id.startsWith("flowschemas") ? schemas : levels,
  }, 100);
  const place = fairness.place(asked(jo, "GET", "/x"))!;
  assert.deepEqual([place.schema.name, place.level.rules.name, place.flow], ["s", "a", "s/"]);
  assert.deepEqual([...fairness.levels()].map((l) => fairness.upper(l)), [20, 33, 100]);
});

for (const away of ["flowschemas", "prioritylevelconfigurations"]) {
  Deno.test(`requests are placed as before while the cache of ${away} is not ready`, () => {
    const levels = [level("a", { type: "Limited", limited: { nominalConcurrencyShares: 10 } })];
    const everything = {
      subjects: [{ kind: "User", user: { name: "*" } }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    };
    const schemas = [schema("s", { rules: [everything], priorityLevelConfiguration: { name: "a" } })];
    let changes = 0, broken = false;
    const fairness = new Fairness({
      get: () => undefined,
      list(id) {
        if (broken && id.startsWith(away)) throw new Error("not ready");
        return id.startsWith("flowschemas") ? schemas : levels;
      },
      changes: () => changes,
    }, 100);
    const place = () => fairness.place(asked(somebody("jo"), "GET", "/x"))?.schema.name;
    assert.equal(place(), "s");
    [changes, broken] = [1, true];
    assert.equal(place(), "s");
    schemas.splice(0, 1, schema("t", { rules: [everything], priorityLevelConfiguration: { name: "a" } }));
    broken = false;
    assert.equal(place(), "t");
  });
}

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
const asking = (flow: string): Asking => ({ flow, schema: "s", seats: 1, of: undefined });

Deno.test("without queues what finds no seat is refused", async () => {
  const first = asking("f");
  const l = new Level(rules({ seats: 2 }), () => false);
  assert.equal(l.enter(first, 1000, never), undefined);
  assert.equal(l.enter(asking("f"), 1000, never), undefined);
  assert.equal(await l.enter(asking("f"), 1000, never), "concurrency-limit");
  l.leave(first);
  assert.equal(l.enter(asking("f"), 1000, never), undefined);
});

Deno.test("seats are borrowed while others have them free", async () => {
  const l = new Level(rules({ borrowing: 1 }), () => true);
  assert.equal(l.enter(asking("f"), 1000, never), undefined);
  assert.equal(l.enter(asking("f"), 1000, never), undefined);
  assert.equal(await l.enter(asking("f"), 1000, never), "concurrency-limit");
});

Deno.test("a full queue refuses, a long wait too, and one whose client goes leaves the queue", async () => {
  const first = asking("f");
  const l = new Level(rules({ queues: { count: 1, hand: 1, length: 2 } }), () => false);
  assert.equal(l.enter(first, 1000, never), undefined);
  const gone = new AbortController();
  const late = l.enter(asking("f"), 5, never);
  const left = l.enter(asking("f"), 60_000, () => gone.signal);
  assert.equal(await l.enter(asking("f"), 1000, never), "queue-full");
  assert.equal(await late, "time-out");
  gone.abort();
  assert.equal(await left, "cancelled");
  assert.equal(await l.enter(asking("f"), 60_000, () => gone.signal), "cancelled", "gone before it came to the queue");
  assert.equal(l.state.queued, 0);
  l.leave(first);
  assert.deepEqual(l.state, { inUse: 0, executing: 0, queued: 0 });
});

Deno.test("a flow of few requests is not held up by one of many", async () => {
  const first = asking("busy");
  const l = new Level(rules({ queues: { count: 64, hand: 1, length: 1000 } }), () => false);
  l.enter(first, 60_000, never);
  const order: string[] = [];
  const enter = (flow: string) => {
    const one = asking(flow);
    return l.enter(one, 60_000, never)!.then(() => {
      order.push(flow);
      l.leave(one);
    });
  };
  const all = Array.from({ length: 100 }, () => enter("busy"));
  all.push(enter("rare"));
  l.leave(first);
  await Promise.all(all);
  assert.ok(order.indexOf("rare") <= 2, `rare came at ${order.indexOf("rare")}`);
});

Deno.test("a flow waits in the shortest queue of its hand", () => {
  const l = new Level(rules({ queues: { count: 4, hand: 4, length: 10 } }), () => false);
  const gone = new AbortController();
  for (let i = 0; i < 9; i++) l.enter(asking("f"), 60_000, () => gone.signal);
  assert.deepEqual(l.queues().map((q) => q.waiting.length), [2, 2, 2, 2]);
  gone.abort();
});

Deno.test("who was not there has no seats in store for later", async () => {
  const l = new Level(rules({ queues: { count: 64, hand: 1, length: 10 } }), () => false);
  const order: string[] = [];
  const enter = (flow: string) => {
    const one = asking(flow);
    const leave = () => {
      order.push(flow);
      l.leave(one);
    };
    return l.enter(one, 60_000, never)?.then(leave) ?? leave;
  };
  const round = async (...flows: string[]) => {
    const [first, ...all] = flows.map(enter);
    (first as () => void)();
    await Promise.all(all);
    return order.splice(0).slice(1).join(" ");
  };
  await round("", ..."busy ".repeat(9).trim().split(" "));
  assert.doesNotMatch(await round("", "busy", "busy", "busy", "rare", "rare"), /rare rare/);
});

Deno.test("a hand is of different queues, the same for a flow each time", () => {
  for (let i = 0; i < 200; i++) {
    const hand = dealHand(`flow ${i}`, 16, 4);
    assert.equal(new Set(hand).size, 4);
    assert.ok(hand.every((q) => q >= 0 && q < 16));
    assert.deepEqual(dealHand(`flow ${i}`, 16, 4), hand);
  }
});

Deno.test("a level tells who is at work and who waits where", async () => {
  const l = new Level<string>(rules({ queues: { count: 4, hand: 1, length: 10 } }), () => false);
  const [one, two] = [{ flow: "s/a", seats: 1, of: "one" }, { flow: "s/b", seats: 1, of: "two" }] as Asking<string>[];
  assert.equal(l.enter(one!, 1000, never), undefined);
  const waiting = l.enter(two!, 60_000, never);
  const [at] = dealHand("s/b", 4, 1);
  assert.deepEqual([...l.atWork()].map((a) => [a.of, a.queue]), [["one", undefined]]);
  assert.deepEqual(l.queues().map((q) => q.waiting.map((a) => a.of)), [0, 1, 2, 3].map((i) => i === at ? ["two"] : []));
  l.leave(one!);
  assert.equal(await waiting, undefined);
  assert.deepEqual([...l.atWork()].map((a) => [a.of, a.queue]), [["two", at]]);
  assert.equal(l.queues()[at!]!.turn, 1);
  l.leave(two!);
  assert.deepEqual([...l.atWork()], []);
});

Deno.test("new rules keep those who wait", async () => {
  const l = new Level(rules({ queues: { count: 4, hand: 2, length: 10 } }), () => false);
  l.enter(asking("f"), 60_000, never);
  const waiting = l.enter(asking("g"), 60_000, never);
  l.rules = rules({ seats: 2, queues: { count: 8, hand: 2, length: 10 } });
  assert.equal(await waiting, undefined);
});

for (const [how, queues] of [["shorter", { count: 1, hand: 1, length: 1 }], ["no", undefined]] as const) {
  Deno.test(`new rules with ${how} queues keep those who wait, and refuse who comes then`, async () => {
    const l = new Level(rules({ queues: { count: 4, hand: 2, length: 10 } }), () => false);
    const first = asking("f");
    l.enter(first, 60_000, never);
    const waiting = ["g", "g", "h"].map((flow) => l.enter(asking(flow), 60_000, never));
    l.rules = rules(queues ? { queues } : {});
    assert.equal(l.state.queued, 3);
    assert.equal(await l.enter(asking("i"), 60_000, never), queues ? "queue-full" : "concurrency-limit");
    l.leave(first);
    assert.deepEqual(l.state, { inUse: 1, executing: 1, queued: 2 });
    l.rules = rules({ seats: 3, ...queues && { queues } });
    assert.deepEqual(await Promise.all(waiting), [undefined, undefined, undefined]);
    assert.deepEqual(l.state, { inUse: 3, executing: 3, queued: 0 });
  });
}

Deno.test("a level that is deleted keeps its seats from others until its last request ends, no longer", () =>
  served([], async (s) => {
    const at = "/apis/flowcontrol.apiserver.k8s.io/v1";
    const make = async (resource: string, body: Record<string, unknown>) => {
      const made = await s.fetch(`${at}/${resource}`, { body });
      assert.equal(made.status, 201, made.text);
    };
    const limited = { nominalConcurrencyShares: 1000, lendablePercent: 0, limitResponse: { type: "Reject" } };
    await make("prioritylevelconfigurations", { metadata: { name: "big" }, spec: { type: "Limited", limited } });
    const rule = {
      subjects: [{ kind: "User", user: { name: "jo" } }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    };
    const spec = { matchingPrecedence: 2, priorityLevelConfiguration: { name: "big" }, rules: [rule] };
    await make("flowschemas", { metadata: { name: "big" }, spec });
    const fairness = new Fairness(s.server.registries.lister, 600);
    const jo = asked(somebody("jo"), "GET", "/version"), ann = asked(somebody("ann"), "GET", "/version");
    const { level } = fairness.place(jo)!;
    assert.equal(level.rules.name, "big");
    const request = asking("f");
    assert.equal(level.enter(request, 1000, never), undefined);
    assert.equal((await s.fetch(`${at}/prioritylevelconfigurations/big`, { method: "DELETE" })).status, 200);
    const other = fairness.place(ann)!.level;
    assert.equal(level.quiescing, true);
    const before = fairness.limit(other);
    level.leave(request);
    fairness.left(level);
    assert.deepEqual([...fairness.levels()].filter((l) => l === level), []);
    assert.ok(fairness.limit(other) > before, `${other.rules.name} had ${before}, and has ${fairness.limit(other)}`);
  }));

Deno.test("a limit of one lets requests through one after the other, though they have no time of their own", async () => {
  for (const time of ["1m", "0"]) {
    const flags = ["--max-requests-inflight=1", "--max-mutating-requests-inflight=1", `--request-timeout=${time}`];
    await served(flags, async (s) => {
      const path = "/api/v1/namespaces", slow = `${path}?resourceVersion=999999&timeout=50ms`;
      const paths = [slow, ...Array.from({ length: 30 }, () => path)];
      const answers = await Promise.all(paths.map((path) => s.fetch(path, {}, somebody("jo"))));
      assert.deepEqual(new Set(answers.splice(1).map(({ status }) => status)), new Set([200]), time);
      assert.equal(answers[0]!.status, 504);
    });
  }
});

Deno.test("a list's seats are for the objects of its own resource and namespace", () =>
  served([], async (s) => {
    const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
    const made = Array.from({ length: 101 }, (_, i) =>
      s.fetch(maps("default"), { body: { metadata: { name: `m${i}` } } }));
    for (const { status, text } of await Promise.all(made)) {
      assert.equal(status, 201, text);
    }
    const seats = async () => {
      const { text } = await s.fetch("/metrics");
      return Number(
        /^apiserver_flowcontrol_work_estimated_seats_sum\{[^}]*="global-default"[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0,
      );
    };
    const rows = [[maps("default"), 2], [maps("kube-system"), 1], ["/api/v1/configmaps", 2], [
      "/api/v1/secrets",
      1,
    ]] as const;
    for (const [path, taken] of rows) {
      const before = await seats();
      assert.equal((await s.fetch(path, {}, somebody("jo"))).status, 200);
      assert.equal(await seats() - before, taken, path);
    }
  }));

Deno.test("who waits, is at work and was refused is shown by level and queue", async () => {
  const reject = { limitResponse: { type: "Reject" } };
  const queue = { limitResponse: { type: "Queue", queuing: { queues: 2, handSize: 2, queueLengthLimit: 10 } } };
  const { fairness, place } = changing([level("b", limited(10, reject)), level("a", limited(10, queue))], "a");
  place();
  const [b, a] = [...fairness.levels()] as [Level, Level];
  const whole = (of = { startedAt: 0 }) => ({ ...asking("s/f"), seats: 5, of });
  assert.equal(b.enter(whole(), 1000, never), undefined);
  assert.equal(await b.enter({ ...whole(), seats: 6 }, 1000, never), "concurrency-limit");
  const first = whole(), next = whole(), gone = new AbortController();
  assert.equal(a.enter(first, 1000, never), undefined);
  const second = a.enter(next, 60_000, never);
  a.leave(first);
  assert.equal(await second, undefined);
  void a.enter(whole(), 60_000, () => gone.signal);
  const paths = debugFlowPaths(fairness as Fairness<RequestScope>);
  const rows = async (name: string) => {
    const path = `/debug/api_priority_and_fairness/${name}`;
    const answer = await paths.get(path)!({ info: { path }, request: new Request(`https://h${path}`) });
    return (await answer.text()).trimEnd().split("\n").slice(1).map((line) => line.replaceAll(/, */g, " "));
  };
  assert.deepEqual(await rows("dump_priority_levels"), [
    "a 1 false false 1 1 2 0 0 0",
    "b 0 false false 0 1 1 1 0 0",
  ]);
  const at = next.queue!, start = "1970-01-01T00:00:00.000Z";
  const queues = [0, 1].map((i) => `a ${i} ${i === at ? "1 1 5 5 5 5 5" : "0 0 0 0 0 0 0"}`);
  assert.deepEqual(await rows("dump_queues"), queues);
  assert.deepEqual(await rows("dump_requests"), [
    `a s ${at} 0 f ${start} 5 0 0s 0001-01-01T00:00:00Z`,
    `a s ${at} -1 f ${start} 5 0 0s ${start}`,
    `b s -1 -1 f ${start} 5 0 0s ${start}`,
  ]);
  gone.abort();
});

Deno.test("/debug/api_priority_and_fairness/ shows levels, queues and requests", async () => {
  const rows = (text: string) => text.trimEnd().split("\n").map((line) => line.split(/, */));
  const at = "/debug/api_priority_and_fairness";
  await served(["--profiling=false"], async (s) => {
    await s.fetch("/api/v1/namespaces", {}, somebody("jo"));
    const levels = rows((await s.fetch(`${at}/dump_priority_levels`)).text);
    assert.deepEqual(levels[0]!.slice(0, 4), ["PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing"]);
    const [jo, me] = ["global-default", "exempt"].map((name) => levels.find((row) => row[0] === name)!);
    assert.deepEqual(jo!.slice(1, 6), ["0", "true", "false", "0", "0"]);
    assert.ok(Number(jo![6]) >= 1);
    assert.deepEqual(me!.slice(1, 6), ["0", "false", "false", "0", "1"], "who asks is at work");
    const queues = rows((await s.fetch(`${at}/dump_queues`)).text);
    assert.equal(queues[0]!.length, 9);
    assert.deepEqual(queues.find((row) => row[0] === "workload-low")!.slice(1), [
      "0",
      "0",
      "0",
      "0",
      "0",
      "0",
      "0",
      "0",
    ]);
    const requests = await s.fetch(`${at}/dump_requests?includeRequestDetails=1`, {}, somebody("j\no"));
    assert.equal(requests.headers.get("content-type"), "text/plain; charset=utf-8");
    const [head, mine, ...others] = rows(requests.text);
    assert.deepEqual([head!.length, others.length], [18, 0]);
    assert.deepEqual(mine!.slice(0, 5), ["global-default", "global-default", "-1", "-1", "j o"]);
    assert.match(mine![5]!, /^\d{4}-.*Z$/);
    assert.deepEqual(mine!.slice(6, 9), ["1", "0", "0s"]);
    assert.deepEqual(mine!.slice(10), ["j o", "get", `${at}/dump_requests`, "", "", "", "", ""]);
  });
  await served(["--enable-priority-and-fairness=false"], async (s) => {
    assert.equal((await s.fetch(`${at}/dump_queues`)).status, 404);
  });
});
