/** Pods that break a level which came after them. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { Checks, details } from "../../server/admission/podsecurity/checks.ts";
import { podsUnder } from "../../server/admission/podsecurity/existing.ts";
import { formatPolicy, type LevelVersion, PRIVILEGED, readPolicy } from "../../server/admission/podsecurity/policy.ts";
import { recording } from "../audit/_recording.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";
import { create, namespace, obj, pod } from "./_cases.ts";
import type { Loose } from "../fixture/loose.ts";

const LEVEL = (level: string, more = {}) => ({ "pod-security.kubernetes.io/enforce": level, ...more });

const hostNetwork = pod({ hostNetwork: true });

Deno.test("an update that changes no image of a pod that breaks the level is taken", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  try {
    const ns = await namespace(s);
    await create(s, ns, hostNetwork);
    await create(s, ns, pod({ hostNetwork: true, initContainers: [{ name: "i", image: "i" }] }, {}, "q"));
    const patch = (path: string, body: Loose, type: string) =>
      s.fetch(`/api/v1/namespaces/${ns}${path}`, { method: "PATCH", headers: { "content-type": type }, body });
    const relabel = async (level: string, more = {}) => {
      const answer = await patch("", { metadata: { labels: LEVEL(level, more) } }, "application/merge-patch+json");
      assert.equal(answer.status, 200, answer.text);
      return answer.headers.get("warning");
    };
    assert.match(await relabel("restricted") ?? "", /violate the new PodSecurity enforce level/);
    for (const more of [{}, { a: "b" }]) assert.equal(await relabel("baseline", more), null, "nothing was raised");
    const label = await patch("/pods/p", { metadata: { labels: { a: "b" } } }, "application/merge-patch+json");
    assert.equal(label.status, 200);
    const image = await patch(
      "/pods/p",
      { spec: { containers: [{ name: "c", image: "z" }] } },
      "application/strategic-merge-patch+json",
    );
    assert.equal(image.status, 403, image.text);
    const first = await patch(
      "/pods/q",
      { spec: { initContainers: [{ name: "i", image: "z" }] } },
      "application/strategic-merge-patch+json",
    );
    assert.equal(first.status, 403, first.text);
  } finally {
    await s.stop();
  }
});

Deno.test("the audit is told of the policy that was enforced, and of what the audit's own finds, also where the pod is refused", async () => {
  const prefix = "pod-security.kubernetes.io/", found = "host namespaces (hostNetwork=true)";
  const rows: [labels: Loose, status: number, said: Loose][] = [
    [{ audit: "baseline" }, 201, {
      "enforce-policy": "privileged:latest",
      "audit-violations": `would violate PodSecurity "baseline:latest": ${found}`,
    }],
    [{ audit: "baseline", "audit-version": "v1.30", enforce: "baseline" }, 403, {
      "enforce-policy": "baseline:latest",
      "audit-violations": `would violate PodSecurity "baseline:v1.30": ${found}`,
    }],
    [{ enforce: "baseline", audit: "privileged" }, 403, { "enforce-policy": "baseline:latest" }],
    [{}, 201, { "enforce-policy": "privileged:latest" }],
  ];
  const policy = {
    rules: [{
      level: "Metadata",
      omitStages: ["RequestReceived"],
      verbs: ["create"],
      resources: [{ group: "", resources: ["pods", "podtemplates"] }],
    }],
  };
  await recording(["--disable-admission-plugins=ServiceAccount"], async ({ t, events }) => {
    for (const [labels, status, said] of rows) {
      const named = Object.entries(labels).map(([key, value]) => [prefix + key, value]);
      const ns = await namespace(t, { labels: Object.fromEntries(named) });
      assert.equal((await create(t, ns, hostNetwork)).status, status);
      const notes = Object.entries<string>(events().at(-1)!.annotations).filter(([key]) => key.startsWith(prefix));
      assert.deepEqual(Object.fromEntries(notes.map(([key, value]) => [key.slice(prefix.length), value])), said);
    }
    const ns = await namespace(t, { labels: { [`${prefix}audit`]: "baseline" } });
    const template = { spec: hostNetwork.spec };
    assert.equal((await create(t, ns, obj("v1", "PodTemplate", "w", { template }))).status, 201);
    const { annotations } = events().at(-1)!;
    assert.equal(annotations[`${prefix}audit-violations`], `would violate PodSecurity "baseline:latest": ${found}`);
  }, { policy });
});

const CHECKS = new Checks(productOf("kubernetes"), 37);
/** What is found in a pod of one container, at a level as of a minor version. */
const found = (level: "baseline" | "restricted", minor: number, c: Loose, spec: Loose = {}, annotations: Loose = {}) =>
  details(CHECKS.findings({ level, minor }, {
    metadata: { annotations },
    spec: { containers: [{ name: "c", ...c }], ...spec },
  }));
const withSecurity = (securityContext: Loose) => ({ securityContext });
const NEW = 37;

Deno.test("what each rule of the level baseline refuses, and what it does not", () => {
  const probe = { httpGet: { host: "h", port: 1 } }, own = { hostUsers: false };
  const rows: [says: RegExp, ok: Loose[], bad: Loose[], minor?: number, spec?: Loose][] = [
    [/^hostPort \(container "c" uses hostPort 80\)$/, [{ ports: [{ containerPort: 80 }] }], [{
      ports: [{ hostPort: 80 }],
    }]],
    [
      /^probe or lifecycle host \(container "c" uses probe or lifecycle host "h"\)$/,
      [{ livenessProbe: { httpGet: { port: 1 } } }],
      [
        { livenessProbe: probe },
        { readinessProbe: probe },
        { startupProbe: { tcpSocket: { host: "h" } } },
        { lifecycle: { postStart: probe } },
        { lifecycle: { preStop: probe } },
      ],
    ],
    [/^$/, [{ livenessProbe: probe }], [], 33],
    [/^probe or/, [], [{ livenessProbe: probe }], 34],
    [
      /^non-default capabilities \(.*"SYS_ADMIN"/,
      [withSecurity({ capabilities: { add: ["NET_BIND_SERVICE", "CHOWN"] } })],
      [withSecurity({ capabilities: { add: ["CHOWN", "SYS_ADMIN"] } })],
    ],
    [
      /^procMount \(.* to "Unmasked"\)$/,
      [withSecurity({ procMount: "Default" })],
      [withSecurity({ procMount: "Unmasked" })],
    ],
    [/^procMount/, [], [withSecurity({ procMount: "Unmasked" })], 34, own],
    [/^procMount/, [], [withSecurity({ procMount: "Unmasked" })], 35, { hostUsers: true }],
    [/^$/, [withSecurity({ procMount: "Unmasked" })], [], 35, own],
    [
      /^seLinuxOptions \(container "c" set forbidden .*: type "spc_t"\)$/,
      [withSecurity({ seLinuxOptions: { type: "container_t", level: "s0" } })],
      [withSecurity({ seLinuxOptions: { type: "spc_t" } })],
    ],
    [/: user may not be set\)$/, [], [withSecurity({ seLinuxOptions: { user: "u" } })]],
    [/: role may not be set\)$/, [], [withSecurity({ seLinuxOptions: { type: "", role: "r" } })]],
    [/type "container_engine_t"/, [], [withSecurity({ seLinuxOptions: { type: "container_engine_t" } })], 30],
    [/^$/, [withSecurity({ seLinuxOptions: { type: "container_engine_t" } })], [], 31],
    [
      /^seLinuxOptions/,
      ["container_init_t", "container_kvm_t"].map((type) => withSecurity({ seLinuxOptions: { type } })),
      [withSecurity({ seLinuxOptions: { type: "unconfined_t" } })],
    ],
    [
      /^seccompProfile \(.* to "Unconfined"\)$/,
      [
        withSecurity({ seccompProfile: { type: "Localhost" } }),
        withSecurity({ seccompProfile: { type: "RuntimeDefault" } }),
      ],
      [withSecurity({ seccompProfile: { type: "Unconfined" } })],
    ],
    [
      /^forbidden AppArmor profile \(container "c" must not set AppArmor profile type to "Unconfined"\)$/,
      [
        withSecurity({ appArmorProfile: { type: "Localhost" } }),
        withSecurity({ appArmorProfile: { type: "RuntimeDefault" } }),
      ],
      [withSecurity({ appArmorProfile: { type: "Unconfined" } })],
    ],
    [
      /^hostProcess \(container "c" must not set/,
      [withSecurity({ windowsOptions: { hostProcess: false } })],
      [withSecurity({ windowsOptions: { hostProcess: true } })],
    ],
  ];
  for (const [says, ok, bad, minor = NEW, spec] of rows) {
    for (const c of ok) assert.equal(found("baseline", minor, c, spec), "", JSON.stringify(c));
    for (const c of bad) {
      assert.match(found("baseline", minor, c, spec), says);
      const others = { containers: [], initContainers: [], ephemeralContainers: [] };
      for (const list of ["initContainers", "ephemeralContainers"]) {
        const hidden = { ...others, ...spec, [list]: [{ name: "c", ...c }] };
        assert.match(found("baseline", minor, {}, hidden), says, `${list} ${JSON.stringify(c)}`);
      }
    }
  }
  const ofPod = { securityContext: { seLinuxOptions: { type: "spc_t" } } };
  assert.match(found("baseline", NEW, {}, ofPod), /^seLinuxOptions \(pod set forbidden/);
  for (const name of ["hostNetwork", "hostPID", "hostIPC"]) {
    assert.equal(found("baseline", NEW, {}, { [name]: true }), `host namespaces (${name}=true)`);
  }
});

Deno.test("capabilities that containers have anyway may be added, and no others", () => {
  const adding = (name: string) => found("baseline", NEW, withSecurity({ capabilities: { add: [name] } }));
  const usual =
    "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID";
  for (const name of [...usual.split(" "), "SYS_CHROOT"]) assert.equal(adding(name), "", name);
  const powers = "ALL BPF DAC_READ_SEARCH NET_ADMIN NET_RAW SYS_ADMIN SYS_BOOT SYS_MODULE SYS_PTRACE SYS_RAWIO chown";
  for (const name of powers.split(" ")) assert.match(adding(name), /^non-default capabilities/, name);
});

Deno.test("profiles in annotations are judged as the others are", () => {
  const armor = "container.apparmor.security.beta.kubernetes.io/c";
  const seccomp = ["seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/c"];
  for (
    const [value, bad] of [["", false], ["runtime/default", false], ["localhost/x", false], [
      "unconfined",
      true,
    ]] as const
  ) {
    const says = `forbidden AppArmor profile (annotation must not set AppArmor profile type to "${armor}="${value}"")`;
    assert.equal(found("baseline", NEW, {}, {}, { [armor]: value }), bad ? says : "");
  }
  for (const key of seccomp) {
    for (const [value, bad] of [["runtime/default", 0], ["docker/default", 0], ["localhost/x", 0], ["unconfined", 1]]) {
      const says = `seccompProfile (forbidden annotation ${key}="${value}")`;
      assert.equal(found("baseline", 18, {}, {}, { [key]: value }), bad ? says : "");
      assert.equal(found("baseline", 19, {}, {}, { [key]: value }), "", "members say it since");
    }
  }
  const product = productOf("orch"), checks = new Checks(product, NEW);
  for (const key of [armor, ...seccomp]) {
    const annotations = { [product.local(key)]: "unconfined" };
    const pod = { metadata: { annotations }, spec: { containers: [{ name: "c" }] } };
    assert.notEqual(
      details(checks.findings({ level: "baseline", minor: 18 }, pod)),
      "",
      "in the product's own words too",
    );
  }
});

const GOOD = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

Deno.test("the level restricted takes volumes of the cluster's own kinds alone", () => {
  const having = (type: string) =>
    found("restricted", NEW, withSecurity(GOOD), { volumes: [{ name: "v", [type]: { name: "x" } }] });
  const own = "configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret";
  for (const type of own.split(" ")) assert.equal(having(type), "", type);
  const others =
    "hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs rbd flexVolume cinder cephfs flocker fc " +
    "azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos";
  for (const type of others.split(" ")) {
    assert.equal(
      having(type),
      `restricted volume types (volume "v" uses restricted volume type "${type}")`,
      "one rule says it",
    );
  }
});

Deno.test("versions that are newer than the server ask for what its own does", () => {
  const old = new Checks(productOf("kubernetes"), 30);
  const securityContext = { seLinuxOptions: { type: "container_engine_t" } };
  const sees = { metadata: {}, spec: { containers: [{ name: "c", securityContext }] } };
  for (const minor of [30, 31, Infinity]) {
    assert.match(details(old.findings({ level: "baseline", minor }, sees)), /^seLinuxOptions/, `${minor}`);
  }
});

Deno.test("what each rule of the level restricted asks for, since which version, and of which pods", () => {
  const at = (minor: number, more: Loose, spec: Loose = {}) =>
    found("restricted", minor, withSecurity({ ...GOOD, ...more }), spec);
  const own = { hostUsers: false }, windows = { os: { name: "windows" } };
  const rows: [more: Loose, spec: Loose, minor: number, says: RegExp][] = [
    [{}, {}, NEW, /^$/],
    [{ capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } }, {}, NEW, /^$/],
    [
      { capabilities: { drop: ["ALL"], add: ["CHOWN"] } },
      {},
      NEW,
      /^unrestricted capabilities \(.* must not include "CHOWN"/,
    ],
    [{ capabilities: { drop: ["KILL"] } }, {}, NEW, /^unrestricted capabilities \(.*drop=\["ALL"\]\)$/],
    [
      { capabilities: { add: ["SYS_ADMIN"] } },
      {},
      NEW,
      /^unrestricted capabilities \([^()]*drop=\["ALL"\]; [^()]* not include "SYS_ADMIN"[^()]*\)$/,
    ],
    [{ capabilities: {} }, {}, 21, /^$/],
    [{ capabilities: {} }, {}, 22, /^unrestricted capabilities/],
    [{ capabilities: {} }, { os: { name: "linux" } }, NEW, /^unrestricted capabilities/],
    [{ capabilities: {} }, windows, 24, /^unrestricted capabilities/],
    [{ capabilities: {} }, windows, 25, /^$/],
    [{ allowPrivilegeEscalation: true }, {}, NEW, /^allowPrivilegeEscalation != false/],
    [{ allowPrivilegeEscalation: true }, windows, NEW, /^$/],
    [{ allowPrivilegeEscalation: undefined }, windows, 24, /^allowPrivilegeEscalation/],
    [{ allowPrivilegeEscalation: undefined }, windows, 25, /^$/],
    [{ allowPrivilegeEscalation: true }, {}, 7, /^$/],
    [{ allowPrivilegeEscalation: true }, {}, 8, /^allowPrivilegeEscalation/],
    [
      { runAsNonRoot: false },
      { securityContext: { runAsNonRoot: true } },
      NEW,
      /^runAsNonRoot != true \(container "c" must not/,
    ],
    [{ runAsNonRoot: undefined }, { securityContext: { runAsNonRoot: true } }, NEW, /^$/],
    [{ runAsNonRoot: undefined }, {}, NEW, /^runAsNonRoot != true \(pod or container "c" must set/],
    [{ runAsNonRoot: undefined }, own, NEW, /^$/],
    [{ runAsNonRoot: undefined }, own, 34, /^runAsNonRoot/],
    [{ runAsUser: 0 }, {}, NEW, /^runAsUser=0 \(container "c"/],
    [{}, { securityContext: { runAsUser: 0 } }, NEW, /^runAsUser=0 \(pod must not/],
    [{ runAsUser: 0 }, own, NEW, /^$/],
    [{ runAsUser: 0 }, {}, 22, /^$/],
    [{ runAsUser: 0 }, own, 23, /^runAsUser=0/],
    [{ runAsUser: 0 }, own, 35, /^$/],
    [{ runAsUser: 1 }, {}, NEW, /^$/],
    [{ runAsUser: 0 }, { hostUsers: true }, NEW, /^runAsUser=0/],
    [{ procMount: "Unmasked" }, own, 34, /^procMount/],
    [{ procMount: "Unmasked" }, own, 35, /^procMount/],
    [{ procMount: "Unmasked" }, {}, NEW, /^procMount \([^()]*\)$/],
    [{ seccompProfile: undefined }, {}, NEW, /^seccompProfile \(pod or container "c" must set/],
    [{ seccompProfile: undefined }, { securityContext: { seccompProfile: { type: "Localhost" } } }, NEW, /^$/],
    [{ seccompProfile: { type: "Unconfined" } }, {}, NEW, /^seccompProfile \(container "c" must not[^()]*\)$/],
    [{ seccompProfile: undefined }, {}, 18, /^$/],
    [{ seccompProfile: undefined }, {}, 19, /^seccompProfile/],
    [{ seccompProfile: undefined }, windows, 24, /^seccompProfile/],
    [{ seccompProfile: undefined }, windows, 25, /^$/],
    [{}, { volumes: [{ name: "v", emptyDir: {} }, { name: "w", csi: {} }] }, NEW, /^$/],
    [
      {},
      { volumes: [{ name: "v", hostPath: {} }] },
      NEW,
      /^restricted volume types \(volume "v" uses restricted .* "hostPath"\)$/,
    ],
    [{}, { volumes: [{ name: "v", new: {} }] }, NEW, /"unknown"/],
  ];
  for (const [more, spec, minor, says] of rows) {
    assert.match(at(minor, more, spec), says, JSON.stringify([more, spec, minor]));
  }
});

Deno.test("each version allows the kernel parameters that came with it and before it", () => {
  const rows = [
    [0, "kernel.shm_rmid_forced"],
    [27, "net.ipv4.ip_local_reserved_ports"],
    [29, "net.ipv4.tcp_keepalive_time"],
    [32, "net.ipv4.tcp_rmem"],
    [37, "net.ipv4.tcp_notsent_lowat"],
  ] as const;
  for (const [since, name] of rows) {
    const sysctls = { securityContext: { sysctls: [{ name, value: "1" }] } };
    assert.equal(found("baseline", since, {}, sysctls), "", name);
    assert.equal(found("baseline", Infinity, {}, sysctls), "", name);
    if (since > 0) assert.equal(found("baseline", since - 1, {}, sysctls), `forbidden sysctls (${name})`);
  }
  const other = { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } };
  assert.equal(found("baseline", Infinity, {}, other), "forbidden sysctls (kernel.msgmax)");
});

Deno.test("labels that cannot be read count as the strictest for what is refused, and as nothing for the rest", () => {
  const defaults = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };
  const read = (labels: Record<string, string>) => readPolicy(labels, defaults, "");
  const level = (level: string, minor = Infinity) => ({ level, minor });
  assert.deepEqual(read({ enforce: "bogus", audit: "bogus", warn: "bogus" }).policy, {
    ...defaults,
    enforce: level("restricted"),
  });
  assert.deepEqual(read({ enforce: "baseline", "enforce-version": "latest" }), {
    policy: { ...defaults, enforce: level("baseline"), warn: level("baseline") },
    faults: [],
  });
  const old = { enforce: "baseline", "enforce-version": "v1.20", warn: "privileged", audit: "restricted" };
  assert.deepEqual(read(old).policy, { ...defaults, enforce: level("baseline", 20), audit: level("restricted") });
  for (const version of ["v1.01", "1.20", "v2.0", "newest"]) {
    const { policy, faults } = read({ ...old, "enforce-version": version });
    assert.deepEqual([policy.enforce, faults.length], [level("baseline"), 1], version);
  }
});

Deno.test("warnings follow what is refused where nothing milder is said, and versions stand without a level", () => {
  const [baseline, restricted] = [{ level: "baseline", minor: 30 }, { level: "restricted", minor: 31 }] as const;
  const rows: [labels: Record<string, string>, says: string[], warn?: LevelVersion][] = [
    [{}, ["baseline:v1.30", "restricted:v1.31", "privileged:latest"]],
    [{ enforce: "baseline" }, ["baseline:v1.30", "restricted:v1.31", "baseline:v1.30"]],
    [{ enforce: "baseline" }, ["baseline:v1.30", "restricted:v1.31", "restricted:v1.31"], restricted],
    [{ enforce: "restricted", "enforce-version": "v1.0" }, ["restricted:v1.0", "restricted:v1.31", "restricted:v1.0"]],
    [{ enforce: "baseline", "warn-version": "v1.8" }, ["baseline:v1.30", "restricted:v1.31", "baseline:v1.8"]],
    [{ enforce: "baseline", warn: "privileged" }, ["baseline:v1.30", "restricted:v1.31", "privileged:latest"]],
    [{ "enforce-version": "v1.9" }, ["baseline:v1.9", "restricted:v1.31", "privileged:latest"]],
    [{ enforce: "bogus" }, ["restricted:v1.30", "restricted:v1.31", "privileged:latest"]],
  ];
  for (const [labels, says, warn = PRIVILEGED] of rows) {
    const { policy } = readPolicy(labels, { enforce: baseline, audit: restricted, warn }, "");
    assert.deepEqual([policy.enforce, policy.audit, policy.warn].map(formatPolicy), says, JSON.stringify(labels));
  }
});

Deno.test("bad labels of a namespace from before may stay as they are, and forbid all that is not restricted", async () => {
  const backend = memoryBackend(), flag = "--disable-admission-plugins=ServiceAccount";
  const off = await startTestServer([`${flag},PodSecurity`], { backend });
  const ns = await namespace(off, { labels: LEVEL("bogus") });
  await off.stop();
  const s = await startTestServer([flag], { backend });
  try {
    const relabel = async (labels: Loose) =>
      (await s.fetch(`/api/v1/namespaces/${ns}`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: { metadata: { labels } },
      })).status;
    assert.equal(await relabel({ a: "b" }), 200);
    assert.equal(await relabel(LEVEL("worse")), 422);
    const { status, body } = await create(s, ns, pod());
    assert.equal(status, 403);
    assert.match(body.message, /violates PodSecurity "restricted:latest"/);
    assert.equal(await relabel(LEVEL("baseline")), 200);
    assert.equal((await create(s, ns, pod())).status, 201);
  } finally {
    await s.stop();
    await backend.close();
  }
});

Deno.test("of pods that are there one of each controller is looked at first, and not for long", () => {
  const made = (name: string, owner = "", runtimeClassName = ""): Obj =>
    ({
      metadata: { name, ...(owner ? { ownerReferences: [{ uid: owner, controller: true }] } : {}) },
      spec: { runtimeClassName },
    }) as unknown as Obj;
  const pods = [made("a2", "a"), made("a1", "a"), made("b1", "b"), made("c1"), made("x", "", "exempt"), made("good")];
  const seen: string[] = [];
  let now = 0;
  const judge = (step: number) => ({
    exempt: (name: string) => name === "exempt",
    reasons: ({ metadata: { name = "" } }: Obj) => (now += step, seen.push(name), name === "good" ? "" : "bad"),
    now: () => now,
  });
  const violate = 'existing pods in namespace "ns" violate the new PodSecurity enforce level "l"';
  assert.deepEqual(podsUnder(pods, "ns", "l", judge(1)), [violate, "a1 (and 3 other pods): bad"]);
  assert.deepEqual(seen, ["a2", "b1", "c1", "good", "a1"]);
  assert.deepEqual(podsUnder([made("good")], "ns", "l", judge(1)), []);
  assert.deepEqual(podsUnder([made("c1")], "ns", "l", judge(1)), [violate, "c1: bad"]);
  const named = { ...judge(1), reasons: ({ metadata: { name = "" } }: Obj) => `not ${name}` };
  assert.deepEqual(podsUnder([made("d"), made("c")], "ns", "l", named), [violate, "c: not c", "d: not d"]);
  assert.deepEqual(podsUnder(pods, "ns", "l", judge(501)), [
    "new PodSecurity enforce level only checked against the first 2 of 5 existing pods",
    violate,
    "a2 (and 1 other pod): bad",
  ]);
});
