/** Claims, volumes and attribute classes go when nothing uses them. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { core, heardLate, until, World } from "./_world.ts";

const claim = (name: string, spec = {}) => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const pod = (name: string, volumes: unknown[], nodeName?: string) => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }], volumes, ...(nodeName ? { nodeName } : {}) },
});
const START = ["--disable-admission-plugins=ServiceAccount"];

Deno.test("a claim that is deleted goes once no pod on a node uses it", async () => {
  const w = await World.start("storage-protection", START);
  await w.namespace("disks");
  const claims = core("persistentvolumeclaims", "disks"), pods = core("pods", "disks");
  const on = (claimName: string) => [{ name: "v", persistentVolumeClaim: { claimName } }];
  await w.create(pods, pod("user", on("used"), "n"));
  await w.create(pods, pod("done", on("over"), "n"));
  await w.create(pods, pod("unplaced", on("waiting")));
  for (const name of ["free", "used", "over", "waiting"]) await w.create(claims, claim(name));
  await w.patch(`${pods}/done/status`, { status: { phase: "Succeeded" } });

  for (const name of ["free", "used", "over", "waiting"]) await w.remove(`${claims}/${name}`);
  for (const name of ["free", "waiting"]) await w.gone(`${claims}/${name}`);
  for (const name of ["used", "over"]) {
    const { metadata } = (await w.get(`${claims}/${name}`))!;
    assert.deepEqual(metadata.finalizers, ["kubernetes.io/pvc-protection"], name);
  }
  // A pod that is over has its claim as long as it is there: its agent may not have let go of it yet.
  await w.remove(`${pods}/done`);
  await w.gone(`${claims}/over`);
  assert.ok(await w.get(`${claims}/used`));
  await w.stop();
});

Deno.test("a claim that was made for a pod stays until the pod is shut down, one that only has its name does not", async () => {
  const w = await World.start("storage-protection", START);
  await w.namespace("disks");
  const claims = core("persistentvolumeclaims", "disks"), pods = core("pods", "disks");
  const ephemeral = { volumeClaimTemplate: { spec: claim("").spec } };
  const volumes = ["own", "other"].map((name) => ({ name, ephemeral }));
  const held = pod("taker", volumes, "n");
  const { metadata: { uid } } = await w.create(pods, {
    ...held,
    metadata: { ...held.metadata, finalizers: ["example.com/x"] },
  });
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "taker", uid, controller: true }];
  await w.create(claims, claim("taker-other"));
  await w.create(claims, { ...claim("taker-own"), metadata: { name: "taker-own", ownerReferences } });

  for (const name of ["taker-own", "taker-other"]) await w.remove(`${claims}/${name}`);
  await w.gone(`${claims}/taker-other`);
  assert.ok(await w.get(`${claims}/taker-own`));
  await w.test.fetch(`${pods}/taker?gracePeriodSeconds=0`, { method: "DELETE" });
  await w.gone(`${claims}/taker-own`);
  assert.ok(await w.get(`${pods}/taker`));
  await w.stop();
});

Deno.test("a volume goes when it is not bound, other finalizers stay", async () => {
  const w = await World.start("storage-protection", START);
  const volumes = "/api/v1/persistentvolumes";
  const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/tmp" } };
  for (const name of ["free", "bound", "held"]) {
    await w.create(volumes, { metadata: { name, ...(name === "held" ? { finalizers: ["a.example/b"] } : {}) }, spec });
  }
  await w.patch(`${volumes}/bound/status`, { status: { phase: "Bound" } });
  for (const name of ["bound", "free", "held"]) await w.remove(`${volumes}/${name}`);
  await w.gone(`${volumes}/free`);
  const finalizers = async (name: string) => (await w.get(`${volumes}/${name}`))?.metadata.finalizers;
  await until("only the other one is left", async () => (await finalizers("held"))?.join() === "a.example/b");
  assert.deepEqual(await finalizers("bound"), ["kubernetes.io/pv-protection"]);
  await w.patch(`${volumes}/bound/status`, { status: { phase: "Released" } });
  await w.gone(`${volumes}/bound`);
  await w.stop();
});

Deno.test("a class of attributes goes when no claim names it", async () => {
  const w = await World.start("storage-protection", START);
  const classes = "/apis/storage.k8s.io/v1/volumeattributesclasses";
  await w.namespace("disks");
  for (const name of ["fast", "slow"]) {
    await w.create(classes, { metadata: { name }, driverName: "a.example", parameters: { a: "b" } });
  }
  await w.create(core("persistentvolumeclaims", "disks"), claim("c", { volumeAttributesClassName: "fast" }));
  await w.remove(`${classes}/fast`);
  await w.remove(`${classes}/slow`);
  await w.gone(`${classes}/slow`);
  assert.ok(await w.get(`${classes}/fast`));
  await w.remove(core("persistentvolumeclaims", "disks", "c"));
  await w.gone(`${classes}/fast`);
  await w.stop();
});

Deno.test("where classes of attributes are not served, claims go as they do elsewhere", async () => {
  const w = await World.start("storage-protection", [...START, "--runtime-config=storage.k8s.io/v1=false"]);
  await w.namespace("disks");
  await w.create(core("persistentvolumeclaims", "disks"), claim("c"));
  await w.remove(core("persistentvolumeclaims", "disks", "c"));
  await w.gone(core("persistentvolumeclaims", "disks", "c"));
  await w.stop();
});

Deno.test("a claim stays where a pod of which this server has not heard yet uses it", async () => {
  const backend = memoryBackend(), own = memoryBackend();
  const one = await World.start("-*", START, { backend, stores: new Map([["pods", own]]) });
  const two = await World.start("storage-protection", START, { backend, stores: new Map([["pods", heardLate(own)]]) });
  await one.namespace("disks");
  const claims = core("persistentvolumeclaims", "disks");
  for (const name of ["used", "free"]) await one.create(claims, claim(name));
  const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "used" } }];
  await one.create(core("pods", "disks"), pod("user", volumes, "n"));
  for (const name of ["used", "free"]) await one.remove(`${claims}/${name}`);
  await one.gone(`${claims}/free`);
  assert.ok(await one.get(`${claims}/used`));
  await two.stop();
  await one.stop();
  await Promise.all([backend.close(), own.close()]);
});
