/** Volumes that are mounted from elsewhere: directories and disks of this host (`local`), and NFS. */
import { mkdir, realpath, rmdir, stat } from "node:fs/promises";
import type { LocalVolumeSource, NFSVolumeSource } from "../../schema/api/core_v1.ts";
import { urlHost } from "../../schema/values/host_port.ts";
import { prepareDisk } from "./disk.ts";
import { giveVolume } from "./give.ts";
import { fileKind } from "./host_path.ts";
import { mount, mountedAt, mountPoints } from "./mounts.ts";
import { withoutBacksteps } from "./paths.ts";
import { groupOf, type Plugin, type VolumeSetup } from "./plugin.ts";

/** What is mounted, and how. */
interface Source {
  readonly from: string;
  readonly type: string;
  readonly options: readonly string[];
}

async function mountAt(dir: string, { from, type, options }: Source): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o750 });
  try {
    await mount(from, dir, type, [...new Set(options)]);
  } catch (e) {
    await rmdir(dir).catch(() => {});
    throw e;
  }
}

/** Whether another pod has the same thing mounted: the first one chose its group. */
async function isShared({ dir, paths }: VolumeSetup): Promise<boolean> {
  const all = await mountPoints();
  const own = all.findLast((m) => m.path === dir);
  const pods = paths.pod.slice(0, paths.pod.lastIndexOf("/") + 1);
  return all.some((m) => m.origin === own?.origin && m.path !== dir && m.path.startsWith(pods));
}

async function giveLocal(volume: VolumeSetup): Promise<void> {
  const { pod, dir, name, host } = volume;
  const group = groupOf(pod);
  if (group === undefined || volume.readOnly) return;
  if (!await isShared(volume)) return await giveVolume(volume, group);
  const { gid } = await stat(dir);
  if (gid === group) return;
  host.events.pod(
    pod,
    "Warning",
    "AlreadyMountedVolume",
    `The requested fsGroup is ${group}, but the volume ${name} has GID ${gid}. The volume may not be shareable.`,
  );
}

/** How what lies at the path of a local volume is mounted, by its kind. */
const LOCAL: Readonly<Record<string, (source: LocalVolumeSource, readOnly: boolean) => Promise<Source>>> = {
  Directory: async ({ path }) => ({ from: path, type: "", options: ["bind"] }),
  BlockDevice: async ({ path, fsType }, readOnly) => {
    const type = fsType || "ext4";
    await prepareDisk(path, type, readOnly);
    return { from: path, type, options: ["defaults"] };
  },
};

function checkPath(path: string): void {
  if (!path) throw new Error("local volume source is nil or local path is not set");
  try {
    withoutBacksteps(path);
  } catch (e) {
    throw new Error(`invalid path: ${path} ${(e as Error).message}`);
  }
}

/** A directory or a disk of this host. */
export const local: Plugin<LocalVolumeSource> = {
  dir: "kubernetes.io~local-volume",
  takesOptions: true,
  async setUp(source, volume) {
    const { dir, readOnly, mountOptions, host } = volume;
    checkPath(source.path);
    const how = LOCAL[await fileKind(source.path)];
    if (!how) throw new Error("only directory and block device are supported");
    // Two pods may begin at once: the first one chooses the group.
    return await host.turns.take(source.path, async () => {
      if (!await mountedAt(dir)) {
        const { from, type, options } = await how(source, readOnly);
        await mountAt(dir, { from, type, options: [...options, ...(readOnly ? ["ro"] : []), ...mountOptions] });
        await giveLocal(volume);
      }
      return { path: dir, readOnly };
    });
  },
  async device(source) {
    checkPath(source.path);
    const path = await realpath(source.path);
    if (await fileKind(path) !== "BlockDevice") throw new Error(`${source.path} is no block device`);
    return path;
  },
};

/** An export of an NFS server. */
export const nfs: Plugin<NFSVolumeSource> = {
  dir: "kubernetes.io~nfs",
  takesOptions: true,
  async setUp(source, { dir, readOnly: claimed, mountOptions }) {
    const readOnly = claimed || (source.readOnly ?? false);
    const options = [...(readOnly ? ["ro"] : []), ...mountOptions];
    if (!await mountedAt(dir)) {
      await mountAt(dir, { from: `${urlHost(source.server)}:${source.path}`, type: "nfs", options });
    }
    return { path: dir, readOnly };
  },
};
