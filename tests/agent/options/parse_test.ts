import assert from "node:assert/strict";
import { parseOrchletOptions } from "../../../agent/options/mod.ts";
import { faults, filesOf, run } from "./_files.ts";

const NONE = filesOf({});

Deno.test("options come by their names, those of the public agent, and in every way of writing", () => {
  const o = run([
    "--kubeconfig=/k",
    "--kube-reserved=cpu=100m,memory=1Gi",
    "--kube_api_qps",
    "7",
    "--kube-reserved-cgroup=/kube",
    "--cgroup-root=/",
    "--enforce-node-allocatable=pods,kube-reserved",
    "--node-labels=a=b,c",
    "--manifest-url-header=a:1,b:x:y",
    "--manifest-url-header=a:2",
    "--register-with-taints=k=v:NoSchedule,l:NoExecute",
    "--memory-manager-policy=Static",
    "--reserved-memory=0:memory=1Gi,hugepages-2Mi=4Mi;1:memory=2Gi",
    "--eviction-hard=memory.available<1Gi,nodefs.available=10%",
    "--pod-cidr=10.1.0.0/16",
    "-v3",
  ]);
  assert.equal(o.orchconfig, "/k");
  assert.deepEqual(o.orchReserved, { cpu: "100m", memory: "1Gi" });
  assert.equal(o.orchApiQps, 7);
  assert.deepEqual(o.enforceNodeAllocatable, ["pods", "orch-reserved"]);
  assert.deepEqual(o.nodeLabels, { a: "b", c: "" });
  assert.deepEqual(o.manifestUrlHeader, { a: ["1", "2"], b: ["x:y"] });
  assert.deepEqual(o.registerWithTaints, [
    { key: "k", value: "v", effect: "NoSchedule" },
    { key: "l", effect: "NoExecute" },
  ]);
  assert.deepEqual(o.reservedMemory, [
    { numaNode: 0, limits: { memory: "1Gi", "hugepages-2Mi": "4Mi" } },
    { numaNode: 1, limits: { memory: "2Gi" } },
  ]);
  assert.deepEqual(o.evictionHard, { "memory.available": "1Gi", "nodefs.available": "10%" });
  assert.equal(o.podCidr, "10.1.0.0/16");
  assert.equal(o.v, 3);
  assert.ok(o.given.has("orchconfig") && !o.given.has("port"));
});

Deno.test("empty items of lists of pairs are passed over, as templates leave them", () => {
  const o = run(["--node-labels=a=b,,c,", "--system-reserved=cpu=1,", "--eviction-minimum-reclaim=,pid.available=1"]);
  assert.deepEqual(o.nodeLabels, { a: "b", c: "" });
  assert.deepEqual([o.systemReserved, o.evictionMinimumReclaim], [{ cpu: "1" }, { "pid.available": "1" }]);
});

Deno.test("an address that is empty is the default", () => {
  const o = run(["--address=", "--healthz-bind-address="]);
  assert.deepEqual([o.address, o.healthzBindAddress], ["0.0.0.0", "127.0.0.1"]);
});

Deno.test("a negative size of logs is taken: they are not rotated", () => {
  assert.equal(run(["--container-log-max-size=-1"]).containerLogMaxSize, "-1");
});

Deno.test("numbers that stand for others", () => {
  const o = run(["--orch-api-qps=0", "--orch-api-burst=0", "--event-qps=0", "--event-burst=0", "--pod-max-pids=-7"]);
  assert.deepEqual([o.orchApiQps, o.orchApiBurst, o.eventQps, o.eventBurst, o.podMaxPids], [50, 100, 0, 100, -1]);
  assert.equal(run(["--runonce"]).enableServer, false);
});

Deno.test("names are those of the dialect", () => {
  assert.equal(run([]).orchApiContentType, "application/vnd.orch.protobuf");
  assert.equal(run([]).volumePluginDir, "/usr/libexec/orch/orchlet-plugins/volume/exec/");
  const { orchApiContentType, volumePluginDir } = run(["--api-dialect=kubernetes"]);
  assert.equal(orchApiContentType, "application/vnd.kubernetes.protobuf");
  assert.equal(volumePluginDir, "/usr/libexec/kubernetes/kubelet-plugins/volume/exec/");
  const label = (
    domain: string,
  ) => [`--node-labels=${domain}/arch=x,node.${domain}/any=x,a.node.${domain}/b=x,own/c=x`];
  run(label("orch.io"));
  run([...label("kubernetes.io"), "--api-dialect=kubernetes"]);
});

Deno.test("help names every option, version is as the server's", () => {
  const text = (...argv: string[]) => (parseOrchletOptions(argv, NONE) as { text: string }).text;
  for (const name of ["--orchconfig", "--image-gc-low-threshold", "-v, --v", "--version"]) {
    assert.ok(text("-h").includes(name));
  }
  assert.doesNotMatch(text("--help"), /vnd\.kubernetes/);
  assert.equal(text("--version"), "Orch v1.37.0");
  assert.equal(JSON.parse(text("--version=raw")).gitVersion, "v1.37.0");
  assert.equal(run(["--version=v1.37.9"]).gitVersion, "v1.37.9");
});

Deno.test("what is in the file now is quiet, what changes nothing says so", () => {
  const parsed = parseOrchletOptions(
    ["--contention-profiling", "--v=1", "--maximum-dead-containers=3"],
    NONE,
  );
  assert.equal(parsed.kind, "run");
  const { warnings } = parsed as { warnings: readonly string[] };
  assert.equal(warnings.length, 2);
  assert.match(warnings.join("\n"), /--maximum-dead-containers is deprecated[^]*--contention-profiling has no effect/);
});

const WRONG: readonly (readonly [argv: string, fault: RegExp])[] = [
  ["--prot=1", /--prot: unknown option; did you mean --port/],
  ["--port=0", /--port: "0": should be at least 1/],
  ["--oom-score-adj=-1001", /should be at least -1000/],
  ["--container-log-max-files=1", /should be at least 2/],
  ["--container-log-max-size=big", /should be a quantity/],
  ["--container-log-max-size=", /should be a quantity/],
  ["--sync-frequency=0", /--sync-frequency: "0": should be at least 1ms/],
  ["--file-check-frequency=-1s", /should be at least 1ms/],
  ["--http-check-frequency=0s", /should be at least 1ms/],
  ["--node-status-update-frequency=0", /should be at least 1ms/],
  ["--cpu-manager-reconcile-period=1us", /should be at least 1ms/],
  ["--runtime-request-timeout=0s", /should be at least 1ms/],
  ["--volume-stats-agg-period=2562048h", /should be a duration/],
  ["--eviction-max-pod-grace-period=2147483648", /should be at most 2147483647/],
  ["--maximum-dead-containers=-2147483649", /should be at least -2147483648/],
  ["--image-gc-high-threshold=101", /should be at most 100/],
  ["--image-gc-low-threshold=90", /--image-gc-low-threshold: 90 should be less than --image-gc-high-threshold 85/],
  ["--cpu-cfs-quota-period=2s", /should be at most 1s/],
  ["--event-qps=-1", /--event-qps: "-1": should be at least 0/],
  ["--node-status-max-images=-2", /should be at least -1/],
  ["--runonce --enable-server", /--runonce: cannot go with --enable-server/],
  ["--exit-on-lock-contention", /needs --lock-file/],
  ["--bootstrap-orchconfig=/b", /needs --orchconfig/],
  ["--tls-cert-file=/c", /go together/],
  [
    "--rotate-server-certificates --feature-gates=RotateKubeletServerCertificate=false",
    /needs the feature gate RotateKubelet/,
  ],
  ["--feature-gates=Nope=true", /unrecognized feature gate: Nope/],
  [
    "--node-labels=orch.io/mine=1",
    /"orch\.io\/mine": labels of orch\.io should be of kubelet\.orch\.io, node\.orch\.io/,
  ],
  ["--node-labels=a=b/c", /--node-labels: "a"/],
  ["--node-ip=10.0.0.1,10.0.0.2", /different families/],
  ["--node-ip=host", /--node-ip: "host" should be an IP address/],
  ["--node-ip=0.0.0.0,fd00::1", /none may be unspecified/],
  ["--register-with-taints=k=v", /should be key=value:effect/],
  ["--register-with-taints=k=v:Sometimes", /the effect should be one of NoSchedule/],
  ["--register-with-taints=k:NoExecute,k=v:NoExecute", /k:NoExecute stands there twice/],
  ["--topology-manager-policy=near", /should be one of none, best-effort/],
  ["--topology-manager-policy-options=max-allowable-numa-nodes=2", /should be a number from 8 on/],
  ["--cpu-manager-policy-options=full-pcpus-only=true", /need --cpu-manager-policy=static/],
  ["--cpu-manager-policy=static --cpu-manager-policy-options=align-by-socket=true", /CPUManagerPolicyAlphaOptions/],
  ["--cgroups-per-qos=false", /--enforce-node-allocatable: pods needs --cgroups-per-qos/],
  ["--enforce-node-allocatable=none,pods", /none stands alone/],
  ["--enforce-node-allocatable=system-reserved", /needs --system-reserved-cgroup/],
  [
    "--kube-reserved-cgroup=/k --enforce-node-allocatable=kube-reserved,kube-reserved-compressible",
    /exclude each other/,
  ],
  ["--system-reserved=gpu=1", /--system-reserved: gpu: should be one of cpu/],
  ["--kube-reserved=cpu=-1", /--orch-reserved: cpu: "-1" should be a quantity/],
  ["--reserved-cpus=3-1", /--reserved-cpus: "3-1" should be cores/],
  ["--reserved-cpus=1 --system-reserved-cgroup=/s", /cannot go with --system-reserved-cgroup/],
  ["--reserved-memory=memory=1Gi", /should be numaNode:type=quantity/],
  ["--memory-manager-policy=Static --reserved-memory=0:memory=1Gi;0:memory=0", /0:memory: "0" should be more than 0/],
  ["--qos-reserved=memory=50%", /needs the feature gate QOSReserved/],
  ["--system-cgroups=/s", /needs --cgroup-root/],
  ["--eviction-hard=memory.available", /should be key<value/],
  ["--eviction-hard=memory<1Gi", /--eviction-hard: memory: no such signal/],
  ["--eviction-hard=nodefs.available<101%", /should be from 0% to 100%/],
  ["--eviction-hard=nodefs.available<0", /should be positive/],
  ["--eviction-soft=memory.available<1Gi", /needs --eviction-soft-grace-period/],
  ["--eviction-soft-grace-period=memory.available=soon", /should be a duration/],
  ["--eviction-minimum-reclaim=memory.available=0%", /should be more than 0%/],
  ["--allowed-unsafe-sysctls=kernel.panic", /is not known to be of a namespace/],
  ["--allowed-unsafe-sysctls=net.*.x", /is no name of a sysctl/],
  ["--cluster-dns=10.0.0.10,dns", /--cluster-dns: "dns" should be an IP address/],
  ["--pod-cidr=10.1.0.0", /--pod-cidr: "10\.1\.0\.0" should be a range/],
  ["--container-runtime-endpoint=tcp://1.2.3.4", /should be a socket/],
  ["--orch-api-content-type=text/plain", /should be application\/json or/],
  ["--image-credential-provider-config=/c", /go together/],
  ["--log-flush-frequency=0", /should be greater than zero/],
];
for (const [argv, fault] of WRONG) {
  Deno.test(`${argv} is refused`, () => assert.match(faults(argv.split(" ")), fault));
}

Deno.test("sysctls by both ways of writing", () => {
  assert.equal(faults(["--allowed-unsafe-sysctls=net.*,kernel.shm*,net/ipv4/conf/eth0.1/x,fs.mqueue.msg_max"]), "");
});

Deno.test("the directory of the agent's state is told to others, and so begins at the root", () => {
  assert.equal(run(["--root-dir=.orch/orchlet"]).rootDir, "/there/.orch/orchlet");
  assert.equal(run(["--root-dir=/var/lib/x"]).rootDir, "/var/lib/x");
});
