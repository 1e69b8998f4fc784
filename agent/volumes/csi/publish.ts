/** Publishing a volume's files to a pod, and taking them back. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withEach } from "../../each.ts";
import { directoriesIn } from "../../files.ts";
import { giveVolume } from "../give.ts";
import { mountedAt, unmount } from "../mounts.ts";
import type { PodPaths } from "../paths.ts";
import { groupOf } from "../plugin.ts";
import { type Ability, CALLS } from "./calls.ts";
import { publishContext } from "./context.ts";
import type { Csi } from "./csi.ts";
import { loadData, removePlace, saveData } from "./data.ts";
import { type CsiDriver, CsiError } from "./driver.ts";
import { attachmentName, DIR } from "./places.ts";
import { type CsiVolume, filesOf } from "./volume.ts";

/** How it is published. */
export interface Publishing {
  readonly driver: CsiDriver;
  readonly can: ReadonlySet<Ability>;
  /** Where it is to be. */
  readonly path: string;
  /** Where it is staged. */
  readonly staged: string | undefined;
  /** What is told of the attachment. */
  readonly context: Readonly<Record<string, string>>;
}

/** Once more for one that is published does no harm. @throws Error, CsiError */
export async function publish(volume: CsiVolume, { driver, can, path, staged, context }: Publishing): Promise<void> {
  const { setup, id, readOnly, isEphemeral } = volume;
  const { host, signal, name } = setup, { published } = host.csi;
  const isNew = !published.has(path) && !await loadData(dirname(path));
  const { attributes, secrets } = await publishContext(volume);
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  await saveData(dirname(path), {
    specVolID: name,
    volumeHandle: id.handle,
    driverName: id.driver,
    nodeName: host.node.name,
    attachmentID: attachmentName(id, host.node.name),
    volumeLifecycleMode: isEphemeral ? "Ephemeral" : "Persistent",
  });
  try {
    await driver.call(CALLS.publish, {
      volumeId: id.handle,
      publishContext: context,
      stagingTargetPath: staged,
      targetPath: path,
      volumeCapability: filesOf(volume, can, true),
      readonly: readOnly,
      secrets,
      volumeContext: attributes,
    }, signal);
  } catch (e) {
    // What is there already a pod may be using.
    if (isNew && e instanceof CsiError && e.isFinal) await removePlace(path);
    throw e;
  }
  await give(volume, can, path);
  published.set(path, id);
}

/** Its files to the pod's group, where neither the driver does it nor the cluster says that nobody must. */
async function give(volume: CsiVolume, can: ReadonlySet<Ability>, dir: string): Promise<void> {
  const { setup, id } = volume, group = groupOf(setup.pod);
  if (group === undefined || can.has("VOLUME_MOUNT_GROUP") || !mayBeGiven(volume)) return;
  await giveVolume({ ...setup, dir }, group).catch((e: Error) => {
    throw new Error(`applyFSGroup failed for vol ${id.handle}: ${e.message}`, { cause: e });
  });
}

function mayBeGiven({ object, readOnly, fsType, claimed }: CsiVolume): boolean {
  const policy = object?.spec.fsGroupPolicy ?? "ReadWriteOnceWithFSType";
  if (policy === "None" || readOnly) return false;
  if (policy === "File") return true;
  const modes = claimed?.volume.spec?.accessModes;
  return fsType !== "" &&
    (!claimed || (modes?.some((mode) => mode === "ReadWriteOnce" || mode === "ReadWriteOncePod") ?? false));
}

/** Takes back all volumes of a pod that have files. @throws Error: a driver is not there, or does not */
export async function unpublishAll(paths: PodPaths, uid: string, csi: Csi): Promise<void> {
  const dir = join(paths.volumes, DIR);
  await withEach(await directoriesIn(dir), async (name) => {
    const place = join(dir, name, "mount"), data = await loadData(join(dir, name));
    if (!data) {
      // Nobody knows any more whose it is.
      if (await mountedAt(place)) await unmount(place);
      csi.published.delete(place);
      return await removePlace(place);
    }
    const id = { driver: data.driverName, handle: data.volumeHandle };
    await csi.turns.take(csi.uses.nameOf(id), async () => {
      const driver = found(csi, id.driver, "Unmounter.TearDownAt");
      await driver.call(CALLS.unpublish, { volumeId: id.handle, targetPath: place }).catch((e: Error) => {
        throw new Error(`kubernetes.io/csi: Unmounter.TearDownAt failed: ${e.message}`, { cause: e });
      });
      csi.published.delete(place);
      await removePlace(place);
    });
    csi.uses.leave(uid, id);
  });
}

/** A driver that a step needs. @throws Error in the public agent's words */
export function found(csi: Csi, name: string, step: string): CsiDriver {
  try {
    return csi.drivers.get(name);
  } catch (e) {
    throw new Error(`kubernetes.io/csi: ${step} failed to get CSI client: ${(e as Error).message}`, { cause: e });
  }
}
