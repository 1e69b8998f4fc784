import assert from "node:assert/strict";
import type { VolumeMount } from "../../../schema/api/core_v1.ts";
import { pullVolumes, volumesFor } from "../../../agent/pods/image_volumes.ts";
import { mountsOf } from "../../../agent/pods/mounts.ts";
import type { ImageSpec } from "../../../agent/runtime/types.ts";
import { ImageFault } from "../../../agent/types.ts";
import { pod } from "./_fixture.ts";

const of = async (
  more: Partial<VolumeMount>,
  recursiveReadOnly = false,
  images: ReadonlyMap<string, ImageSpec> = new Map(),
) => {
  const [mount] = await mountsOf({
    container: { name: "main", volumeMounts: [{ name: "data", mountPath: "data", readOnly: true, ...more }] },
    volumes: new Map([["data", { path: images.size > 0 ? "" : "/pods/data", readOnly: images.size > 0 }]]),
    images,
    users: { mode: "NODE" },
    environment: [],
    podDirectory: "/pods",
    subPath: () => Promise.reject(new Error("not asked for")),
    hostsFile: undefined,
    recursiveReadOnly,
    mark: "1",
  });
  return mount!;
};

Deno.test("mounts are read-only all the way down where the runtime can do that", async () => {
  assert.equal((await of({}, true)).recursiveReadOnly, false);
  for (const can of [true, false]) {
    assert.equal((await of({ recursiveReadOnly: "IfPossible" }, can)).recursiveReadOnly, can);
  }
  assert.equal((await of({ recursiveReadOnly: "Enabled", mountPropagation: "None" }, true)).recursiveReadOnly, true);
  const wrong = (more: Partial<VolumeMount>, can: boolean, why: RegExp) =>
    assert.rejects(of({ recursiveReadOnly: "Enabled", ...more }, can), why);
  await wrong(
    {},
    false,
    /^Error: failed to resolve recursive read-only mode: volume "data" .* supported by the runtime/,
  );
  await wrong({ readOnly: false }, true, /but it is not read-only$/);
  await wrong({ mountPropagation: "HostToContainer" }, true, /not compatible with propagation "HostToContainer"$/);
});

Deno.test("an image as a volume is mounted by the runtime, and waits until it is there", async () => {
  let there = false;
  const images = {
    ensure: () => Promise.reject(new Error("not asked for")),
    ensureVolume: () =>
      there ? Promise.resolve("sha256:1") : Promise.reject(new ImageFault("ErrImagePull", "no such registry")),
  };
  const web = pod(
    { volumes: [{ name: "data", image: { reference: "files:1" } }, { name: "other", emptyDir: {} }] },
    { annotations: { a: "b" } },
  );
  const main = { name: "main", volumeMounts: [{ name: "data", mountPath: "/data" }] };
  const missing = await pullVolumes(images, web, {} as never);
  assert.throws(() => volumesFor(main, missing), { reason: "ErrImagePull", message: "no such registry" });
  assert.equal(volumesFor({ name: "side" }, missing).size, 0);
  there = true;
  const pulled = volumesFor(main, await pullVolumes(images, web, {} as never));
  const image = { image: "sha256:1", userSpecifiedImage: "files:1", annotations: { a: "b" } };
  assert.deepEqual([...pulled], [["data", image]]);
  const mount = await of({ readOnly: false, subPath: "etc/app" }, false, pulled);
  assert.deepEqual([mount.hostPath, mount.image, mount.imageSubPath, mount.readonly], ["", image, "etc/app", true]);
  await assert.rejects(
    of({ subPath: "../app" }, false, pulled),
    /^Error: unable to provision SubPath `..\/app`: must not/,
  );
});
