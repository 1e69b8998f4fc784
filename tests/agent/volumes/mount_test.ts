import assert from "node:assert/strict";
import { join } from "node:path";
import type { Volume } from "../../../schema/api/core_v1.ts";
import { NodeVolumes } from "../../../agent/volumes/mod.ts";
import { mountedAt, mountPoints } from "../../../agent/volumes/mounts.ts";
import { disksMissing, makeDisk, removeDisk } from "../../fixture/mounts.ts";
import type { TestServer } from "../../fixture/server.ts";
import { podOf, until } from "./_fixture.ts";
import { REF, test, UID } from "./_room.ts";

const NS = "/api/v1/namespaces/default";

const mode = (path: string) => Deno.statSync(path).mode! & 0o7777;
const text = (path: string) => Deno.readTextFileSync(path);

test("empty directories keep what is in them until the pod is gone", async ({ volumes, dir, parts }) => {
  const pod = podOf(UID, {
    volumes: [
      { name: "disk", emptyDir: {} },
      { name: "sticky", emptyDir: { mode: 0o1750 } },
      { name: "memory", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
      { name: "odd", emptyDir: { medium: "Tape" } },
    ],
    securityContext: { fsGroup: 1234 },
  });
  await assert.rejects(volumes.mount(pod), {
    message: 'MountVolume.SetUp failed for volume "odd" : unknown storage medium "Tape"',
  });
  pod.spec!.volumes!.pop();
  const made = await volumes.mount(pod);
  const disk = made.get("disk")!.path, memory = made.get("memory")!.path;
  assert.equal(disk, join(dir, "pods", UID, "volumes/kubernetes.io~empty-dir/disk"));
  assert.deepEqual([mode(disk), mode(made.get("sticky")!.path)], [0o2777, 0o3770]);
  assert.equal(Deno.statSync(disk).gid, 1234);
  assert.equal((await mountedAt(memory))?.type, "tmpfs");
  assert.ok((await mountedAt(memory))?.options.includes("size=1024k"));

  Deno.writeTextFileSync(join(disk, "f"), "kept");
  Deno.writeTextFileSync(join(memory, "f"), "kept");
  const again = new NodeVolumes({
    rootDir: dir,
    volumeStatsAggPeriod: 60_000,
    volumePluginDir: "",
    enableControllerAttachDetach: true,
  }, parts);
  await again.mount(pod);
  assert.equal(text(join(disk, "f")) + text(join(memory, "f")), "keptkept");
  await again.unmount(REF);
  await again.unmount(REF);
  assert.deepEqual([...Deno.readDirSync(join(dir, "pods"))], []);
});

test("memory of a pod is mounted one after the other, however much there is", async ({ volumes, dir }) => {
  const bin = join(dir, "bin"), path = Deno.env.get("PATH")!;
  await Deno.mkdir(bin);
  const held = `mkdir ${bin}/held || echo two >> ${bin}/overlaps`;
  const script = `#!/bin/sh\n${held}\nPATH=${path} mount "$@"\nrmdir ${bin}/held\n`;
  await Deno.writeTextFile(join(bin, "mount"), script, { mode: 0o755 });
  const names = Array.from({ length: 20 }, (_, i) => `v${i}`);
  Deno.env.set("PATH", `${bin}:${path}`);
  try {
    await volumes.mount(podOf(UID, { volumes: names.map((name) => ({ name, emptyDir: { medium: "Memory" } })) }));
  } finally {
    Deno.env.set("PATH", path);
  }
  for (const name of names) assert.equal((await mountedAt(volumes.pathOf(UID, name)!))?.type, "tmpfs");
  assert.deepEqual([...Deno.readDirSync(bin)].map(({ name }) => name), ["mount"]);
});

test("ConfigMaps become files and follow their object", async ({ volumes, t, parts }) => {
  const volume: Volume = {
    name: "v",
    configMap: {
      name: "m",
      defaultMode: 0o600,
      items: [{ key: "a", path: "x/a" }, { key: "b", path: "b", mode: 0o444 }],
    },
  };
  const pod = podOf(UID, { volumes: [volume, { name: "no", configMap: { name: "absent", optional: true } }] });
  await assert.rejects(volumes.mount(pod), {
    message: 'MountVolume.SetUp failed for volume "v" : configmap "m" not found',
  });
  const body = (a: string) => ({ metadata: { name: "m" }, data: { a }, binaryData: { b: btoa("\xff") } });
  await t.fetch(`${NS}/configmaps`, { body: { ...body("1"), binaryData: {} } });
  const fault = 'MountVolume.SetUp failed for volume "v" : configmap references non-existent config key: b';
  await until(async () => (await volumes.mount(pod).then(() => {}, (e) => e.message)) === fault);
  await t.fetch(`${NS}/configmaps/m`, { method: "PUT", body: body("1") });
  await until(() => volumes.mount(pod).then(() => true, () => false));
  const { path, readOnly } = (await volumes.mount(pod)).get("v")!;
  assert.ok(readOnly);
  assert.equal(text(join(path, "x/a")), "1");
  assert.deepEqual(Deno.readFileSync(join(path, "b")), new Uint8Array([255]));
  assert.deepEqual([mode(join(path, "x/a")), mode(join(path, "b"))], [0o600, 0o444]);
  await t.fetch(`${NS}/configmaps/m`, { method: "PUT", body: body("2") });
  await until(async () => (await volumes.mount(pod), text(join(path, "x/a")) === "2"));
  await volumes.unmount(REF);
  assert.equal(parts.objects.size, 0);
});

test("Secrets lie in memory, for the pod's group to read", async ({ volumes, t }) => {
  await t.fetch(`${NS}/secrets`, { body: { metadata: { name: "s" }, data: { k: btoa("hidden") } } });
  const pod = podOf(UID, { volumes: [{ name: "v", secret: { secretName: "s" } }], securityContext: { fsGroup: 77 } });
  pod.spec!.containers![0]!.volumeMounts!.push({ name: "v2", mountPath: "/v/inner/deep" });
  const { path } = (await volumes.mount(pod)).get("v")!;
  assert.equal((await mountedAt(path))?.type, "tmpfs");
  assert.deepEqual([text(join(path, "k")), Deno.statSync(join(path, "k")).gid], ["hidden", 77]);
  assert.equal(mode(join(path, "k")), 0o644);
  assert.ok(Deno.statSync(join(path, "inner/deep")).isDirectory, "a place for the volume that is mounted inside");
});

test("files have the owners that they are given, where the gate is on", async ({ volumes, t, dir, parts }) => {
  await t.fetch(`${NS}/secrets`, { body: { metadata: { name: "s" }, data: { a: btoa("1"), b: btoa("2") } } });
  const namespace = { path: "namespace", fieldRef: { fieldPath: "metadata.namespace" } };
  const items = [{ key: "a", path: "a", user: 1001 }, { key: "b", path: "b" }];
  const pod = podOf(UID, {
    volumes: [
      { name: "all", secret: { secretName: "s", defaultUser: 1002 } },
      { name: "one", secret: { secretName: "s", items } },
      {
        name: "mix",
        projected: {
          defaultUser: 1003,
          sources: [{ secret: { name: "s", items } }, { downwardAPI: { items: [namespace] } }],
        },
      },
    ],
  });
  const owners = async (of: NodeVolumes) => {
    const made = await of.mount(pod);
    const files = ["all/a", "all/b", "one/a", "one/b", "mix/a", "mix/b", "mix/namespace"];
    return files.map((file) => {
      const [volume, name] = file.split("/");
      return Deno.statSync(join(made.get(volume!)!.path, name!)).uid;
    });
  };
  assert.deepEqual(await owners(volumes), [1002, 1002, 1001, 0, 1001, 1003, 1003]);
  await volumes.unmount(REF);
  const off = new NodeVolumes({
    rootDir: dir,
    volumeStatsAggPeriod: 0,
    volumePluginDir: "",
    enableControllerAttachDetach: true,
  }, { ...parts, gate: () => false });
  assert.deepEqual(new Set(await owners(off)), new Set([0]));
  await off.unmount(REF);
});

test("a pod's own fields and resources become files", async ({ volumes }) => {
  const items = [
    { path: "labels", fieldRef: { fieldPath: "metadata.labels" } },
    { path: "notes", fieldRef: { fieldPath: "metadata.annotations" } },
    { path: "app", fieldRef: { fieldPath: "metadata.labels['app']" } },
    { path: "cpu", resourceFieldRef: { containerName: "c", resource: "limits.cpu", divisor: "1m" } },
    { path: "memory", resourceFieldRef: { containerName: "c", resource: "requests.memory", divisor: "1Mi" } },
  ];
  const pod = podOf(UID, { volumes: [{ name: "v", downwardAPI: { items } }] });
  pod.spec!.containers![0]!.resources = { requests: { memory: "1500Ki" } };
  const { path } = (await volumes.mount(pod)).get("v")!;
  const all = items.map((i) => text(join(path, i.path)));
  assert.deepEqual(all, ['app="web"', 'note="a \\"b\\"\\n"', "web", "2000", "2"]);
  pod.metadata!.labels!["app"] = "db";
  await volumes.mount(pod);
  assert.equal(text(join(path, "app")), "db");
});

test("projected files: a token for the pod, renewed in time, beside others", async ({ volumes, t, clock, parts }) => {
  await t.fetch(`${NS}/configmaps`, { body: { metadata: { name: "m" }, data: { "ca.crt": "roots" } } });
  await t.fetch(`${NS}/serviceaccounts`, { body: { metadata: { name: "sa" } } });
  const posted = await t.fetch(`${NS}/pods`, {
    body: { metadata: { name: "p" }, spec: { serviceAccountName: "sa", containers: [{ name: "c", image: "i" }] } },
  });
  const uid: string = posted.body.metadata.uid;
  const pod = podOf(uid, {
    serviceAccountName: "sa",
    securityContext: { runAsUser: 1000 },
    volumes: [{
      name: "v",
      projected: {
        sources: [
          { serviceAccountToken: { path: "token", expirationSeconds: 3600, audience: "vault" } },
          { configMap: { name: "m", items: [{ key: "ca.crt", path: "ca.crt" }] } },
          { downwardAPI: { items: [{ path: "namespace", fieldRef: { fieldPath: "metadata.namespace" } }] } },
        ],
      },
    }],
  });
  const tokens = `POST ${NS}/serviceaccounts/sa/token`;
  try {
    const { path } = (await volumes.mount(pod)).get("v")!;
    const claims = () =>
      JSON.parse(atob(text(join(path, "token")).split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/")));
    assert.deepEqual(claims().aud, ["vault"]);
    assert.equal(claims()["kubernetes.io"].pod.uid, uid);
    assert.deepEqual([mode(join(path, "token")), Deno.statSync(join(path, "token")).uid], [0o600, 1000]);
    assert.equal(text(join(path, "ca.crt")) + text(join(path, "namespace")), "rootsdefault");
    clock.advance(0.79 * 3600_000);
    await volumes.mount(pod);
    assert.equal(parts.api!.asked.get(tokens), 1);
    clock.advance(0.02 * 3600_000);
    await volumes.mount(pod);
    assert.equal(parts.api!.asked.get(tokens), 2);
  } finally {
    await volumes.unmount({ ...REF, uid });
  }
});

test("files of the host are checked by their type", async ({ volumes, dir }) => {
  const at = (name: string) => join(dir, name);
  Deno.writeTextFileSync(at("file"), "");
  const cases: readonly [string, string, string | undefined][] = [
    ["file", "File", undefined],
    ["file", "", undefined],
    ["new/dir", "DirectoryOrCreate", undefined],
    ["new/dir/f", "FileOrCreate", undefined],
    ["file", "Directory", `hostPath type check failed: ${at("file")} is not a directory, it's a File`],
    ["new", "BlockDevice", `hostPath type check failed: ${at("new")} is not a block device, it's a Directory`],
    [
      "none",
      "Socket",
      `hostPath type check failed, ${at("none")} is not a socket file, unable to determine its type: path "${
        at("none")
      }" does not exist`,
    ],
    ["a/../b", "File", `invalid HostPath \`${dir}/a/../b\`: must not contain '..'`],
  ];
  for (const [path, type, fault] of cases) {
    const hostPath = { path: `${dir}/${path}`, type: type as "File" };
    const mounted = volumes.mount(
      podOf(UID, { volumes: [{ name: `v${cases.indexOf([path, type, fault])}`.replace("-", "x"), hostPath }] }),
    );
    if (fault) {
      await assert.rejects(mounted, (e: Error) => (assert.ok(e.message.endsWith(` : ${fault}`), e.message), true));
    } else await mounted;
    await volumes.unmount(REF);
  }
  assert.ok(Deno.statSync(at("new/dir/f")).isFile, "what is the host's stays");
});

async function claimed(t: TestServer, spec: object, wish: object = {}): Promise<void> {
  const shared = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], storageClassName: "x" };
  const claim = await t.fetch(`${NS}/persistentvolumeclaims`, {
    body: {
      metadata: { name: "c" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "x",
        volumeName: "pv",
        resources: { requests: { storage: "1Gi" } },
        ...wish,
      },
    },
  });
  assert.equal(claim.status, 201, claim.text);
  const { name, namespace, uid } = claim.body.metadata;
  const pv = await t.fetch("/api/v1/persistentvolumes", {
    body: { metadata: { name: "pv" }, spec: { ...shared, claimRef: { name, namespace, uid }, ...spec } },
  });
  assert.equal(pv.status, 201, pv.text);
}
const bind = (t: TestServer) =>
  t.fetch(`${NS}/persistentvolumeclaims/c/status`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: { status: { phase: "Bound" } },
  });
const onNode = (host: string) => ({
  required: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [host] }] }],
  },
});
const claim: Volume = { name: "v", persistentVolumeClaim: { claimName: "c" } };

test("a local volume behind a claim is bound, given to the group, and never emptied", async ({ volumes, t, dir }) => {
  const disk = join(dir, "disk");
  Deno.mkdirSync(disk);
  Deno.writeTextFileSync(join(disk, "data"), "precious");
  const pod = podOf(UID, { volumes: [claim], securityContext: { fsGroup: 55, fsGroupChangePolicy: "OnRootMismatch" } });
  const unbound = "Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], " +
    "failed to process volumes=[v]: error processing PVC default/c: ";
  await assert.rejects(volumes.mount(pod), {
    message: `${unbound}failed to fetch PVC from API server: persistentvolumeclaims "c" not found`,
  });
  await claimed(t, { local: { path: disk }, nodeAffinity: onNode("here") });
  await assert.rejects(volumes.mount(pod), { message: `${unbound}PVC is not bound` });
  await bind(t);
  const { path } = (await volumes.mount(pod)).get("v")!;
  assert.equal(path, join(dir, "pods", UID, "volumes/kubernetes.io~local-volume/pv"));
  assert.equal(text(join(path, "data")), "precious");
  assert.equal(Deno.statSync(join(disk, "data")).gid, 55);
  const [use] = await volumes.stats(pod);
  assert.deepEqual(use?.pvcRef, { name: "c", namespace: "default" });
  await volumes.unmount(REF);
  assert.equal(text(join(disk, "data")), "precious");
  assert.equal((await mountPoints()).filter((m) => m.path.startsWith(dir)).length, 0);
});

test("a claim to read only, or of one pod alone, is kept to", async ({ volumes, t, dir }) => {
  const disk = join(dir, "disk"), other = "8b1f0000-0000-0000-0000-000000000003";
  Deno.mkdirSync(disk);
  await claimed(t, { local: { path: disk }, nodeAffinity: onNode("here"), accessModes: ["ReadWriteOncePod"] }, {
    accessModes: ["ReadWriteOncePod"],
  });
  await t.fetch("/api/v1/persistentvolumes/pv", {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: { metadata: { annotations: { "pv.beta.kubernetes.io/gid": "4321" } } },
  });
  await bind(t);
  const reading: Volume = { name: "v", persistentVolumeClaim: { claimName: "c", readOnly: true } };
  const { path, readOnly } = (await volumes.mount(podOf(UID, { volumes: [reading] }))).get("v")!;
  assert.ok(readOnly);
  assert.throws(() => Deno.writeTextFileSync(join(path, "f"), ""), /Read-only file system/);
  assert.deepEqual(volumes.groups(UID), [4321]);
  await assert.rejects(volumes.mount(podOf(other, { volumes: [claim] })), {
    message:
      'MountVolume.SetUp failed for volume "pv" : volume uses the ReadWriteOncePod access mode and is already in use by another pod',
  });
  await volumes.unmount(REF);
  await volumes.mount(podOf(other, { volumes: [claim] }));
  await volumes.unmount({ ...REF, uid: other });
});

/** Runs with a disk. */
async function withDisk(dir: string, run: (device: string) => Promise<void>): Promise<void> {
  const device = makeDisk(dir, 8 << 20);
  assert.ok(device);
  try {
    await run(device);
  } finally {
    removeDisk(device);
  }
}

const diskless = disksMissing();

test("an empty disk gets a file system once; its data stays", ({ volumes, t, dir }) =>
  withDisk(dir, async (path) => {
    await claimed(t, { local: { path }, nodeAffinity: onNode("here") });
    await bind(t);
    const pod = podOf(UID, { volumes: [claim], securityContext: { fsGroup: 5 } });
    for (const before of [undefined, "kept"]) {
      const mounted = (await volumes.mount(pod)).get("v")!.path;
      const file = join(mounted, "f");
      assert.equal((await mountedAt(mounted))?.type, "ext4");
      if (before) assert.equal(text(file), before);
      Deno.writeTextFileSync(file, "kept");
      await volumes.unmount(REF);
    }
  }), diskless);

test("a disk that cannot be read is not an empty one", ({ volumes, t, dir }) =>
  withDisk(dir, async (path) => {
    await claimed(t, { local: { path }, nodeAffinity: onNode("here") });
    await bind(t);
    const pod = podOf(UID, { volumes: [claim] });
    await volumes.mount(pod);
    await volumes.unmount(REF);
    const file = join(dir, "disk.img");
    Deno.truncateSync(file, 0);
    await assert.rejects(volumes.mount(pod), { message: /failed to get disk format of disk .*: Input\/output error/ });
    assert.equal(Deno.statSync(file).size, 0);
  }), diskless);

test("a raw disk is given as it is", ({ volumes, t, dir }) =>
  withDisk(dir, async (path) => {
    await claimed(t, { local: { path }, nodeAffinity: onNode("here"), volumeMode: "Block" }, { volumeMode: "Block" });
    await bind(t);
    await assert.rejects(volumes.mount(podOf(UID, { volumes: [claim] })), {
      message: /volume v has volumeMode Block, but is specified in volumeMounts$/,
    });
    const pod = podOf(UID, { volumes: [claim] });
    const [container] = pod.spec!.containers!;
    delete container!.volumeMounts;
    container!.volumeDevices = [{ name: "v", devicePath: "/dev/x" }];
    assert.deepEqual((await volumes.mount(pod)).get("v"), { path, readOnly: false });
    assert.deepEqual(await volumes.stats(pod), []);
  }), diskless);

test("a volume of another node, or of a kind that this node has not, is refused", async ({ volumes, t }) => {
  await claimed(t, { local: { path: "/" }, nodeAffinity: onNode("elsewhere") });
  await bind(t);
  await assert.rejects(volumes.mount(podOf(UID, { volumes: [claim] })), {
    message: 'MountVolume.NodeAffinity check failed for volume "pv" : no matching NodeSelectorTerms',
  });
  const kinds: readonly [Partial<Volume>, string][] = [
    [
      { iscsi: { targetPortal: "t", iqn: "i", lun: 0 } },
      'Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: failed to get Plugin from volumeSpec for volume "v" err=no volume plugin matched',
    ],
    [
      { gitRepo: { repository: "r" } },
      'MountVolume.SetUp failed for volume "v" : git-repo volume plugin has been disabled; if necessary, it may be re-enabled by enabling the feature-gate `GitRepoVolumeDriver`',
    ],
    [
      { hostPath: { path: "/nowhere/at/all", type: "FileOrCreate" } },
      'MountVolume.SetUp failed for volume "v" : open /nowhere/at/all: no such file or directory',
    ],
    [
      { csi: { driver: "d" } },
      'MountVolume.SetUp failed for volume "v" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name d not found in the list of registered CSI drivers',
    ],
  ];
  for (const [kind, message] of kinds) {
    await assert.rejects(volumes.mount(podOf(UID, { volumes: [{ name: "v", ...kind }] })), { message });
  }
});

test("a place that something else was put at is left alone when it cannot be unmounted", async ({ volumes, dir }) => {
  const pod = podOf(UID, { volumes: [{ name: "v", emptyDir: {} }] });
  const { path } = (await volumes.mount(pod)).get("v")!;
  Deno.symlinkSync("/etc", join(path, "link"));
  const outside = join(dir, "outside");
  Deno.mkdirSync(outside);
  Deno.writeTextFileSync(join(outside, "data"), "precious");
  Deno.mkdirSync(join(path, "bound"));
  new Deno.Command("mount", { args: ["--bind", outside, join(path, "bound")] }).outputSync();
  const held = await Deno.open(join(path, "bound/data"), { write: true });
  await assert.rejects(volumes.unmount(REF), /unmount failed/);
  assert.equal(text(join(path, "bound/data")), "precious");
  held.close();
  await volumes.unmount(REF);
  assert.equal(text(join(outside, "data")), "precious");
  assert.ok(Deno.statSync("/etc/passwd").isFile);
});

test("parts of volumes are bound by what they are, not by what links say", async ({ volumes, dir }) => {
  const pod = podOf(UID, { volumes: [{ name: "v", emptyDir: {} }] });
  const { path } = (await volumes.mount(pod)).get("v")!;
  const at = await volumes.subPath(REF, "v", "c", 0, "new/part");
  assert.equal(at, join(dir, "pods", UID, "volume-subpaths/v/c/0"));
  assert.equal(mode(at), 0o777);
  Deno.writeTextFileSync(join(path, "new/part/f"), "here");
  assert.equal(text(join(at, "f")), "here");
  assert.equal(await volumes.subPath(REF, "v", "c", 0, "new/part"), at);
  assert.equal(text(await volumes.subPath(REF, "v", "c", 1, "new/part/f")), "here");

  // What is there now is another thing than before, and a file where a directory was.
  Deno.renameSync(join(path, "new"), join(path, "old"));
  Deno.mkdirSync(join(path, "new"));
  Deno.writeTextFileSync(join(path, "new/part"), "a file");
  assert.equal(text(await volumes.subPath(REF, "v", "c", 0, "new/part")), "a file");

  Deno.symlinkSync("old/part", join(path, "inner"));
  assert.equal(text(join(await volumes.subPath(REF, "v", "c", 2, "inner"), "f")), "here");
  Deno.symlinkSync("/etc", join(path, "out"));
  Deno.symlinkSync(join(dir, "not-there-yet"), join(path, "later"));
  Deno.mkdirSync(`${path}2`);
  Deno.symlinkSync("../v2", join(path, "beside"));
  for (const bad of ["out", "out/passwd", "out/new/deep", "later", "later/deep", "beside", "beside/deep"]) {
    await assert.rejects(volumes.subPath(REF, "v", "c", 3, bad), {
      message: 'failed to prepare subPath for volumeMount "v" of container "c"',
    });
  }
  await assert.rejects(volumes.subPath(REF, "v", "c", 3, "a/../.."), /must not contain '\.\.'/);
  await assert.rejects(volumes.subPath(REF, "v", "c", 3, "/etc"), /must not be an absolute path/);
  await volumes.unmount(REF);
  assert.ok(!(await mountPoints()).some((m) => m.path.startsWith(dir)));
});

test("what a container puts in the place of a part that is made is left as it is", async ({ volumes, dir }) => {
  const pod = podOf(UID, { volumes: [{ name: "v", emptyDir: {} }] });
  const { path: volume } = (await volumes.mount(pod)).get("v")!, target = join(dir, "hidden");
  Deno.mkdirSync(target, { mode: 0o700 });
  const swapper = new Worker(new URL("_swapper.ts", import.meta.url), { type: "module" });
  try {
    swapper.postMessage({ volume, target });
    // It is at work.
    Deno.mkdirSync(join(volume, "0"));
    await until(() => Deno.lstat(join(volume, "0")).then((s) => s.isSymlink, () => false));
    for (let i = 1; i <= 40; i++) await volumes.subPath(REF, "v", "c", i, `${i}`).catch(() => {});
    assert.equal(mode(target), 0o700);
  } finally {
    swapper.terminate();
  }
});

test("a part that another pod makes at the same time is there for both", async ({ volumes, dir }) => {
  const shared = join(dir, "shared"), count = 8;
  Deno.mkdirSync(shared);
  const pod = podOf(UID, { volumes: [{ name: "v", hostPath: { path: shared } }] });
  await volumes.mount(pod);
  await Promise.all(Array.from({ length: count }, (_, i) => volumes.subPath(REF, "v", `c${i}`, 0, "part/of/it")));
  Deno.writeTextFileSync(join(shared, "part/of/it/f"), "here");
  for (let i = 0; i < count; i++) assert.equal(text(join(dir, `pods/${UID}/volume-subpaths/v/c${i}/0/f`)), "here");
});

test("a volume that stays mounted does not keep the others of its pod", async ({ volumes, dir }) => {
  const names = ["a", "b", "c"], volume = (name: string) => ({ name, emptyDir: { medium: "Memory" as const } });
  const made = await volumes.mount(podOf(UID, { volumes: names.map(volume) }));
  const held = names.map((name) => Deno.openSync(join(made.get(name)!.path, "f"), { create: true, write: true }));
  const left = async () => (await mountPoints()).filter((m) => m.path.startsWith(dir)).map((m) => m.path.at(-1));
  assert.deepEqual((await left()).sort(), names);
  for (const i of [0, 2]) held[i]!.close();
  await assert.rejects(volumes.unmount(REF), /unmount failed/);
  held[1]!.close();
  assert.deepEqual(await left(), ["b"]);
});

test("files among the directories of pods and of what drivers have staged are nobody's", async ({ volumes, dir }) => {
  const staged = join(dir, "plugins/kubernetes.io/csi");
  for (const path of [join(dir, "pods"), staged, join(staged, "driver"), join(staged, "volumeDevices")]) {
    Deno.mkdirSync(path, { recursive: true });
    Deno.writeTextFileSync(join(path, "note"), "");
  }
  assert.equal((await volumes.mount(podOf(UID, { volumes: [{ name: "v", emptyDir: {} }] }))).size, 1);
});

test("volumes say how full they are, no more often than the period", async ({ volumes, clock, parts, dir }) => {
  const pod = podOf(UID, { volumes: [{ name: "v", emptyDir: {} }, { name: "h", hostPath: { path: "/" } }] });
  const { path } = (await volumes.mount(pod)).get("v")!;
  const used = async () => (await volumes.stats(pod)).map((s) => [s.name, s.inodesUsed]);
  assert.deepEqual(await used(), [["v", 1]]);
  Deno.writeTextFileSync(join(path, "f"), "x".repeat(10_000));
  assert.deepEqual(await used(), [["v", 1]]);
  clock.advance(60_000);
  const [s] = await volumes.stats(pod);
  assert.equal(s!.inodesUsed, 2);
  assert.ok(s!.usedBytes >= 10_000 && s!.capacityBytes >= s!.availableBytes && s!.inodes > s!.inodesFree);
  const off = new NodeVolumes({
    rootDir: dir,
    volumeStatsAggPeriod: -1,
    volumePluginDir: "",
    enableControllerAttachDetach: true,
  }, parts);
  await off.mount(pod);
  assert.deepEqual(await off.stats(pod), []);
});

test("roots that the cluster shares become a file", async ({ volumes, t }) => {
  const volume: Volume = {
    name: "v",
    projected: { sources: [{ clusterTrustBundle: { name: "none", path: "roots.pem" } }] },
  };
  await assert.rejects(volumes.mount(podOf(UID, { volumes: [volume] })), {
    message:
      'MountVolume.SetUp failed for volume "v" : while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io "none" not found',
  });
  volume.projected!.sources![0]!.clusterTrustBundle!.optional = true;
  const { path } = (await volumes.mount(podOf(UID, { volumes: [volume] }))).get("v")!;
  assert.equal(text(join(path, "roots.pem")), "");
  assert.ok(t);
});
