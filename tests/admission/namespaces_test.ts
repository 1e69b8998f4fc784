/** Plugins about namespaces and limits. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";
import { container, create, namespace, obj, pod, table } from "./_cases.ts";

const map = obj("v1", "ConfigMap", "m");
const elsewhere = () => ({
  method: "POST",
  path: "/api/v1/namespaces/nowhere/configmaps",
  body: map,
});
const del = (name: string) => ({ method: "DELETE", path: `/api/v1/namespaces/${name}` });

table("NamespaceLifecycle", true, {
  "nothing is created where there is no namespace": {
    request: elsewhere(),
    status: 404,
    says: /^namespaces "nowhere" not found$/,
    shows: { "details.kind": "namespaces", "details.name": "nowhere" },
  },
  "not in a dry run either": { request: elsewhere(), dry: true, status: 404, says: /namespaces "nowhere" not found/ },
  "default stays": {
    request: del("default"),
    says: /^namespaces "default" is forbidden: this namespace may not be deleted$/,
  },
  "kube-system stays": { request: del("kube-system"), dry: true, says: /this namespace may not be deleted/ },
  "kube-public stays": { request: del("kube-public"), says: /this namespace may not be deleted/ },
  "node leases may go": { request: del("kube-node-lease"), dry: true },
  "a namespace that is there": { post: map },
  "off: default may go": { off: true, request: del("default"), dry: true },
});

Deno.test("nothing is created in a namespace that goes away", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    const ns = await namespace(s);
    assert.equal((await s.fetch(`/api/v1/namespaces/${ns}`, { method: "DELETE" })).status, 200);
    const answer = await create(s, ns, map);
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.body.details.causes, [{
      reason: "NamespaceTerminating",
      message: `namespace ${ns} is being terminated`,
      field: "metadata.namespace",
    }]);
    assert.match(answer.body.message, /unable to create new content in namespace \w+ because it is being terminated/);
  } finally {
    await s.stop();
  }
});

table("NamespaceAutoProvision", false, {
  "a namespace comes with its first object": {
    flags: ["--v=1"],
    request: { method: "POST", path: "/api/v1/namespaces/fresh/configmaps", body: map },
    status: 201,
    after: { "/api/v1/namespaces/fresh": { "status.phase": "Active" } },
  },
  "a dry run makes none": {
    request: { method: "POST", path: "/api/v1/namespaces/fresh/configmaps", body: map },
    dry: true,
    status: 404,
    after: { "/api/v1/namespaces/fresh": { code: 404 } },
  },
  "a name no namespace can have is refused": {
    request: { method: "POST", path: "/api/v1/namespaces/Bad_x/configmaps", body: map },
    status: 403,
  },
  "one that is there is taken": { post: map },
  "cluster-wide objects need none": { post: obj("v1", "Node", "n") },
  "off: 404": {
    off: true,
    request: { method: "POST", path: "/api/v1/namespaces/fresh/configmaps", body: map },
    status: 404,
  },
});

const without = ["--disable-admission-plugins=NamespaceLifecycle,ServiceAccount"];

table("NamespaceExists", false, {
  "no namespace, no object": {
    flags: without,
    request: elsewhere(),
    status: 404,
    says: /^namespaces "nowhere" not found$/,
  },
  "not in a dry run": { flags: without, request: elsewhere(), dry: true, status: 404, says: /namespaces "nowhere"/ },
  "one that is there": { flags: without, post: map },
  "cluster-wide objects": { flags: without, post: obj("v1", "Node", "n") },
  "off: the object is stored": { off: true, flags: without, request: elsewhere(), status: 201 },
});

const range = (...limits: unknown[]) => obj("v1", "LimitRange", "l", { spec: { limits } });
const defaults = range({
  type: "Container",
  default: { cpu: "2", memory: "1Gi" },
  defaultRequest: { cpu: "1" },
});
const bounds = range({ type: "Container", min: { cpu: "100m" }, max: { cpu: "1" } });
const asks = (requests: unknown, limits: unknown = {}) => pod({ containers: [container({ requests, limits })] });

table("LimitRanger", true, {
  "defaults are filled in, and said": {
    given: [defaults],
    post: pod(),
    shows: {
      "spec.containers.0.resources.limits": { cpu: "2", memory: "1Gi" },
      "spec.containers.0.resources.requests": { cpu: "1", memory: "1Gi" },
      "metadata.annotations.kubernetes\\.io/limit-ranger":
        "LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c",
    },
  },
  "what the pod says stays, in a dry run": {
    given: [defaults],
    post: asks({ cpu: "1500m" }, { cpu: "3", memory: "2Gi" }),
    dry: true,
    shows: { "spec.containers.0.resources.limits.cpu": "3", "spec.containers.0.resources.requests.cpu": "1500m" },
  },
  "too little": {
    given: [bounds],
    post: asks({ cpu: "50m" }, { cpu: "1" }),
    says: /^pods "p" is forbidden: minimum cpu usage per Container is 100m, but request is 50m$/,
  },
  "too much": {
    given: [bounds],
    post: asks({ cpu: "200m" }, { cpu: "2" }),
    says: /maximum cpu usage per Container is 1, but limit is 2/,
  },
  "several faults stand in brackets": {
    given: [range({ type: "Container", min: { cpu: "1", memory: "1Gi" } })],
    post: asks({ cpu: "500m", memory: "1Mi" }),
    says: /is forbidden: \[minimum cpu usage per Container is 1, but request is 500m, minimum memory usage per/,
  },
  "a ratio": {
    given: [range({ type: "Container", maxLimitRequestRatio: { cpu: "2" } })],
    post: asks({ cpu: "1" }, { cpu: "3" }),
    says: /cpu max limit to request ratio per Container is 2, but provided ratio is 3\.000000/,
  },
  "a pod as a whole": {
    given: [range({ type: "Pod", max: { cpu: "1" } })],
    post: pod({ containers: [container({ limits: { cpu: "600m" } }), container({ limits: { cpu: "600m" } }, "d")] }),
    says: /maximum cpu usage per Pod is 1, but limit is 1200m/,
  },
  "claims": {
    given: [range({ type: "PersistentVolumeClaim", max: { storage: "1Gi" }, min: { storage: "1Mi" } })],
    post: obj("v1", "PersistentVolumeClaim", "c", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } },
    }),
    says: /maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi/,
  },
  "off: nothing is filled in or refused": {
    off: true,
    given: [bounds],
    post: asks({ cpu: "50m" }),
    shows: { "spec.containers.0.resources.limits": undefined },
  },
});

table("AlwaysAdmit", false, {
  "everything": { post: map },
  "in a dry run": { post: map, dry: true },
  "what others refuse stays refused": { request: elsewhere(), status: 404 },
  "deletion": { given: [map], request: { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps/m" } },
  "off: the same": { off: true, post: map },
});

Deno.test("admission plugin AlwaysDeny", async (t) => {
  const s = await startTestServer(["--enable-admission-plugins=AlwaysDeny"]);
  try {
    const denied = /is forbidden: admission control is denying all modifications$/;
    const cases = [
      ["create", { body: map }],
      ["dry run", { body: map }, "?dryRun=All"],
    ] as const;
    for (const [name, init, query] of cases) {
      await t.step(name, async () => {
        const answer = await s.fetch(`/api/v1/namespaces/default/configmaps${query ?? ""}`, init);
        assert.equal(answer.status, 403);
        assert.match(answer.body.message, denied);
      });
    }
    await t.step("delete", async () => {
      const answer = await s.fetch("/api/v1/namespaces/kube-node-lease", { method: "DELETE" });
      assert.match(answer.body.message, denied);
    });
    await t.step("update", async () => {
      const answer = await s.fetch("/api/v1/namespaces/default", {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: { metadata: { labels: { a: "b" } } },
      });
      assert.match(answer.body.message, denied);
    });
    await t.step("reads pass", async () => {
      assert.equal((await s.fetch("/api/v1/namespaces/default")).status, 200);
    });
  } finally {
    await s.stop();
  }
});
