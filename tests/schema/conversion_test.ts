/** The same stored object in each of its versions. */
import { wasSentEmpty } from "../../schema/codec/emptied.ts";
import assert from "node:assert/strict";
import { decodeObject } from "../../schema/codec/mod.ts";
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { schemeOf } from "../../schema/scheme.ts";
import { kindOf, scheme, text } from "./_kinds.ts";

const at = (apiVersion: string, kind: string, tree: JsonMap): Obj => {
  const { object, unknown } = decodeObject(kindOf(apiVersion, kind), tree, { strict: true });
  assert.deepEqual(unknown, []);
  return object;
};
const convert = (o: Obj, apiVersion: string) => scheme.convert(o, kindOf(apiVersion, o.kind));
/** The object as another version has it, and back again unchanged. */
function roundTrip(object: Obj, apiVersion: string): Obj {
  const there = convert(object, apiVersion);
  assert.equal(there.apiVersion, apiVersion);
  assert.equal(text(convert(there, object.apiVersion)), text(object));
  return there;
}
const SCALE = {
  scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
  minReplicas: 1,
  maxReplicas: 3,
};
const NOTE = "autoscaling.alpha.kubernetes.io/";

Deno.test("an autoscaler of v2 goes through v1 and back without loss", () => {
  const v2 = at("autoscaling/v2", "HorizontalPodAutoscaler", {
    metadata: { name: "h", annotations: { mine: "1" } },
    spec: {
      ...SCALE,
      metrics: [
        {
          type: "Object",
          object: {
            describedObject: { kind: "S", name: "s" },
            target: { type: "AverageValue", value: "1", averageValue: "2" },
            metric: { name: "m", selector: { matchLabels: { a: "b" } } },
          },
        },
        { type: "Pods", pods: { metric: { name: "p" }, target: { type: "AverageValue", averageValue: "10m" } } },
        { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
        {
          type: "ContainerResource",
          containerResource: { name: "cpu", target: { type: "Utilization", averageUtilization: 30 }, container: "c" },
        },
        { type: "External", external: { metric: { name: "q" }, target: { type: "Value", value: "5" } } },
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
      ],
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 0,
          selectPolicy: "Max",
          policies: [{ type: "Pods", value: 4, periodSeconds: 60 }],
          tolerance: "50m",
        },
      },
    },
    status: {
      currentReplicas: 1,
      desiredReplicas: 1,
      currentMetrics: [{
        type: "Resource",
        resource: { name: "cpu", current: { averageValue: "3m", averageUtilization: 7 } },
      }],
      conditions: [{ type: "AbleToScale", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
    },
  });
  const v1 = roundTrip(v2, "autoscaling/v1");
  assert.equal(v1.spec.targetCPUUtilizationPercentage, 60);
  assert.equal(v1.status.currentCPUUtilizationPercentage, 7);
  assert.deepEqual(Object.keys(v1.metadata.annotations!).sort(), [
    ...["behavior", "conditions", "current-metrics", "metrics"].map((n) => NOTE + n),
    "mine",
  ]);
  assert.equal(
    v1.metadata.annotations![NOTE + "behavior"],
    '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max",' +
      '"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":60}],"Tolerance":"50m"}}',
  );
});

Deno.test("whatever an autoscaler of v2 wants and measures goes through v1 and back without loss", () => {
  const metric = { name: "m", selector: { matchLabels: { a: "b" } } }, describedObject = { kind: "S", name: "s" };
  const averageValue = "2", value = "3", averageUtilization = 5;
  const measured: JsonMap[] = [
    { type: "Object", object: { metric, current: { value, averageValue }, describedObject } },
    { type: "Object", object: { metric, current: { value }, describedObject } },
    { type: "Pods", pods: { metric, current: { averageValue } } },
    { type: "Resource", resource: { name: "memory", current: { averageValue } } },
    { type: "ContainerResource", containerResource: { name: "cpu", current: { averageValue }, container: "c" } },
    {
      type: "ContainerResource",
      containerResource: { name: "cpu", current: { averageValue, averageUtilization }, container: "c" },
    },
    { type: "External", external: { metric, current: { value, averageValue } } },
    { type: "External", external: { metric, current: { value } } },
  ];
  const metrics: JsonMap[] = [
    { type: "Object", object: { describedObject, target: { type: "Value", value }, metric } },
    { type: "Pods", pods: { metric, target: { type: "AverageValue", averageValue } } },
    {
      type: "ContainerResource",
      containerResource: { name: "cpu", target: { type: "AverageValue", averageValue }, container: "c" },
    },
    { type: "External", external: { metric, target: { type: "AverageValue", averageValue } } },
    { type: "External", external: { metric, target: { type: "Value", value } } },
    { type: "Resource", resource: { name: "cpu", target: { type: "AverageValue", averageValue } } },
    { type: "Resource", resource: { name: "memory", target: { type: "Utilization", averageUtilization } } },
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } },
  ];
  const v2 = at("autoscaling/v2", "HorizontalPodAutoscaler", {
    metadata: {},
    spec: { ...SCALE, metrics },
    status: { currentReplicas: 1, desiredReplicas: 1, currentMetrics: measured },
  });
  const { spec, status, metadata } = roundTrip(v2, "autoscaling/v1");
  assert.deepEqual([spec.targetCPUUtilizationPercentage, status.currentCPUUtilizationPercentage], [5, undefined]);
  const told = JSON.parse(metadata.annotations![NOTE + "metrics"]!) as JsonMap[];
  assert.deepEqual([told.length, told.at(-1)!["resource"]], [7, { name: "memory", targetAverageUtilization: 5 }]);
});

Deno.test("annotations of an autoscaler of v1 hold their texts as the public server writes them", () => {
  const condition = { type: "AbleToScale", status: "True", message: "1 < 2 & 3" };
  const v2 = at("autoscaling/v2", "HorizontalPodAutoscaler", { spec: SCALE, status: { conditions: [condition] } });
  const note = convert(v2, "autoscaling/v1").metadata.annotations![NOTE + "conditions"]!;
  assert.match(note, /"message":"1 \\u003c 2 \\u0026 3"/);
});

Deno.test("an autoscaler of v1 names its CPU target, or has the one that v1 implies", () => {
  const wanted = at("autoscaling/v1", "HorizontalPodAutoscaler", {
    metadata: {},
    spec: { ...SCALE, targetCPUUtilizationPercentage: 50 },
  });
  assert.deepEqual(roundTrip(wanted, "autoscaling/v2").spec.metrics[0].resource.target, {
    type: "Utilization",
    averageUtilization: 50,
  });
  const none = at("autoscaling/v1", "HorizontalPodAutoscaler", {
    metadata: { annotations: { [NOTE + "metrics"]: "{" } },
    spec: SCALE,
  });
  const v2 = convert(none, "autoscaling/v2");
  assert.equal(v2.spec.metrics[0].resource.target.averageUtilization, 80);
  assert.equal(v2.metadata.annotations, undefined);
});

Deno.test("of several CPU metrics the first that is wanted is told in v1, and the last that was measured", () => {
  const cpu = (current: JsonMap) => ({ type: "Resource", resource: { name: "cpu", current } });
  const target = (averageUtilization: number) => ({ type: "Utilization", averageUtilization });
  const { spec, status } = convert(
    at("autoscaling/v2", "HorizontalPodAutoscaler", {
      metadata: {},
      spec: {
        ...SCALE,
        metrics: [60, 70].map((n) => ({ type: "Resource", resource: { name: "cpu", target: target(n) } })),
      },
      status: {
        currentMetrics: [
          cpu({ averageUtilization: 1, averageValue: "1" }),
          cpu({ averageUtilization: 2, averageValue: "1" }),
          cpu({ averageValue: "3" }),
        ],
      },
    }),
    "autoscaling/v1",
  );
  assert.deepEqual([spec.targetCPUUtilizationPercentage, status.currentCPUUtilizationPercentage], [60, 2]);
});

Deno.test("annotations of an autoscaler of v1 may be written in any case", () => {
  const v1 = at("autoscaling/v1", "HorizontalPodAutoscaler", {
    metadata: {
      annotations: {
        [NOTE + "metrics"]:
          '[{"TYPE":"Pods","pods":{"metricname":"m","TargetAverageValue":"2","__proto__":{"selector":{}}}}]',
        [NOTE + "behavior"]: '{"scaleup":{"POLICIES":[{"type":"Pods","value":1,"periodseconds":2}]}}',
      },
    },
    spec: SCALE,
  });
  const { metrics, behavior } = convert(v1, "autoscaling/v2").spec;
  assert.deepEqual(metrics[0].pods, { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "2" } });
  assert.deepEqual(behavior, { scaleUp: { policies: [{ type: "Pods", value: 1, periodSeconds: 2 }] } });
});

Deno.test("annotations of the conversion carry the dialect's name", () => {
  const orch = schemeOf(productOf("orch"));
  const v2 = at("autoscaling/v2", "HorizontalPodAutoscaler", { spec: { ...SCALE, behavior: { scaleUp: {} } } });
  const v1 = orch.convert(v2, orch.kind("autoscaling/v1", "HorizontalPodAutoscaler")!);
  assert.deepEqual(Object.keys(v1.metadata.annotations!), ["autoscaling.alpha.orch.io/behavior"]);
});

Deno.test("events are one set of objects in two groups", () => {
  const core = at("v1", "Event", {
    metadata: { name: "e", namespace: "n" },
    involvedObject: { kind: "Pod", name: "p" },
    reason: "r",
    message: "m",
    source: { component: "c" },
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-01T00:00:00Z",
    count: 2,
    series: { count: 2, lastObservedTime: "2026-01-01T00:00:00.000001Z" },
    reportingComponent: "x",
    reportingInstance: "y",
    related: { name: "z" },
  });
  const other = roundTrip(core, "events.k8s.io/v1");
  assert.deepEqual([other.note, other.regarding.name, other.reportingController, other.deprecatedCount], [
    "m",
    "p",
    "x",
    2,
  ]);
});

Deno.test("lists convert item by item", () => {
  const list = at("v1", "EventList", {
    metadata: { resourceVersion: "5" },
    items: [{ metadata: { name: "e" }, message: "m" }],
  });
  const there = roundTrip(list, "events.k8s.io/v1");
  assert.equal(there.items[0].note, "m");
});

Deno.test("device requests and devices of v1beta1", () => {
  const derivedAttributes = [{ name: "x.io/numa", expression: "1" }];
  const exactly = {
    deviceClassName: "gpu",
    allocationMode: "ExactCount",
    count: 2,
    adminAccess: false,
    derivedAttributes,
  };
  const requests = [
    { name: "r", exactly },
    { name: "s", firstAvailable: [{ name: "t", deviceClassName: "gpu", allocationMode: "All" }] },
  ];
  const claim = at("resource.k8s.io/v1", "ResourceClaim", { metadata: {}, spec: { devices: { requests } } } as JsonMap);
  const flat = roundTrip(claim, "resource.k8s.io/v1beta1").spec.devices.requests;
  assert.deepEqual([flat[0].deviceClassName, flat[0].count, flat[1].deviceClassName], ["gpu", 2, ""]);
  assert.deepEqual(flat[0].derivedAttributes, derivedAttributes);
  const template = at(
    "resource.k8s.io/v1",
    "ResourceClaimTemplate",
    { metadata: {}, spec: { spec: { devices: { requests } } } } as JsonMap,
  );
  assert.equal(roundTrip(template, "resource.k8s.io/v1beta1").spec.spec.devices.requests[0].deviceClassName, "gpu");
  const slice = at("resource.k8s.io/v1", "ResourceSlice", {
    metadata: { name: "s" },
    spec: {
      driver: "d",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
      nodeName: "n",
      devices: [{ name: "a", attributes: { x: { int: 3 } }, capacity: { m: { value: "1Gi" } } }],
    },
  });
  assert.deepEqual(roundTrip(slice, "resource.k8s.io/v1beta1").spec.devices[0].basic.attributes, { x: { int: 3 } });
  assert.equal(roundTrip(slice, "resource.k8s.io/v1beta2").spec.devices[0].basic, undefined);
});

Deno.test("retired versions: renamed and nested members", () => {
  const ingress = at("networking.k8s.io/v1", "Ingress", {
    metadata: { name: "i" },
    spec: {
      defaultBackend: { service: { name: "s", port: { name: "http" } } },
      rules: [{
        http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }] },
      }],
    },
  });
  const old = roundTrip(ingress, "networking.k8s.io/v1beta1");
  assert.deepEqual(old.spec.backend, { serviceName: "s", servicePort: "http" });
  assert.deepEqual(old.spec.rules[0].http.paths[0].backend, { serviceName: "s", servicePort: 80 });

  const slice = at("discovery.k8s.io/v1", "EndpointSlice", {
    metadata: {},
    addressType: "IPv4",
    endpoints: [{ addresses: ["1.2.3.4"], nodeName: "n", zone: "z", deprecatedTopology: { a: "b" } }],
  });
  assert.deepEqual(roundTrip(slice, "discovery.k8s.io/v1beta1").endpoints[0].topology, {
    a: "b",
    "kubernetes.io/hostname": "n",
    "topology.kubernetes.io/zone": "z",
  });

  const runtime = at("node.k8s.io/v1", "RuntimeClass", {
    metadata: {},
    handler: "h",
    overhead: { podFixed: { cpu: "1" } },
  });
  assert.equal(roundTrip(runtime, "node.k8s.io/v1alpha1").spec.runtimeHandler, "h");

  const binding = at("rbac.authorization.k8s.io/v1", "RoleBinding", {
    metadata: {},
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "u" }, {
      kind: "ServiceAccount",
      name: "s",
      namespace: "n",
    }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
  });
  assert.deepEqual(
    roundTrip(binding, "rbac.authorization.k8s.io/v1alpha1").subjects.map((s: JsonMap) => s.apiVersion),
    ["rbac.authorization.k8s.io/v1alpha1", "v1"],
  );

  const level = at("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", {
    metadata: {},
    spec: { type: "Limited", limited: { nominalConcurrencyShares: 5 } },
  });
  assert.equal(roundTrip(level, "flowcontrol.apiserver.k8s.io/v1beta2").spec.limited.assuredConcurrencyShares, 5);

  for (const selector of [{}, { matchLabels: { a: "b" } }] as Json[]) {
    roundTrip(at("policy/v1", "PodDisruptionBudget", { metadata: {}, spec: { selector } }), "policy/v1beta1");
    roundTrip(at("policy/v1beta1", "PodDisruptionBudget", { metadata: {}, spec: { selector } }), "policy/v1");
  }
});

Deno.test("versions of one shape convert by name, and conversion does not touch its argument", () => {
  const request = at("certificates.k8s.io/v1", "CertificateSigningRequest", {
    metadata: { name: "c" },
    spec: { request: "AA==", signerName: "s/x", usages: ["any"] },
  });
  const before = text(request);
  assert.equal(roundTrip(request, "certificates.k8s.io/v1beta1").spec.signerName, "s/x");
  assert.equal(text(request), before);
  assert.equal(scheme.convert(request, kindOf("certificates.k8s.io/v1", "CertificateSigningRequest")), request);
  assert.throws(
    () => scheme.convert({ ...request, kind: "Nope" } as Obj, kindOf("v1", "Pod")),
    /no kind "Nope" is registered/,
  );
});

Deno.test("a pod group of v1alpha2 goes to later versions and back without loss", () => {
  const group = at("scheduling.k8s.io/v1alpha2", "PodGroup", {
    metadata: { name: "g" },
    spec: {
      podGroupTemplateRef: { workload: { workloadName: "w", podGroupTemplateName: "t" } },
      schedulingPolicy: { gang: { minCount: 2 } },
      disruptionMode: "PodGroup",
      priority: 3,
    },
  });
  for (const version of ["v1alpha3", "v1beta1"]) {
    const { spec } = roundTrip(group, `scheduling.k8s.io/${version}`) as Obj & { spec: JsonMap };
    assert.deepEqual(spec["workloadRef"], { workloadName: "w", templateName: "t" });
    assert.deepEqual(spec["disruptionMode"], { all: {} });
  }
  const workload = at("scheduling.k8s.io/v1alpha2", "Workload", {
    metadata: { name: "w" },
    spec: { podGroupTemplates: [{ name: "t", schedulingPolicy: { basic: {} }, disruptionMode: "Pod" }] },
  });
  const there = roundTrip(workload, "scheduling.k8s.io/v1beta1") as Obj & { spec: { podGroupTemplates: JsonMap[] } };
  assert.deepEqual(there.spec.podGroupTemplates[0]!["disruptionMode"], { single: {} });
});

Deno.test("what was sent empty is known after a conversion, where it stands then", () => {
  const beta = at("resource.k8s.io/v1beta1", "ResourceSlice", {
    spec: { devices: [{ name: "d", basic: { attributes: { a: { string: "s", ints: [] } } } }] },
  });
  assert.equal(wasSentEmpty(convert(beta, "resource.k8s.io/v1").spec.devices[0].attributes.a, "ints"), true);
  const request = { name: "r", firstAvailable: [{ name: "a", deviceClassName: "c" }] };
  const claim = (more: object) =>
    at("resource.k8s.io/v1beta1", "ResourceClaim", { spec: { devices: { requests: [{ ...request, ...more }] } } });
  const exact = (more: object) => convert(claim(more), "resource.k8s.io/v1").spec.devices.requests[0].exactly;
  assert.equal(exact({}), undefined);
  assert.notEqual(exact({ selectors: [] }), undefined);
});

Deno.test("a definition of v1beta1 holds once what its versions share, and each one's own otherwise", () => {
  const schema = { openAPIV3Schema: { type: "object", properties: { n: { type: "integer", default: 1 } } } };
  const columns = (path: string) => [{ name: "N", type: "integer", [path]: ".spec.n" }];
  const clientConfig = { url: "https://hook.example.com/x" }, conversionReviewVersions = ["v1"];
  const definition = (spec: JsonMap): JsonMap => ({
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", names: { plural: "things", kind: "Thing" }, scope: "Cluster", ...spec },
    status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null },
  });
  const version = (name: string, members: JsonMap) => ({ name, served: true, storage: name === "v1", ...members });
  const there = (versions: JsonMap[]) =>
    roundTrip(
      at(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        definition({
          versions,
          conversion: { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions } },
        }),
      ),
      "apiextensions.k8s.io/v1beta1",
    ).spec as JsonMap;
  const alike = { schema, subresources: { status: {} }, additionalPrinterColumns: columns("jsonPath") };
  const shared = there([version("v1", alike), version("v2", alike)]);
  assert.deepEqual([shared.version, shared.validation, shared.additionalPrinterColumns, shared.preserveUnknownFields], [
    "v1",
    schema,
    columns("JSONPath"),
    false,
  ]);
  assert.deepEqual(shared.versions, [version("v1", {}), version("v2", {})]);
  const conversion = { strategy: "Webhook", webhookClientConfig: clientConfig, conversionReviewVersions };
  assert.deepEqual(shared.conversion, conversion);
  const apart = there([version("v1", alike), version("v2", { ...alike, additionalPrinterColumns: [] })]);
  assert.deepEqual([apart.validation, apart.additionalPrinterColumns], [schema, undefined]);
  assert.deepEqual(
    apart.versions,
    [version("v1", { additionalPrinterColumns: columns("JSONPath") }), version("v2", {})],
  );
  const old = at(
    "apiextensions.k8s.io/v1beta1",
    "CustomResourceDefinition",
    definition({ version: "v1", validation: schema }),
  );
  assert.deepEqual(
    [
      convert(old, "apiextensions.k8s.io/v1").spec!.versions,
      convert(old, "apiextensions.k8s.io/v1").spec!.preserveUnknownFields,
    ],
    [[version("v1", { schema })], true],
  );
});
