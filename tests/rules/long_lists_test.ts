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
import { invalid } from "../../schema/status.ts";
import { startTestServer } from "../fixture/server.ts";
import { definition, DEFINITIONS, version } from "../customresources/_crd.ts";
import { contextOf, scheme } from "./_facts.ts";
import { Bench } from "./_table.ts";

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
