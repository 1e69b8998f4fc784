/** Evictions, also while somebody else writes the pod, and bindings. */
import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";

const POD = "/api/v1/namespaces/default/pods/web";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const READY = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const CASES: readonly { was: string; status: JsonMap; healthy: number }[] = [
  { was: "pending", status: { phase: "Pending" }, healthy: 0 },
  { was: "not ready", status: { phase: "Running" }, healthy: 1 },
];

/** A memory store that lets somebody in between an eviction and its first write of the pod. */
function interrupted(between: () => Promise<void>): Backend {
  const inner = memoryBackend();
  let armed = true;
  const commit = async (changes: Parameters<Backend["commit"]>[0]) => {
    const disrupted = new TextDecoder().decode(changes[0]!.value ?? undefined).includes("EvictionByEvictionAPI");
    if (armed && disrupted) {
      armed = false;
      await between();
    }
    return await inner.commit(changes);
  };
  return new Proxy<Backend>(inner, {
    get(target, name) {
      if (name === "commit") return commit;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

for (const { was, status, healthy } of CASES) {
  Deno.test(`a pod that was ${was} and becomes ready while it is evicted is its budget's again`, async () => {
    const patch = (path: string, body: JsonMap) =>
      t.fetch(`${path}/status`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify({ status: body }),
      });
    const backend = interrupted(async () => assert.equal((await patch(POD, READY)).status, 200));
    const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
    try {
      const metadata = { name: "web", labels: { app: "web" } };
      const spec = { nodeName: "n1", containers: [{ name: "main", image: "example.com/main:1" }] };
      assert.equal((await t.fetch(POD.replace("/web", ""), { body: { metadata, spec } })).status, 201);
      const budget = { minAvailable: 1, selector: { matchLabels: metadata.labels } };
      await t.fetch(BUDGETS, { body: { metadata: { name: "one" }, spec: budget } });
      const counts = { observedGeneration: 1, currentHealthy: healthy, desiredHealthy: 1, expectedPods: 1 };
      assert.equal((await patch(`${BUDGETS}/one`, { ...counts, disruptionsAllowed: 0 })).status, 200);
      assert.equal((await patch(POD, status)).status, 200);
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
      assert.equal((await t.fetch(`${POD}/eviction`, { body: eviction })).status, 429);
      const { body } = await t.fetch(POD);
      assert.equal(body.metadata.deletionTimestamp, undefined);
    } finally {
      await t.stop();
      await backend.close();
    }
  });
}

const MERGE = { "content-type": "application/merge-patch+json" };

/** Makes the pod, ready, and its budget. */
async function readyWithBudget(t: TestServer): Promise<void> {
  const metadata = { name: "web", labels: { app: "web" } };
  const spec = { nodeName: "n1", containers: [{ name: "main", image: "example.com/main:1" }] };
  await t.fetch(POD.replace("/web", ""), { body: { metadata, spec } });
  await t.fetch(`${POD}/status`, { method: "PATCH", headers: MERGE, body: { status: READY } });
  const budget = { minAvailable: 1, selector: { matchLabels: metadata.labels } };
  await t.fetch(BUDGETS, { body: { metadata: { name: "one" }, spec: budget } });
}

Deno.test("conditions that the server writes stand in the place of those that were there", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  const since = "2020-01-01T00:00:00Z";
  const conditions = async () =>
    (await t.fetch(POD)).body.status.conditions.map((c: JsonMap) => [c.type, c.status, c.lastTransitionTime === since]);
  const write = async (status: JsonMap) =>
    assert.equal((await t.fetch(`${POD}/status`, { method: "PATCH", headers: MERGE, body: { status } })).status, 200);
  try {
    const spec = { containers: [{ name: "main", image: "example.com/main:1" }] };
    assert.equal((await t.fetch(POD.replace("/web", ""), { body: { metadata: { name: "web" }, spec } })).status, 201);
    const of = (type: string, status: string) => ({ type, status, lastTransitionTime: since });
    await write({
      conditions: [of("PodScheduled", "False"), of("Initialized", "False"), of("DisruptionTarget", "True")],
    });
    const binding = { metadata: { name: "web" }, target: { name: "n1" } };
    assert.equal((await t.fetch(`${POD}/binding`, { body: binding })).status, 201);
    const bound = [["PodScheduled", "True", false], ["Initialized", "False", true], ["DisruptionTarget", "True", true]];
    assert.deepEqual(await conditions(), bound);
    await write({ phase: "Running", conditions: [of("DisruptionTarget", "True"), of("Ready", "True")] });
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
    assert.equal((await t.fetch(`${POD}/eviction`, { body: eviction })).status, 201);
    assert.deepEqual(await conditions(), [["DisruptionTarget", "True", true], ["Ready", "True", true]]);
    const { resourceVersion } = (await t.fetch(POD)).body.metadata;
    assert.equal((await t.fetch(`${POD}/eviction`, { body: eviction })).status, 201);
    assert.equal((await t.fetch(POD)).body.metadata.resourceVersion, resourceVersion);
  } finally {
    await t.stop();
  }
});

Deno.test("what a budget is charged with is the server's", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await readyWithBudget(t);
    const status = {
      observedGeneration: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      disruptionsAllowed: 1,
    };
    await t.fetch(`${BUDGETS}/one/status`, { method: "PATCH", headers: MERGE, body: { status } });
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
    assert.equal((await t.fetch(`${POD}/eviction`, { body: eviction })).status, 201);
    const entries = (await t.fetch(`${BUDGETS}/one`)).body.metadata.managedFields as JsonMap[];
    const own = entries.filter((e) => e["manager"] === "kube-apiserver");
    assert.deepEqual(own.map((e) => [e["operation"], e["subresource"]]), [["Update", "status"]]);
    const fields = (own[0]!["fieldsV1"] as JsonMap)["f:status"] as JsonMap;
    assert.deepEqual(Object.keys(fields), ["f:conditions", "f:disruptedPods", "f:disruptionsAllowed"]);
  } finally {
    await t.stop();
  }
});

Deno.test("a budget with too many evictions that nobody has confirmed forbids more of them", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await readyWithBudget(t);
    const disruptedPods = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, "2020-01-01T00:00:00Z"]));
    const status = { observedGeneration: 1, disruptionsAllowed: 1, disruptedPods };
    const patched = await t.fetch(`${BUDGETS}/one/status`, { method: "PATCH", headers: MERGE, body: { status } });
    assert.equal(patched.status, 200);
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
    const refused = await t.fetch(`${POD}/eviction`, { body: eviction });
    assert.deepEqual([refused.status, refused.body.reason], [403, "Forbidden"]);
    const message = "too many evictions have not been confirmed by the budget's controller";
    const causes = [{ reason: "DisruptionBudget", message }];
    assert.deepEqual(refused.body.details, { name: "one", group: "policy", kind: "poddisruptionbudget", causes });
  } finally {
    await t.stop();
  }
});

/** What is told of a budget that lets nobody go. */
const NONE: readonly (readonly [status: JsonMap, told: string])[] = [
  [{ currentHealthy: 2, desiredHealthy: 3 }, "needs 3 healthy pods and has 2 currently"],
  [
    { conditions: [{ reason: "SyncFailed", message: "no scale" }] },
    "could not be kept up: no scale",
  ],
  [
    { currentHealthy: 4, desiredHealthy: 3, conditions: [{ reason: "Other", message: "why" }] },
    "lets no pod go, Other: why",
  ],
  [
    { currentHealthy: 4, desiredHealthy: 3, conditions: [{ reason: "Other", message: "why", status: "True" }] },
    "lets no pod go",
  ],
];

Deno.test("a budget that lets nobody go says why", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await readyWithBudget(t);
    const type = { type: "DisruptionAllowed", status: "False", lastTransitionTime: "2020-01-01T00:00:00Z" };
    for (const [given, told] of NONE) {
      const conditions = ((given["conditions"] ?? []) as JsonMap[]).map((c) => ({ ...type, ...c }));
      const status = { observedGeneration: 1, currentHealthy: 0, desiredHealthy: 0, ...given, conditions };
      const patched = await t.fetch(`${BUDGETS}/one/status`, { method: "PATCH", headers: MERGE, body: { status } });
      assert.equal(patched.status, 200, patched.text);
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
      const refused = await t.fetch(`${POD}/eviction`, { body: eviction });
      const causes = [{ reason: "DisruptionBudget", message: `The disruption budget one ${told}` }];
      assert.deepEqual([refused.status, refused.body.details], [429, { causes }]);
    }
  } finally {
    await t.stop();
  }
});

Deno.test("a stored budget whose selector cannot be read holds no pod", async () => {
  const backend = memoryBackend(),
    t = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
  try {
    const metadata = { name: "web", labels: { app: "web" } };
    const spec = { nodeName: "n1", containers: [{ name: "main", image: "example.com/main:1" }] };
    assert.equal((await t.fetch(POD.replace("/web", ""), { body: { metadata, spec } })).status, 201);
    await t.fetch(`${POD}/status`, { method: "PATCH", headers: MERGE, body: { status: READY } });
    const budget = { minAvailable: 1, selector: { matchLabels: { app: "other" } } };
    assert.equal((await t.fetch(BUDGETS, { body: { metadata: { name: "one" }, spec: budget } })).status, 201);
    const { items } = await backend.range("");
    const stored = items.find((i) => i.key.includes("poddisruptionbudgets"))!;
    const value = Uint8Array.from(stored.value);
    const at = new TextDecoder("latin1").decode(value).lastIndexOf("other");
    value.set(new TextEncoder().encode("b@d v"), at);
    assert.ok((await backend.commit([{ key: stored.key, value, expect: stored.revision }])).ok);
    const { body } = await t.fetch(`${BUDGETS}/one?resourceVersion=`);
    assert.deepEqual(body.spec.selector.matchLabels, { app: "b@d v" });
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
    assert.equal((await t.fetch(`${POD}/eviction`, { body: eviction })).status, 201);
  } finally {
    await t.stop();
    await backend.close();
  }
});

Deno.test("who is evicted whatever the budget allows: what is over or goes, what is pending, the unhealthy where that is said", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  const write = async (path: string, body: JsonMap) => {
    const { status, text } = await t.fetch(path, { method: "PATCH", headers: MERGE, body });
    assert.equal(status, 200, text);
  };
  try {
    await readyWithBudget(t);
    const counts = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1 };
    await write(`${BUDGETS}/one/status`, { status: counts });
    const [ready, unready] = ["True", "False"].map((status) => ({ conditions: [{ type: "Ready", status }] }));
    const policy = (unhealthyPodEvictionPolicy: string | null) =>
      write(`${BUDGETS}/one`, { spec: { unhealthyPodEvictionPolicy } }).then(() =>
        write(`${BUDGETS}/one/status`, { status: { ...counts, observedGeneration: 99 } })
      );
    const evict = async () => {
      const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };
      return (await t.fetch(`${POD}/eviction?dryRun=All`, { body: eviction })).status;
    };
    const rows: [status: JsonMap, unhealthy: string | null, answer: number][] = [
      [{ ...ready!, phase: "Running" }, null, 429],
      [{ ...ready!, phase: "Running" }, "AlwaysAllow", 429],
      [{ ...unready!, phase: "Running" }, null, 429],
      [{ ...unready!, phase: "Running" }, "IfHealthyBudget", 429],
      [{ ...unready!, phase: "Running" }, "AlwaysAllow", 201],
      [{ ...ready!, phase: "Pending" }, null, 201],
      [{ ...ready!, phase: "Succeeded" }, null, 201],
      [{ ...ready!, phase: "Failed" }, null, 201],
    ];
    for (const [status, unhealthy, answer] of rows) {
      await policy(unhealthy);
      await write(`${POD}/status`, { status });
      assert.equal(await evict(), answer, JSON.stringify([status, unhealthy]));
    }
  } finally {
    await t.stop();
  }
});

const EVICTION = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" } };

/** Writes the status of a budget that has been seen. */
async function counted(t: TestServer, status: JsonMap): Promise<void> {
  const body = { status: { observedGeneration: 1, disruptionsAllowed: 0, ...status } };
  const { status: code, text } = await t.fetch(`${BUDGETS}/one/status`, { method: "PATCH", headers: MERGE, body });
  assert.equal(code, 200, text);
}

Deno.test("a budget pays for the pods that go, and says when it has no more to give; a dry run costs nothing", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await readyWithBudget(t);
    const metadata = { name: "other", labels: { app: "web" } };
    const spec = { nodeName: "n1", containers: [{ name: "main", image: "example.com/main:1" }] };
    await t.fetch(POD.replace("/web", ""), { body: { metadata, spec } });
    await t.fetch(`${POD.replace("web", "other")}/status`, {
      method: "PATCH",
      headers: MERGE,
      body: { status: READY },
    });
    const lastTransitionTime = "2020-01-01T00:00:00Z",
      more = { type: "Other", status: "True", reason: "Other", lastTransitionTime };
    const plenty = { type: "DisruptionAllowed", status: "True", reason: "SufficientPods", lastTransitionTime };
    const told = async () => {
      const { disruptionsAllowed, disruptedPods = {}, conditions } = (await t.fetch(`${BUDGETS}/one`)).body.status;
      const kept = conditions.map((c: JsonMap) => [c.type, c.status, c.lastTransitionTime === lastTransitionTime]);
      return [disruptionsAllowed, Object.keys(disruptedPods).sort(), ...kept];
    };
    const evict = (name: string, rest: JsonMap = {}) =>
      t.fetch(`${POD.replace("web", name)}/eviction`, { body: { ...EVICTION, metadata: { name }, ...rest } });
    await counted(t, { disruptionsAllowed: 2, conditions: [plenty, more] });
    const whole = [["DisruptionAllowed", "True", true], ["Other", "True", true]];
    assert.equal((await evict("web", { deleteOptions: { dryRun: ["All"] } })).status, 201);
    assert.deepEqual(await told(), [2, [], ...whole]);
    const { body: { metadata: left, status } } = await t.fetch(POD);
    assert.deepEqual([left.deletionTimestamp, status.conditions.length], [undefined, 1]);
    assert.equal((await evict("web")).status, 201);
    assert.deepEqual(await told(), [1, ["web"], ...whole]);
    assert.equal((await evict("other")).status, 201);
    assert.deepEqual(await told(), [0, ["other", "web"], ["DisruptionAllowed", "False", false], whole[1]]);
    const [none] = (await t.fetch(`${BUDGETS}/one`)).body.status.conditions;
    assert.deepEqual([none.reason, none.message, none.observedGeneration], ["InsufficientPods", "", 1]);
  } finally {
    await t.stop();
  }
});

Deno.test("a budget that is not yet looked at is asked again later; of two nobody is asked", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await readyWithBudget(t);
    await counted(t, { observedGeneration: 0, disruptionsAllowed: 1 });
    const { status, body, headers } = await t.fetch(`${POD}/eviction`, { body: EVICTION });
    const message = "The disruption budget one is still being processed by the server.";
    const causes = [{ reason: "DisruptionBudget", message }];
    assert.deepEqual([status, body.details], [429, { causes, retryAfterSeconds: 10 }]);
    assert.equal(headers.get("retry-after"), "10");
    const unready = { conditions: [{ type: "Ready", status: "False" }] };
    await t.fetch(`${POD}/status`, { method: "PATCH", headers: MERGE, body: { status: unready } });
    const rows = [[0, 0, 429], [1, 2, 429], [1, 1, 201], [2, 1, 201]] as const;
    for (const [currentHealthy, desiredHealthy, code] of rows) {
      await counted(t, { currentHealthy, desiredHealthy });
      const answer = await t.fetch(`${POD}/eviction?dryRun=All`, { body: EVICTION });
      assert.equal(answer.status, code, `${currentHealthy} of ${desiredHealthy}`);
    }
    await t.fetch(BUDGETS, { body: { metadata: { name: "two" }, spec: { minAvailable: 1, selector: {} } } });
    const refused = await t.fetch(`${POD}/eviction`, { body: EVICTION });
    assert.equal(refused.status, 500);
    assert.match(refused.body.message, /more than one PodDisruptionBudget/);
  } finally {
    await t.stop();
  }
});

Deno.test("an eviction that names a version is not tried again with another", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    await readyWithBudget(t);
    await t.fetch(`${BUDGETS}/one`, { method: "DELETE" });
    const evict = (preconditions: JsonMap) =>
      t.fetch(`${POD}/eviction`, { body: { metadata: { name: "web" }, deleteOptions: { preconditions } } });
    const { resourceVersion, uid } = (await t.fetch(POD)).body.metadata;
    for (const wrong of [{ resourceVersion: "1" }, { uid: "other" }]) assert.equal((await evict(wrong)).status, 409);
    assert.equal((await t.fetch(POD)).body.metadata.deletionTimestamp, undefined);
    assert.equal((await evict({ resourceVersion, uid })).status, 201);
  } finally {
    await t.stop();
  }
});

Deno.test("a pod is bound once, as it was asked for, when nothing gates it", async () => {
  const t = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  const containers = [{ name: "main", image: "example.com/main:1" }];
  const make = async (name: string, spec: JsonMap = {}, metadata: JsonMap = {}) =>
    (await t.fetch(POD.replace("/web", ""), {
      body: { metadata: { name, ...metadata }, spec: { containers, ...spec } },
    }))
      .body.metadata;
  const bind = (name: string, metadata: JsonMap = {}, target: JsonMap = { name: "n1" }) =>
    t.fetch(`${POD.replace("web", name)}/binding`, { body: { metadata: { name, ...metadata }, target } });
  try {
    const { uid, resourceVersion } = await make("web");
    await make("gated", { schedulingGates: [{ name: "example.com/wait" }] });
    await make("going", {}, { finalizers: ["example.com/x"] });
    await t.fetch(POD.replace("web", "going"), { method: "DELETE" });
    const refused: [name: string, metadata: JsonMap, target: JsonMap | undefined, code: number, says: RegExp][] = [
      ["gated", {}, undefined, 409, /has non-empty \.spec\.schedulingGates/],
      ["going", {}, undefined, 409, /is being deleted/],
      ["web", { uid: "other" }, undefined, 409, /UID/],
      ["web", { resourceVersion: "1" }, undefined, 409, /Precondition failed: ResourceVersion/],
      ["web", {}, { name: "" }, 422, /target\.name: Required/],
      ["web", {}, { kind: "Pod", name: "n1" }, 422, /target\.kind: Unsupported/],
      ["web", {}, { name: "N 1" }, 422, /target\.name: Invalid/],
    ];
    for (const [name, metadata, target, code, says] of refused) {
      const answer = await bind(name, metadata, target);
      assert.equal(answer.status, code, answer.text);
      assert.match(answer.body.message, says);
    }
    assert.equal(
      (await bind("web", { uid, resourceVersion, labels: { a: "b" } }, { kind: "Node", name: "n1" })).status,
      201,
    );
    const { body } = await t.fetch(POD);
    assert.deepEqual([body.spec.nodeName, body.metadata.labels], ["n1", { a: "b" }]);
    assert.match((await bind("web")).body.message, /already assigned to node "n1"/);
  } finally {
    await t.stop();
  }
});
