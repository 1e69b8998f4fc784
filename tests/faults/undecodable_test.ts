/** Objects that cannot be decoded, as somebody wrote them into the store past the servers. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { Faulty } from "../cache/_faulty.ts";
import { until, World } from "../controllers/_world.ts";
import { HOOK_CA, HookServer, TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer } from "../fixture/server.ts";

const GARBAGE = new TextEncoder().encode("garbage");

for (
  const [prefix, path] of [
    ["namespaces/", "/api/v1/namespaces"],
    ["services/specs/default/", "/api/v1/namespaces/default/services"],
    ["clusterroles/", "/apis/rbac.authorization.k8s.io/v1/clusterroles"],
    ["apiregistration.k8s.io/apiservices/", "/apis/apiregistration.k8s.io/v1/apiservices"],
    [
      "apiextensions.k8s.io/customresourcedefinitions/",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    ],
  ] as const
) {
  Deno.test(`a server starts and works beside one that cannot be decoded of ${path}, and takes it away when told`, async () => {
    const backend = memoryBackend();
    await backend.commit([{ key: `/registry/${prefix}bad`, value: GARBAGE }]);
    const t = await startTestServer(["--controllers=*"], { backend });
    const service = { metadata: { name: "a" }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
    const made = await t.fetch("/api/v1/namespaces/default/services", { body: service });
    assert.equal(made.status, 201, made.text);
    assert.equal((await t.fetch(path)).status, 500);
    const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
    const gone = await t.fetch(`${path}/bad`, { method: "DELETE", body: unsafe });
    assert.equal(gone.status, 200, gone.text);
    assert.equal((await t.fetch(path)).status, 200);
    await t.stop();
    await backend.close();
  });
}

Deno.test("controllers go on beside a namespace that cannot be decoded when the caches are read anew", async () => {
  const backend = Faulty.make();
  const w = await World.start("namespace", [], { backend });
  await backend.inner.commit([{ key: "/registry/namespaces/bad", value: GARBAGE }]);
  const { cache } = w.test.server.registries.byId("namespaces")!;
  const anew = Promise.withResolvers<void>();
  cache.listen({ changed: () => {}, reset: () => anew.resolve() });
  backend.breakLog();
  await until("the log has broken", () => !cache.ready);
  await backend.inner.commit([{ key: "/registry/other", value: GARBAGE }]);
  await backend.inner.compact(await backend.inner.revision());
  await anew.promise;
  await until("the cache is read", () => cache.ready);
  await w.namespace("a");
  await w.remove("/api/v1/namespaces/a");
  await w.gone("/api/v1/namespaces/a");
  await w.stop();
  await backend.inner.close();
});

Deno.test("an object of another kind that lies in a place cannot be decoded as one of its kind", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([], { backend });
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "bad", namespace: "default" },
    data: { a: "Yg==" },
  };
  const value = new TextEncoder().encode(JSON.stringify(secret));
  await backend.commit([{ key: "/registry/configmaps/default/bad", value }]);
  const path = "/api/v1/namespaces/default/configmaps/bad";
  const { status, body } = await t.fetch(path);
  assert.deepEqual([status, body.reason], [500, "InternalError"]);
  assert.match(body.message, /Secret in version "v1" cannot be handled as a ConfigMap/);
  const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  assert.equal((await t.fetch(path, { method: "DELETE", body: unsafe })).status, 200);
  await t.stop();
  await backend.close();
});

Deno.test("what cannot be decoded has its name all the same", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([], { backend });
  await backend.commit([{ key: "/registry/configmaps/default/bad", value: GARBAGE }]);
  const made = await t.fetch("/api/v1/namespaces/default/configmaps", { body: { metadata: { name: "bad" } } });
  assert.equal(made.status, 409, made.text);
  await t.stop();
  await backend.close();
});

Deno.test("whoever asks for what cannot be decoded hears why, whatever they ask", async () => {
  const backend = memoryBackend();
  const logged: string[] = [];
  const t = await startTestServer([], { backend, log: (_, text) => logged.push(text) });
  const path = "/api/v1/namespaces/default/configmaps", bad = `${path}/bad`;
  await backend.commit([{ key: "/registry/configmaps/default/bad", value: GARBAGE }]);
  const type = { "content-type": "application/merge-patch+json" };
  for (
    const [asked, init] of [
      [bad, { method: "DELETE" }],
      [bad, { method: "PUT", body: { metadata: { name: "bad" } } }],
      [bad, { method: "PATCH", headers: type, body: "{}" }],
      [bad, {}],
    ] as const
  ) {
    const { status, body } = await t.fetch(asked, init);
    assert.deepEqual([status, body.reason], [500, "InternalError"]);
    assert.match(
      body.message,
      /^Internal error occurred: the object provided is unrecognized/,
      `${init.method} ${asked}`,
    );
  }
  for (const method of ["GET", "DELETE"]) {
    const { status, body } = await t.fetch(path, { method });
    assert.deepEqual([status, body.reason], [500, "StoreReadError"]);
    assert.match(body.details.causes[0].message, /^the object provided is unrecognized/);
  }
  const watch = await t.fetch(`${path}?watch=true&timeoutSeconds=1`);
  assert.match(watch.body.object.message, /^Internal error occurred: the object provided is unrecognized/);
  assert.deepEqual(logged.filter((l) => l.includes("failed")), []);
  await t.stop();
  await backend.close();
});

/** Encodings, and how many are in a page that is asked for too. */
const ENCODINGS = { "application/json": 3, "application/vnd.kubernetes.protobuf": 0 };

for (const [accept, pages] of Object.entries(ENCODINGS)) {
  Deno.test(`a list names all that it cannot read, a hundred at most, as ${accept}`, async () => {
    const backend = memoryBackend();
    const t = await startTestServer([], { backend });
    const path = "/apis/apps/v1/namespaces/default/deployments";
    const names = Array.from({ length: 101 }, (_, i) => `d${String(i).padStart(3, "0")}`);
    await backend.commit(names.map((n) => ({ key: `/registry/deployments/default/${n}`, value: GARBAGE })));
    const bad = await t.fetch(path, { headers: { accept } });
    assert.equal(bad.status, 500);
    for (const name of names.slice(0, 100)) assert.ok(bad.text.includes(`/registry/deployments/default/${name}`), name);
    assert.ok(bad.text.includes("some deployments.apps in the store cannot be read"));
    if (pages) {
      const { causes, ...of } = bad.body.details;
      assert.deepEqual(of, { name: "list", group: "apps", kind: "deployments" });
      assert.equal(causes.length, 101);
      assert.equal(causes[100].reason, "FieldValueTooMany");
      const page = await t.fetch(`${path}?limit=${pages}`);
      assert.deepEqual([page.body.reason, page.body.details.causes.length], ["StoreReadError", pages]);
    }
    await t.stop();
    await backend.close();
  });
}

Deno.test("of a collection with one that cannot be read nothing is deleted", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([], { backend });
  const path = "/api/v1/namespaces/default/configmaps";
  assert.equal((await t.fetch(path, { body: { metadata: { name: "a" } } })).status, 201);
  await backend.commit([{ key: "/registry/configmaps/default/b", value: GARBAGE }]);
  const { reason, details } = (await t.fetch(path, { method: "DELETE" })).body;
  const named = details.causes.map((c: { field: string }) => c.field);
  assert.deepEqual([reason, named], ["StoreReadError", ["/registry/configmaps/default/b"]]);
  assert.equal((await t.fetch(`${path}/a`)).status, 200);
  await t.stop();
  await backend.close();
});

Deno.test("without the gate of forced deletions a list says why it cannot be read, and not what else cannot", async () => {
  const backend = memoryBackend();
  const t = await startTestServer(["--feature-gates=AllowUnsafeMalformedObjectDeletion=false"], { backend });
  await backend.commit(["a", "b"].map((n) => ({ key: `/registry/configmaps/default/${n}`, value: GARBAGE })));
  const { body } = await t.fetch("/api/v1/namespaces/default/configmaps");
  assert.deepEqual([body.reason, body.details.causes.length], ["InternalError", 1]);
  await t.stop();
  await backend.close();
});

const UNSAFE = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
const NEXT = "/api/v1/namespaces/default/configmaps";

for (
  const [prefix, path, body] of [
    ["priorityclasses/", "/api/v1/namespaces/default/pods", {
      spec: { containers: [{ name: "a", image: "a" }] },
    }],
    ["storageclasses/", "/api/v1/namespaces/default/persistentvolumeclaims", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }],
    ["ingressclasses/", "/apis/networking.k8s.io/v1/namespaces/default/ingresses", {
      spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } },
    }],
  ] as const
) {
  Deno.test(`what is created is given the defaults of those ${prefix} that can be read`, async () => {
    const backend = memoryBackend();
    const t = await startTestServer([], { backend });
    await backend.commit([{ key: `/registry/${prefix}bad`, value: GARBAGE }]);
    await t.fetch("/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "default" } } });
    const made = await t.fetch(path, { body: { metadata: { name: "a" }, ...body } });
    assert.equal(made.status, 201, made.text);
    await t.stop();
    await backend.close();
  });
}

Deno.test("roles and bindings that cannot be read give nobody anything, and take nothing from others", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([], { backend });
  const user = { name: "u", groups: ["system:authenticated"] };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "u" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "u" }];
  const bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }];
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  assert.equal((await t.fetch(roles, { body: { metadata: { name: "u" }, rules } })).status, 201);
  const made = await t.fetch(bindings, { body: { metadata: { name: "u" }, roleRef, subjects } });
  assert.equal(made.status, 201, made.text);
  for (const kind of ["roles/default/", "rolebindings/default/", "clusterroles/", "clusterrolebindings/"]) {
    await backend.commit([{ key: `/registry/${kind}bad`, value: GARBAGE }]);
  }
  assert.equal((await t.fetch(NEXT, {}, user)).status, 200);
  await backend.commit([{ key: "/registry/clusterrolebindings/u", value: GARBAGE }]);
  assert.equal((await t.fetch(NEXT, {}, user)).status, 403);
  await t.stop();
  await backend.close();
});

Deno.test("a quota that cannot be read any more bounds what it did, and one that came so bounds nothing", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([], { backend });
  const quotas = "/api/v1/namespaces/default/resourcequotas", hard = { "count/configmaps": "0" };
  const made = await t.fetch(quotas, { body: { metadata: { name: "a" }, spec: { hard }, status: { hard } } });
  assert.equal(made.status, 201, made.text);
  await t.fetch(`${quotas}/a/status`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: { status: { hard, used: { "count/configmaps": "0" } } },
  });
  await backend.commit(["a", "b"].map((name) => ({ key: `/registry/resourcequotas/default/${name}`, value: GARBAGE })));
  const refused = await t.fetch(NEXT, { body: { metadata: { name: "a" } } });
  assert.equal(refused.status, 500, "nobody can charge it");
  assert.equal(
    (await t.fetch("/api/v1/namespaces/default/secrets", { body: { metadata: { name: "a" } } })).status,
    201,
  );
  assert.equal((await t.fetch(`${quotas}/a`, { method: "DELETE", body: UNSAFE })).status, 200);
  const taken = await t.fetch(NEXT, { body: { metadata: { name: "a" } } });
  assert.equal(taken.status, 201, taken.text);
  await t.stop();
  await backend.close();
});

for (
  const kind of [
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "validatingwebhookconfigurations",
  ]
) {
  Deno.test(`writes go on beside one of ${kind} that comes and cannot be read; a server that begins with it refuses them until it is gone`, async () => {
    const backend = memoryBackend();
    const first = await startTestServer([], { backend });
    await backend.commit([{ key: `/registry/${kind}/bad`, value: GARBAGE }]);
    assert.equal((await first.fetch(NEXT, { body: { metadata: { name: "a" } } })).status, 201);
    await first.stop();
    const second = await startTestServer([], { backend });
    const refused = await second.fetch(NEXT, { body: { metadata: { name: "b" } } });
    assert.equal(refused.status, 500, refused.text);
    assert.match(refused.body.message, new RegExp(`${kind}.* "bad" cannot be read`));
    const path = `/apis/admissionregistration.k8s.io/v1/${kind}/bad`;
    assert.equal((await second.fetch(path, { method: "DELETE", body: UNSAFE })).status, 200);
    assert.equal((await second.fetch(NEXT, { body: { metadata: { name: "b" } } })).status, 201);
    await second.stop();
    await backend.close();
  });
}

Deno.test("a policy and its binding that cannot be read any more rule as they were read last", async () => {
  const backend = memoryBackend();
  const t = await startTestServer([], { backend });
  const group = "/apis/admissionregistration.k8s.io/v1";
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }];
  const validations = [{ expression: "object.metadata.name != 'a'" }];
  const policy = { metadata: { name: "p" }, spec: { matchConstraints: { resourceRules }, validations } };
  const binding = { metadata: { name: "b" }, spec: { policyName: "p", validationActions: ["Deny"] } };
  assert.equal((await t.fetch(`${group}/validatingadmissionpolicies`, { body: policy })).status, 201);
  assert.equal((await t.fetch(`${group}/validatingadmissionpolicybindings`, { body: binding })).status, 201);
  for (const key of ["validatingadmissionpolicies/p", "validatingadmissionpolicybindings/b"]) {
    // Twice: what stood before a broken one may be broken as well.
    await backend.commit([{ key: `/registry/${key}`, value: GARBAGE }]);
    await backend.commit([{ key: `/registry/${key}`, value: new Uint8Array([1, 2, 3]) }]);
  }
  assert.equal((await t.fetch(NEXT, { body: { metadata: { name: "a" } } })).status, 422);
  assert.equal((await t.fetch(NEXT, { body: { metadata: { name: "b" } } })).status, 201);
  await t.stop();
  await backend.close();
});

Deno.test("what could not be read is not told to be gone when somebody has mended it meanwhile", async () => {
  const backend = memoryBackend(), hooks = await new HookServer().start();
  const t = await startTestServer([], { backend, outside: TO_HOOKS });
  const key = "/registry/configmaps/default/bad", path = "/api/v1/namespaces/default/configmaps/bad";
  const whole = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "bad", namespace: "default" } };
  await backend.commit([{ key, value: GARBAGE }]);
  let mends = 1;
  const url = hooks.on("/meanwhile", async () => {
    if (mends-- > 0) await backend.commit([{ key, value: new TextEncoder().encode(JSON.stringify(whole)) }]);
    return {};
  });
  const made = await t.fetch("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    body: {
      metadata: { name: "meanwhile" },
      webhooks: [{
        name: "meanwhile.test.io",
        clientConfig: { url, caBundle: btoa(HOOK_CA) },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["DELETE"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      }],
    },
  });
  assert.equal(made.status, 201, made.text);
  const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
  const { status, text } = await t.fetch(path, { method: "DELETE", body: unsafe });
  assert.equal(status, 422, text);
  assert.equal((await t.fetch(path)).status, 200);
  await t.stop();
  await hooks.stop();
  await backend.close();
});
