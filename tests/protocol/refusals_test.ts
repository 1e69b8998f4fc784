/** Who refuses, and in which words: routers, filters, kinds and proxies. One row each. */
import assert from "node:assert/strict";
import { type Answer, startTestServer, type TestServer } from "../fixture/server.ts";
import { map, maps, MERGE, namespace, ok, patchOf, sharedServer, somebody } from "../spec/_spec.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);
const test = (name: string, run: (t: TestServer, ns: string) => Promise<void>) =>
  Deno.test({
    name: `refusals: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const t = await server();
      await run(t, await namespace(t));
    },
  });

const groups = (v: string) => `application/json;as=APIGroupDiscoveryList;v=${v};g=apidiscovery.k8s.io`;

/** `details` undefined: whoever answers for itself; empty: a router was before. */
const DISCOVERY: readonly [path: string, accept: string, status: number, details?: object][] = [
  ["/api", "text/html", 406, {}],
  ["/apis", "text/html", 406],
  ["/apis/apps", "text/html", 406],
  ["/apis/apps", "application/*", 200],
  ["/apis/apiregistration.k8s.io", "text/html", 406, {}],
  ["/apis/apiregistration.k8s.io", "application/*", 406, {}],
  ["/api", groups("v2"), 200],
  ["/api/", groups("v2"), 200],
  ["/api", groups("v2beta1"), 406],
  ["/apis", groups("v2beta1"), 406],
];
for (const [path, accept, status, details] of DISCOVERY) {
  test(`discovery ${path} as ${accept}`, async (t) => {
    const a = await t.fetch(path, { headers: { accept } });
    assert.deepEqual([a.status, a.body.details], [status, details]);
  });
}

/** What a router takes in some media types only, it takes so even where nothing is sent. */
const SENT: readonly [path: string, type: string, status: number][] = [
  ["/api", "application/x", 415],
  ["/api", "application/x, application/yaml;q=1", 200],
  ["/api/v1", "x", 415],
  ["/apis/apps/v1", "application/cbor", 415],
  ["/apis/apps/v1", "application/yaml", 200],
  ["/apis/apps", "application/x", 200],
  ["/apis", "application/x", 200],
  ["/apis/apiregistration.k8s.io", "application/x", 415],
  ["/version", "application/yaml", 415],
  ["/version/", "application/json", 200],
];
for (const [path, type, status] of SENT) {
  test(`${path} in ${type}`, async (t) => {
    const a = await t.fetch(path, { headers: { "content-type": type, accept: status === 415 ? "text/html" : "*/*" } });
    assert.deepEqual([a.status, a.body.details], [status, status === 415 ? {} : undefined]);
  });
}

test("what cannot become the kind that is taken is not looked at any closer", async (t, ns) => {
  const rows: readonly [apiVersion: string, kind: string, warned: boolean, level?: string][] = [
    ["v1", "ConfigMapList", false],
    ["apps/v1", "Deployment", false],
    ["v1", "Secret", false, "Strict"],
    ["v1", "ConfigMap", true],
  ];
  for (const [apiVersion, kind, warned, level = "Warn"] of rows) {
    const body = { apiVersion, kind, metadata: { name: "Bad" }, bogus: 1 };
    const a = await t.fetch(`${maps(ns)}?fieldValidation=${level}`, { body });
    assert.deepEqual([a.status, a.headers.has("warning")], [warned ? 422 : 400, warned], kind);
    if (!warned) assert.match(a.body.message, /cannot be handled as a ConfigMap$/);
  }
  const scaler = { apiVersion: "autoscaling/v1", kind: "HorizontalPodAutoscaler", bogus: 1 };
  const other = await t.fetch(`/apis/autoscaling/v2/namespaces/${ns}/horizontalpodautoscalers`, { body: scaler });
  assert.deepEqual([other.status, other.headers.has("warning")], [400, true]);
});

test("each character that no manager's name may have is told of, by the byte where it stands", async (t, ns) => {
  const manager = encodeURIComponent("é\u0007\u{1f600}\u00a0");
  const { status, body } = await t.fetch(`${maps(ns)}?fieldManager=${manager}`, { body: map("a") });
  const told = body.details.causes.map((c: { message: string }) => c.message.replace(/^.*: invalid/, "invalid"));
  const expected = ["invalid character U+0007 (at position 2)", "invalid character U+00A0 (at position 7)"];
  assert.deepEqual([status, told], [422, expected]);
});

test("a name that is taken is told of otherwise where the server may make names", async (t, ns) => {
  const metadata = { name: "own", generateName: "made-" }, doomed = { ...metadata, finalizers: ["a.b/c"] };
  const told = async (query: string, body: object) => {
    const a = await t.fetch(maps(ns) + query, { body });
    return [a.status, a.body.reason, a.body.message, a.body.details.retryAfterSeconds, a.headers.get("retry-after")];
  };
  const taken = 'configmaps "own" already exists',
    ungenerated = `${taken}, the server was not able to generate a unique name for the object`;
  await ok(t, maps(ns), { body: { metadata: doomed } });
  for (const query of ["", "?dryRun=All"]) {
    assert.deepEqual(await told(query, { metadata }), [409, "AlreadyExists", ungenerated, 1, "1"]);
    assert.deepEqual(await told(query, map("own")), [409, "AlreadyExists", taken, undefined, null]);
  }
  await ok(t, maps(ns, "own"), { method: "DELETE" });
  const [, , message] = await told("", { metadata });
  assert.equal(message, `object is being deleted: ${ungenerated}`);
});

test("what may not go with a deletion of what cannot be read is told in its order", async (t, ns) => {
  const others = {
    preconditions: { uid: "u" },
    propagationPolicy: "Background",
    gracePeriodSeconds: 0,
    dryRun: ["All"],
  };
  const body = { ignoreStoreReadErrorWithClusterBreakingPotential: true, ...others };
  const a = await t.fetch(maps(ns, "a"), { method: "DELETE", body });
  const names = a.body.details.causes.map((c: { message: string }) => c.message.replace(/^.*with \./, ""));
  assert.deepEqual(names, ["dryRun", "propagationPolicy", "gracePeriodSeconds", "preconditions"]);
});

test("nobody evicts what cannot be read, be it there or not", async (t, ns) => {
  const deleteOptions = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  const a = await t.fetch(`/api/v1/namespaces/${ns}/pods/p/eviction`, {
    body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" }, deleteOptions },
  });
  const { name, kind, group, causes } = a.body.details;
  assert.deepEqual([a.status, name, kind, group], [422, "p", "Eviction", "policy"]);
  assert.deepEqual(causes[0].field, "deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential");
});

/** What clients show of a list that is asked for wrongly. */
const ASKED: readonly [query: string, message: string][] = [
  ["timeout=5", 'invalid timeout specified in the request URL - time: missing unit in duration "5"'],
  ["timeout=5z", 'invalid timeout specified in the request URL - time: unknown unit "z" in duration "5z"'],
  ["timeout=.s", 'invalid timeout specified in the request URL - time: invalid duration ".s"'],
  ["limit=", 'strconv.ParseInt: parsing "": invalid syntax'],
  ["limit=9999999999999999999", 'strconv.ParseInt: parsing "9999999999999999999": value out of range'],
  [
    "resourceVersion=x",
    'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
  ],
  ["labelSelector=x%20y", "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
  ["fieldSelector=x", "invalid selector: 'x'; can't understand 'x'"],
  [
    "resourceVersionMatch=Exact",
    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
  ],
  [
    "fieldSelector=spec.x%3Dy",
    '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
];
test("a list that is asked for wrongly says so in known words", async (t, ns) => {
  for (const [query, message] of ASKED) {
    const a = await t.fetch(`${maps(ns)}?${query}`);
    assert.deepEqual([a.status, a.body.message], [400, message]);
  }
});

test(
  "a watch whose first events are asked for without a match is told that once, whatever else it names",
  async (t, ns) => {
    const a = await t.fetch(`${maps(ns)}?watch=1&sendInitialEvents=true&continue=x`);
    const message = "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    assert.equal(a.status, 422);
    assert.deepEqual(a.body.details.causes, [{
      reason: "FieldValueForbidden",
      field: "resourceVersionMatch",
      message,
    }]);
  },
);

const text = (type: string, body: string) => ({
  headers: { "content-type": `application/${type}` },
  body,
});
/** What clients show of a body that is none of what is taken. */
const BODIES: readonly [method: string, type: string, body: string, status: number, message: string][] = [
  [
    "POST",
    "json",
    '{"data":{}',
    400,
    "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: " +
    'unexpected end of JSON input ({"data":{})',
  ],
  [
    "DELETE",
    "json",
    '{"gracePeriodSeconds":"x"}',
    400,
    "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
  ],
  ["DELETE", "json", '{"kind":"Pod","apiVersion":"v1"}', 400, 'no kind "Pod" is registered for version "v1"'],
  [
    "PATCH",
    "merge-patch+json",
    "[]",
    400,
    "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
  [
    "PATCH",
    "strategic-merge-patch+json",
    "[]",
    400,
    "json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
  ["PATCH", "apply-patch+yaml", '{"apiVersion":"v1","kind":"Secret"}', 400, "invalid object type: /v1, Kind=Secret"],
  ["PATCH", "apply-patch+yaml", '{"apiVersion":"apps/v1"}', 400, "invalid object type: apps/v1, Kind="],
];
test("a body that is none of what is taken is refused in known words", async (t, ns) => {
  await ok(t, maps(ns), { body: map("a") });
  for (const [method, type, body, status, message] of BODIES) {
    const path = method === "POST" ? maps(ns) : `${maps(ns, "a")}?fieldManager=m`;
    const r = await t.open(path, { method, ...text(type, body) });
    assert.deepEqual([r.status, (await r.json()).message], [status, message]);
  }
});

/** What of an object that is not there is answered, by what the patch is. */
const ABSENT: readonly [type: string, body: string, status: number][] = [
  ["json-patch+json", '[{"op":', 400],
  ["json-patch+json", "{}", 404],
  ["json-patch+json", "[1]", 404],
  ["merge-patch+json", '{"data":{}', 400],
  ["merge-patch+json", "[]", 404],
  ["strategic-merge-patch+json", "", 400],
  ["strategic-merge-patch+json", "[]", 404],
  ["apply-patch+yaml", "data: {", 400],
];
test("a patch that cannot be read is refused whether there is something to patch or not", async (t, ns) => {
  for (const path of [maps(ns, "none"), `/apis/apps/v1/namespaces/${ns}/deployments/none/scale`]) {
    for (const [type, body, status] of ABSENT) {
      for (const level of ["Warn", "Ignore"]) {
        const init = { method: "PATCH", ...text(type, body) };
        const a = await t.fetch(`${path}?fieldManager=m&fieldValidation=${level}`, init);
        assert.equal(a.status, status, `${path} ${type} ${body} ${level}: ${a.text}`);
      }
    }
  }
});

test("operations that nobody looks at beforehand fail when they are applied", async (t, ns) => {
  await ok(t, maps(ns), { body: map("a") });
  for (const [level, status] of [["Ignore", 422], ["Warn", 400]] as const) {
    for (const op of [{ op: 1, path: "/data" }, { op: "remove", path: [] }, { op: "copy", from: 1, path: "/data" }]) {
      const a = await t.fetch(
        `${maps(ns, "a")}?fieldValidation=${level}`,
        patchOf("application/json-patch+json", [op]),
      );
      assert.equal(a.status, status, `${level} ${JSON.stringify(op)}`);
    }
  }
});

test("who does not orphan what is in a namespace waits for it", async (t, ns) => {
  const a = await t.fetch(`/api/v1/namespaces/${ns}`, { method: "DELETE", body: { orphanDependents: false } });
  assert.deepEqual([a.status, a.body.metadata.finalizers], [202, ["foregroundDeletion"]]);
});

test("what is to be deleted is looked at before how", async (t, ns) => {
  const a = await t.fetch(`${maps(ns)}?dryRun=x&sendInitialEvents=true`, { method: "DELETE" });
  assert.deepEqual([a.status, a.body.details.kind], [422, "ListOptions"]);
});

test("what is created is looked at for its media type before its options", async (t, ns) => {
  for (const path of [maps(ns), "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"]) {
    const r = await t.open(`${path}?dryRun=x`, { method: "POST", ...text("x", "{}") });
    await r.body?.cancel();
    assert.equal(r.status, 415);
  }
});

test("any part of a path may be encoded", async (t) => {
  assert.equal((await t.fetch("/%61pi/v1")).body.kind, "APIResourceList");
  assert.equal((await t.fetch("/%61pi/v1/namespaces")).body.kind, "NamespaceList");
});

test("a list that cannot be watched names its kind", async (t) => {
  const a = await t.fetch("/api/v1/componentstatuses?watch=1");
  assert.deepEqual([a.status, a.body.details], [405, { kind: "componentstatuses" }]);
});

test("a failed precondition names the kind as it is stored", async (t, ns) => {
  const event = { metadata: { name: "e", namespace: ns }, involvedObject: { namespace: ns } };
  await ok(t, `/api/v1/namespaces/${ns}/events`, { body: event });
  await ok(t, maps(ns), { body: map("a") });
  const failed = async (path: string) =>
    (await t.fetch(path, { method: "DELETE", body: { preconditions: { uid: "other" } } })).body.details;
  const rows: readonly [path: string, details: object][] = [
    [`/apis/events.k8s.io/v1/namespaces/${ns}/events/e`, { name: "e", kind: "Event" }],
    [maps(ns, "a"), { name: "a", kind: "ConfigMap" }],
    [`/api/v1/namespaces/${ns}`, { name: ns, kind: "namespaces" }],
  ];
  for (const [path, details] of rows) assert.deepEqual(await failed(path), details);
});

test("some subresources have no Table", async (t, ns) => {
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
  const pods = `/api/v1/namespaces/${ns}/pods`;
  await ok(t, pods, { body: { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } } });
  const rows: readonly [sub: string, kind: string][] = [["", "Table"], ["/status", "Table"], ["/resize", "Pod"]];
  for (const [sub, kind] of rows) {
    assert.equal((await ok(t, `${pods}/p${sub}`, { headers: { accept } })).body.kind, kind);
  }
});

const PROXIED: readonly [path: string, status: number][] = [
  ["pods/p/log?tailLines=9223372036854775808", 400],
  ["pods/p/log?limitBytes=0", 422],
  ["pods/p/log?tailLines=5", 404],
  ["pods/p/portforward?ports=65536", 400],
  ["pods/p/portforward?ports=80,81", 404],
  ["pods/:80/proxy", 400],
  ["pods/a:b:c:d/proxy", 400],
  ["services/ftp:s:80/proxy", 400],
  ["services/https:s:80/proxy", 404],
];
for (const [path, status] of PROXIED) {
  test(`GET ${path}`, async (t, ns) => {
    assert.equal((await t.fetch(`/api/v1/namespaces/${ns}/${path}`)).status, status);
  });
}

test("gzip is asked for by the bare word, of documents with a quality too", async (t, ns) => {
  await ok(t, maps(ns), { body: map("large", { text: "x".repeat(200_000) }) });
  const rows: readonly [accept: string, object: boolean, document: boolean][] = [
    ["gzip", true, true],
    ["br, gzip", true, true],
    ["gzip;q=0.5", false, true],
    ["gzip;q=0", false, false],
    ["GZIP", false, true],
    ["x-gzip", false, false],
  ];
  for (const [accept, object, document] of rows) {
    const zipped = async (path: string) => {
      const a = await t.open(path, { headers: { "accept-encoding": accept } });
      await a.body?.cancel();
      return a.headers.get("content-encoding") === "gzip";
    };
    assert.deepEqual([await zipped(maps(ns, "large")), await zipped("/openapi/v2")], [object, document], accept);
  }
});

test("a connection has no dry run, whatever its value", async (t, ns) => {
  for (const value of ["All", "none"]) {
    const a = await t.fetch(`/api/v1/namespaces/${ns}/pods/p/exec?command=x&dryRun=${value}`, { method: "POST" });
    assert.equal(a.status, 400);
  }
});

test("a proxy is asked by any method", async (t, ns) => {
  for (const method of ["HEAD", "OPTIONS", "PUT"]) {
    const a = await t.open(`/api/v1/namespaces/${ns}/pods/p/proxy`, { method });
    await a.body?.cancel();
    assert.equal(a.status, 404);
  }
});

test("amounts are rounded up to thousandths in any notation", async (t, ns) => {
  const pods = `/api/v1/namespaces/${ns}/pods?dryRun=All`;
  const pod = (cpu: string) => ({
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu } } }] },
  });
  for (const [given, kept] of [["2.0000001", "2001m"], ["1e-20", "1e-3"], ["3n", "1m"], ["0.25", "250m"]]) {
    const a = await ok(t, pods, { body: pod(given!) });
    assert.equal(a.body.spec.containers[0].resources.requests.cpu, kept);
  }
});

test("a rule without verbs is seen by validation, not by the check of what its author has", async (t, ns) => {
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}`, apiGroup = "rbac.authorization.k8s.io";
  const may = { apiGroups: [apiGroup], resources: ["roles"], verbs: ["create"] };
  await ok(t, `${roles}/roles`, { body: { metadata: { name: "writer" }, rules: [may] } });
  const subjects = [{ kind: "User", name: `w-${ns}`, apiGroup }];
  const bind = (name: string) => ({ metadata: { name }, roleRef: { apiGroup, kind: "Role", name }, subjects });
  for (const name of ["writer", "gone"]) await ok(t, `${roles}/rolebindings`, { body: bind(name) });
  const writer = somebody(`w-${ns}`);
  const made = await t.fetch(`${roles}/roles`, { body: { metadata: { name: "r" }, rules: [{}] } }, writer);
  assert.equal(made.status, 422);
  const asked = { body: { spec: { namespace: ns } } };
  const told = await ok(t, "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", asked, writer);
  assert.equal(told.body.status.incomplete, false);
  assert.match(told.body.status.evaluationError, /gone/);
});

Deno.test("refusals: filters and kinds tell them in CBOR where it is on", async () => {
  const t = await startTestServer(["--feature-gates=CBORServingAndStorage=true"]);
  try {
    const ns = await namespace(t), headers = { accept: "application/cbor" };
    await ok(t, maps(ns), { body: map("a") });
    const type = (a: Answer) => [a.status, a.headers.get("content-type")];
    assert.deepEqual(type(await t.fetch(maps(ns, "a"), { headers }, somebody("bob"))), [403, "application/cbor"]);
    assert.deepEqual(type(await t.fetch(maps(ns, "b"), { headers })), [404, "application/cbor"]);
    const patch = patchOf("application/json-patch+json", [{ op: "remove", path: "/data/none" }]);
    assert.deepEqual(type(await t.fetch(maps(ns, "a"), { ...patch, headers: { ...patch.headers, ...headers } })), [
      422,
      "application/cbor",
    ]);
  } finally {
    await t.stop();
  }
});

/** What a patch makes of a field that takes nothing like it. */
const UNFIT: readonly [type: string, patch: object, why: RegExp][] = [
  ["strategic-merge", { metadata: { labels: "x" } }, /metadata\.labels: cannot restore map from string$/],
  ["strategic-merge", { metadata: { finalizers: { a: 1 } } }, /metadata\.finalizers: cannot restore slice from map$/],
  ["strategic-merge", { metadata: "x" }, /metadata: cannot restore struct from: string$/],
  ["strategic-merge", { immutable: "x" }, /immutable: cannot convert string to bool$/],
  ["merge", { metadata: { labels: "x" } }, /json: cannot unmarshal string into .*metadata\.labels/],
];
for (const [type, patch, why] of UNFIT) {
  test(`${type} ${JSON.stringify(patch)}`, async (t, ns) => {
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    await t.fetch(path, { body: { metadata: { name: "a" } } });
    const headers = { "content-type": `application/${type}-patch+json` };
    const { status, body } = await t.fetch(`${path}/a`, { method: "PATCH", headers, body: patch });
    const [cause] = body.details.causes;
    assert.deepEqual([status, cause.reason, cause.field], [422, "FieldValueInvalid", "patch"]);
    assert.match(cause.message, why);
    assert.match(cause.message, /^Invalid value: /);
  });
}

const UPGRADE = { connection: "Upgrade", upgrade: "SPDY/3.1" };
/** Of a pod on a node without and with an address: none is ever called, and nobody is told to try again. */
const AGENTS: readonly [path: string, bare: number, known: number, headers?: Record<string, string>][] = [
  ["pods/p/log", 500, 500],
  ["pods/p/exec?command=x&stdout=true", 500, 400],
  ["pods/p/exec?command=x&stdout=true", 500, 500, UPGRADE],
  ["pods/p/attach?stdout=true", 500, 400],
  ["pods/p/portforward", 500, 400],
  ["pods/p/proxy/x", 503, 503],
];
test("what needs the agent of a node", async (t, ns) => {
  const node = `agent-${ns}`, core = `/api/v1/namespaces/${ns}`;
  const spec = { nodeName: node, containers: [{ name: "c", image: "i" }] };
  await ok(t, "/api/v1/nodes", { body: { metadata: { name: node } } });
  await ok(t, `${core}/pods`, { body: { metadata: { name: "p" }, spec } });
  await ok(t, `${core}/pods/p/status`, patchOf(MERGE, { status: { podIPs: [{ ip: "10.9.8.7" }] } }));
  for (const known of [false, true]) {
    if (known) {
      const status = { addresses: [{ type: "InternalIP", address: "10.9.8.6" }] };
      await ok(t, `/api/v1/nodes/${node}/status`, patchOf(MERGE, { status }));
    }
    for (const [path, bare, later, headers] of AGENTS) {
      const a = await t.fetch(`${core}/${path}`, { headers: headers ?? {} });
      assert.deepEqual([a.status, a.headers.get("retry-after")], [known ? later : bare, null], path);
      if (a.status === 500) assert.equal(a.body.reason, undefined);
    }
    assert.equal((await t.fetch(`/api/v1/nodes/${node}/proxy/x`)).status, known ? 503 : 500);
  }
  await ok(
    t,
    `${core}/pods/p/status`,
    patchOf(MERGE, { status: { podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] } }),
  );
  assert.equal((await t.fetch(`${core}/pods/p/proxy/x`)).status, 400, "not the server's own network");
  await ok(t, `/api/v1/nodes/${node}`, { method: "DELETE" });
});

test("proxies of services look for a pod behind a port", async (t, ns) => {
  const core = `/api/v1/namespaces/${ns}`;
  const asked = async (name: string) => {
    const { status, body } = await t.fetch(`${core}/services/${name}/proxy/`);
    return [status, body.message.replace(/^error trying.*/, "tried")];
  };
  await ok(t, `${core}/services`, { body: { metadata: { name: "s" }, spec: { ports: [{ name: "a", port: 80 }] } } });
  assert.deepEqual(await asked("s"), [404, 'services "s" not found'], "no endpoints");
  await ok(t, `${core}/endpoints`, { body: { metadata: { name: "s" } } });
  assert.deepEqual(await asked("s:80"), [503, 'no endpoints available for service "s"']);
  assert.deepEqual(await asked("s:81"), [503, 'no service port 81 found for service "s"']);
  const spec = { containers: [{ name: "c", image: "i" }] };
  await ok(t, `${core}/pods`, { body: { metadata: { name: "p" }, spec } });
  const addresses = [{ ip: "10.9.8.7", targetRef: { kind: "Pod", namespace: ns, name: "p" } }];
  const subsets = [{ addresses, ports: [{ name: "a", port: 8080 }] }];
  await ok(t, `${core}/endpoints/s`, patchOf(MERGE, { subsets }));
  assert.deepEqual(await asked("s:80"), [503, 'no endpoints available for service "s:80"'], "no address of the pod");
  await ok(t, `${core}/pods/p/status`, patchOf(MERGE, { status: { podIPs: [{ ip: "10.9.8.7" }] } }));
  assert.deepEqual(await asked("s:80"), [503, "tried"]);
  assert.deepEqual(await asked("s:a"), [503, "tried"]);
  assert.deepEqual(await asked("s"), [503, 'no endpoints available for service "s"'], "its port has a name");
});

test("the list of paths has every health check, and no pages that profile", async (t) => {
  const { paths } = (await ok(t, "/")).body as { paths: string[] };
  const verbose = (await ok(t, "/readyz?verbose")).text;
  const checks = [...verbose.matchAll(/^\[\+\](\S+) ok$/gm)].map((m) => `/readyz/${m[1]}`);
  const wanted = ["/api", "/api/v1", "/apis", "/apis/", "/apis/apps", "/apis/apps/v1", "/livez/ping", "/openapi/v3/"];
  assert.deepEqual([...wanted, ...checks].filter((path) => !paths.includes(path)), []);
  assert.deepEqual(paths.filter((path) => path.startsWith("/debug/") || path.includes("*")), []);
  assert.equal(new Set(paths).size, paths.length);
});

test("group versions are registered, but not that of registrations", async (t) => {
  const { items } = (await ok(t, "/apis/apiregistration.k8s.io/v1/apiservices")).body;
  const names = new Set(items.map((o: { metadata: { name: string } }) => o.metadata.name));
  const groups = (await ok(t, "/apis")).body.groups as { name: string; versions: { version: string }[] }[];
  const served = groups.flatMap(({ name, versions }) => versions.map(({ version }) => `${version}.${name}`));
  assert.deepEqual(served.filter((name) => !names.has(name)), ["v1.apiregistration.k8s.io"]);
});

test("a service whose name its address could not tell gets no address", async (t, ns) => {
  const path = `/api/v1/namespaces/${ns}/services`, ports = [{ port: 80 }];
  const fields = async (query: string, metadata: object, more: object = {}) => {
    const a = await t.fetch(path + query, { body: { metadata, spec: { ports, ...more } } });
    assert.equal(a.status, 422);
    return a.body.details.causes.map((c: { field: string }) => c.field);
  };
  assert.deepEqual(await fields("", {}), ["spec.clusterIPs"]);
  assert.deepEqual(await fields("", {}, { clusterIP: "10.0.0.200" }), ["spec.clusterIPs"]);
  assert.deepEqual(await fields("", { name: "a/b" }), ["spec.clusterIPs"]);
  assert.deepEqual(await fields("", { name: "Bad_" }), ["metadata.name"], "a name, if not of a service");
  assert.deepEqual(await fields("", {}, { clusterIP: "None" }), ["metadata.name"], "nothing is allocated");
  assert.deepEqual(await fields("?dryRun=All", {}), ["metadata.name"], "nothing is allocated by a dry run");
});
