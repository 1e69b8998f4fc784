import assert from "node:assert/strict";
import { join } from "node:path";
import { mountedAt } from "../../../agent/volumes/mounts.ts";
import { ABLE, DRIVER } from "../../fixture/csi_driver.ts";
import type { Loose } from "../../fixture/loose.ts";
import { type CsiRoom, csiTest, NAME, UIDS } from "./_csi.ts";
import { podOf, until } from "./_fixture.ts";

const CLAIMED = { name: "v", persistentVolumeClaim: { claimName: "c" } };
const [A, B] = UIDS;
const refOf = (uid: string) => ({ namespace: "default", name: "p", uid });
const podWith = (uid: string, spec: Loose = {}) => podOf(uid, { volumes: [CLAIMED], ...spec });
const data = (dir: string) => JSON.parse(Deno.readTextFileSync(join(dir, "vol_data.json")));
const CAP = { mount: { fs_type: "", mount_flags: [] }, access_mode: { mode: 1 } };

const driverObject = (spec: Loose): Loose => ({ metadata: { name: DRIVER }, spec });
const DRIVERS = "/apis/storage.k8s.io/v1/csidrivers";

/** Waits until the driver was called so often. */
const called = ({ driver }: CsiRoom, method: string, count: number) =>
  until(() => Promise.resolve(driver.calls(method).length >= count));

for (const dialect of ["kubernetes", "orch"] as const) {
  csiTest(`a driver is told of in the node's objects while its socket is there (${dialect})`, async (room) => {
    const { t, driver, product } = room;
    const csinode = product.local("/apis/storage.k8s.io/v1/csinodes/here");
    const note = product.local("csi.volume.kubernetes.io/nodeid"), zone = product.local("topology.kubernetes.io/zone");
    assert.deepEqual(driver.calls("registered")[0]![1], { plugin_registered: true, error: "" });
    const { body } = await t.fetch(csinode);
    assert.deepEqual(body.metadata.ownerReferences.map((o: Loose) => [o.kind, o.name]), [["Node", "here"]]);
    assert.deepEqual(body.spec.drivers, [{ name: DRIVER, nodeID: "node-1", topologyKeys: null }]);
    assert.equal(room.volumes.csi.node.fault(), undefined);
    // Another start finds the same socket; the driver has news.
    driver.set({
      info: {
        node_id: "node-2",
        max_volumes_per_node: 7,
        accessible_topology: { segments: { "topology.kubernetes.io/zone": "z", "b.example/rack": "kubernetes" } },
      },
    });
    await room.start();
    await room.registered();
    assert.deepEqual((await t.fetch(csinode)).body.spec.drivers, [
      { name: DRIVER, nodeID: "node-2", topologyKeys: ["b.example/rack", zone], allocatable: { count: 7 } },
    ]);
    const { metadata } = (await t.fetch("/api/v1/nodes/here")).body;
    assert.deepEqual(JSON.parse(metadata.annotations[note]), { [DRIVER]: "node-2" });
    assert.deepEqual([metadata.labels[zone], metadata.labels["b.example/rack"]], ["z", "kubernetes"]);
    Deno.removeSync(join(room.registry, `${DRIVER}-reg.sock`));
    await until(async () => !(await t.fetch("/api/v1/nodes/here")).body.metadata.annotations?.[note]);
    assert.deepEqual((await t.fetch(csinode)).body.spec.drivers, null);
  }, dialect);
}

csiTest(
  "a claim's volume is attached, staged once, published to each pod, and taken back with the last",
  async (room) => {
    const { driver, dir } = room;
    const secret = { data: { key: btoa("hidden") } };
    for (const name of ["s1", "s2"]) {
      await room.make("/api/v1/namespaces/default/secrets", { metadata: { name }, ...secret });
    }
    await room.claim({
      fsType: "ext4",
      volumeAttributes: { size: "1" },
      nodeStageSecretRef: { name: "s1", namespace: "default" },
      nodePublishSecretRef: { name: "s2", namespace: "default" },
    }, { mountOptions: ["noatime"] });
    const pods = [A, B].map((uid) => podWith(uid, { securityContext: { fsGroup: 77 } }));
    const mounting = Promise.all(pods.map((pod) => room.volumes.mount(pod)));
    await until(() => Promise.resolve(room.status.volumesInUse?.length === 1));
    assert.deepEqual(room.status.volumesInUse, [NAME]);
    assert.deepEqual(driver.calls("NodeStageVolume"), []);
    await room.attach();
    const paths = (await mounting).map((made) => made.get("v")!.path);
    assert.deepEqual(paths, [A, B].map((uid) => join(dir, "pods", uid, "volumes/kubernetes.io~csi/pv/mount")));
    const [[, staged], none] = driver.calls("NodeStageVolume") as readonly [readonly [string, Loose], unknown];
    const place = staged.staging_target_path;
    assert.match(place, /\/plugins\/kubernetes\.io\/csi\/dirs\.example\.com\/[0-9a-f]{64}\/globalmount$/);
    const capability = { mount: { fs_type: "ext4", mount_flags: ["noatime"] }, access_mode: { mode: 1 } };
    const common = {
      volume_id: "h1",
      publish_context: { disk: "sdx" },
      volume_capability: capability,
      secrets: { key: "hidden" },
    };
    assert.deepEqual(staged, { ...common, staging_target_path: place, volume_context: { size: "1" } });
    assert.equal(none, undefined);
    const [, published] = driver.calls("NodePublishVolume").find(([, r]) => r.target_path === paths[0])!;
    assert.deepEqual(published, {
      ...common,
      staging_target_path: place,
      target_path: paths[0],
      readonly: false,
      volume_context: { size: "1" },
    });
    assert.deepEqual(data(join(place, "..")), { driverName: DRIVER, volumeHandle: "h1" });
    const { attachmentID, ...noted } = data(join(paths[0]!, ".."));
    assert.match(attachmentID, /^csi-[0-9a-f]{64}$/);
    assert.deepEqual(noted, {
      driverName: DRIVER,
      nodeName: "here",
      specVolID: "pv",
      volumeHandle: "h1",
      volumeLifecycleMode: "Persistent",
    });
    Deno.writeTextFileSync(join(paths[0]!, "f"), "shared");
    assert.equal(Deno.readTextFileSync(join(paths[1]!, "f")), "shared");
    assert.equal(Deno.statSync(paths[0]!).gid, 77);
    // A later look does nothing more.
    await room.volumes.mount(pods[0]!);
    assert.equal(driver.calls("NodePublishVolume").length, 2);
    await room.volumes.unmount(refOf(A));
    assert.deepEqual(await room.volumes.csi.inUse([]), [NAME]);
    await room.volumes.unmount(refOf(B));
    await called(room, "NodeUnstageVolume", 1);
    await until(async () => (await room.volumes.csi.inUse([NAME])).length === 0);
    assert.deepEqual(driver.calls("NodeUnpublishVolume").map(([, r]) => r.target_path), paths);
    assert.deepEqual(driver.calls("NodeUnstageVolume"), [["NodeUnstageVolume", {
      volume_id: "h1",
      staging_target_path: place,
    }]]);
    for (const path of [join(place, ".."), join(dir, "pods", A)]) assert.throws(() => Deno.statSync(path));
    assert.equal(Deno.readTextFileSync(join(driver.dir, "volumes/h1/f")), "shared");
  },
);

csiTest(
  "another start of the agent finds what is mounted, and takes it back when the driver is there",
  async (room) => {
    await room.make(DRIVERS, driverObject({ attachRequired: false }));
    await room.claim();
    const { path } = (await room.volumes.mount(podWith(A))).get("v")!;
    room.status = { volumesInUse: [NAME] };
    const socket = join(room.registry, `${DRIVER}-reg.sock`);
    await room.end();
    Deno.renameSync(socket, join(room.registry, ".hidden"));
    await room.start();
    await assert.rejects(room.volumes.unmount(refOf(A)), {
      message:
        `kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: driver name ${DRIVER} not found in the list of registered CSI drivers`,
    });
    assert.ok(await mountedAt(path));
    assert.deepEqual(await room.volumes.csi.inUse([NAME]), [NAME]);
    Deno.renameSync(join(room.registry, ".hidden"), socket);
    await room.registered();
    await room.volumes.unmount(refOf(A));
    assert.equal(await mountedAt(path), undefined);
    await called(room, "NodeUnstageVolume", 1);
    await until(async () => (await room.volumes.csi.inUse([NAME])).length === 0);
  },
);

csiTest(
  "a volume of the pod's own is published with what its driver asks for, again and again if it does",
  async (room) => {
    const { driver, parts } = room;
    const inline = { name: "v", csi: { driver: DRIVER, readOnly: true, volumeAttributes: { a: "1" } } };
    const pod = podOf(A, { volumes: [inline], serviceAccountName: "sa", securityContext: { fsGroup: 5 } });
    const refused = (why: string) =>
      assert.rejects(room.volumes.mount(pod), {
        message:
          `MountVolume.SetUp failed for volume "v" : kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "Ephemeral" not supported by driver ${DRIVER} (${why})`,
      });
    await refused("no CSIDriver object");
    await room.make("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "sa" } });
    await room.make("/api/v1/namespaces/default/pods", { ...pod, metadata: { name: "p" } });
    const uid = (await room.t.fetch("/api/v1/namespaces/default/pods/p")).body.metadata.uid;
    const spec = { podInfoOnMount: true, requiresRepublish: true, tokenRequests: [{ audience: "x" }] };
    await room.make(DRIVERS, driverObject({ ...spec, volumeLifecycleModes: ["Persistent"] }));
    await refused('only supports ["Persistent"]');
    await room.t.fetch(`${DRIVERS}/${DRIVER}`, { method: "DELETE" });
    await room.make(DRIVERS, driverObject({ ...spec, volumeLifecycleModes: ["Ephemeral"] }));
    const real = { ...pod, metadata: { ...pod.metadata, uid } };
    const { path, readOnly } = (await room.volumes.mount(real)).get("v")!;
    assert.ok(readOnly && await mountedAt(path));
    const [, request] = driver.calls("NodePublishVolume")[0]!;
    const { "csi.storage.k8s.io/serviceAccount.tokens": tokens, ...context } = request.volume_context;
    assert.deepEqual(Object.keys(JSON.parse(tokens).x), ["token", "expirationTimestamp"]);
    assert.deepEqual(context, {
      a: "1",
      "csi.storage.k8s.io/pod.name": "p",
      "csi.storage.k8s.io/pod.namespace": "default",
      "csi.storage.k8s.io/pod.uid": uid,
      "csi.storage.k8s.io/serviceAccount.name": "sa",
      "csi.storage.k8s.io/ephemeral": "true",
    });
    assert.match(request.volume_id, /^csi-[0-9a-f]{64}$/);
    assert.deepEqual([request.staging_target_path, request.readonly], [undefined, true]);
    assert.deepEqual(driver.calls("NodeStageVolume"), []);
    driver.set({ fail: { NodePublishVolume: "INTERNAL" } });
    assert.equal((await room.volumes.mount(real)).get("v")!.path, path);
    assert.ok(await mountedAt(path));
    assert.deepEqual(parts.events.said, [
      'Warning FailedMount: MountVolume.SetUp failed for volume "v" : rpc error: code = Internal desc = told to fail',
    ]);
    await room.volumes.unmount(refOf(uid));
    assert.equal(await mountedAt(path), undefined);
  },
);

csiTest("a disk is given as it is; volumes tell how full they are, and grow", async (room) => {
  const { driver, dir, volumes } = room;
  await room.make(DRIVERS, driverObject({ attachRequired: false }));
  await room.claim({}, { volumeMode: "Block" });
  const pod = podOf(A, { volumes: [CLAIMED] });
  const { volumeMounts: _, ...container } = pod.spec!.containers![0]!;
  pod.spec!.containers = [{ ...container, volumeDevices: [{ name: "v", devicePath: "/dev/x" }] }];
  const { path } = (await volumes.mount(pod)).get("v")!;
  const disks = join(dir, "plugins/kubernetes.io/csi/volumeDevices");
  assert.equal(path, join(disks, "publish/pv", A));
  assert.equal(Deno.readLinkSync(join(dir, "pods", A, "volumeDevices/kubernetes.io~csi/pv")), path);
  assert.equal(data(join(disks, "pv/data")).volumeHandle, "h1");
  assert.ok(Deno.statSync(path).isCharDevice);
  assert.deepEqual(driver.calls("NodeStageVolume")[0]![1].volume_capability, { block: {}, access_mode: { mode: 1 } });
  const [use] = await volumes.stats(pod);
  assert.deepEqual([use!.capacityBytes, use!.usedBytes, use!.inodesFree, use!.pvcRef?.name], [100, 40, 7, "c"]);
  await room.patch("/api/v1/persistentvolumes/pv", { spec: { capacity: { storage: "2Mi" } } });
  const claim = "/api/v1/namespaces/default/persistentvolumeclaims/c";
  await room.patch(`${claim}/status`, {
    status: {
      allocatedResources: { storage: "2Mi" },
      allocatedResourceStatuses: { storage: "NodeResizePending" },
      conditions: [{ type: "FileSystemResizePending", status: "True" }],
    },
  });
  await volumes.mount(pod);
  assert.equal(driver.calls("NodeExpandVolume")[0]![1].capacity_range.required_bytes, 2 * 1024 * 1024);
  const { status } = (await room.t.fetch(claim)).body;
  assert.deepEqual([status.capacity, status.allocatedResourceStatuses, status.conditions], [
    { storage: "2Mi" },
    undefined,
    undefined,
  ]);
  await volumes.unmount(refOf(A));
  await called(room, "NodeUnstageVolume", 1);
  const left = () => [...Deno.readDirSync(disks)].flatMap(({ name }) => [...Deno.readDirSync(join(disks, name))]);
  await until(() => Promise.resolve(left().length === 0));
});

csiTest(
  "a volume that several nodes use grows on each; a node without room for one fails the pod",
  async (room) => {
    const { driver, volumes } = room, claim = "/api/v1/namespaces/default/persistentvolumeclaims/c/status";
    await room.claim({}, { accessModes: ["ReadWriteMany"] });
    await room.make(DRIVERS, driverObject({ nodeAllocatableUpdatePeriodSeconds: 10 }));
    const full = room.volumes.mount(podWith(A));
    await until(() => Promise.resolve(room.status.volumesInUse?.length === 1));
    await room.attach({ attached: false, attachError: { message: "no room", errorCode: 8 } });
    room.status = { volumesInUse: [NAME] };
    driver.set({ info: { node_id: "node-1", max_volumes_per_node: 3 } });
    room.late = 130_000;
    await assert.rejects(full, {
      name: "PodRefused",
      reason: "VolumeAttachmentLimitExceeded",
      message:
        "Node has reached its volume attachment limit, rejecting pod. unmounted volumes=[v], unattached volumes=[v], failed to process volumes=[]: context deadline exceeded",
    });
    const csinode = (await room.t.fetch("/apis/storage.k8s.io/v1/csinodes/here")).body;
    assert.deepEqual(csinode.spec.drivers[0].allocatable, { count: 3 });
    await room.t.fetch(`${DRIVERS}/${DRIVER}`, { method: "DELETE" });
    await room.make(DRIVERS, driverObject({ attachRequired: false }));
    await volumes.mount(podWith(A));
    // Another node has done it, and told of it.
    await room.patch("/api/v1/persistentvolumes/pv", { spec: { capacity: { storage: "2Mi" } } });
    await room.patch(claim, { status: { capacity: { storage: "2Mi" } } });
    for (let time = 0; time < 2; time++) await volumes.mount(podWith(A));
    assert.deepEqual(driver.calls("NodeExpandVolume").map(([, r]) => r.capacity_range.required_bytes), [
      2 * 1024 * 1024,
    ]);
    await volumes.unmount(refOf(A));
  },
);

csiTest("what fails says which step, and leaves what may be mounted to be taken back", async (room) => {
  const { driver } = room, stop = new AbortController();
  await room.claim();
  const waiting = room.volumes.mount(podWith(A), stop.signal);
  await until(() => Promise.resolve(room.status.volumesInUse?.length === 1));
  stop.abort();
  await assert.rejects(waiting);
  await room.attach({ attached: false, attachError: { message: "no such disk" } });
  const fails = (message: string) => assert.rejects(room.volumes.mount(podWith(A)), { message });
  await fails('MountVolume.WaitForAttach failed for volume "pv" : no such disk');
  await room.make(DRIVERS, driverObject({ attachRequired: false }));
  const place = join(room.dir, "plugins/kubernetes.io/csi", DRIVER);
  const told = (code: string) =>
    `MountVolume.MountDevice failed for volume "pv" : rpc error: code = ${code} desc = told to fail`;
  driver.set({ fail: { NodeStageVolume: "INTERNAL" } });
  await fails(told("Internal"));
  assert.deepEqual([...Deno.readDirSync(place)], []);
  driver.set({ fail: { NodeStageVolume: "ABORTED" } });
  await fails(told("Aborted"));
  assert.equal([...Deno.readDirSync(place)].length, 1);
  await room.volumes.unmount(refOf(A));
  await called(room, "NodeUnstageVolume", 1);
  await until(() => Promise.resolve([...Deno.readDirSync(place)].length === 0));
  // One that stages nothing, knows finer modes and gives files to groups itself.
  driver.set({ abilities: [...ABLE.filter((a) => a !== 1), 5, 6] });
  await room.volumes.mount(podWith(A, { securityContext: { fsGroup: 9 } }));
  const { volume_capability, staging_target_path } = driver.calls("NodePublishVolume").at(-1)![1];
  assert.deepEqual(volume_capability, { mount: { ...CAP.mount, volume_mount_group: "9" }, access_mode: { mode: 7 } });
  assert.equal(staging_target_path, undefined);
  await room.volumes.unmount(refOf(A));
});

csiTest("a volume whose note was lost with a fault of the machine is given back", async (room) => {
  await room.make(DRIVERS, driverObject({ attachRequired: false }));
  await room.claim();
  for (const note of ["vol_data.json", "vol_data.json.new"]) {
    const { path } = (await room.volumes.mount(podWith(A))).get("v")!, dir = join(path, "..");
    Deno.removeSync(join(dir, "vol_data.json"));
    Deno.writeTextFileSync(join(dir, note), "");
    await room.volumes.unmount(refOf(A));
    assert.equal(await mountedAt(path), undefined);
  }
});

for (const [volumeMode, use] of [["Filesystem", "volumeMounts"], ["Block", "volumeDevices"]] as const) {
  csiTest(`a volume whose driver is gone does not keep the others of its pod (${volumeMode})`, async (room) => {
    await room.make(DRIVERS, driverObject({ attachRequired: false }));
    await room.claim({}, { volumeMode });
    const places = use === "volumeMounts" ? { mountPath: "/v" } : { devicePath: "/dev/v" };
    const pod = podWith(A, { containers: [{ name: "c", image: "i", [use]: [{ name: "v", ...places }] }] });
    await room.volumes.mount(pod);
    const volumes = join(room.dir, "pods", A, "volumes/kubernetes.io~csi"), gone = ["0", "1", "x", "y", "z"];
    for (const name of gone) {
      Deno.mkdirSync(join(volumes, name, "mount"), { recursive: true });
      const noted = { driverName: "gone.example.com", volumeHandle: name };
      Deno.writeTextFileSync(join(volumes, name, "vol_data.json"), JSON.stringify(noted));
    }
    await assert.rejects(room.volumes.unmount(refOf(A)), /driver name gone.example.com not found/);
    assert.equal(room.driver.calls("NodeUnpublishVolume").length, 1);
    const { uses } = room.volumes.csi, id = { driver: DRIVER, handle: "h1" };
    assert.ok(uses.isIdle(id) || !uses.stageOf(id), "it is staged for nobody, or no more");
    await called(room, "NodeUnstageVolume", 1);
    for (const name of gone) Deno.removeSync(join(volumes, name), { recursive: true });
    await room.volumes.unmount(refOf(A));
    assert.equal(room.driver.calls("NodeUnpublishVolume").length, 1);
  });
}

csiTest("a disk whose note was lost is no longer mounted for its pod", async (room) => {
  await room.make(DRIVERS, driverObject({ attachRequired: false }));
  await room.claim({}, { volumeMode: "Block" });
  const pod = podWith(A, { containers: [{ name: "c", image: "i", volumeDevices: [{ name: "v", devicePath: "/d" }] }] });
  const { path } = (await room.volumes.mount(pod)).get("v")!;
  assert.ok(await mountedAt(path));
  Deno.removeSync(join(room.dir, "plugins/kubernetes.io/csi/volumeDevices/pv/data/vol_data.json"));
  await room.volumes.unmount(refOf(A));
  assert.equal(await mountedAt(path), undefined);
});

csiTest("of a disk that its driver does not stage nothing is left", async (room) => {
  const { driver, dir } = room;
  driver.set({ abilities: [] });
  await room.make(DRIVERS, driverObject({ attachRequired: false }));
  await room.claim({}, { volumeMode: "Block" });
  const pod = podWith(A, { containers: [{ name: "c", image: "i", volumeDevices: [{ name: "v", devicePath: "/d" }] }] });
  const devices = join(dir, "plugins/kubernetes.io/csi/volumeDevices");
  const left = () => [...Deno.readDirSync(devices)].map((e) => e.name).filter((name) => name !== "publish");
  for (const isAnother of [false, true]) {
    await room.volumes.mount(pod);
    assert.deepEqual(left(), ["pv"]);
    if (isAnother) {
      await room.start();
      await room.registered();
    }
    await room.volumes.unmount(refOf(A));
    await until(() => Promise.resolve(left().length === 0));
    assert.deepEqual([...Deno.readDirSync(join(devices, "publish"))], []);
  }
  assert.deepEqual([driver.calls("NodeStageVolume"), driver.calls("NodeUnstageVolume")], [[], []]);
});

for (const volumeMode of ["Filesystem", "Block"]) {
  csiTest(`a volume of one pod alone stays so over another start of the agent (${volumeMode})`, async (room) => {
    await room.make(DRIVERS, driverObject({ attachRequired: false }));
    await room.claim({}, { volumeMode, accessModes: ["ReadWriteOncePod"] });
    const use = volumeMode === "Block"
      ? { volumeDevices: [{ name: "v", devicePath: "/d" }] }
      : { volumeMounts: [{ name: "v", mountPath: "/d" }] };
    const [first, second] = UIDS.map((uid) => podWith(uid, { containers: [{ name: "c", image: "i", ...use }] }));
    await room.volumes.mount(first!);
    await room.start();
    await room.registered();
    await assert.rejects(room.volumes.mount(second!), /ReadWriteOncePod access mode and is already in use/);
    await room.volumes.mount(first!);
    await room.volumes.unmount(refOf(A));
    await room.volumes.mount(second!);
    await room.volumes.unmount(refOf(B));
  });
}
