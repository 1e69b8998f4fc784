import type { Json } from "../../schema/model/types.ts";
import { Bench, NOW, table } from "./_table.ts";
import assert from "node:assert/strict";
import { ErrorList } from "../../schema/rules/errors.ts";
import { prepareCreate, validateCreate, validateUpdate } from "../../schema/rules/mod.ts";

const GATES = ["DRADeviceTaints", "DRAPartitionableDevices", "DRAConsumableCapacity", "DRAExtendedResource"];
const selector = { cel: { expression: 'device.driver == "d"' } };
const OPAQUE = { driver: "d.io", parameters: { a: 1 } };
const devices = {
  requests: [{ name: "r", exactly: { deviceClassName: "c", selectors: [selector] } }],
  constraints: [{ requests: ["r"], matchAttribute: "d.io/model" }],
  config: [{ requests: ["r"], opaque: OPAQUE }],
};
const ALTERNATIVES = [{ name: "s", deviceClassName: "c" }];
/** An expression that may cost more than a fourth of what one may. */
const DEAR = "device.attributes.all(d, device.attributes[d].all(a, device.attributes[d].all(b, a != b)))";
const R = "spec.devices.requests", EXACTLY = `${R}.0.exactly`, E = "spec.devices.requests[0].exactly";

table({
  kind: "resource.k8s.io/v1/ResourceClaim",
  resource: "resourceclaims",
  good: { spec: { devices } },
  rows: [
    { set: { [`${EXACTLY}.deviceClassName`]: "" }, causes: [`${E}.deviceClassName Required`] },
    { set: { [`${EXACTLY}.allocationMode`]: "Most" }, causes: [`${E}.allocationMode NotSupported`] },
    { set: { [`${EXACTLY}.allocationMode`]: "All" }, causes: [] },
    { set: { [`${EXACTLY}.allocationMode`]: "All", [`${EXACTLY}.count`]: 2 }, causes: [`${E}.count Invalid`] },
    { set: { [`${EXACTLY}.count`]: -1 }, causes: [`${E}.count Invalid`] },
    { set: { [`${EXACTLY}.selectors`]: [{}] }, causes: [`${E}.selectors[0].cel Required`] },
    { set: { [`${EXACTLY}.selectors.0.cel.expression`]: " " }, causes: [`${E}.selectors[0].cel.expression Invalid`] },
    {
      set: { [`${EXACTLY}.selectors.0.cel.expression`]: "x".repeat(10241) },
      causes: [`${E}.selectors[0].cel.expression TooLong`],
    },
    { set: { [`${EXACTLY}`]: undefined }, causes: ["spec.devices.requests[0] Required"] },
    { set: { [`${R}.0.firstAvailable`]: [{}] }, causes: ["spec.devices.requests[0] Invalid"] },
    {
      set: { [EXACTLY]: undefined, [`${R}.0.firstAvailable`]: ALTERNATIVES, "spec.devices.config.0.requests": ["r/s"] },
      causes: [],
    },
    {
      set: { "spec.devices.config.0.requests": ["r/s", "a/b/c", "r", "r"] },
      causes: [
        "spec.devices.config[0].requests[0] Invalid",
        "spec.devices.config[0].requests[1] Invalid",
        "spec.devices.config[0].requests[3] Duplicate",
      ],
    },
    {
      set: { "spec.devices.constraints.0.matchAttribute": undefined },
      causes: ["spec.devices.constraints[0] Required"],
    },
    {
      set: { "spec.devices.constraints.0.matchAttribute": "model" },
      causes: ["spec.devices.constraints[0].matchAttribute Invalid"],
    },
    {
      set: { "spec.devices.config.0.opaque.parameters": [1] },
      causes: ["spec.devices.config[0].opaque.parameters Invalid"],
    },
    {
      set: { [`${EXACTLY}.tolerations`]: [{ operator: "Exists", value: "v" }, { operator: "Equal", value: "?" }] },
      gates: GATES,
      causes: [`${E}.tolerations[0].value Invalid`, `${E}.tolerations[1].value Invalid`],
    },
    {
      set: {
        "spec.devices.constraints.0.matchAttribute": "x.io/numa",
        [`${EXACTLY}.derivedAttributes`]: [
          { name: "x.io/numa", expression: "device.attributes['x.io'].numa" },
          { name: "nodomain", expression: "device.driver +" },
          { name: "x.io/numa" },
        ],
      },
      gates: ["DRADerivedAttributes"],
      causes: [
        `${E}.derivedAttributes[1].expression Invalid`,
        `${E}.derivedAttributes[1].name Invalid`,
        `${E}.derivedAttributes[1].name Invalid`,
        `${E}.derivedAttributes[2].expression Required`,
        `${E}.derivedAttributes[2] Duplicate`,
      ],
    },
    // What a request makes is compared by a constraint on it, or on all of them.
    ...[["q", ["name Invalid"]], ["r", []], [undefined, []]].map(([on, faults]) => ({
      set: {
        [`${R}.1`]: { name: "q", exactly: { deviceClassName: "c" } },
        "spec.devices.constraints.0": { matchAttribute: "x.io/numa", ...on ? { requests: [on as string] } : {} },
        [`${EXACTLY}.derivedAttributes`]: [{ name: "x.io/numa", expression: "1" }],
      },
      gates: ["DRADerivedAttributes"],
      causes: (faults as string[]).map((f) => `${E}.derivedAttributes[0].${f}`),
    })),
    ...[["r", []], ["r/s", []], ["r/t", ["name Invalid"]]].map(([on, faults]) => ({
      set: {
        [EXACTLY]: undefined,
        [`${R}.0.firstAvailable`]: [
          { ...ALTERNATIVES[0], derivedAttributes: [{ name: "x.io/numa", expression: "1" }] },
          { name: "t", deviceClassName: "c" },
        ],
        "spec.devices.constraints.0": { matchAttribute: "x.io/numa", requests: [on as string] },
      },
      gates: ["DRADerivedAttributes"],
      causes: (faults as string[]).map((f) => `${R}[0].firstAvailable[0].derivedAttributes[0].${f}`),
    })),
    // All of a claim may cost together what one may.
    ...[2, 4].map((n) => ({
      set: {
        [R]: ["r", "q"].map((name, i) => ({
          name,
          exactly: {
            deviceClassName: "c",
            derivedAttributes: Array.from({ length: n / 2 }, (_, k) => ({ name: `x.io/a${i}${k}`, expression: DEAR })),
          },
        })),
        "spec.devices.constraints": [0, 1].flatMap((i) =>
          Array.from({ length: n / 2 }, (_, k) => ({ matchAttribute: `x.io/a${i}${k}` }))
        ),
      },
      gates: ["DRADerivedAttributes"],
      causes: n < 4 ? [] : ["spec.devices Forbidden"],
    })),
    { set: { [`${EXACTLY}.derivedAttributes`]: [{ name: "nodomain" }] }, causes: [] },
    // Without the feature nothing of it is kept, nor looked at.
    { set: { [`${EXACTLY}.tolerations`]: [{ operator: "Equal", value: "?" }] }, causes: [] },
    { on: "update", set: { [`${EXACTLY}.count`]: -1 }, causes: ["spec Invalid"] },
    { on: "update", set: { "metadata.labels": { a: "b" } }, causes: [] },
    {
      on: "status",
      set: { "status.reservedFor": [{ resource: "pods", name: "p", uid: "u" }, {}] },
      causes: [
        "status.reservedFor Forbidden",
        "status.reservedFor[1].name Required",
        "status.reservedFor[1].resource Required",
        "status.reservedFor[1].uid Required",
      ],
    },
    {
      on: "status",
      set: {
        "status.allocation.devices.results": [{ request: "q", driver: "d.io", pool: "p", device: "D" }],
        "status.devices": [{
          driver: "d.io",
          pool: "p",
          device: "e",
          data: "text",
          networkData: { ips: ["10.0.0.1"] },
        }],
      },
      gates: ["DRAResourceClaimDeviceStatus"],
      causes: [
        "status.allocation.devices.results[0].device Invalid",
        "status.allocation.devices.results[0].request Invalid",
        "status.devices[0] Invalid",
        "status.devices[0].data Invalid",
        "status.devices[0].networkData.ips[0] Invalid",
      ],
    },
    {
      on: "status",
      set: {
        "status.allocation.devices.config": Array.from(
          { length: 65 },
          () => ({ source: "FromClaim", requests: ["no"] }),
        ),
      },
      causes: ["status.allocation.devices.config TooMany"],
    },
  ],
});

table({
  kind: "resource.k8s.io/v1/ResourceClaimTemplate",
  resource: "resourceclaimtemplates",
  good: { spec: { metadata: { labels: { a: "b" } }, spec: { devices } } },
  rows: [
    { set: { "spec.metadata.labels.a": "?" }, causes: ["spec.metadata.labels Invalid"] },
    { set: { "spec.metadata.name": "n" }, causes: ["spec.metadata.name Forbidden"] },
    { set: { "spec.metadata.uid": "u" }, causes: ["spec.metadata.uID Forbidden"] },
    {
      set: { "spec.spec.devices.requests.0.name": "R" },
      causes: [
        "spec.spec.devices.config[0].requests[0] Invalid",
        "spec.spec.devices.constraints[0].requests[0] Invalid",
        "spec.spec.devices.requests[0].name Invalid",
      ],
    },
    {
      on: "update",
      set: { "spec.spec.devices.requests.0.exactly.count": -1 },
      causes: ["spec Invalid", "spec.spec.devices.requests[0].exactly.count Invalid"],
    },
  ],
});

table({
  kind: "resource.k8s.io/v1/DeviceClass",
  resource: "deviceclasses",
  namespaced: false,
  good: { spec: { selectors: [selector] } },
  rows: [
    { set: { "spec.config": [{}] }, causes: ["spec.config[0].opaque Required"] },
    { set: { "spec.extendedResourceName": "cpu" }, gates: GATES, causes: ["spec.extendedResourceName Invalid"] },
    { set: { "spec.extendedResourceName": "x.io/gpu" }, gates: GATES, causes: [] },
    { set: { "spec.extendedResourceName": "cpu" }, causes: [] },
    { on: "update", set: { "spec.selectors.0.cel": undefined }, causes: ["spec.selectors[0].cel Required"] },
  ],
});

/** Policies of a capacity of 4, and their causes with fractions and without. */
const FRACTIONS: readonly (readonly [policy: Json, withGate: readonly string[], without: readonly string[]])[] = [
  [{ default: "500m", validValues: ["500m", "1"] }, [], ["validValues[1] Duplicate"]],
  [{ default: "1", validRange: { min: "500m", max: "2500m", step: "500m" } }, [], []],
  [{ default: "750m", validRange: { min: "500m", step: "500m" } }, ["validRange.step Invalid"], []],
  [{ default: "1500m", validRange: { min: "1", step: "1" } }, ["validRange.step Invalid"], []],
  [{ default: "1500u", validRange: { min: "1m", step: "1m" } }, ["validRange.default Invalid"], []],
  [{ default: "1", validRange: { min: "100u" } }, ["validRange.min Invalid"], []],
];
const device = { name: "d", attributes: { model: { string: "m" } }, capacity: { memory: { value: "1Gi" } } };
const TERM = { matchExpressions: [{ key: "k", operator: "Exists" }] };
const counters = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`c${i}`, { value: "1" }]));

table({
  kind: "resource.k8s.io/v1/ResourceSlice",
  resource: "resourceslices",
  namespaced: false,
  good: { spec: { driver: "d.io", nodeName: "n", pool: { name: "p", resourceSliceCount: 1 }, devices: [device] } },
  rows: [
    { set: { "spec.driver": "" }, causes: ["spec.driver Required"] },
    {
      gates: ["DRAOptionalNodeOperations"],
      set: { "spec.skipNodeOperations": ["*", "All"] },
      causes: ["spec.skipNodeOperations[1] NotSupported"],
    },
    { set: { "spec.pool": {} }, causes: ["spec.pool.name Required", "spec.pool.resourceSliceCount Invalid"] },
    { set: { "spec.pool.name": "a//b" }, causes: ["spec.pool.name Invalid"] },
    { set: { "spec.nodeName": undefined }, causes: ["spec Required"] },
    { set: { "spec.allNodes": true }, causes: ["spec Invalid"] },
    { set: { "spec.allNodes": false }, causes: ["spec.allNodes Invalid"] },
    {
      set: { "spec.nodeName": undefined, "spec.nodeSelector": { nodeSelectorTerms: [TERM, TERM] } },
      causes: ["spec.nodeSelector.nodeSelectorTerms Invalid"],
    },
    { set: { "spec.devices": [device, device] }, causes: ["spec.devices[1] Duplicate"] },
    { set: { "spec.devices": Array.from({ length: 129 }, () => device) }, causes: ["spec.devices TooMany"] },
    { set: { "spec.devices.0.attributes": { "x/y/z": { int: 1 } } }, causes: [] },
    {
      set: { "spec.devices.0.attributes.model": { string: "m", int: 1 } },
      causes: ["spec.devices[0].attributes[model] Invalid"],
    },
    {
      set: { "spec.devices.0.attributes.model": { version: "1.0" } },
      causes: ["spec.devices[0].attributes[model].version Invalid"],
    },
    ...[32, 33].flatMap((n) => [{
      set: { "spec.devices": undefined, "spec.sharedCounters": [{ name: "s", counters: counters(n) }] },
      gates: GATES,
      causes: n > 32 ? ["spec.sharedCounters[0].counters TooMany"] : [],
    }, {
      set: { "spec.devices.0.consumesCounters": [{ counterSet: "s", counters: counters(n) }] },
      gates: GATES,
      causes: n > 32 ? ["spec.devices[0].consumesCounters[0].counters TooMany"] : [],
    }]),
    {
      set: {
        "spec.devices": undefined,
        "spec.sharedCounters": Array.from({ length: 9 }, (_, i) => ({ name: `s${i}`, counters: counters(33) })),
      },
      gates: GATES,
      causes: ["spec.sharedCounters TooMany"],
    },
    { set: { "spec.devices.0.allNodes": true }, gates: GATES, causes: ["spec.devices[0] Invalid"] },
    { set: { "spec.devices.0.allNodes": true }, causes: [] },
    {
      set: { "spec.devices.0.taints": [{ key: "", effect: "NoSchedule" }] },
      gates: GATES,
      causes: ["spec.devices[0].taints[0].key Invalid", "spec.devices[0].taints[0].key Invalid"],
    },
    {
      set: { "spec.devices.0.bindingConditions": ["a", "b"], "spec.devices.0.bindingFailureConditions": ["b"] },
      gates: ["DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"],
      causes: ["spec.devices[0].bindingFailureConditions[0] Invalid"],
    },
    {
      set: { "spec.devices.0.capacity.memory.requestPolicy": { default: "1Mi", validValues: ["1Mi"] } },
      gates: GATES,
      causes: ["spec.devices[0].capacity[memory].requestPolicy Forbidden"],
    },
    {
      set: {
        "spec.devices.0.allowMultipleAllocations": true,
        "spec.devices.0.capacity.memory.requestPolicy": { default: "3Mi", validValues: ["2Mi", "1Mi", "2Gi"] },
      },
      gates: GATES,
      causes: [
        "spec.devices[0].capacity[memory].requestPolicy.validValues Invalid",
        "spec.devices[0].capacity[memory].requestPolicy.validValues[1] Invalid",
        "spec.devices[0].capacity[memory].requestPolicy.validValues[2] Invalid",
      ],
    },
    {
      set: {
        "spec.devices.0.allowMultipleAllocations": true,
        "spec.devices.0.capacity.memory.requestPolicy": {
          default: "3Mi",
          validRange: { min: "1Mi", max: "2Gi", step: "4Mi" },
        },
      },
      gates: GATES,
      causes: [
        "spec.devices[0].capacity[memory].requestPolicy.validRange.max Invalid",
        "spec.devices[0].capacity[memory].requestPolicy.validRange.step Invalid",
        "spec.devices[0].capacity[memory].requestPolicy.validRange.step Invalid",
      ],
    },
    ...FRACTIONS.map(([policy, withGate, without]) => ({
      set: {
        "spec.devices.0.allowMultipleAllocations": true,
        "spec.devices.0.capacity.memory": { value: "4", requestPolicy: policy },
      },
      gates: [...GATES, "DRAFractionalCapacityRange"],
      causes: withGate.map((c) => `spec.devices[0].capacity[memory].requestPolicy.${c}`),
      without,
    })).flatMap(({ without, ...row }) => [row, {
      ...row,
      gates: GATES,
      causes: without.map((c) => `spec.devices[0].capacity[memory].requestPolicy.${c}`),
    }]),
    { on: "update", set: { "spec.driver": "e.io" }, causes: ["spec.driver Invalid"] },
    { on: "update", set: { "spec.nodeName": "m" }, causes: ["spec.nodeName Invalid"] },
  ],
});

table({
  kind: "resource.k8s.io/v1beta2/DeviceTaintRule",
  resource: "devicetaintrules",
  namespaced: false,
  good: { spec: { deviceSelector: { driver: "d.io" }, taint: { key: "k", effect: "NoExecute" } } },
  rows: [
    { set: { "spec.deviceSelector.driver": "" }, causes: ["spec.deviceSelector.driver Required"] },
    { set: { "spec.deviceSelector.device": "" }, causes: ["spec.deviceSelector.device Invalid"] },
    { set: { "spec.taint.value": "?" }, causes: ["spec.taint.value Invalid"] },
    { on: "update", set: { "spec.taint.effect": "" }, causes: ["spec.taint.effect Required"] },
  ],
});

table({
  kind: "resource.k8s.io/v1alpha3/ResourcePoolStatusRequest",
  resource: "resourcepoolstatusrequests",
  namespaced: false,
  good: { spec: { driver: "d.io" } },
  rows: [
    { set: { "spec.driver": "" }, causes: ["spec.driver Required"] },
    { set: { "spec.limit": 1001 }, causes: ["spec.limit Invalid"] },
    { set: { "spec.defaultPartitionTypeAttribute": "Bad!" }, causes: [] },
    { on: "update", set: { "spec.driver": "e.io" }, causes: ["spec Invalid"] },
    { on: "update", set: { "spec.defaultPartitionTypeAttribute": "d.io/a" }, causes: [] },
    {
      on: "update",
      gates: ["DRAPartitionableDevicesType"],
      set: { "spec.defaultPartitionTypeAttribute": "d.io/a" },
      causes: ["spec Invalid"],
    },
  ],
});

Deno.test("claims: administrators' access needs a label of the namespace", () => {
  const good = {
    spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c", adminAccess: true } }] } },
  };
  const bench = new Bench({ kind: "resource.k8s.io/v1/ResourceClaim", resource: "resourceclaims", good, rows: [] });
  const causes = (labels: Record<string, string> | undefined) => {
    const ctx = { ...bench.context(), namespaceLabels: () => labels };
    const errors = validateCreate(bench.ruled, bench.create(good).object, { ...ctx, verb: "create", subresource: "" });
    return errors.causes.map((c) => `${c.field} ${c.reason}`);
  };
  assert.deepEqual(causes({ "resource.kubernetes.io/admin-access": "true" }), []);
  assert.deepEqual(causes({}), ["spec.devices.requests[0].adminAccess FieldValueForbidden"]);
  assert.deepEqual(causes(undefined), ["spec.devices.requests[0].adminAccess InternalError"]);
});

const CLAIM = { kind: "resource.k8s.io/v1/ResourceClaim", resource: "resourceclaims", good: {}, rows: [] };
const allocated = (device: string, more: object = {}) => ({ request: "r", driver: "d.io", pool: "p", device, ...more });
const told = (device: string, more: object = {}) => ({ driver: "d.io", pool: "p", device, ...more });
const given = (results: object[], devices?: object[], more: object = {}) => ({
  allocation: { devices: { results } },
  ...(devices ? { devices } : {}),
  ...more,
});
const user = (name: string) => ({ resource: "pods", name, uid: `u-${name}` });
const SHARES = ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"] as const;
const [one, two] = SHARES.map((shareID) => ({ shareID }));
const condition = (type: string) => ({ type, status: "True", reason: "R", message: "", lastTransitionTime: NOW });
const nine = Array.from({ length: 9 }, (_, i) => condition(`A${i}`));

/** What a claim was given, what it is to be, what is wrong with that, and which devices are told of then. */
const GIVEN: readonly [was: object, now: object, causes: readonly string[], devices?: readonly string[]][] = [
  [{}, given([allocated("a")], [told("a")]), [], ["a"]],
  [given([allocated("a")]), given([allocated("b")]), ["allocation Invalid"]],
  [given([allocated("a")]), given([allocated("a")], undefined, { reservedFor: [user("p")] }), []],
  [given([allocated("a"), allocated("b")], [told("a"), told("b")]), { devices: [told("a"), told("b")] }, [], []],
  [given([allocated("a")], [told("a")]), given([allocated("a")], [told("a"), told("b")]), ["devices[1] Invalid"], [
    "a",
    "b",
  ]],
  [{}, given([allocated("a", one), allocated("a", two)], [told("a", one)]), [], ["a"]],
  [{}, given([allocated("a", one)], [told("a", two)]), ["devices[0] Invalid"], ["a"]],
  [{}, given([allocated("a", { shareID: "x" })]), ["allocation.devices.results[0].shareID Invalid"]],
  [{}, given([allocated("a")], [told("a", { conditions: nine })]), ["devices[0].conditions TooMany"], ["a"]],
  [
    {},
    { allocation: { devices: { config: [{ source: "FromClaim", requests: ["no"], opaque: OPAQUE }] } } },
    ["allocation.devices.config[0].requests[0] Invalid"],
  ],
];
const OPEN = ["DRAResourceClaimDeviceStatus", "DRAConsumableCapacity"];

Deno.test("claims: what is allocated stays, and only its devices are told of", () => {
  const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }, kept = ["x.io/a"];
  const metadata = { labels: { a: "b" }, annotations: { a: "b" }, finalizers: ["x.io/b"], ownerReferences: [owner] };
  const bench = new Bench(CLAIM);
  for (const [was, now, causes, names] of GIVEN) {
    const { object: old } = bench.create({ spec: { devices } }, OPEN);
    old["status"] = was;
    old.metadata.finalizers = kept;
    const found = bench.update(old, { metadata, spec: {}, status: now }, "status", OPEN),
      title = JSON.stringify([was, now]);
    assert.deepEqual(found.causes, causes.map((c) => `status.${c}`), title);
    assert.deepEqual(
      found.object["status"].devices?.map((d: { device: string }) => d.device) ?? [],
      names ?? [],
      title,
    );
    assert.deepEqual([found.object["spec"], found.object.metadata], [old["spec"], old.metadata]);
  }
});

Deno.test("claims: one that is being deleted gets no new users", () => {
  const bench = new Bench(CLAIM), { object: old } = bench.create({ spec: { devices } });
  const causesOf = (...users: object[]) =>
    bench.update(
      old,
      { spec: { devices }, status: given([allocated("a")], undefined, { reservedFor: users }) },
      "status",
    )
      .causes;
  old["status"] = given([allocated("a")], undefined, { reservedFor: [user("p")] });
  assert.deepEqual(causesOf(user("p"), user("q")), []);
  old.metadata.deletionTimestamp = NOW;
  assert.deepEqual([causesOf(user("p")), causesOf(), causesOf(user("p"), user("q"))], [[], [], [
    "status.reservedFor Forbidden",
  ]]);
});

Deno.test("claims: administrators' access is given in namespaces with the label alone, and stays where it was given", () => {
  const bench = new Bench(CLAIM), admin = given([allocated("a"), allocated("b", { adminAccess: true })]);
  const causes = (labels: Record<string, string> | undefined, was: object = {}) => {
    const ctx = { ...bench.context(), verb: "update", subresource: "status", namespaceLabels: () => labels } as const;
    const [old, next] = [was, admin].map((status) => bench.read({ spec: { devices }, status }, ctx));
    old!.metadata.resourceVersion = next!.metadata.resourceVersion = "1";
    return validateUpdate(bench.ruled, next!, old!, ctx).causes.map((c) => `${c.field} ${c.reason}`);
  };
  const at = "status.allocation.devices.results[1].adminAccess";
  assert.deepEqual(causes({ "resource.kubernetes.io/admin-access": "true" }), []);
  assert.deepEqual(causes({ "resource.kubernetes.io/admin-access": "yes" }), [`${at} FieldValueForbidden`]);
  assert.deepEqual(causes(undefined), [`${at} InternalError`]);
  assert.deepEqual(causes({}, admin), []);
});

Deno.test("slices: members of features that are off are dropped, unless the stored slice has them", () => {
  const good = {
    spec: { driver: "d.io", nodeName: "n", pool: { name: "p", resourceSliceCount: 1 }, devices: [device] },
  };
  const bench = new Bench({
    kind: "resource.k8s.io/v1/ResourceSlice",
    resource: "resourceslices",
    namespaced: false,
    good,
    rows: [],
  });
  const tainted = structuredClone(good);
  Object.assign(tainted.spec.devices[0]!, { taints: [{ key: "k", effect: "NoSchedule" }] });
  assert.equal(bench.create(tainted).object["spec"].devices[0].taints, undefined);
  const stored = bench.create(tainted, GATES).object;
  assert.equal(bench.update(stored, tainted).object["spec"].devices[0].taints.length, 1);
});

/** Causes of a new object that is decoded once, so that what was sent empty is known. */
function causesOf(kind: string, resource: string, tree: object, gates: readonly string[] = []): string[] {
  const bench = new Bench({
    kind: `resource.k8s.io/v1/${kind}`,
    resource,
    namespaced: kind !== "ResourceSlice",
    good: {},
    rows: [],
  });
  const ctx = bench.context(gates), object = bench.decode(tree, ctx);
  prepareCreate(bench.ruled, object, ctx);
  const found = validateCreate(bench.ruled, object, { ...ctx, verb: "create", subresource: "" }).causes;
  return found.map((c) => `${c.field} ${c.reason}`).sort();
}

Deno.test("lists that were sent empty count as given", () => {
  const spec = { driver: "d.io", nodeName: "n", pool: { name: "p", resourceSliceCount: 1 } };
  const causes = (more: object, gates: string[]) =>
    causesOf("ResourceSlice", "resourceslices", { spec: { ...spec, ...more } }, gates);
  const model = { devices: [{ name: "d", attributes: { m: { string: "s", ints: [] } } }] };
  assert.deepEqual(causes({ devices: [device], sharedCounters: [] }, GATES), ["spec FieldValueInvalid"]);
  assert.deepEqual(causes({ sharedCounters: [] }, GATES), []);
  assert.deepEqual(causes(model, []), []);
  assert.deepEqual(causes(model, ["DRAListTypeAttributes"]), [
    "spec.devices[0].attributes[m] FieldValueInvalid",
    "spec.devices[0].attributes[m].ints FieldValueInvalid",
  ]);
  const metadata = { finalizers: [], labels: {} };
  assert.deepEqual(
    causesOf("ResourceClaimTemplate", "resourceclaimtemplates", { spec: { metadata, spec: { devices } } }),
    [
      "spec.metadata.finalizers FieldValueForbidden",
    ],
  );
});

Deno.test("numbers that no float holds can be told of", () => {
  const many = { requests: [{ name: "R", exactly: { deviceClassName: "c", count: 2n ** 63n - 1n } }] };
  assert.deepEqual(causesOf("ResourceClaim", "resourceclaims", { spec: { devices: many } }), [
    "spec.devices.requests[0].name FieldValueInvalid",
  ]);
  for (const parameters of [2n ** 62n, { a: 2n ** 62n }]) {
    const config = [{ ...devices.config[0], opaque: { driver: "d.io", parameters } }];
    assert.deepEqual(
      causesOf("ResourceClaim", "resourceclaims", { spec: { devices: { ...devices, config } } }),
      typeof parameters === "bigint" ? ["spec.devices.config[0].opaque.parameters FieldValueInvalid"] : [],
    );
  }
  const errors = new ErrorList();
  errors.invalid("spec", many, "x");
  assert.match(errors.causes[0]!.message ?? "", /9223372036854776000/);
});

Deno.test("requests for the state of pools are answered once", () => {
  const kind = "resource.k8s.io/v1alpha3/ResourcePoolStatusRequest";
  const bench = new Bench({ kind, resource: "resourcepoolstatusrequests", namespaced: false, good: {}, rows: [] });
  const tree = { spec: { driver: "d.io" } }, answer = { poolCount: 1 };
  const asked = bench.create(tree).object;
  const answered = bench.update(asked, { ...tree, status: answer }, "status");
  assert.deepEqual(answered.causes, []);
  const again = (status: Json) => bench.update(answered.object, { ...tree, status }, "status").causes;
  assert.deepEqual(again(answer), []);
  assert.deepEqual(again({ poolCount: 2 }), ["status Invalid"]);
  assert.deepEqual(again({}), ["status Invalid", "status.poolCount Required"]);
  const faulty = { ...answer, conditions: [{ type: "Complete", status: "Maybe" }] };
  assert.deepEqual(again(faulty), ["status Invalid"], "it must not change, whatever it is");
  assert.deepEqual(bench.update(asked, { ...tree, status: faulty }, "status").causes.length, 3);
});
