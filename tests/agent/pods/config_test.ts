import assert from "node:assert/strict";
import { BackOff, backOffKey, pausesOf } from "../../../agent/pods/back_off.ts";
import { devicesOf } from "../../../agent/pods/devices.ts";
import { sandboxConfig } from "../../../agent/pods/sandbox_config.ts";
import { checkNonRoot, containerSecurity } from "../../../agent/pods/security.ts";
import { pod } from "./_fixture.ts";

/** The host's users, and users of its own. */
const HOST = { mode: "NODE" } as const;
const RANGE = { hostId: 65536, containerId: 0, length: 65536 };
const OWN = { mode: "POD", uids: [RANGE], gids: [RANGE] } as const;

Deno.test("back-off: ten seconds, doubled, at most five minutes, anew after ten minutes", () => {
  const pauses = new BackOff();
  let now = 0;
  const seen: number[] = [];
  for (let i = 0; i < 8; i++) {
    assert.equal(pauses.pausing("a", now, now + 300_000), undefined);
    pauses.next("a", now, now);
    seen.push(pauses.pausing("a", now, now)!);
    now += 300_000;
  }
  assert.deepEqual(seen, [10, 20, 40, 80, 160, 300, 300, 300].map((s) => s * 1000));
  now += 600_001;
  assert.equal(pauses.pausing("a", now, now), undefined);
  pauses.next("a", now, now);
  assert.equal(pauses.pausing("a", now, now), 10_000);
});

Deno.test("back-off: by gates and the longest pause, which does not tell from when on a container runs well", () => {
  const on = (...gates: string[]) => (name: string) => gates.includes(name);
  const decay = "ReduceDefaultCrashLoopBackOffDecay", most = "KubeletCrashLoopBackOffMax";
  assert.deepEqual(pausesOf(on(most), 20_000), { first: 10_000, longest: 20_000 });
  assert.deepEqual(pausesOf(on(), 300_000), { first: 10_000, longest: 300_000 });
  assert.deepEqual(pausesOf(on(decay), 300_000), { first: 1_000, longest: 60_000 });
  assert.deepEqual(pausesOf(on(decay, most), 300_000), { first: 1_000, longest: 300_000 });
  const pauses = new BackOff({ first: 10_000, longest: 20_000 });
  pauses.next("a", 0, 0);
  pauses.next("a", 590_000, 590_000);
  assert.equal(pauses.pausing("a", 590_000, 590_000), 20_000);
  const short = new BackOff({ first: 10_000, longest: 1_000 });
  short.next("a", 0, 0);
  assert.equal(short.pausing("a", 0, 0), 1_000);
});

Deno.test("back-off: where the host's clock is set back, what ended is not waited for until it was", () => {
  const pauses = new BackOff(), late = 3 * 3_600_000;
  pauses.next("a", late, late);
  assert.equal(pauses.pausing("a", late + 1_000, late + 2_000), 10_000);
  assert.equal(pauses.pausing("a", late + 1_000, 0), undefined);
  pauses.next("a", late + 1_000, 0);
  assert.equal(pauses.pausing("a", 1_000, 2_000), 20_000);
  // It has started since, and seems to have ended before the clock was set back once more.
  assert.equal(pauses.pausing("a", 300_000, 2_000), 20_000);
  assert.equal(pauses.pausing("a", 300_000, 20_000), undefined);
});

Deno.test("back-off: another image or other resources of a container begin anew, another pod's are its own", () => {
  const main = { name: "main", image: "app:1" }, web = pod({}), key = backOffKey(web, main);
  assert.equal(backOffKey(web, { ...main, env: [{ name: "A" }] }), key);
  const others = [
    backOffKey(web, { ...main, image: "app:2" }),
    backOffKey(web, { ...main, resources: { limits: { cpu: "1" } } }),
    backOffKey(web, { ...main, name: "other" }),
    backOffKey(pod({}, { uid: "u2" }), main),
  ];
  assert.deepEqual(others.filter((other) => other === key), []);
});

Deno.test("a sandbox's config", () => {
  const web = pod({
    shareProcessNamespace: true,
    hostIPC: true,
    securityContext: { fsGroup: 7, supplementalGroups: [8], sysctls: [{ name: "net/ipv4/conf/e.1/x", value: "1" }] },
    containers: [{
      name: "main",
      ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 80, hostPort: 8080 }],
    }],
  });
  const got = sandboxConfig({
    pod: web,
    attempt: 2,
    cgroupParent: "/kubepods/podu1",
    limits: { resources: { cpuShares: 512 }, overhead: { memoryLimitInBytes: 4096 } },
    users: OWN,
    dns: undefined,
    clusterDomain: "cluster.local",
    podLogsDir: "/var/log/pods",
    groups: [4321],
    defaultPodSysctls: {
      "net/ipv4/conf/e.1/x": "0",
      "net.core.somaxconn": "9",
      "kernel.shmmax": "1",
      "user.max_y": "2",
    },
  });
  assert.equal(got.metadata.attempt, 2);
  assert.equal(got.logDirectory, "/var/log/pods/default_web_u1");
  assert.deepEqual(got.portMappings, [{ protocol: "TCP", containerPort: 80, hostPort: 8080 }]);
  assert.deepEqual([got.linux!.resources!.cpuShares, got.linux!.overhead!.memoryLimitInBytes], [512, 4096]);
  assert.deepEqual(got.linux!.sysctls, { "net.ipv4.conf.e/1.x": "1", "net.core.somaxconn": "9" });
  assert.deepEqual(got.linux!.securityContext!.supplementalGroups, [7, 4321, 8]);
  const { pid, usernsOptions } = got.linux!.securityContext!.namespaceOptions!;
  assert.deepEqual([pid, usernsOptions], ["POD", OWN]);
  assert.equal(got.labels!["io.kubernetes.pod.uid"], "u1");
});

Deno.test("a container's rights: its own over its pod's", () => {
  const main = {
    name: "main",
    securityContext: { runAsUser: 5, allowPrivilegeEscalation: false, procMount: "Unmasked" as const },
  };
  const web = pod({
    containers: [main],
    securityContext: { runAsUser: 1, runAsGroup: 2, seccompProfile: { type: "Localhost", localhostProfile: "p.json" } },
  });
  const got = containerSecurity(web, main, { uid: 0 }, { rootDir: "/r", users: HOST });
  assert.deepEqual(got.runAsUser, { value: 5 });
  assert.deepEqual(got.runAsGroup, { value: 2 });
  assert.equal(got.noNewPrivs, true);
  assert.deepEqual(got.maskedPaths, []);
  assert.deepEqual(got.seccomp, { profileType: "Localhost", localhostRef: "/r/seccomp/p.json" });
  const plain = containerSecurity(pod({}), { name: "main" }, { name: "app" }, {
    rootDir: "/r",
    users: HOST,
    seccompDefault: true,
  });
  assert.equal(plain.runAsUsername, "app");
  assert.equal(plain.seccomp!.profileType, "RuntimeDefault");
  assert.ok(plain.maskedPaths!.includes("/proc/kcore"));
  const target = containerSecurity(pod({}), { name: "debug" }, {}, { rootDir: "/r", users: HOST }, "id1");
  assert.deepEqual([target.namespaceOptions!.pid, target.namespaceOptions!.targetId], ["TARGET", "id1"]);
});

Deno.test("disks without their files", () => {
  const volumes = new Map([
    ["rw", { path: "/dev/loop1", readOnly: false }],
    ["ro", { path: "/dev/loop2", readOnly: true }],
  ]);
  const of = (name: string, devicePath: string) =>
    devicesOf({ name: "main", volumeDevices: [{ name, devicePath }] }, volumes);
  assert.deepEqual(of("rw", "/dev/x"), [{ containerPath: "/dev/x", hostPath: "/dev/loop1", permissions: "mrw" }]);
  assert.equal(of("ro", "/dev/x")[0]!.permissions, "r");
  assert.throws(() => of("rw", "dev/x"), /error DevicePath `dev\/x` must be an absolute path/);
  assert.throws(() => of("none", "/dev/x"), /cannot find volume "none" to pass into container "main"/);
});

Deno.test("containers that must not run as root", () => {
  const web = pod({ securityContext: { runAsNonRoot: true } }), main = { name: "main" };
  const where = String.raw`\(pod: "web_default\(u1\)", container: main\)`;
  assert.throws(() => checkNonRoot(web, main, { uid: 0 }), new RegExp(`image will run as root ${where}`));
  assert.throws(() => checkNonRoot(web, main, { name: "app" }), /non-numeric user \(app\), cannot verify/);
  checkNonRoot(web, main, { uid: 3 });
  checkNonRoot(web, { name: "main", securityContext: { runAsUser: 3 } }, { uid: 0 });
  assert.throws(
    () => checkNonRoot(web, { name: "main", securityContext: { runAsUser: 0 } }, { uid: 3 }),
    /container's runAsUser breaks non-root policy/,
  );
});
