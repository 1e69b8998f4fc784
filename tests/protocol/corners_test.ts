/** Corners of negotiation, subresources and generations, one row each: what is sent, and what must hold of the answer. */
import assert from "node:assert/strict";
import type { Answer, TestServer } from "../fixture/server.ts";
import {
  APPLY,
  compact,
  createMaps,
  map,
  maps,
  MERGE,
  namesOf,
  namespace,
  ok,
  openWatch,
  patchOf,
  refused,
  sharedServer,
  STRATEGIC,
  told,
  withServer,
} from "../spec/_spec.ts";

const server = sharedServer();
const json = (params: string) => ({ headers: { accept: `application/json${params}` } });
const table = (of: string) => `;as=${of};v=v1;g=meta.k8s.io`;

const ACCEPTED: readonly [name: string, accept: string, path: "a" | "", status: number, kind: string][] = [
  ["parameters are named in lower case", ";AS=Table;V=v1;G=meta.k8s.io", "a", 200, "ConfigMap"],
  ["a value in quotes is another", `;as="Table";v=v1;g=meta.k8s.io`, "a", 406, "Status"],
  ["a list's metadata of an object", table("PartialObjectMetadataList"), "a", 406, "Status"],
  ["an object's metadata of a list", table("PartialObjectMetadata"), "", 406, "Status"],
  [
    "what does not fit before another range",
    `${table("PartialObjectMetadataList")},application/json`,
    "a",
    406,
    "Status",
  ],
  [
    "what does not fit behind another range",
    `${table("PartialObjectMetadataList")};q=0.5,application/json`,
    "a",
    200,
    "ConfigMap",
  ],
];

const CONTENT_TYPES: readonly [type: string, status: number][] = [
  ["application/json;", 201],
  ["application/json; charset=utf-8", 201],
  [`application/json; a="b;c"`, 201],
  ["application/json;;", 415],
  ["application/json; charset", 415],
];

const test = (name: string, run: (t: TestServer, ns: string) => Promise<void>) =>
  Deno.test({
    name: `corners: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const t = await server();
      await run(t, await namespace(t));
    },
  });

for (const [name, accept, path, status, kind] of ACCEPTED) {
  test(name, async (t, ns) => {
    await ok(t, maps(ns), { body: map("a") });
    const a = await t.fetch(path ? maps(ns, path) : maps(ns), json(accept));
    assert.deepEqual([a.status, a.body.kind], [status, kind]);
  });
}

for (const [type, status] of CONTENT_TYPES) {
  test(`content type ${type}`, async (t, ns) => {
    const a = await t.fetch(maps(ns), { method: "POST", headers: { "content-type": type }, body: map("a") });
    assert.equal(a.status, status);
  });
}

test("an error is told before a representation that does not fit", async (t, ns) => {
  const a = await t.fetch(maps(ns, "none"), json(table("PartialObjectMetadataList")));
  assert.equal(a.status, 404);
});

test("an absent object is deleted with the resource's warning", async (t, ns) => {
  const a = await t.fetch(`/apis/batch/v1/namespaces/${ns}/jobs/none`, { method: "DELETE" });
  assert.deepEqual([a.status, a.warnings.length], [404, 1]);
});

test("a refused representation is told without deprecations", async (t, ns) => {
  const path = `/api/v1/namespaces/${ns}/endpoints`;
  assert.equal((await t.fetch(path)).warnings.length, 1);
  assert.deepEqual((await t.fetch(path, { headers: { accept: "text/html" } })).warnings, []);
  assert.deepEqual((await t.fetch(`${path}/a`, patchOf("text/plain", {}))).warnings, []);
});

test("a service that comes by its status gets no address", async (t, ns) => {
  const body = { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } };
  const made = await ok(t, `/api/v1/namespaces/${ns}/services/s/status`, { method: "PUT", body });
  assert.deepEqual([made.status, made.body.spec.clusterIP, made.body.spec.ipFamilies], [201, undefined, undefined]);
});

test("an empty list that was none before is another generation of a network policy", async (t, ns) => {
  const path = `/apis/networking.k8s.io/v1/namespaces/${ns}/networkpolicies`;
  const policy = (more: object) => ({ metadata: { name: "p" }, spec: { policyTypes: ["Ingress"], ...more } });
  await ok(t, path, { body: policy({}) });
  const generation = async (more: object) =>
    (await ok(t, `${path}/p`, { method: "PUT", body: policy(more) })).body.metadata.generation;
  const rows = [{}, { ingress: [] }, {}, { policyTypes: [] }]; // what is filled in is not empty
  const counted = [];
  for (const row of rows) counted.push(await generation(row));
  assert.deepEqual(counted, [1, 2, 2, 2]);
});

test("an empty list of managers wipes them in every version of a kind", async (t, ns) => {
  const path = `/apis/autoscaling/v1/namespaces/${ns}/horizontalpodautoscalers`;
  const target = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
  await ok(t, path, { body: { metadata: { name: "h" }, spec: { scaleTargetRef: target, maxReplicas: 3 } } });
  const wiped = await ok(t, `${path}/h`, patchOf(MERGE, { metadata: { managedFields: [] } }));
  assert.equal(wiped.body.metadata.managedFields, undefined);
});

test("an apply that changes nothing leaves the object as it is, in whatever version it comes", async (t, ns) => {
  const path = (version: string) => `/apis/autoscaling/${version}/namespaces/${ns}/horizontalpodautoscalers`;
  const apiVersion = "autoscaling/v1", kind = "HorizontalPodAutoscaler", metadata = { name: "h" };
  const spec = { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3 };
  const use = (name: string) => ({
    type: "Resource",
    resource: { name, target: { type: "Utilization", averageUtilization: 50 } },
  });
  const metrics = [use("cpu"), use("memory")]; // the older version has a member of its own for the first
  await ok(t, path("v2"), { body: { metadata, spec: { ...spec, metrics } } });
  const own = { apiVersion, kind, metadata, spec: { ...spec, targetCPUUtilizationPercentage: 50 } };
  await ok(t, `${path("v1")}/h?fieldManager=m`, patchOf(APPLY, own));
  const { body } = await ok(t, `${path("v2")}/h`);
  assert.deepEqual(body.spec.metrics, metrics);
  assert.equal(body.metadata.managedFields.length, 2);
});

test("a continued list takes no version", async (t, ns) => {
  for (const n of ["a", "b"]) await ok(t, maps(ns), { body: map(n) });
  const page = (await ok(t, `${maps(ns)}?limit=1`)).body.metadata;
  const a: Answer = await t.fetch(`${maps(ns)}?continue=${page.continue}&resourceVersion=${page.resourceVersion}`);
  assert.deepEqual([a.status, a.body.details], [400, undefined]);
});

test("a version may have an empty group before its slash", async (t, ns) => {
  assert.equal((await t.fetch(maps(ns), { body: { ...map("a"), apiVersion: "/v1" } })).status, 201);
});

test("an applied status brings its validating policy with it", async (t) => {
  const policy = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingAdmissionPolicy" };
  const resourceRules = [{ apiGroups: ["x.io"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["x"] }];
  const body = {
    ...policy,
    metadata: { name: "corner" },
    spec: { matchConstraints: { resourceRules }, validations: [{ expression: "true" }] },
  };
  const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/corner/status?dryRun=All";
  assert.equal((await t.fetch(path, { method: "PUT", body })).status, 404);
  assert.equal((await t.fetch(`${path}&fieldManager=m`, patchOf(APPLY, body))).status, 201);
});

test("delete options may state any version", async (t, ns) => {
  const options = (apiVersion: string) => ({ method: "DELETE", body: { apiVersion, kind: "DeleteOptions" } });
  assert.equal((await t.fetch(maps(ns, "none"), options("x.io/v9"))).status, 404);
  assert.equal((await t.fetch(maps(ns, "none"), options("v1/"))).status, 400);
});

const REFUSED: readonly [name: string, path: (ns: string) => string, status: number, type: string][] = [
  ["a connection is no dry run", (ns) => `/api/v1/namespaces/${ns}/pods/p/exec?dryRun=All`, 400, "application/json"],
  ["objects are not exported", (ns) => `${maps(ns, "none")}?export=true`, 400, "application/json"],
  ["no path begins with two slashes", (ns) => `/${maps(ns)}`, 404, "text/plain; charset=utf-8"],
];
for (const [name, path, status, type] of REFUSED) {
  test(name, async (t, ns) => {
    const a = await t.fetch(path(ns));
    assert.deepEqual([a.status, a.headers.get("content-type")], [status, type]);
  });
}

const PREFIXES: readonly [path: string, body: object, generateName: string, fields: string[]][] = [
  ["/api/v1/namespaces", {}, "-a", ["metadata.generateName", "metadata.name"]],
  ["/apis/rbac.authorization.k8s.io/v1/clusterroles", { rules: [] }, "..", ["metadata.generateName"]],
];
for (const [path, body, generateName, fields] of PREFIXES) {
  test(`the prefix ${generateName} of a name at ${path}`, async (t) => {
    const a = await t.fetch(`${path}?dryRun=All`, { body: { ...body, metadata: { generateName } } });
    assert.deepEqual(a.body.details.causes.map((c: { field: string }) => c.field).sort(), fields);
  });
}

test("a collection is deleted as it was at a version, with or without a limit", async (t, ns) => {
  const first = (await ok(t, maps(ns), { body: map("a") })).body.metadata.resourceVersion;
  await ok(t, maps(ns), { body: map("b") });
  const deleted = async (query: string) =>
    (await ok(t, `${maps(ns)}?dryRun=All&${query}`, { method: "DELETE" })).body.items.length;
  const rows: readonly [query: string, count: number][] = [
    [`resourceVersion=${first}`, 1],
    [`resourceVersion=${first}&limit=5`, 1],
    ["", 2],
  ];
  for (const [query, count] of rows) assert.equal(await deleted(query), count, query);
});

/** What stood there, and what the deletion asks for: a set of the same members stays as it is. */
const KEPT: readonly [finalizers: string[], policy: string, after: string[]][] = [
  [["foregroundDeletion", "foregroundDeletion"], "Foreground", ["foregroundDeletion", "foregroundDeletion"]],
  [["orphan", "x.io/y", "orphan"], "Orphan", ["orphan", "x.io/y", "orphan"]],
  [["orphan", "x.io/y"], "Foreground", ["x.io/y", "foregroundDeletion"]],
];
for (const [finalizers, policy, after] of KEPT) {
  test(`${finalizers} of what is deleted by ${policy}`, async (t, ns) => {
    await ok(t, maps(ns), { body: { metadata: { name: "a", finalizers } } });
    const { body } = await ok(t, `${maps(ns, "a")}?propagationPolicy=${policy}`, { method: "DELETE" });
    assert.deepEqual(body.metadata.finalizers, after);
  });
}

test("an applied configuration that says its name twice is told so, whatever object it is of", async (t, ns) => {
  const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"}}';
  const a = await t.fetch(`${maps(ns, "a")}?fieldManager=m`, patchOf(APPLY, body));
  assert.deepEqual([a.status, a.warnings.length], [400, 1]);
  const strict = await t.fetch(`${maps(ns, "a")}?fieldManager=m&fieldValidation=Strict`, patchOf(APPLY, body));
  assert.deepEqual([strict.status, strict.warnings.length], [400, 0]);
  assert.match(strict.body.message, /strict/);
});

test("a namespace that goes is not asked anew how, while something of its own holds it", async (t, ns) => {
  const path = `/api/v1/namespaces/${ns}`;
  await ok(t, path, patchOf(MERGE, { metadata: { finalizers: ["x.io/y"] } }));
  const first = await ok(t, path, { method: "DELETE" });
  const after = async (policy: string) => {
    const { body } = await ok(t, `${path}?propagationPolicy=${policy}`, { method: "DELETE" });
    return body.metadata;
  };
  for (const policy of ["Orphan", "Foreground", "Background"]) {
    assert.deepEqual(await after(policy), first.body.metadata);
  }
  const metadata = { name: ns, finalizers: ["x.io/y"] };
  await ok(t, `${path}/finalize`, { method: "PUT", body: { metadata, spec: { finalizers: [] } } });
  const { finalizers, deletionGracePeriodSeconds } = await after("Foreground");
  assert.deepEqual([finalizers, deletionGracePeriodSeconds], [["x.io/y", "foregroundDeletion"], 0]);
  await ok(t, path, patchOf(MERGE, { metadata: { finalizers: null } }));
});

test("a number or text keeps nothing of a number that is too wide", async (t, ns) => {
  const path = `/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets`;
  await ok(t, path, { body: { metadata: { name: "a" }, spec: { maxUnavailable: 1, selector: {} } } });
  for (const maxUnavailable of [3_000_000_000, -3_000_000_000]) {
    const spec = { maxUnavailable };
    const a = await t.fetch(`${path}/a`, patchOf(STRATEGIC, { spec }));
    assert.deepEqual([a.status, a.body.details.causes[0].field], [422, "patch"]);
    const configuration = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "a" }, spec };
    const applied = await t.fetch(`${path}/a?fieldManager=m&force=true`, patchOf(APPLY, configuration));
    assert.equal(applied.status, 400);
  }
  assert.equal((await ok(t, `${path}/a`)).body.spec.maxUnavailable, 1);
});

const TAINT_RULES = ["--runtime-config=api/all=true", "--feature-gates=DRADeviceTaintRules=true"];
const taintRules = (version: string) => `/apis/resource.k8s.io/${version}/devicetaintrules`;

Deno.test("a DeviceTaintRule's time is anew when its effect changes, unless another one is given", () =>
  withServer(TAINT_RULES, async (t) => {
    const [first, other] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"], started = new Date().toISOString();
    const taint = { key: "k", effect: "NoSchedule", timeAdded: first };
    await ok(t, taintRules("v1"), { body: { metadata: { name: "r" }, spec: { taint } } });
    const patched = async (change: unknown) => {
      const { body } = await ok(t, `${taintRules("v1")}/r`, patchOf(MERGE, { spec: { taint: change } }));
      return body.spec.taint.timeAdded;
    };
    assert.equal(await patched({ value: "v" }), first, "the effect is the same");
    assert.equal(await patched({ effect: "None", timeAdded: other }), other, "another time is given");
    assert.ok(await patched({ effect: "NoExecute" }) >= started.replace(/\.\d+Z$/, "Z"));
  }));

Deno.test("a DeviceTaintRule is written without resourceVersion in the old versions alone", () =>
  withServer(TAINT_RULES, async (t) => {
    const body = { metadata: { name: "r" }, spec: { taint: { key: "k", effect: "NoSchedule" } } };
    await ok(t, taintRules("v1"), { body });
    for (const [version, status] of [["v1", 422], ["v1beta2", 200], ["v1alpha3", 200]] as const) {
      for (const door of ["", "/status"]) {
        const answer = await t.fetch(`${taintRules(version)}/r${door}`, { method: "PUT", body });
        assert.equal(answer.status, status, `${version}${door}`);
        if (status === 422) assert.equal(answer.body.details.causes[0].field, "metadata.resourceVersion");
      }
    }
  }));

Deno.test("a deleted DeviceTaintRule is answered in the old versions, and by a Status in v1", () =>
  withServer(TAINT_RULES, async (t) => {
    for (
      const [version, kind] of [["v1", "Status"], ["v1beta2", "DeviceTaintRule"], [
        "v1alpha3",
        "DeviceTaintRule",
      ]] as const
    ) {
      const path = taintRules(version);
      const taint = { key: "k", effect: "NoSchedule" };
      const body = {
        apiVersion: `resource.k8s.io/${version}`,
        kind: "DeviceTaintRule",
        metadata: { name: "r" },
        spec: { taint },
      };
      assert.equal((await t.fetch(path, { method: "POST", body })).status, 201, version);
      assert.equal((await t.fetch(`${path}/r`, { method: "DELETE" })).body.kind, kind, version);
      const told = (await t.fetch(`/openapi/v3/apis/resource.k8s.io/${version}`)).body;
      const answer = told.paths[`${path}/{name}`].delete.responses["200"].content["application/json"].schema.$ref;
      assert.ok(answer.endsWith(`.${kind}`), answer);
    }
  }));

Deno.test("a token that nobody knows: of the review's status, who and for whom stay, and never the verdict", async () => {
  const t = await server();
  const group = "authentication.k8s.io/v1";
  const review = async (status?: unknown) => {
    const body = { apiVersion: group, kind: "TokenReview", spec: { token: "nobody" }, ...(status ? { status } : {}) };
    const answer = await t.fetch(`/apis/${group}/tokenreviews`, { method: "POST", body });
    assert.equal(answer.status, 201);
    return answer.body.status;
  };
  const { user, error, ...rest } = await review();
  assert.deepEqual([user, rest], [{}, {}]);
  const sent = { authenticated: true, user: { username: "x", groups: ["g"] }, audiences: ["a"], error: "e" };
  assert.deepEqual(await review(sent), { user: sent.user, audiences: ["a"], error: error ?? "e" });
});

Deno.test("faults of a quota's scopes show all that stands there", async () => {
  const t = await server();
  const ns = await namespace(t);
  const shown = async (spec: object) => {
    const body = { metadata: { name: "q" }, spec: { hard: { cpu: "1", memory: "1" }, ...spec } };
    const answer = await t.fetch(`/api/v1/namespaces/${ns}/resourcequotas`, { method: "POST", body });
    return answer.body.details.causes.map((c: { message: string }) => /^Invalid value: (.*): /.exec(c.message)![1]);
  };
  assert.deepEqual(await shown({ scopes: ["PriorityClass", "Bogus"] }), ['["PriorityClass","Bogus"]']);
  const matchExpressions = ["BestEffort", "NotBestEffort"].map((scopeName) => ({ scopeName, operator: "Exists" }));
  const whole = JSON.stringify({ matchExpressions });
  assert.deepEqual(await shown({ scopeSelector: { matchExpressions } }), [whole, whole, "null"]);
});

test("a watch by its path alone has no bookmark behind what is there", async (t, ns) => {
  await ok(t, maps(ns), { body: map("a") });
  const w = await openWatch(t, `/api/v1/watch/namespaces/${ns}/configmaps?allowWatchBookmarks=1`);
  const first = await w.take(1);
  await ok(t, maps(ns), { body: map("b") });
  assert.deepEqual(told([...first, ...await w.take(1)]), ["ADDED a", "ADDED b"]);
  await w.stop();
});

test("a watch by the path of one object is of that one, whatever field says so again", async (t, ns) => {
  const path = `/api/v1/watch/namespaces/${ns}/configmaps/b`;
  for (const name of ["a", "b"]) await ok(t, maps(ns), { body: map(name) });
  for (const query of ["", "?fieldSelector=metadata.name%3Db"]) {
    const w = await openWatch(t, path + query);
    const first = await w.take(1);
    for (const name of ["a", "b"]) await ok(t, maps(ns, name), patchOf(MERGE, { data: { query: `of ${query}` } }));
    assert.deepEqual(told([...first, ...await w.take(1)]), ["ADDED b", "MODIFIED b"], query);
    await w.stop();
  }
  for (const field of ["metadata.name%3Da", "metadata.name%21%3Da", `metadata.namespace%3D${ns}`]) {
    await refused(t, 400, `${path}?timeoutSeconds=1&fieldSelector=${field}`);
  }
});

test("a label selects the same of many objects, however often it is asked for", async (t, ns) => {
  const values = ["x", "y", "", undefined], count = 520;
  const named = (wanted: (value: string | undefined) => boolean) =>
    Array.from({ length: count }, (_, i) => i + 1000).filter((i) => wanted(values[i % 4])).map((i) => `m${i}`);
  for (const name of named(() => true)) {
    const value = values[Number(name.slice(1)) % 4];
    await ok(t, maps(ns), { body: map(name, {}, value === undefined ? {} : { labels: { l: value } }) });
  }
  const selectors: [string, (value: string | undefined) => boolean][] = [
    ["l=x", (v) => v === "x"],
    ["l==x", (v) => v === "x"],
    ["l in (x)", (v) => v === "x"],
    ["l in (x,y)", (v) => v === "x" || v === "y"],
    ["l=", (v) => v === ""],
    ["l!=x", (v) => v !== "x"],
    ["l notin (x)", (v) => v !== "x"],
    ["l", (v) => v !== undefined],
    ["!l", (v) => v === undefined],
    ["l,l=y", (v) => v === "y"],
    ["l=x,l=y", () => false],
  ];
  for (let times = 0; times < 4; times++) {
    for (const [selector, wanted] of selectors) {
      const { body } = await ok(t, `${maps(ns)}?labelSelector=${encodeURIComponent(selector)}`);
      assert.deepEqual(namesOf(body), named(wanted), selector);
    }
  }
});

test(
  "a version is a number of any length: zeros before it say nothing, and one that is too large is told at once",
  async (t, ns) => {
    const [first] = await createMaps(t, ns, "a", "b");
    const zeros = "0".repeat(20);
    const exact = `${maps(ns)}?resourceVersionMatch=Exact&resourceVersion=${zeros}${first}`;
    assert.deepEqual(namesOf((await ok(t, exact)).body), ["a"]);
    assert.deepEqual(namesOf((await ok(t, `${maps(ns)}?resourceVersion=${zeros}`)).body), ["a", "b"]);
    const events = `/api/v1/namespaces/${ns}/events`;
    for (const [path, retry] of [[maps(ns), 1], [maps(ns, "a"), 1], [events, undefined]] as const) {
      const { details } = (await refused(t, 504, `${path}?resourceVersion=${"9".repeat(18)}`)).body;
      assert.deepEqual([details.causes[0].reason, details.retryAfterSeconds], ["ResourceVersionTooLarge", retry], path);
    }
  },
);

test("a version that a list need only reach is not the list's, whatever its limit", async (t, ns) => {
  const [first, second] = await createMaps(t, ns, "a", "b");
  const page = (query: string) => ok(t, `${maps(ns)}?limit=5&resourceVersion=${first}${query}`);
  const { items, metadata } = (await page("&resourceVersionMatch=NotOlderThan")).body;
  assert.deepEqual(namesOf({ items }), ["a", "b"]);
  assert.ok(Number(metadata.resourceVersion) >= Number(second));
  assert.deepEqual(namesOf((await page("")).body), ["a"]);
});

Deno.test("corners: what the store has forgotten is gone, though it is not long ago", () =>
  withServer([], async (t) => {
    const path = maps("default");
    const [first] = await createMaps(t, "default", "a", "b", "c");
    const { metadata } = (await ok(t, `${path}?limit=1`)).body;
    await createMaps(t, "default", "d");
    const exact = `${path}?resourceVersionMatch=Exact&resourceVersion=${first}`;
    const next = `${path}?limit=5&continue=${metadata.continue}`;
    assert.deepEqual([namesOf((await ok(t, exact)).body), namesOf((await ok(t, next)).body)], [["a"], ["b", "c"]]);
    await compact(t);
    assert.equal((await refused(t, 410, exact)).body.reason, "Expired");
    const { body } = await refused(t, 410, next);
    const on = await ok(t, `${path}?limit=5&continue=${body.metadata.continue}`);
    assert.deepEqual(namesOf(on.body), ["b", "c", "d"]);
  }));

test("names and namespaces are selected by as fields, too, in all namespaces", async (t, ns) => {
  const other = await namespace(t);
  for (const [into, name] of [[ns, "a"], [other, "b"]]) await ok(t, maps(into!), { body: map(name!) });
  const found = async (field: string) => {
    const { body } = await ok(t, `/api/v1/configmaps?fieldSelector=${encodeURIComponent(field)}`);
    return [ns, other].map((n) =>
      body.items.some((i: { metadata: { namespace: string } }) => i.metadata.namespace === n)
    );
  };
  await ok(t, maps(other), { body: map("a") });
  assert.deepEqual(await found("metadata.name=a"), [true, true]);
  assert.deepEqual(await found("metadata.name=b"), [false, true]);
  assert.deepEqual(await found(`metadata.namespace=${ns}`), [true, false]);
  assert.deepEqual(await found(`metadata.namespace!=${ns}`), [false, true]);
});

test("fields are selected by names of old, too", async (t, ns) => {
  const pods = `/api/v1/namespaces/${ns}/pods`, containers = [{ name: "c", image: "i" }];
  await ok(t, `/api/v1/namespaces/${ns}/serviceaccounts`, { body: { metadata: { name: "default" } } });
  for (const [name, nodeName] of [["a", "n1"], ["b", "n2"]]) {
    await ok(t, pods, { body: { metadata: { name }, spec: { nodeName, containers } } });
  }
  assert.deepEqual(namesOf((await ok(t, `${pods}?fieldSelector=spec.host%3Dn1`)).body), ["a"]);
});

test("slices are selected by their pool", async (t, ns) => {
  const slices = "/apis/resource.k8s.io/v1/resourceslices";
  for (const name of ["a", "b"]) {
    const pool = { name: `${ns}-${name}`, generation: 1, resourceSliceCount: 1 };
    await ok(t, slices, {
      body: { metadata: { name: `${ns}-${name}` }, spec: { driver: "d.example", allNodes: true, pool } },
    });
  }
  const chosen = (await ok(t, `${slices}?fieldSelector=spec.pool.name%3D${ns}-b`)).body;
  assert.deepEqual(namesOf(chosen), [`${ns}-b`]);
});

test("a bookmark of metadata has nothing of the kind in it", async (t) => {
  const path = "/apis/apps/v1/daemonsets?watch=1&allowWatchBookmarks=1&timeoutSeconds=1";
  for (const media of ["json", "vnd.kubernetes.protobuf"]) {
    const accept = `application/${media}${table("PartialObjectMetadata")}`;
    const text = await (await t.open(path, { headers: { accept } })).text();
    assert.ok(text.includes("initial-events-end") && !text.includes("daemonset.template"), text);
  }
});
