/** Publishing a volume to a pod as a disk, and taking it back. */
import { mkdir, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withEach } from "../../each.ts";
import { namesIn, orAbsent } from "../../files.ts";
import { mountedAt, unmount } from "../mounts.ts";
import type { PodPaths } from "../paths.ts";
import { CALLS } from "./calls.ts";
import { publishContext } from "./context.ts";
import type { Csi } from "./csi.ts";
import { loadData, saveData } from "./data.ts";
import { attachmentName, diskPlaces, podDisks } from "./places.ts";
import { found, type Publishing } from "./publish.ts";
import { type CsiVolume, diskOf } from "./volume.ts";

/** Notes what another start of the agent needs to give it back. @throws Error */
export async function noteDisk({ setup, id }: CsiVolume, root: string): Promise<void> {
  const { host, name } = setup, { data } = diskPlaces(root, name);
  await mkdir(data, { recursive: true, mode: 0o750 });
  await saveData(data, {
    specVolID: name,
    volumeHandle: id.handle,
    driverName: id.driver,
    nodeName: host.node.name,
    attachmentID: attachmentName(id, host.node.name),
  });
}

/** @throws Error, CsiError */
export async function publishDisk(
  volume: CsiVolume,
  { driver, can, path, staged, context }: Publishing,
): Promise<void> {
  const { setup, id, readOnly } = volume;
  const { host, signal, paths, name } = setup;
  const { attributes, secrets } = await publishContext(volume);
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  // The link first: what has one is taken back.
  await mkdir(podDisks(paths), { recursive: true, mode: 0o750 });
  const link = join(podDisks(paths), name);
  await orAbsent(unlink(link));
  await symlink(path, link);
  await driver.call(CALLS.publish, {
    volumeId: id.handle,
    publishContext: context,
    stagingTargetPath: staged,
    targetPath: path,
    volumeCapability: diskOf(volume, can),
    readonly: readOnly,
    secrets,
    volumeContext: attributes,
  }, signal);
  host.csi.published.set(path, id);
}

/** Takes back all disks of a pod. @throws Error: a driver is not there, or does not */
export async function unpublishDisks(paths: PodPaths, uid: string, root: string, csi: Csi): Promise<void> {
  const dir = podDisks(paths);
  await withEach(await namesIn(dir), async (name) => {
    const { data: noted, publish } = diskPlaces(root, name), path = join(publish, uid);
    const data = await loadData(noted), id = data && { driver: data.driverName, handle: data.volumeHandle };
    if (id) {
      await csi.turns.take(csi.uses.nameOf(id), async () => {
        const driver = found(csi, id.driver, "blockMapper.UnmapPodDevice");
        await driver.call(CALLS.unpublish, { volumeId: id.handle, targetPath: path }).catch((e: Error) => {
          throw new Error(`kubernetes.io/csi: blockMapper.unpublishVolumeForBlock failed: ${e.message}`, { cause: e });
        });
      });
    } else if (await mountedAt(path)) {
      // Nobody knows any more whose it is.
      await unmount(path);
      await orAbsent(unlink(path));
    }
    csi.published.delete(path);
    await orAbsent(unlink(join(dir, name)));
    if (id) csi.uses.leave(uid, id);
  });
}
