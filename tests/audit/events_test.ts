/** What events say of requests of every kind. */
import assert from "node:assert/strict";
import { configure, labelled, stage } from "../admission/_hooks.ts";
import { recording, until } from "./_recording.ts";
import type { Loose } from "../fixture/loose.ts";

const EVERYTHING = { policy: { rules: [{ level: "RequestResponse", omitManagedFields: true }] } };
const MAPS = "/api/v1/namespaces/default/configmaps";
const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } });
const named = (events: Loose[], id: string): Loose[] => events.filter((e) => e.auditID === id);
const as = (id: string, headers: Record<string, string> = {}) => ({ "audit-id": id, ...headers });

Deno.test("a write: both stages, the object sent and the object answered", async () => {
  await recording([], async ({ t, events }) => {
    await t.fetch(MAPS, {
      body: map("a"),
      headers: as("one", { "user-agent": "me/1", "x-forwarded-for": "192.0.2.1, ?" }),
    });
    const [first, last, ...more] = named(events(), "one");
    assert.equal(more.length, 0);
    assert.deepEqual([first.stage, last.stage], ["RequestReceived", "ResponseComplete"]);
    assert.deepEqual(Object.keys(first).slice(0, 8).join(), "kind,apiVersion,level,auditID,stage,requestURI,verb,user");
    assert.deepEqual(first.objectRef, { resource: "configmaps", namespace: "default", apiVersion: "v1" });
    assert.equal(first.stageTimestamp, first.requestReceivedTimestamp);
    assert.match(first.stageTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(first.annotations, undefined);
    assert.deepEqual(last.objectRef.name, "a");
    assert.deepEqual(last.requestObject, { ...map("a") });
    assert.equal(last.responseObject.metadata.name, "a");
    assert.equal(last.responseObject.metadata.managedFields, undefined);
    assert.deepEqual(last.responseStatus, { metadata: {}, code: 201 });
    assert.deepEqual([last.userAgent, last.sourceIPs], ["me/1", ["192.0.2.1"]]);
    assert.equal(last.annotations["authorization.k8s.io/decision"], "allow");
    assert.deepEqual(last.user, { username: "admin", groups: ["system:masters", "system:authenticated"] });
  }, EVERYTHING);
});

Deno.test("a user agent beyond ASCII is text, in events and as the name of a manager", async () => {
  await recording([], async ({ t, events }) => {
    const bytes = new TextEncoder().encode("prüfer/1");
    const headers = as("agent", { "user-agent": String.fromCharCode(...bytes) });
    const made = await t.fetch(MAPS, { body: map("agent"), headers });
    assert.equal(made.body.metadata.managedFields[0].manager, "prüfer");
    assert.equal(named(events(), "agent").at(-1)!.userAgent, "prüfer/1");
    for (const [length, kept] of [[1024, "a".repeat(1024)], [1025, `${"a".repeat(1024)}...TRUNCATED`]] as const) {
      await t.fetch(MAPS, { headers: as(`long-${length}`, { "user-agent": "a".repeat(length) }) });
      assert.equal(named(events(), `long-${length}`).at(-1)!.userAgent, kept);
    }
  }, EVERYTHING);
});

/** Requests, and what the last event has of the answer: code, reason, kind of the answer's object. */
const REQUESTS: readonly (readonly [string, string, unknown, Record<string, string>, readonly unknown[]])[] = [
  ["GET", `${MAPS}/none`, undefined, {}, ["get", 404, "NotFound", "Status"]],
  ["GET", MAPS, undefined, {}, ["list", 200, undefined, "ConfigMapList"]],
  [
    "GET",
    MAPS,
    undefined,
    { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    ["list", 200, undefined, "Table"],
  ],
  [
    "GET",
    `${MAPS}?includeObject=None`,
    undefined,
    { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    ["list", 200, undefined, "Table"],
  ],
  ["GET", `${MAPS}/a`, undefined, { accept: "application/vnd.kubernetes.protobuf" }, [
    "get",
    200,
    undefined,
    "ConfigMap",
  ]],
  ["GET", `${MAPS}/a`, undefined, { accept: "image/png" }, ["get", 406, undefined, undefined]],
  ["POST", MAPS, map("a"), {}, ["create", 409, "AlreadyExists", "Status"]],
  ["POST", MAPS, map("A_"), {}, ["create", 422, "Invalid", "Status"]],
  ["DELETE", `${MAPS}/b`, undefined, {}, ["delete", 200, undefined, "Status"]],
  ["DELETE", `${MAPS}?labelSelector=no%3Dne`, undefined, {}, ["deletecollection", 200, undefined, "ConfigMapList"]],
  ["GET", "/apis", undefined, {}, ["get", 200, undefined, "APIGroupList"]],
  ["GET", "/version", undefined, {}, ["get", 200, undefined, undefined]],
  ["GET", "/nowhere", undefined, {}, ["get", 404, undefined, undefined]],
];

Deno.test("answers of every kind", async () => {
  await recording([], async ({ t, make, events }) => {
    await make("a");
    await make("b");
    for (const [i, [method, path, body, headers, [verb, code, reason, kind]]] of REQUESTS.entries()) {
      const id = `r${i}`, name = `${method} ${path}`;
      await t.fetch(path, { method, headers: as(id, headers), ...(body ? { body } : {}) });
      const last = named(events(), id).at(-1);
      const { responseStatus, responseObject, requestURI } = last;
      assert.deepEqual([last.verb, responseStatus.code, responseStatus.reason], [verb, code, reason], name);
      assert.deepEqual([responseObject?.kind, requestURI], [kind, path], name);
      assert.equal("objectRef" in last, path.startsWith(MAPS), name);
      assert.equal(JSON.stringify(responseObject ?? {}).includes("managedFields"), false, name);
    }
  }, EVERYTHING);
});

Deno.test("patches are kept as they are; of Metadata nothing is; of Request no answer", async () => {
  const policy = {
    rules: [
      { level: "Metadata", verbs: ["create"] },
      { level: "Metadata", resources: [{ resources: ["configmaps"], resourceNames: ["kept"] }] },
      { level: "Request", resources: [{ resources: ["configmaps"] }] },
    ],
  };
  await recording([], async ({ t, events }) => {
    await t.fetch(MAPS, { body: map("a"), headers: as("c") });
    const patch = { data: { b: "2" } }, headers = as("p", { "content-type": "application/merge-patch+json" });
    await t.fetch(`${MAPS}/a`, { method: "PATCH", body: JSON.stringify(patch), headers });
    await t.fetch(`${MAPS}/a`, { method: "PATCH", body: "{", headers: { ...headers, "audit-id": "bad" } });
    const [created] = named(events(), "c").slice(-1), [patched] = named(events(), "p").slice(-1);
    assert.deepEqual([created.requestObject, created.responseObject], [undefined, undefined]);
    assert.equal(created.objectRef.name, "a");
    assert.deepEqual([patched.requestObject, patched.responseObject], [patch, undefined]);
    assert.equal(named(events(), "bad").at(-1).responseStatus.code, 400);
    for (const [name, sent] of [["kept", undefined], ["none", patch]] as const) {
      await t.fetch(`${MAPS}/${name}`, { method: "PATCH", body: patch, headers: { ...headers, "audit-id": name } });
      const [refused] = named(events(), name).slice(-1);
      assert.deepEqual([refused.responseStatus.code, refused.requestObject, refused.responseObject], [
        404,
        sent,
        undefined,
      ]);
    }
  }, { policy });
});

Deno.test("who manages what is left out of what is sent, too, where the policy says so", async () => {
  for (const omitManagedFields of [true, false]) {
    await recording([], async ({ t, events }) => {
      const { body } = await t.fetch(MAPS, { body: map("a") });
      assert.ok(body.metadata.managedFields);
      await t.fetch(`${MAPS}/a`, { method: "PUT", body, headers: as("u") });
      const [{ requestObject }] = named(events(), "u").slice(-1);
      assert.equal(requestObject.metadata.managedFields !== undefined, !omitManagedFields);
    }, { policy: { rules: [{ level: "Request", omitManagedFields }] } });
  }
});

Deno.test("a watch has three stages, the last when it ends", async () => {
  await recording([], async ({ t, events }) => {
    const stages = () => named(events(), "w").map((e) => e.stage);
    const response = await t.open(`${MAPS}?watch=1&timeoutSeconds=1`, { headers: as("w") });
    assert.deepEqual(stages(), ["RequestReceived", "ResponseStarted"]);
    await response.text();
    await until(() => stages().length === 3);
    assert.equal(stages()[2], "ResponseComplete");
    assert.equal(named(events(), "w")[1].responseStatus.code, 200);
  }, EVERYTHING);
});

Deno.test("who acts as somebody else is told beside whom", async () => {
  await recording([], async ({ t, events }) => {
    await t.fetch(MAPS, { headers: as("i", { "impersonate-user": "ann", "impersonate-uid": "7" }) });
    const [first, last] = named(events(), "i");
    assert.equal(first.impersonatedUser, undefined);
    assert.deepEqual([last.user.username, last.impersonatedUser.username, last.impersonatedUser.uid], [
      "admin",
      "ann",
      "7",
    ]);
    assert.deepEqual([last.responseStatus.code, last.annotations["authorization.k8s.io/decision"]], [403, "forbid"]);
    assert.deepEqual(last.authenticationMetadata, { impersonationConstraint: "impersonate:user-info" });
  }, EVERYTHING);
});

Deno.test("who is refused before anybody knows who it is: one event", async () => {
  await recording([], async ({ t, events }) => {
    assert.equal((await t.fetch(`${MAPS}?timeout=soon`, { headers: as("t") })).status, 400);
    const [event, ...more] = named(events(), "t");
    assert.deepEqual([event.stage, event.user, event.responseStatus.code, more.length], [
      "ResponseStarted",
      {},
      400,
      0,
    ]);
  }, EVERYTHING);
});

Deno.test("notes of admission and of deprecation are annotations", async () => {
  await recording(["--disable-admission-plugins=ServiceAccount"], async ({ t, events }) => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    await t.fetch("/api/v1/namespaces/default/pods?dryRun=All", { body: pod, headers: as("n") });
    await t.fetch("/api/v1/namespaces/default/endpoints", { headers: as("d") });
    const [noted] = named(events(), "n").slice(-1), [deprecated] = named(events(), "d").slice(-1);
    assert.match(noted.annotations["pod-security.kubernetes.io/enforce-policy"], /^privileged/);
    assert.equal(deprecated.annotations["k8s.io/deprecated"], "true");
  }, EVERYTHING);
});

Deno.test("without a policy nothing is recorded, though there is a log", async () => {
  await recording(["--audit-policy-file="], async ({ t, make, dir }) => {
    assert.equal(await make("a"), 201);
    assert.equal([...Deno.readDirSync(dir)].some((e) => e.name === "audit.log"), false);
    assert.equal((await t.fetch("/metrics")).text.includes("apiserver_audit_event_total"), false);
  });
});

Deno.test("who would delete what cannot be read is noted, allowed or not", async () => {
  await recording([], async ({ t, events }) => {
    const body = { apiVersion: "v1", kind: "DeleteOptions", ignoreStoreReadErrorWithClusterBreakingPotential: true };
    const noted = async (id: string, headers: Record<string, string> = {}) => {
      const { status } = await t.fetch(`${MAPS}/a`, { method: "DELETE", body, headers: as(id, headers) });
      return [status, named(events(), id).at(-1)!.annotations["apiserver.k8s.io/unsafe-delete-ignore-read-error"]];
    };
    await t.fetch(MAPS, { body: map("a") });
    assert.deepEqual(await noted("one"), [422, ""]);
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] }],
      rbac = "rbac.authorization.k8s.io";
    await t.fetch(`/apis/${rbac}/v1/clusterroles`, { body: { metadata: { name: "d" }, rules } });
    const subjects = [{ kind: "User", name: "u", apiGroup: rbac }];
    const roleRef = { kind: "ClusterRole", name: "d", apiGroup: rbac };
    await t.fetch(`/apis/${rbac}/v1/clusterrolebindings`, { body: { metadata: { name: "d" }, subjects, roleRef } });
    const gone = { method: "DELETE", headers: { "impersonate-user": "u" } };
    while ((await t.fetch(`${MAPS}/none`, gone)).status !== 404);
    assert.deepEqual(await noted("two", { "impersonate-user": "u" }), [403, ""]);
  }, EVERYTHING);
});

Deno.test("what policies have against an object is told in one note, of each binding, up to a bound", async () => {
  await recording([], async ({ t, events }) => {
    const path = "/apis/admissionregistration.k8s.io/v1",
      rule = {
        apiGroups: [""],
        apiVersions: ["v1"],
        operations: ["CREATE"],
        resources: ["configmaps"],
      };
    const validations = Array.from({ length: 30 }, (_, i) => ({ expression: "false", message: `no ${i}` }));
    const spec = { matchConstraints: { resourceRules: [rule] }, validations };
    await t.fetch(`${path}/validatingadmissionpolicies`, { body: { metadata: { name: "p" }, spec } });
    const told = async (id: string) => {
      await t.fetch(`${MAPS}?dryRun=All`, { body: map("a"), headers: as(id) });
      const note = named(events(), id).at(-1)!.annotations["validation.policy.admission.k8s.io/validation_failure"];
      return JSON.parse(note) as Loose[];
    };
    for (const name of ["b", "c"]) {
      const bound = { policyName: "p", validationActions: ["Audit"] };
      await t.fetch(`${path}/validatingadmissionpolicybindings`, { body: { metadata: { name }, spec: bound } });
      const all = await told(name);
      assert.equal(all.length, name === "b" ? 30 : 50);
      const last = { message: "no 29", policy: "p", binding: "b", expressionIndex: 29, validationActions: ["Audit"] };
      assert.deepEqual(all[29], last);
    }
  }, EVERYTHING);
});

Deno.test("what webhooks have noted stands in the event, and takes the place of nothing", async () => {
  const dir = Deno.makeTempDirSync();
  const rules = [{ level: "Request", omitStages: ["RequestReceived"] }];
  Deno.writeTextFileSync(`${dir}/p`, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));
  const s = await stage([`--audit-policy-file=${dir}/p`, `--audit-log-path=${dir}/log`]);
  try {
    const ns = await labelled(s.t), patch = [{ op: "add", path: "/data/x", value: "y" }];
    const hook = { name: "authorization.k8s.io" };
    await configure(s, ns, [
      { mutating: true, says: { patch, response: { auditAnnotations: { a: "b" } } } },
      { hook, says: { response: { auditAnnotations: { decision: "forbid", other: "c", "a b": "d", "e/f": "g" } } } },
    ]);
    await s.t.fetch(`/api/v1/namespaces/${ns}/configmaps?dryRun=All`, { body: map("a"), headers: as("one") });
    const events = Deno.readTextFileSync(`${dir}/log`).trimEnd().split("\n").map((line) => JSON.parse(line));
    const by = { configuration: `${ns}-0`, webhook: "h0.test.io" };
    const { "apiserver.latency.k8s.io/total": _slow, ...notes } = named(events, "one").at(-1)!.annotations;
    assert.deepEqual(notes, {
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/other": "c",
      "authorization.k8s.io/reason": "",
      "h0.test.io/a": "b",
      "mutation.webhook.admission.k8s.io/round_0_index_0": JSON.stringify({ ...by, mutated: true }),
      "patch.webhook.admission.k8s.io/round_0_index_0": JSON.stringify({ ...by, patch, patchType: "JSONPatch" }),
    });
  } finally {
    await s.stop();
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("a watch of whose request no WebSocket can be made has its end", async () => {
  await recording([], async ({ t, events }) => {
    const connection = {
      remoteAddress: "",
      peerCertificates: [],
      tls: false,
      upgrade: () => assert.fail("no handshake"),
    };
    const headers = as("socket", { upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": "7" });
    const { status } = await t.server.app.fetch(new Request(`https://test${MAPS}?watch=1`, { headers }), {
      connection,
    });
    assert.equal(status, 400);
    const stages = named(events(), "socket").map((e) => `${e.stage} ${e.responseStatus?.code ?? ""}`);
    assert.deepEqual(stages, ["RequestReceived ", "ResponseStarted 400", "ResponseComplete 400"]);
  }, EVERYTHING);
});
