/** Lists as long as a body can hold: what rules cost grows with them, not with their square, and answers stay bounded. */
import assert from "node:assert/strict";
import { decodeObject } from "../../schema/codec/mod.ts";
import { prune } from "../../schema/customresources/prune.ts";
import { identityOf, repeats, same, type Tree } from "../../schema/rules/tree.ts";
import { podStatusUpdate } from "../../schema/rules/core/pod_status.ts";
import { managerRule } from "../../schema/rules/checks/manager.ts";
import { shareIndex } from "../../schema/rules/batch/indexes.ts";
import { CSI_NODE } from "../../schema/rules/storage/csi_node.ts";
import type { ValidateContext } from "../../schema/rules/types.ts";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { envWarnings, portWarnings } from "../../schema/rules/core/container_warnings.ts";
import { extentOf } from "../../schema/customresources/cel_sizes.ts";
import { serviceWarnings } from "../../schema/rules/core/service_warnings.ts";
import { difference } from "../../server/admission/difference.ts";
import { warningHeaders } from "../../server/filters/warnings.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { Path } from "../../schema/rules/path.ts";
import { validateCreate } from "../../schema/rules/mod.ts";
import { invalid } from "../../schema/status.ts";
import { startTestServer } from "../fixture/server.ts";
import { definition, DEFINITIONS, version } from "../customresources/_crd.ts";
import { contextOf, scheme } from "./_facts.ts";
import { Bench } from "./_table.ts";
import { TAG_FORMATS } from "../../schema/rules/checks/tag_formats.ts";
import { poolName } from "../../schema/rules/resource/names.ts";
import { WORKLOAD } from "../../schema/rules/scheduling/workload.ts";
import { fieldRef } from "../../schema/rules/core/env.ts";
import { PERSISTENT_SOURCES } from "../../schema/rules/core/volume_sources.ts";
import { podTotals } from "../../schema/rules/core/pod_resources.ts";
import { keyMembers } from "../../schema/rules/apiextensions/open_api.ts";
import { definitionWarnings } from "../../schema/rules/apiextensions/warnings.ts";
import { WEBHOOK_CONFIGURATION } from "../../schema/rules/admissionregistration/webhooks.ts";
import { validateObjectMetaUpdate } from "../../schema/rules/object_meta.ts";

Deno.test("long lists: items that stand earlier too", () => {
  assert.deepEqual([...repeats(["a", "b", "a", "c", "b", "a"])], [2, 4, 5]);
  assert.deepEqual([...repeats([{ n: 1 }, { n: 2 }, { n: 1 }], (x) => x.n)], [2]);
  assert.equal(repeats(["a"]).size, 0);
});

Deno.test("long lists: an identity shows every member, and null as nothing", () => {
  const of = (seconds: number | null) => identityOf({ key: "a", effect: "NoExecute", tolerationSeconds: seconds });
  assert.equal(of(null), identityOf({ effect: "NoExecute", key: "a" }));
  assert.notEqual(of(1), of(2));
});

Deno.test("long lists: two values have one identity when they are the same", () => {
  const values = [
    null,
    undefined,
    [],
    "",
    "a",
    1,
    "1",
    {},
    { a: 1 },
    { a: 1, b: null },
    { b: [], a: 1 },
    { a: "1" },
    [1],
    [
      1,
      null,
    ],
    [[]],
    { a: { b: 1 } },
  ];
  for (const a of values) {
    for (const b of values) assert.equal(identityOf(a) === identityOf(b), same(a, b), JSON.stringify([a, b]));
  }
});

Deno.test("long lists: completed and failed indexes are compared in one pass", () => {
  // Each with each, these took longer than a minute.
  const every = (from: number) => Array.from({ length: 100_000 }, (_, i) => from + 2 * i).join();
  assert.equal(shareIndex(every(0), every(1), 1_000_000), false);
  assert.equal(shareIndex(every(0), `${every(1)},199998`, 1_000_000), false, "parts that do not ascend are passed by");
  assert.equal(shareIndex(every(0), "1,199998", 1_000_000), true);
});

Deno.test("long lists: addresses of policies, ingresses and services are looked up among those before", () => {
  // Each with each, these took half a minute.
  const addresses = Array.from({ length: 60_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
  const play = (kind: string, resource: string, good: Tree, subresource: string) => {
    const bench = new Bench({ kind, resource, good: {}, rows: [] });
    const { object } = bench.create(good);
    if (subresource) object["status"] = good["status"];
    assert.deepEqual(bench.update(object, good, subresource).causes, []);
  };
  const from = addresses.map((a) => ({ ipBlock: { cidr: `${a}/32` } }));
  play("networking.k8s.io/v1/NetworkPolicy", "networkpolicies", { spec: { podSelector: {}, ingress: [{ from }] } }, "");
  const status = { loadBalancer: { ingress: addresses.map((ip) => ({ ip })) } };
  play("networking.k8s.io/v1/Ingress", "ingresses", { spec: { rules: [{ host: "a.b" }] }, status }, "status");
  const service = { type: "LoadBalancer", ports: [{ port: 80 }], externalIPs: addresses };
  play(
    "/v1/Service",
    "services",
    { spec: { ...service, loadBalancerSourceRanges: addresses.map((a) => `${a}/32`) } },
    "",
  );
});

Deno.test("long lists: places of characters in a manager's name are counted on, not from its start", () => {
  const errors = new ErrorList(), count = 1_000_000;
  managerRule("é\u0001".repeat(count), "manager", errors);
  assert.equal(errors.causes.length, count + 1);
  assert.match(errors.causes[1]!.message!, /U\+0001 \(at position 2\)$/);
});

Deno.test("long lists: an answer holds a thousand causes and tells how many more there are", () => {
  const errors = new ErrorList(), path = Path.of("spec", "list");
  for (let i = 0; i < 5000; i++) errors.invalid(path.index(i), i, "must be none");
  assert.equal(errors.causes.length, 5000);
  const status = invalid("", "Thing", "x", errors.causes).toStatus();
  assert.equal(status.details?.causes?.length, 1000);
  assert.match(status.message ?? "", /, and 4000 more$/);
});

Deno.test("long lists: long values fill an answer sooner", () => {
  const errors = new ErrorList(), value = "x".repeat(100_000);
  for (let i = 0; i < 100; i++) errors.invalid(Path.of("a").index(i), value, "must be short");
  assert.ok(errors.full);
  assert.ok((invalid("", "Thing", "x", errors.causes).toStatus().details?.causes?.length ?? 0) < 20);
});

Deno.test("long lists: a value that each of many faults would show is shown until the answer is full", () => {
  const errors = new ErrorList();
  let shown = 0;
  const value = { toJSON: () => (shown++, "x".repeat(100_000)) };
  for (let i = 0; i < 500; i++) {
    errors.invalid("a", value, "must be one");
    errors.duplicate("a", value);
    errors.notSupported("a", value as unknown as string, []);
    errors.notFound("a", value);
  }
  assert.equal(errors.causes.length, 2000);
  assert.ok(shown < 20);
});

Deno.test("long lists: warnings of ports and variables are bounded", () => {
  const ports = Array.from({ length: 2000 }, () => ({ containerPort: 80, protocol: "TCP" }));
  const warnings = portWarnings([[{ ports }, Path.of("spec", "containers").index(0)]]);
  assert.ok(warnings.length >= 1000 && warnings.length < 1100);
  const env = Array.from({ length: 2000 }, () => ({ name: "a", value: "b" }));
  assert.equal(envWarnings([{ env }, Path.of("spec", "containers").index(0)]).length, 1000);
});

Deno.test("long lists: statuses of containers and drivers of nodes are compared with their like alone", () => {
  let reads = 0;
  const named = (rest: Tree) =>
    Array.from({ length: 300 }, (_, i) => ({
      ...rest,
      get name() {
        reads++;
        return `n${i}`;
      },
    }));
  const ctx = { gate: () => false, product: productOf("kubernetes") } as unknown as ValidateContext;
  const make = (): Tree => ({
    metadata: { name: "a" },
    spec: { containers: named({}), resourceClaims: named({}), drivers: named({ nodeID: "n" }) },
    status: {
      containerStatuses: named({ state: { terminated: {} }, allocatedResourcesStatus: [{ name: "r" }] }),
      resourceClaimStatuses: named({}),
    },
  });
  podStatusUpdate(make(), make(), new ErrorList(), ctx);
  CSI_NODE.validateUpdate!(make() as Obj, make() as Obj, new ErrorList(), ctx);
  assert.ok(reads < 300 * 40, `${reads} reads of 2,000 names`);
});

Deno.test("long lists: a storage class of thousands of equal topologies is refused at once", async () => {
  const server = await startTestServer();
  const allowedTopologies = Array.from({ length: 20_000 }, () => ({}));
  const body = {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "wide" },
    provisioner: "example.com/disk",
    allowedTopologies,
  };
  const answer = await server.fetch("/apis/storage.k8s.io/v1/storageclasses", { method: "POST", body });
  assert.equal(answer.status, 422);
  assert.equal(answer.body.details.causes.length, 1000);
  await server.stop();
});

const unknown = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`unknown${i}`, 1]));

Deno.test("long lists: of unknown fields so many are told as anybody reads", async () => {
  const server = await startTestServer();
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "wide" }, ...unknown(100_000) };
  const answer = await server.fetch("/api/v1/namespaces/default/configmaps", { method: "POST", body });
  assert.equal(answer.status, 201);
  assert.equal(answer.warnings.length, 100);
  await server.stop();
});

Deno.test("long lists: of unknown fields in a deep place fewer are told", () => {
  const kind = scheme.kind("resource.k8s.io/v1", "ResourceSlice")!, key = "k".repeat(100_000);
  const attributes = { [key]: unknown(10_000) };
  const found = decodeObject(kind, { spec: { devices: [{ name: "a", attributes }] } }, { strict: true }).unknown;
  assert.ok(found.length > 0 && found.length < 20);
  const values = { type: "object", properties: { a: { type: "string" } } };
  const object: JsonMap = { m: { [key]: unknown(10_000) } };
  const dropped = prune(object, {
    type: "object",
    properties: { m: { type: "object", additionalProperties: values } },
  });
  assert.ok(dropped.length > 0 && dropped.length < 20);
  assert.deepEqual(object, { m: { [key]: {} } });
});

const MANY = 150_000;

Deno.test("long lists: more than a call takes arguments are put together all the same", async () => {
  const externalIPs = Array.from({ length: MANY }, () => "1::0:1");
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "a" }, spec: { externalIPs } } as Obj;
  assert.equal(serviceWarnings(service, undefined, contextOf("default")).length, MANY + 1);
  const warned = (function* () {
    for (let i = 0; i < MANY; i++) yield `${i} ${"x".repeat(300)}`;
  })();
  assert.equal(warningHeaders(warned).length, 16);
  assert.equal(extentOf({ type: "string", enum: Array.from({ length: MANY }, (_, i) => `e${i}`) })?.most, 7);
  const before = Array.from({ length: MANY }, () => 0), after = Array.from({ length: MANY }, () => 1);
  assert.equal(difference({ a: before }, { a: after }).length, MANY);
  const server = await startTestServer();
  const items = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 5" }] };
  const list = { type: "array", maxItems: 1_000_000, items, default: before };
  const answer = await server.fetch(DEFINITIONS, {
    method: "POST",
    body: definition([{ ...version({}), schema: { openAPIV3Schema: { type: "object", properties: { list } } } }]),
  });
  assert.equal(answer.status, 422);
  await server.stop();
});

// What is below took from half a minute to hours, or all memory: each with each.

const some = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
const named = (letter: string, count: number) => some(count, (i) => `${letter}${i}`);
const CONTAINER = { name: "c", image: "i" };
const PODS = new Bench({ kind: "/v1/Pod", resource: "pods", good: {}, rows: [] });
const pod = (spec: object, metadata: object = {}) => ({ metadata, spec: { containers: [CONTAINER], ...spec } });
const affine = (term: object) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "a", ...term }] } },
});

Deno.test("long lists: keys of labels that a pod's selectors take are looked up among their expressions", () => {
  const matchExpressions = named("e", 60_000).map((key) => ({ key, operator: "Exists" }));
  const keys = { labelSelector: { matchExpressions }, matchLabelKeys: named("k", 60_000) };
  assert.deepEqual(PODS.create(pod(affine({ ...keys, mismatchLabelKeys: named("m", 60_000) }))).causes, []);
  const spread = { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule", ...keys };
  const spec = { topologySpreadConstraints: [spread] };
  assert.deepEqual(PODS.create(pod(spec)).causes, []);
  const merging = ["MatchLabelKeysInPodTopologySpreadSelectorMerge"], { object } = PODS.create(pod(spec), merging);
  assert.deepEqual(PODS.update(object, pod(spec), "", merging).causes, []);
});

Deno.test("long lists: a long label that is merged into many selectors is read once", () => {
  const labels = { a: "x".repeat(1_000_000) }, matchLabelKeys = some(100_000, () => "a");
  assert.equal(PODS.create(pod(affine({ labelSelector: {}, matchLabelKeys }), { labels })).causes.length, 200_000);
});

Deno.test("long lists: mounts, claims and variables of a container are looked up by name", () => {
  const count = 30_000;
  const volumeMounts = some(count, (i) => ({ name: `v${i}`, mountPath: `/m${i}` }));
  const volumeDevices = some(count, (i) => ({ name: `d${i}`, devicePath: `/d${i}` }));
  const claims = named("c", 100_000).map((name) => ({ name }));
  const env = some(count, (i) => ({
    name: `e${i}`,
    valueFrom: { fileKeyRef: { volumeName: `v${i}`, path: "p", key: "k" } },
  }));
  const containers = [{ ...CONTAINER, volumeMounts, volumeDevices, env, resources: { claims } }];
  const volumes = named("v", count).map((name) => ({ name }));
  const { causes } = PODS.create(pod({ containers, volumes }), ["EnvFiles"]);
  assert.equal(causes.length, count + claims.length, "devices and claims that are not there");
});

Deno.test("long lists: a claim whose requests were named stands there as often again", () => {
  const claims = [{ name: "a", request: "x" }, { name: "a", request: "y" }, { name: "a" }, { name: "a" }];
  const containers = [{ ...CONTAINER, resources: { claims } }];
  assert.deepEqual(PODS.create(pod({ containers, resourceClaims: [{ name: "a", resourceClaimName: "b" }] })).causes, [
    "spec.containers[0].resources.claims[2] Duplicate",
    "spec.containers[0].resources.claims[2] Duplicate",
    "spec.containers[0].resources.claims[3] Duplicate",
  ]);
});

Deno.test("long lists: annotations of profiles are held against containers by name", () => {
  const annotations = Object.fromEntries(
    named("container.apparmor.security.beta.kubernetes.io/x", 20_000).map((name) => [name, ""]),
  );
  const containers = named("c", 20_000).map((name) => ({ name, image: "i" }));
  const { causes } = PODS.create(pod({ containers }, { annotations }));
  assert.equal(causes.length, 20_000 + 1, "containers that are not there, and too long annotations");
});

Deno.test("long lists: a path of a field, and a name of an initiator, are read in one pass", () => {
  const found = new ErrorList(), at = Path.of("at"), iscsi = PERSISTENT_SOURCES.find((s) => s.member === "iscsi")!;
  const pathFault = (fieldPath: string) => {
    const errors = new ErrorList();
    fieldRef({ apiVersion: "v1", fieldPath }, ["metadata.name"], at, errors);
    return errors.causes.length;
  };
  for (const end of ["", "']"]) assert.equal(pathFault("a['".repeat(1_000_000) + end), 1);
  for (const good of ["metadata.labels['a']", "metadata.annotations['A.b/C']"]) assert.equal(pathFault(good), 0, good);
  for (
    const bad of ["metadata.labels['']", "metadata.labels['a'", "metadata.name['a']", "['a']", "metadata.labels[']"]
  ) {
    assert.ok(pathFault(bad) > 0, bad);
  }
  const isGood = (iqn: string) => {
    const errors = new ErrorList();
    iscsi.check({ iqn, targetPortal: "a", lun: 1 }, at, errors, contextOf("default") as ValidateContext, undefined);
    return errors.empty;
  };
  assert.equal(isGood("iqn.2000-01.a".repeat(200_000)), false);
  assert.equal(isGood(`${"iqn.2000-01.a:".repeat(200_000)},`), false);
  for (
    const good of ["iqn.2000-01.a.b:c", "iqn iqn.2000-01.a:b", "iqn.2000-01.a:iqn.2000-01.b:", "iqn.2000-01.a:b:c"]
  ) {
    assert.ok(isGood(good), good);
  }
  for (const bad of ["iqn.2000-01.a:", "iqn.2000-01.a", "iqn.2000-01.a:b c", "iqn.2000-01.a_:b", "iqn.2000-01.:b"]) {
    assert.equal(isGood(bad), false, bad);
  }
  assert.ok(found.empty);
});

Deno.test("long lists: addresses of a node are compared in one pass", () => {
  const nodes = new Bench({ kind: "/v1/Node", resource: "nodes", namespaced: false, good: {}, rows: [] });
  const addresses = named("a", 60_000).map((address) => ({ type: "Hostname", address }));
  const status = { addresses: [...addresses, { address: "a5", type: "Hostname" }] };
  assert.deepEqual(nodes.update(nodes.create({}).object, { status }, "status").causes, [
    "status.addresses[60000] Duplicate",
  ]);
});

Deno.test("long lists: of statuses of one name no more are compared than an answer tells", () => {
  const { object } = PODS.create(pod({ restartPolicy: "Never" })), count = 30_000;
  object["status"] = { containerStatuses: some(count, () => ({ name: "c", state: { terminated: { exitCode: 1 } } })) };
  const status = { containerStatuses: some(count, () => ({ name: "c", state: { running: {} } })) };
  assert.equal(PODS.update(object, { ...pod({ restartPolicy: "Never" }), status }, "status").causes.length, 1000);
});

Deno.test("long lists: resources that are told of are looked up among those of their container", () => {
  const count = 30_000, resources = { limits: { "a.b/c": "1" }, requests: { "a.b/c": "1" } };
  const spec = { containers: [{ ...CONTAINER, resources: { ...resources, claims: [{ name: "x" }] } }] };
  const { object } = PODS.create(pod(spec));
  const told = ["a.b/c", "claim:x", ...named("claim:k/y", count), "claim:k/z"].map((name) => ({ name }));
  const requestMappings = named("y", count).map((requestName) => ({
    containerName: "c",
    resourceName: "a.b/c",
    requestName,
  }));
  const status = {
    extendedResourceClaimStatus: { resourceClaimName: "k", requestMappings },
    containerStatuses: [...some(2000, () => ({ name: "c", allocatedResourcesStatus: [{ name: "claim:x" }] })), {
      name: "c",
      allocatedResourcesStatus: told,
    }],
  };
  const gates = ["ResourceHealthStatus", "DRAExtendedResource"];
  assert.deepEqual(PODS.update(object, { ...pod(spec), status }, "status", gates).causes, [
    `status.containerStatuses[2000].allocatedResourcesStatus[${count + 2}].name Invalid`,
  ]);
});

Deno.test("long lists: what containers have now is looked up by their names", () => {
  const resources = { requests: { cpu: "2" } };
  const statuses = [...named("d", 60_000), "c0"].map((name) => ({ name, resources }));
  const spec = { containers: named("c", 60_000).map((name) => ({ name })) };
  const totals = podTotals({ spec, status: { containerStatuses: statuses } }, "requests", {
    podLevel: true,
    status: true,
    overhead: true,
  });
  assert.equal(String(totals.get("cpu")), "2");
});

Deno.test("long lists: scopes of a quota are held against its resources as far as an answer tells", () => {
  const quotas = new Bench({ kind: "/v1/ResourceQuota", resource: "resourcequotas", good: {}, rows: [] });
  const hard = Object.fromEntries(named("hugepages-", 60_000).map((name) => [name, "1"]));
  assert.equal(quotas.create({ spec: { scopes: named("s", 60_000), hard } }).causes.length, 60_000);
  const least = some(60_000, () => "BestEffort");
  assert.ok(quotas.create({ spec: { scopes: least, hard } }).causes.length >= 1000);
});

Deno.test("long lists: keys and formats of schemas are looked up", () => {
  const errors = new ErrorList(), count = 60_000;
  const items = { properties: { a: {} }, required: named("b", count) };
  const list = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": some(count, () => "a"), items };
  keyMembers(list, Path.of("at"), errors);
  assert.equal(errors.causes.length, count);
  const of = (letter: string) =>
    ({
      spec: {
        versions: [{ schema: { openAPIV3Schema: { allOf: named(letter, count).map((format) => ({ format })) } } }],
      },
    }) as unknown as Obj;
  assert.equal(definitionWarnings(of("a"), of("b")).length, count);
});

Deno.test("long lists: versions of a definition are looked up among the stored ones", () => {
  const kind = "apiextensions.k8s.io/v1/CustomResourceDefinition", resource = "customresourcedefinitions";
  const bench = new Bench({ kind, resource, namespaced: false, good: {}, rows: [] });
  const make = (letter: string) =>
    definition(
      named(letter, 5000).map((name, i) => ({
        name,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema: { type: "object" } },
      })),
    );
  const { causes } = bench.update(bench.create(make("v")).object, make("w"));
  assert.deepEqual(causes.filter((c) => !c.startsWith("status.storedVersions")), []);
});

Deno.test("long lists: rules of webhooks are held against what is never asked, not multiplied", () => {
  const never = ["subjectaccessreviews", "localsubjectaccessreviews"], resources = [...named("r", 60_000), ...never];
  const apiGroups = [...named("g", 60_000), "authorization.k8s.io", "authentication.k8s.io"];
  const hooks = { webhooks: [{ rules: [{ apiGroups, resources: [...resources, ...resources] }] }] };
  const ctx = { gate: () => true, product: productOf("kubernetes") } as unknown as ValidateContext;
  assert.deepEqual(
    WEBHOOK_CONFIGURATION.warnings!(hooks as unknown as Obj, undefined, ctx),
    never.map((name) =>
      `webhooks[0].rules[0]: ${name}.authorization.k8s.io is excluded from admission webhooks; this rule will have no effect`
    ),
  );
});

Deno.test("long lists: versions, conditions and finalizers are looked up among the others", () => {
  const count = 60_000, at = Path.of("metadata"), errors = new ErrorList();
  const kind = "internal.apiserver.k8s.io/v1alpha1/StorageVersion", metadata = { name: "a.b" };
  const versions = new Bench({ kind, resource: "storageversions", namespaced: false, good: {}, rows: [] });
  const stored = { apiServerID: "a", encodingVersion: "v1", commonEncodingVersion: "v1" };
  const status = {
    commonEncodingVersion: "v1",
    storageVersions: [{ ...stored, decodableVersions: named("v", count), servedVersions: named("w", count) }],
  };
  const { object } = versions.create({ metadata, spec: {} });
  assert.equal(versions.update(object, { metadata, spec: {}, status }, "status").causes.length, count);

  const requests = new Bench({
    kind: "certificates.k8s.io/v1/CertificateSigningRequest",
    resource: "certificatesigningrequests",
    namespaced: false,
    good: {},
    rows: [],
  });
  const spec = { request: "YQ==", signerName: "a.b/c", usages: ["any"] }, old = requests.create({ spec }).object;
  const conditions = (letter: string) => named(letter, count).map((type) => ({ type, status: "True" }));
  const time = "2020-01-01T00:00:00Z";
  old["status"] = { conditions: [...conditions("a"), { type: "kept", status: "True", lastTransitionTime: time }] };
  const now = { conditions: [...conditions("b"), { type: "kept", status: "True" }] };
  const changed = requests.update(old, { spec, status: now }, "approval").object;
  assert.equal(changed["status"].conditions.at(-1).lastTransitionTime, time);

  validateObjectMetaUpdate(
    { resourceVersion: "1", finalizers: named("a/b", count), deletionTimestamp: time },
    { finalizers: named("a/c", count), deletionTimestamp: time },
    at,
    errors,
  );
  assert.equal(errors.causes.length, 1);
});

Deno.test("long lists: names of templates in a deep tree are kept by their lists, not by the paths of these", () => {
  // Paths of so many took gigabytes.
  let spec: Tree = { podGroupTemplates: named("g", 60_000).map((name) => ({ name })) };
  for (const name of named("c", 400)) spec = { name, compositePodGroupTemplates: [spec] };
  const errors = new ErrorList();
  WORKLOAD.validate!({ metadata: {}, spec } as unknown as Obj, errors, contextOf("default") as ValidateContext);
  assert.deepEqual(errors.causes.map((c) => c.field), ["spec.compositePodGroupTemplates[0]"]);
});

Deno.test("long lists: what is taken back makes room", () => {
  const errors = new ErrorList();
  errors.invalid("a", "x", "must be y");
  for (let i = 0; i < 3; i++) errors.invalid("a", "x".repeat(1_000_000), "must be short");
  assert.ok(errors.full);
  errors.forget(1);
  errors.forbidden("[]", "nothing of it");
  assert.deepEqual(errors.causes.map((c) => c.field), ["a", "[]"]);
});

Deno.test("long lists: of a static pod that alone is told, whatever else is found", () => {
  const metadata = { annotations: { "kubernetes.io/config.mirror": "x" } };
  const { object } = PODS.create(pod({ nodeName: "n" }, metadata));
  const now = pod({ nodeName: "n" }, { ...metadata, managedFields: [{ operation: "x".repeat(2_000_000) }] });
  for (const door of ["resize", "ephemeralcontainers"]) {
    assert.deepEqual(PODS.update(structuredClone(object), now, door).causes, ["[] Forbidden"], door);
  }
});

Deno.test("long lists: what is found of each volume counts together", () => {
  const volumes = some(60, (i) => ({ name: `${i}_${"x".repeat(50_000)}` }));
  const { object, causes } = PODS.create(pod({ volumes }));
  assert.equal(causes.length, 2 * volumes.length);
  const ctx = { ...PODS.context(), verb: "create", subresource: "" } as const;
  const told = validateCreate(PODS.ruled, object, ctx).causes.reduce((n, c) => n + c.message!.length, 0);
  assert.ok(told < 2_000_000, `${told} characters`);
});

Deno.test("long lists: of the segments of a pool's name as many are looked at as an answer tells", () => {
  const name = "/".repeat(3_000_000), errors = new ErrorList();
  assert.equal(TAG_FORMATS["k8s-resource-pool-name"]!(name).length, 1000);
  poolName(name, Path.of("at"), errors);
  assert.equal(errors.causes.length, 1001);
});

Deno.test("long lists: warnings of many ports are put together", () => {
  const ports = some(MANY, (i) => ({ containerPort: i % 60_000 + 1, hostIP: `${i}`, protocol: "TCP" }));
  const made = pod({ containers: [{ ...CONTAINER, ports }] }) as unknown as Obj;
  const { warnings } = PODS.ruled.rules;
  assert.ok(warnings!(made, undefined, PODS.context()).length >= MANY);
});
