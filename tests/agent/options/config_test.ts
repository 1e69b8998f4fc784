import assert from "node:assert/strict";
import { configzOf, hostFiles } from "../../../agent/config/mod.ts";
import { parseOrchletOptions, SETTINGS } from "../../../agent/options/mod.ts";
import { camel } from "../../../schema/flags/names.ts";
import { faults, fileFaults, filesOf, HEAD, run, runFile } from "./_files.ts";

Deno.test("with a file other defaults hold, and some follow from what it says", () => {
  const o = runFile("nodeStatusUpdateFrequency: 20s\nmaxParallelImagePulls: 3\n");
  assert.deepEqual([o.anonymousAuth, o.authenticationTokenWebhook, o.authorizationMode, o.readOnlyPort], [
    false,
    true,
    "Webhook",
    0,
  ]);
  assert.equal(o.evictionHard["memory.available"], "100Mi");
  assert.equal(o.nodeStatusReportFrequency, 20_000);
  assert.equal(o.serializeImagePulls, false);
  assert.equal(o.maxParallelImagePulls, 3);
});

Deno.test("zero is as absent, but where the two differ", () => {
  const o = runFile(
    "port: 0\nsyncFrequency: 0s\nhealthzPort: 0\nevictionHard: {}\nenforceNodeAllocatable: []\nresolvConf: ''\n",
  );
  assert.deepEqual([o.port, o.syncFrequency, o.healthzPort, o.resolvConf], [10250, 60_000, 0, ""]);
  assert.deepEqual([o.evictionHard, o.enforceNodeAllocatable], [{}, []]);
});

const FULL = `
staticPodPath: manifests
staticPodURL: http://127.0.0.1:8080/pods
staticPodURLHeader: {a: ["1", "2"]}
authentication: {x509: {clientCAFile: ca.pem}, anonymous: {enabled: true}}
clusterDNS: [10.0.0.10]
podCIDR: 10.1.0.0/16
featureGates: {NodeSwap: true, QOSReserved: true}
qosReserved: {memory: 50%}
logging: {format: json, flushFrequency: 1000000000, verbosity: 2}
registerWithTaints: [{key: k, effect: NoSchedule}]
memoryManagerPolicy: Static
reservedMemory: [{numaNode: 0, limits: {memory: "1024Mi"}}]
kubeReserved: {cpu: 100m}
kubeReservedCgroup: /kube
enforceNodeAllocatable: [pods, kube-reserved]
evictionSoft: {memory.available: 200Mi}
evictionSoftGracePeriod: {memory.available: 1m30s}
mergeDefaultEvictionSettings: true
evictionHard: {memory.available: 50Mi}
shutdownGracePeriodByPodPriority: [{priority: 1000, shutdownGracePeriodSeconds: 60}]
crashLoopBackOff: {maxContainerRestartPeriod: 30s}
memorySwap: {swapBehavior: LimitedSwap}
memoryThrottlingFactor: 0.9
singleProcessOOMKill: true
tracing: {samplingRatePerMillion: 100}
podPidsLimit: 1000
`;

Deno.test("every kind of field comes to its member; paths begin where the file is", () => {
  const o = runFile(FULL);
  assert.deepEqual([o.podManifestPath, o.clientCaFile], ["/etc/manifests", "/etc/ca.pem"]);
  assert.deepEqual(o.manifestUrlHeader, { a: ["1", "2"] });
  assert.deepEqual([o.clusterDns, o.podCidr], [["10.0.0.10"], "10.1.0.0/16"]);
  assert.deepEqual([o.gates.enabled("QOSReserved"), o.featureGates], [true, { NodeSwap: true, QOSReserved: true }]);
  assert.deepEqual([o.loggingFormat, o.logFlushFrequency, o.v], ["json", 1000, 2]);
  assert.deepEqual(o.reservedMemory, [{ numaNode: 0, limits: { memory: "1Gi" } }]);
  assert.deepEqual(o.enforceNodeAllocatable, ["pods", "orch-reserved"]);
  assert.deepEqual([o.evictionHard["memory.available"], o.evictionHard["nodefs.available"]], ["50Mi", "10%"]);
  assert.deepEqual(o.shutdownGracePeriodByPodPriority, [{ priority: 1000, shutdownGracePeriodSeconds: 60 }]);
  assert.deepEqual([o.maxContainerRestartPeriod, o.swapBehavior, o.memoryThrottlingFactor], [
    30_000,
    "LimitedSwap",
    0.9,
  ]);
  assert.deepEqual([o.singleProcessOOMKill, o.tracing, o.podMaxPids], [true, { samplingRatePerMillion: 100 }, 1000]);
});

for (const dialect of ["orch", "kubernetes"]) {
  Deno.test(`what /configz shows means the same as a file (${dialect})`, () => {
    const argv = [`--api-dialect=${dialect}`];
    const first = runFile(FULL, ...argv), shown = configzOf(first);
    const again = run(["--config=/other/c.json", ...argv], filesOf({ "/other/c.json": JSON.stringify(shown) }));
    for (const { name, field } of SETTINGS) {
      if (field === undefined) continue;
      const member = camel(name) as keyof typeof first;
      assert.deepEqual(again[member], first[member], name);
    }
    const kubernetes = dialect === "kubernetes";
    assert.equal(shown["kind"], kubernetes ? "KubeletConfiguration" : "OrchletConfiguration");
    assert.deepEqual(shown["enforceNodeAllocatable"], ["pods", kubernetes ? "kube-reserved" : "orch-reserved"]);
    assert.equal(shown["syncFrequency"], "1m0s");
  });
}

Deno.test("files of the directory go over the file, in order; flags go over all", () => {
  const files = filesOf({
    "/etc/c.yaml": `${HEAD}port: 1\nmaxPods: 1\nclusterDNS: [10.0.0.1, 10.0.0.2]\nfeatureGates: {WatchList: false}\n`,
    "/etc/d/10-a.conf": `${HEAD}port: 2\nmaxPods: 2\nclusterDNS: [10.0.0.3]\nevictionHard: {memory.available: 1Gi}\n`,
    "/etc/d/20/b.conf":
      `${HEAD}port: 3\nfeatureGates: {EnvFiles: false}\nsystemReserved: {cpu: 1m}\ntlsCertFile: c\ntlsPrivateKeyFile: k\n`,
    "/etc/d/30-off.conf": `${HEAD}systemReserved: null\n`,
    "/etc/d/readme.txt": "no configuration",
  });
  const o = run(["--config=/etc/c.yaml", "--config-dir=/etc/d", "--port=4", "--feature-gates=EnvFiles=true"], files);
  assert.deepEqual([o.port, o.maxPods, o.clusterDns], [4, 2, ["10.0.0.3"]]);
  assert.deepEqual([o.evictionHard["memory.available"], o.evictionHard["nodefs.available"]], ["1Gi", "10%"]);
  assert.deepEqual(o.featureGates, { WatchList: false, EnvFiles: true });
  assert.deepEqual([o.systemReserved, o.tlsCertFile], [{}, "/etc/d/20/c"]);
  assert.equal(run(["--config-dir=/etc/d"], files).anonymousAuth, true, "without a file the defaults of flags hold");
});

Deno.test("both names of the kind and of fields are read", () => {
  const own =
    "apiVersion: orchlet.config.orch.io/v1beta1\nkind: OrchletConfiguration\norchReserved: {cpu: 1m}\norchAPIQPS: 9\n";
  const o = run(["--config=/c"], filesOf({ "/c": own }));
  assert.deepEqual([o.orchReserved, o.orchApiQps], [{ cpu: "1m" }, 9]);
  assert.match(faults(["--config=/c"], filesOf({ "/c": own + "kubeAPIQPS: 1\n" })), /duplicate field "kubeAPIQPS"/);
});

const WRONG: readonly (readonly [yaml: string, fault: RegExp])[] = [
  ["port: x", /--config: "\/etc\/c\.yaml": .*cannot unmarshal string into Go struct field KubeletConfiguration\.port/],
  ["port: [", /--config: "\/etc\/c\.yaml": yaml/],
  ["port: 70000", /port \(--port\): 70000: should be at most 65535/],
  ["address: host", /address \(--address\): "host": should be an IP address/],
  ["containerLogMonitorInterval: 1s", /containerLogMonitorInterval: "1s": should be at least 3s/],
  ["maxParallelImagePulls: 0", /maxParallelImagePulls: 0: should be at least 1/],
  ["maxParallelImagePulls: 2\nserializeImagePulls: true", /needs --serialize-image-pulls=false/],
  ["imageMaximumGCAge: 1m", /imageMaximumGCAge: should be more than imageMinimumGCAge/],
  ["cgroupDriver: none", /^cgroupDriver \(--cgroup-driver\): "none" should be one of/],
  ["podLogsDir: /var/../log", /podLogsDir: .* should be absolute/],
  ["userNamespaces: {idsPerPod: 65537}", /should be a multiple of 65536/],
  ["shutdownGracePeriod: 100ms", /shutdownGracePeriod: should be 0 or at least 1s/],
  ["shutdownGracePeriodCriticalPods: 2s", /should not be more than shutdownGracePeriod/],
  [
    "shutdownGracePeriod: 5s\nshutdownGracePeriodByPodPriority: [{priority: 1, shutdownGracePeriodSeconds: 1}]",
    /cannot go with/,
  ],
  ["crashLoopBackOff: {maxContainerRestartPeriod: 10m}", /maxContainerRestartPeriod: "10m0s": should be at most 5m0s/],
  ["registerWithTaints: [{key: k, effect: Never}]", /--register-with-taints: "k": the effect should be one of/],
  [
    "reservedMemory: [{numaNode: 0, limits: {cpu: 1}}]\nmemoryManagerPolicy: Static",
    /0:cpu: should be memory or hugepages/,
  ],
  ["defaultPodSysctls: {net.core.somaxconn: '1'}", /needs the feature gate DefaultPodSysctls/],
  ["featureGates: {DefaultPodSysctls: true}\ndefaultPodSysctls: {kernel.panic: '1'}", /not known to be of a namespace/],
  ["memoryThrottlingFactor: 0.0\nfeatureGates: {MemoryQoS: true}", /memoryThrottlingFactor: should be more than 0/],
  ["showHiddenMetricsForVersion: '1.30'", /should be 1\.36/],
  ["tracing: {endpoint: 'http://x'}", /tracing\.endpoint: should be of the scheme dns/],
  ["featureGates: {Nope: true}", /unrecognized feature gate: Nope/],
  ["preloadedImagesVerificationAllowlist: [a]", /only with the policy NeverVerifyAllowlistedImages/],
];
for (const [yaml, fault] of WRONG) {
  Deno.test(`${yaml.replaceAll("\n", "; ")} is refused`, () => assert.match(fileFaults(yaml + "\n"), fault));
}

Deno.test("what says nothing needs no gate, and what another policy would use is no fault", () => {
  const closed = "featureGates: {MemoryQoS: false}\n";
  const o = runFile(
    `${closed}memoryThrottlingFactor: 0.9\ndefaultPodSysctls: {}\nreservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]\n`,
  );
  assert.deepEqual([o.memoryThrottlingFactor, o.memoryManagerPolicy], [0.9, "None"]);
  assert.match(fileFaults(`${closed}memoryThrottlingFactor: 0.8\n`), /needs the feature gate MemoryQoS/);
});

Deno.test("images that need no credentials are names without tag, or all below a path", () => {
  const file = (p: string) =>
    `imagePullCredentialsVerificationPolicy: NeverVerifyAllowlistedImages\npreloadedImagesVerificationAllowlist: ['${p}']\n`;
  for (const p of ["a", "A/b", "docker.io/library/*", "registry.io:5000/x", "a/b__c", "a/*"]) runFile(file(p));
  for (const p of ["*", "/*", "a/*/b", "a/b*", "a:tag", "a@sha256:abc", "", " a", "a/", "docker.io/", "http://a/b"]) {
    assert.match(fileFaults(file(p)), /preloadedImagesVerificationAllowlist: ".*" should be an image/, p);
  }
});

Deno.test("files that are no configuration are refused by their path", () => {
  const one = (text: string) => faults(["--config=c"], filesOf({ "/there/c": text }));
  assert.match(one(""), /--config: "c": the file is empty/);
  assert.match(
    one("apiVersion: v1\nkind: Pod\n"),
    /kind "Pod" of "v1" is no OrchletConfiguration of orchlet\.config\.orch\.io/,
  );
  assert.match(one("- 1\n"), /is no OrchletConfiguration/);
  assert.match(faults(["--config=/none"]), /--config: "\/none": no such file/);
  const dir = filesOf({ "/d/a.conf": `${HEAD}port: 1\nport: 2\n` });
  assert.match(
    faults(["--config-dir=/d"], dir),
    /--config-dir: "\/d\/a\.conf": strict decoding error: .*key "port" already set in map/,
  );
});

Deno.test("what a file holds beyond the fields there are is passed over with a warning, of those that stand twice the last counts", () => {
  const parsed = parseOrchletOptions(
    ["--config=/c", "--config-dir=/d"],
    filesOf({
      "/c": `${HEAD}foo: 1\nconstructor: 1\nport: 1\nport: 2\nauthentication: {x509: {bar: 1}}\n`,
      "/d/a.conf": `${HEAD}maxPods: 7\nbar: {}\n`,
    }),
  );
  assert.ok(parsed.kind === "run");
  assert.deepEqual([parsed.options.port, parsed.options.maxPods], [2, 7]);
  const [file, dropIn, ...more] = parsed.warnings;
  assert.match(
    file!,
    /^--config: "\/c": passed over: .*key "port" already set.*"authentication\.x509\.bar".*"foo".*"constructor"/,
  );
  assert.equal(dropIn, '--config-dir: "/d/a.conf": passed over: unknown field "bar"');
  assert.deepEqual(more, []);
});

Deno.test("files of the host: subdirectories stand in the order of their names", () => {
  const dir = Deno.makeTempDirSync();
  try {
    for (const name of ["b", "a"]) Deno.mkdirSync(`${dir}/${name}/x`, { recursive: true });
    for (const path of ["c.conf", "b/2.conf", "b/1.conf", "a/x/9.conf"]) {
      Deno.writeTextFileSync(`${dir}/${path}`, `${HEAD}maxPods: ${path.length}\n`);
    }
    assert.deepEqual(hostFiles.below(dir).map((path) => path.slice(dir.length)), [
      "/a/x/9.conf",
      "/b/1.conf",
      "/b/2.conf",
      "/c.conf",
    ]);
    assert.equal(run([`--config-dir=${dir}`], hostFiles).maxPods, 6);
    assert.match(
      faults([`--config-dir=${dir}/none`], hostFiles),
      /--config-dir: ".*\/none": no such file or directory$/,
    );
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("what a gate keeps off is not shown as in force", () => {
  const of = (gates: string) => configzOf(runFile(`featureGates: {${gates}}`));
  const on = of(""), off = of("KubeletCrashLoopBackOffMax: false, KubeletEnsureSecretPulledImages: false");
  assert.deepEqual(on["crashLoopBackOff"], { maxContainerRestartPeriod: "5m0s" });
  assert.equal(on["imagePullCredentialsVerificationPolicy"], "NeverVerifyPreloadedImages");
  const { maxContainerRestartPeriod } = (off["crashLoopBackOff"] ?? {}) as { maxContainerRestartPeriod?: string };
  assert.deepEqual([maxContainerRestartPeriod, off["imagePullCredentialsVerificationPolicy"]], [undefined, undefined]);
});
