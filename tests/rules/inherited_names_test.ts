/** Names that every object inherits, as clients may choose them: no entry of a map, and no value of a set. */
import assert from "node:assert/strict";
import { definitionWarnings } from "../../schema/rules/apiextensions/warnings.ts";
import { Bench } from "./_table.ts";

const CONTAINER = { name: "c", image: "i" };
const POD = new Bench({ kind: "/v1/Pod", resource: "pods", good: {}, rows: [] });
const pod = (spec: object, metadata: object = {}) => ({ metadata, spec: { containers: [CONTAINER], ...spec } });
const causes = (spec: object, metadata?: object, gates?: string[]) => POD.create(pod(spec, metadata), gates).causes;

for (const name of ["constructor", "toString", "valueOf"]) {
  const amount = { [name]: "1" };

  Deno.test(`inherited names: a resource ${name} is compared with limits that are there`, () => {
    const at = (list: string, times = 2) =>
      Array.from({ length: times }, () => `spec.containers[0].resources.${list}[${name}] Invalid`);
    assert.deepEqual(causes({ containers: [{ ...CONTAINER, resources: { requests: amount } }] }), at("requests"));
    const whole = { resources: { limits: { cpu: "1" }, requests: { cpu: "1" } } };
    assert.deepEqual(
      causes({ ...whole, containers: [{ ...CONTAINER, resources: { limits: amount } }] }, {}, ["PodLevelResources"]),
      [...at("limits"), ...at("requests")],
    );
    const ranges = new Bench({ kind: "/v1/LimitRange", resource: "limitranges", good: {}, rows: [] });
    const limits = [{ type: "PersistentVolumeClaim", min: { storage: "1" }, max: amount }];
    assert.deepEqual(ranges.create({ spec: { limits } }).causes, [`spec.limits[0].max[${name}] Invalid`]);
  });

  Deno.test(`inherited names: ${name} is no system and no type of profiles`, () => {
    const stops = [{ ...CONTAINER, lifecycle: { stopSignal: "SIGTERM" } }];
    assert.deepEqual(causes({ os: { name }, containers: stops }, {}, ["ContainerStopSignals"]), [
      "spec.os NotSupported",
    ]);
    const annotations = { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" };
    assert.deepEqual(causes({ securityContext: { seccompProfile: { type: name } } }, { annotations }), [
      "spec.securityContext.seccompProfile.type NotSupported",
    ]);
  });

  Deno.test(`inherited names: a pod that has no label ${name} gives none to its selectors`, () => {
    const term = { topologyKey: "a", labelSelector: { matchLabels: { a: "b" } }, matchLabelKeys: [name] };
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const made = POD.create(pod({ affinity: { podAffinity } }, { labels: { a: "b" } }));
    assert.deepEqual(made.causes, []);
    const [stored] = made.object["spec"].affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    assert.deepEqual(stored.labelSelector, { matchLabels: { a: "b" } });
  });

  Deno.test(`inherited names: a container asks for no ${name}`, () => {
    const containers = [{ ...CONTAINER, resources: { requests: { cpu: "1" } } }];
    const gates = ["DRAExtendedResource", "ResourceHealthStatus"];
    const status = {
      extendedResourceClaimStatus: {
        resourceClaimName: "x",
        requestMappings: [{ containerName: "c", resourceName: name, requestName: "r" }],
      },
      containerStatuses: [{ name: "c", allocatedResourcesStatus: [{ name }] }],
    };
    const { object } = POD.create(pod({ containers }));
    assert.deepEqual(POD.update(object, { ...pod({ containers }), status }, "status", gates).causes, [
      "status.containerStatuses[0].allocatedResourcesStatus[0].name Invalid",
      "status.extendedResourceClaimStatus.requestMappings[0].resourceName Invalid",
    ]);
  });

  Deno.test(`inherited names: ${name} is no family of addresses, and no type with formats`, () => {
    const slices = new Bench({
      kind: "discovery.k8s.io/v1/EndpointSlice",
      resource: "endpointslices",
      good: {},
      rows: [],
    });
    const endpoints = [{ addresses: ["1.2.3.4"] }];
    assert.deepEqual(slices.create({ addressType: name, endpoints }).causes, ["addressType NotSupported"]);
    const openAPIV3Schema = { type: name, format: "int32" };
    const definition = { metadata: {}, spec: { versions: [{ schema: { openAPIV3Schema } }] } };
    assert.deepEqual(definitionWarnings(definition as never, undefined), ['unrecognized format "int32"']);
  });
  Deno.test(`inherited names: a device has no attribute ${name}`, () => {
    const resource = "resourceslices", kind = "resource.k8s.io/v1/ResourceSlice";
    const slices = new Bench({ kind, resource, namespaced: false, good: {}, rows: [] });
    const consumesCounters = [{ counterSet: "s", counters: { a: { value: "1" } } }];
    const devices = [{ name: "a", attributes: { x: { bool: true } }, consumesCounters }];
    const spec = { driver: "d", nodeName: "n", pool: { name: "p", resourceSliceCount: 1 }, devices };
    const gates = ["DRAPartitionableDevices", "DRAPartitionableDevicesType"];
    assert.deepEqual(slices.create({ spec: { ...spec, partitionTypeAttribute: `d/${name}` } }, gates).causes, [
      `spec.devices[0].attributes[d/${name}] Required`,
    ]);
  });
}
