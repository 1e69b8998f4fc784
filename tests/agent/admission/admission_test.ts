import assert from "node:assert/strict";
import type { Node, Pod, PodSpec } from "../../../schema/api/core_v1.ts";
import { productOf } from "../../../schema/product.ts";
import { type Admission, admission, type AdmissionParts } from "../../../agent/admission/mod.ts";
import { container, podOf } from "../resources/parts.ts";

const NODE: Node = {
  metadata: { name: "n1", labels: { "kubernetes.io/os": "linux", zone: "a", size: "7" } },
  spec: { taints: [{ key: "gone", effect: "NoExecute" }, { key: "no", effect: "NoSchedule" }] },
  status: { allocatable: { cpu: "2", memory: "1Gi", "ephemeral-storage": "10Gi", pods: "4", "hugepages-2Mi": "0" } },
};
const tolerant: Partial<PodSpec> = { tolerations: [{ key: "gone", operator: "Exists" }] };

function checks(options: { unsafe?: string[]; parts?: Partial<AdmissionParts> } = {}): Admission {
  return admission({ allowedUnsafeSysctls: options.unsafe ?? [] }, {
    product: productOf("kubernetes"),
    gate: (name) => name === "PodLevelResources",
    node: () => NODE,
    pressure: () => [],
    appArmor: false,
    kernel: "4.5.0",
    ...options.parts,
  });
}

const admit = (options?: Parameters<typeof checks>[0]) => checks(options).admit;

const pod = (requests: Record<string, string> | undefined, spec: Partial<PodSpec> = {}, uid = "u"): Pod =>
  podOf(uid, [container("c", requests)], { ...tolerant, ...spec });
const said = (refusal: ReturnType<ReturnType<typeof admit>>) => refusal && `${refusal.reason}: ${refusal.message}`;

Deno.test("admission: room for the pod beside others", () => {
  const others = [pod({ cpu: "1500m", memory: "512Mi" }, {}, "o")];
  const cases: [Record<string, string> | undefined, string | undefined][] = [
    [{ cpu: "500m" }, undefined],
    [{ cpu: "501m" }, "OutOfcpu: Node didn't have enough resource: cpu, requested: 501, used: 1500, capacity: 2000"],
    [
      { memory: "513Mi" },
      "OutOfmemory: Node didn't have enough resource: memory, requested: 537919488, used: 536870912, capacity: 1073741824",
    ],
    [
      { "ephemeral-storage": "11Gi" },
      "OutOfephemeral-storage: Node didn't have enough resource: ephemeral-storage, requested: 11811160064, used: 0, capacity: 10737418240",
    ],
    [
      { "hugepages-2Mi": "2Mi" },
      "OutOfhugepages-2Mi: Node didn't have enough resource: hugepages-2Mi, requested: 2097152, used: 0, capacity: 0",
    ],
    // Counted elsewhere in the cluster.
    [{ "example.com/gpu": "1" }, undefined],
  ];
  for (const [requests, expected] of cases) assert.equal(said(admit()(pod(requests), others)), expected);
  const four = [1, 2, 3, 4].map((n) => pod(undefined, {}, `o${n}`));
  assert.equal(
    said(admit()(pod(undefined), four)),
    "OutOfpods: Node didn't have enough resource: pods, requested: 1, used: 4, capacity: 4",
  );
  const broken = admit()(pod({ cpu: "much" }), []);
  assert.equal(broken?.reason, "UnexpectedAdmissionError");
});

Deno.test("admission: selectors, affinity, taints, names, ports, systems", () => {
  const affinity = (key: string, operator: string, values?: string[]): Partial<PodSpec> => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator: operator as "In", ...values && { values } }] }],
        },
      },
    },
  });
  const port = (hostPort: number, hostIP?: string) =>
    podOf("p", [
      container("c", undefined, undefined, { ports: [{ containerPort: 1, hostPort, ...hostIP && { hostIP } }] }),
    ], tolerant);
  const spec = (s: Partial<PodSpec>) => pod(undefined, s);
  const other = (reason: string, text: string) => `${reason}: Predicate ${reason} failed: ${text}`;
  const unmatched = other("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  const cases: [Pod, string | undefined][] = [
    [spec({ nodeSelector: { zone: "a" } }), undefined],
    [spec({ nodeSelector: { zone: "b" } }), unmatched],
    [spec(affinity("size", "Gt", ["6"])), undefined],
    [spec(affinity("size", "Lt", ["6"])), unmatched],
    [spec(affinity("zone", "NotIn", ["b"])), undefined],
    [spec(affinity("zone", "DoesNotExist")), unmatched],
    [spec(affinity("zone", "constructor")), unmatched],
    [spec({ nodeName: "n2" }), other("NodeName", "node(s) didn't match the requested node name")],
    [spec({ tolerations: [] }), other("TaintToleration", "node(s) had taints that the pod didn't tolerate")],
    [spec({ tolerations: [{ operator: "Exists" }] }), undefined],
    [port(80, "10.0.0.1"), other("NodePorts", "node(s) didn't have free ports for the requested pod ports")],
    [port(81), undefined],
    [spec({ os: { name: "windows" } }), "PodOSNotSupported: Failed to admit pod as the OS field doesn't match node OS"],
    [
      spec({ securityContext: { supplementalGroupsPolicy: "Strict" } }),
      "SupplementalGroupsPolicyNotSupported: SupplementalGroupsPolicy=Strict is not supported in this node",
    ],
    [
      { ...spec({}), metadata: { labels: { "kubernetes.io/os": "windows" } } },
      "PodOSSelectorNodeLabelDoesNotMatch: Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    ],
    // Static pods stay whatever the taints.
    [{ ...spec({ tolerations: [] }), metadata: { annotations: { "kubernetes.io/config.source": "file" } } }, undefined],
  ];
  for (const [one, expected] of cases) assert.equal(said(admit()(one, [port(80)])), expected, JSON.stringify(one.spec));
  assert.equal(admit({ parts: { node: () => undefined } })(spec({}), [])?.reason, "InvalidNodeInfo");
});

Deno.test("admission: settings of the kernel", () => {
  const sysctl = (name: string, spec: Partial<PodSpec> = {}) =>
    pod(undefined, { securityContext: { sysctls: [{ name, value: "1" }] }, ...spec });
  const cases: [Pod, string | undefined][] = [
    [sysctl("net.ipv4.tcp_syncookies"), undefined],
    [sysctl("net/ipv4/tcp_syncookies"), undefined],
    [sysctl("net.ipv4.tcp_rmem"), '"net.ipv4.tcp_rmem" not allowlisted'],
    [sysctl("net.ipv4.tcp_keepalive_time"), undefined],
    [
      sysctl("net.ipv4.tcp_syncookies", { hostNetwork: true }),
      '"net.ipv4.tcp_syncookies" not allowed with host Net enabled',
    ],
    [sysctl("kernel.msgmax"), undefined],
    [sysctl("kernel.msgmax", { hostIPC: true }), '"kernel.msgmax" not allowed with host IPC enabled'],
    [sysctl("net.core.somaxconn"), undefined],
    [sysctl("vm.swappiness"), '"vm.swappiness" not allowlisted'],
  ];
  const unsafe = ["kernel.msg*", "net.core.somaxconn"];
  for (const [one, fault] of cases) {
    assert.equal(said(admit({ unsafe })(one, [])), fault && `SysctlForbidden: forbidden sysctl: ${fault}`);
  }
  assert.throws(
    () => admit({ unsafe: ["vm.swappiness"] }),
    /the sysctls "vm.swappiness" are not known to be namespaced/,
  );
});

Deno.test("admission: a node under pressure or shut down, AppArmor, resources of the pod as a whole", () => {
  const under = (...conditions: string[]) => admit({ parts: { pressure: () => conditions } });
  const poor = pod(undefined), modest = pod({ cpu: "1m" });
  assert.equal(said(under("MemoryPressure")(poor, [])), "Evicted: The node had condition: [MemoryPressure]. ");
  assert.equal(under("MemoryPressure")(modest, []), undefined);
  assert.equal(
    said(under("DiskPressure", "MemoryPressure")(modest, [])),
    "Evicted: The node had condition: [DiskPressure MemoryPressure]. ",
  );
  const patient = pod(undefined, { tolerations: [{ operator: "Exists" }] });
  assert.equal(under("MemoryPressure")(patient, []), undefined);
  assert.equal(under("DiskPressure")(patient, [])?.reason, "Evicted");
  assert.equal(under("DiskPressure")(pod(undefined, { priority: 2_000_000_000 }), []), undefined);
  const guarded = pod(undefined, { securityContext: { appArmorProfile: { type: "RuntimeDefault" } } });
  assert.equal(said(admit()(guarded, [])), "AppArmor: Cannot enforce AppArmor: AppArmor is not enabled on the host");
  assert.equal(admit({ parts: { appArmor: true } })(guarded, []), undefined);
  assert.equal(admit()({ ...guarded, status: { phase: "Running" } }, []), undefined);
  const whole = pod(undefined, { resources: { limits: { cpu: "1" } } });
  assert.equal(admit({ parts: { gate: () => false } })(whole, [])?.reason, "PodLevelResourcesNotSupported");
  const own = { reason: "TopologyAffinityError", message: "no" };
  assert.deepEqual(admit({ parts: { allocate: () => own } })(poor, []), own);
  const shutdown = () => ({ reason: "NodeShutdown", message: "words" });
  assert.equal(said(admit({ parts: { shutdown } })(pod({}), [])), "NodeShutdown: words");
});

Deno.test("admission: few and low pods make room for a critical one", () => {
  const gone: string[][] = [];
  const preempting = admit({
    parts: {
      preempt: (pods) => {
        gone.push(pods.map((p) => p.metadata!.uid!));
        return Promise.resolve();
      },
    },
  });
  const sized = (uid: string, cpu: string, limit?: string) =>
    podOf(uid, [container("c", { cpu, memory: "1Mi" }, limit ? { cpu: limit, memory: "1Mi" } : undefined)], tolerant);
  const others = [sized("guaranteed", "1", "1"), sized("small", "300m"), sized("large", "700m")];
  const critical = (cpu: string, more: Partial<PodSpec> = {}) => pod({ cpu }, { priority: 2_000_000_000, ...more });
  assert.equal(preempting(critical("200m"), others), undefined);
  assert.equal(preempting(critical("600m"), others), undefined);
  assert.equal(preempting(critical("1500m"), others), undefined);
  assert.deepEqual(gone, [["small"], ["large"], ["large", "guaranteed"]]);
  assert.equal(
    said(preempting(critical("3"), others)),
    "UnexpectedAdmissionError: Unexpected error while attempting to recover from admission failure: preemption: error finding " +
      "a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 3000), ]",
  );
  assert.equal(preempting(critical("1", { nodeSelector: { zone: "b" } }), others)?.reason, "NodeAffinity");
  assert.equal(preempting(pod({ cpu: "1" }), others)?.reason, "OutOfcpu");
  assert.equal(admit()(critical("1"), others)?.reason, "OutOfcpu");
  assert.equal(gone.length, 3);
});

Deno.test("admission: a new critical pod waits until those that make room have ended", async () => {
  const ended = Promise.withResolvers<void>();
  const { take } = checks({ parts: { preempt: () => ended.promise } });
  let taken = false;
  const taking = take(pod({ cpu: "2" }, { priority: 2_000_000_000 }), [pod({ cpu: "1" }, {}, "o")])
    .then((refusal) => [taken = true, refusal]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(taken, false);
  ended.resolve();
  assert.deepEqual(await taking, [true, undefined]);
});

Deno.test("admission: a pod that needs what the node does not tell that it can", () => {
  const rules = [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [3] } }];
  const mounts = [{ name: "v", mountPath: "/v", bindMountOptions: ["noexec"] }];
  const restarts = pod(undefined, { initContainers: [{ ...container("i"), restartPolicyRules: rules }] });
  const users = pod(undefined, { hostNetwork: true, hostUsers: false });
  const options = pod(undefined, { containers: [{ ...container("c"), volumeMounts: mounts }] });
  const all = pod(undefined, { ...restarts.spec, ...users.spec, containers: options.spec!.containers });
  const names = ["RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport", "VolumeBindMountOptions"];
  const without = (told: readonly string[]) => (of: Pod) => said(admit({ parts: { features: () => told } })(of, []));
  const says = (...lacking: string[]) =>
    `PodFeatureUnsupported: Pod requires node features that are not available: ${lacking.join(", ")}`;
  assert.deepEqual([restarts, users, options].map(without([])), names.map((name) => says(name)));
  assert.equal(without([names[0]!])(all), says(...names.slice(1)));
  assert.equal(without(names)(all), undefined);
  assert.equal(without([])(pod(undefined, { hostNetwork: true })), undefined);
  assert.equal(said(admit()(all, [])), undefined);
});
