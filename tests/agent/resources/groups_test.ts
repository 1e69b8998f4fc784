import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { Hierarchy, textAt } from "../../../agent/resources/hierarchy.ts";
import { clock, container, fakeKernel, podOf, resourcesOn } from "./parts.ts";

const ROOT = "/sys/fs/cgroup";

/** A private group in the host's own trees. @throws Error: there is none to be had */
async function privateGroup(): Promise<{ hierarchy: Hierarchy; path: string }> {
  if (Deno.uid() !== 0) throw new Error("not root");
  const hierarchy = await Hierarchy.open(ROOT);
  if (hierarchy.version !== 1) throw new Error("cgroup v2: files are tested in settings_test.ts");
  const path = `/orchlet-test-${crypto.randomUUID().slice(0, 8)}`;
  await hierarchy.make(path);
  return { hierarchy, path };
}

const missing = await privateGroup().then(
  ({ hierarchy, path }) => hierarchy.remove(path, clock).then(() => undefined),
  (e: Error) => e.message,
);
if (missing) console.log(`skipped, no control groups to write to: ${missing}`);
const ignore = missing !== undefined; // no control groups to write to

const read = async (controller: string, path: string, file: string) =>
  (await Deno.readTextFile(`${ROOT}/${controller}${path}/${file}`)).trim();

/** Those of a group's directories that are there. */
const left = (hierarchy: Hierarchy, path: string) => hierarchy.directories(path).filter((at) => existsSync(at));

Deno.test(
  { name: "resources: files of a group and of a process that end while they are read are not there", ignore },
  async () => {
    const { hierarchy, path } = await privateGroup();
    const child = spawn("sleep", ["60"]), ended = once(child, "exit");
    await once(child, "spawn");
    const files = [`${hierarchy.directory("memory", path)}/cgroup.procs`, `/proc/${child.pid}/cgroup`];
    const open = files.map((file) => openSync(file, "r"));
    // What is open is read again by these names, as by one who has opened it before the end and not read yet.
    const names = open.map((fd) => `/proc/self/fd/${fd}`);
    try {
      assert.equal(await textAt(names[0]!), "");
      assert.match(await textAt(names[1]!) ?? "", /memory/);
      child.kill("SIGKILL");
      await ended;
      await hierarchy.remove(path, clock);
      for (const name of names) assert.equal(await textAt(name), undefined);
    } finally {
      open.forEach(closeSync);
      child.kill("SIGKILL");
      await hierarchy.remove(path, clock);
    }
  },
);

const UNIFIED = `${ROOT}/unified`;
const threaded = "resources: a group with threaded ones of version 2 in it is removed with their processes";
Deno.test({ name: threaded, ignore: ignore || !existsSync(UNIFIED) }, async () => {
  const { hierarchy, path } = await privateGroup(), at = `${UNIFIED}${path}`;
  const child = spawn("sleep", ["60"]), ended = once(child, "exit");
  await once(child, "spawn");
  await Deno.mkdir(`${at}/threaded`, { recursive: true });
  await Deno.writeTextFile(`${at}/threaded/cgroup.type`, "threaded");
  await Deno.writeTextFile(`${at}/cgroup.procs`, `${child.pid}`);
  await Deno.writeTextFile(`${at}/threaded/cgroup.threads`, `${child.pid}`);
  await hierarchy.remove(path, clock);
  await ended;
  assert.equal(existsSync(at), false);
});

const TREES =
  "resources: groups of pods in the kernel's trees, limits of all pods, classes, removal with what is left, orphans";
Deno.test({ name: TREES, ignore }, async () => {
  const { hierarchy, path } = await privateGroup(), kernel = await fakeKernel();
  try {
    for (const group of ["/system", "/agent"]) await hierarchy.make(path + group);
    const { resources, pods, events, logged } = await resourcesOn(kernel, hierarchy, {
      cgroupRoot: path,
      podMaxPids: 100,
      systemReserved: { cpu: "500m", memory: "1Gi", pid: "1000" },
      orchReserved: { cpu: "250m", memory: "512Mi" },
      enforceNodeAllocatable: ["pods", "system-reserved", "orch-reserved-compressible"],
      systemReservedCgroup: `${path}/system`,
      orchReservedCgroup: `${path}/agent`,
      qosReserved: { memory: "50%" },
    }, { gate: () => true });
    await resources.start();
    const all = `${path}/kubepods`;
    assert.equal(resources.root, all);
    assert.equal(await read("cpu", all, "cpu.shares"), String(Math.floor(3.25 * 1024)));
    assert.equal(await read("memory", all, "memory.limit_in_bytes"), String(2.5 * 2 ** 30));
    assert.equal(await read("pids", all, "pids.max"), String(32768 - 1000));
    assert.equal(await read("memory", `${path}/system`, "memory.limit_in_bytes"), String(2 ** 30));
    assert.equal(await read("cpu", `${path}/agent`, "cpu.shares"), "256");
    assert.notEqual(await read("memory", `${path}/agent`, "memory.limit_in_bytes"), String(2 ** 29));
    assert.deepEqual(events.map((e) => e.split(" ").slice(0, 2).join(" ")), [
      "Warning CgroupV1",
      ...Array(3).fill("Normal NodeAllocatableEnforced"),
    ]);
    // The score of the agent cannot be set on a kernel that is not there.
    assert.deepEqual(logged.map((l) => l.slice(0, 30)), [
      "warn cgroup v1 detected. cgrou",
      "warn the agent's own score can",
    ]);

    const burstable = podOf("b1", [container("a", { cpu: "500m", memory: "64Mi" }, { cpu: "1", memory: "128Mi" })], {
      overhead: { cpu: "100m", memory: "32Mi" },
    });
    const guaranteed = podOf("g1", [container("a", { cpu: "1", memory: "1Gi" }, { cpu: "1", memory: "1Gi" })]);
    const poor = podOf("p1", [container("a")]);
    pods.push(burstable, guaranteed, poor);
    assert.equal(await resources.pod(burstable), `${all}/burstable/podb1`);
    assert.equal(await resources.pod(guaranteed), `${all}/podg1`);
    assert.equal(await resources.pod(poor), `${all}/besteffort/podp1`);
    const b1 = `${all}/burstable/podb1`;
    assert.deepEqual(
      await Promise.all([
        read("cpu", b1, "cpu.shares"),
        read("cpu", b1, "cpu.cfs_quota_us"),
        read("memory", b1, "memory.limit_in_bytes"),
        read("pids", b1, "pids.max"),
        read("cpu", `${all}/burstable`, "cpu.shares"),
        read("cpu", `${all}/besteffort/podp1`, "cpu.shares"),
        // Half of what the higher classes ask for is kept from the lower ones.
        read("memory", `${all}/burstable`, "memory.limit_in_bytes"),
        read("memory", `${all}/besteffort`, "memory.limit_in_bytes"),
      ]),
      ["614", "110000", String(160 * 2 ** 20), "100", "614", "2", String(2 ** 31), String(2 ** 31 - 48 * 2 ** 20)],
    );

    const { spec } = burstable, smaller = { ...burstable, spec: { ...spec!, overhead: {} } };
    const { wanted, limit, used } = (await resources.memory(smaller))!;
    assert.deepEqual([wanted, limit, used >= 0], [128 * 2 ** 20, 160 * 2 ** 20, true]);
    assert.deepEqual((await resources.memory(poor))!.wanted, undefined);

    await hierarchy.make(`${b1}/left`);
    const sleeper = spawn("sleep", ["1000"]);
    const ended = once(sleeper, "exit");
    assert.equal(await resources.tasks(burstable), 0);
    await hierarchy.join(`${b1}/left`, sleeper.pid!);
    assert.equal(await resources.tasks(burstable), 1);
    pods.shift();
    await resources.release({ namespace: "default", name: "pod-b1", uid: "b1" });
    assert.equal((await ended)[1], "SIGKILL");
    assert.deepEqual(left(hierarchy, b1), []);
    assert.equal(await read("cpu", `${all}/burstable`, "cpu.shares"), "2");

    await resources.removeOrphans((uid) => uid !== "g1");
    assert.deepEqual(await hierarchy.missing(`${all}/podg1`), []);
    assert.notDeepEqual(await hierarchy.missing(`${all}/besteffort/podp1`), []);
    await resources.release({ namespace: "default", name: "never", uid: "there" });
  } finally {
    await hierarchy.remove(path, clock);
    await Deno.remove(kernel, { recursive: true });
  }
  assert.deepEqual(left(hierarchy, path), []);
});

Deno.test("resources: a group is there where the trees that pods need have it", async () => {
  const root = await Deno.makeTempDir();
  try {
    for (const tree of ["cpu,cpuacct", "cpuset", "memory", "freezer"]) {
      await Deno.mkdir(`${root}/${tree}/${tree === "freezer" ? "" : "pods"}`, { recursive: true });
      await Deno.writeTextFile(`${root}/${tree}/cgroup.procs`, "");
    }
    const hierarchy = await Hierarchy.open(root);
    assert.deepEqual(await hierarchy.missing("/pods"), []);
    await Deno.remove(`${root}/memory/pods`);
    assert.deepEqual(await hierarchy.missing("/pods"), [`${root}/memory/pods`]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("resources: processes that cannot be seen from here are no processes to kill", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/pod1`);
    await Deno.writeTextFile(`${root}/cgroup.controllers`, "cpu memory\n");
    await Deno.writeTextFile(`${root}/pod1/cgroup.procs`, "0\n0\n");
    const hierarchy = await Hierarchy.open(root);
    assert.deepEqual([...await hierarchy.processes("/pod1")], []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("resources: what a runtime has made of a group in a tree without controllers goes with it", async () => {
  const root = await Deno.makeTempDir(), bare = `${root}/unified`;
  const made = ["cpu", "cpuacct", "cpuset", "memory", "unified"].map((name) => `${root}/${name}/pods/pod1`);
  try {
    for (const directory of made) await Deno.mkdir(directory, { recursive: true });
    await Deno.mkdir(`${bare}/pods/pod2/container`, { recursive: true });
    for (const tree of ["cpu", "cpuacct", "cpuset", "memory", "unified"]) {
      await Deno.writeTextFile(`${root}/${tree}/cgroup.procs`, "");
    }
    await Deno.writeTextFile(`${bare}/cgroup.controllers`, "");
    const hierarchy = await Hierarchy.open(root);
    assert.deepEqual([hierarchy.version, hierarchy.directories("/pods").includes(`${bare}/pods`)], [1, false]);
    assert.deepEqual([...await hierarchy.children("/pods")].sort(), ["pod1", "pod2"]);
    for (const name of ["pod1", "pod2"]) await hierarchy.remove(`/pods/${name}`, clock);
    assert.deepEqual([...await hierarchy.children("/pods")], []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

const LOST = "resources: a root that is not there, and a reservation for a group that is not, are refused";
Deno.test({ name: LOST, ignore }, async () => {
  const { hierarchy, path } = await privateGroup(), kernel = await fakeKernel();
  try {
    const lost = await resourcesOn(kernel, hierarchy, { cgroupRoot: `${path}/none` });
    await assert.rejects(lost.resources.start(), /invalid configuration: cgroup .* has some missing paths/);
    const other = await resourcesOn(kernel, hierarchy, {
      cgroupRoot: path,
      enforceNodeAllocatable: ["system-reserved"],
      systemReservedCgroup: `${path}/none`,
    });
    await assert.rejects(other.resources.start(), /Failed to enforce System Reserved Cgroup Limits/);
    assert.match(other.events.at(-1)!, /^Warning FailedNodeAllocatableEnforcement /);
  } finally {
    await hierarchy.remove(path, clock);
    await Deno.remove(kernel, { recursive: true });
  }
});
