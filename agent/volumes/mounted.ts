/** Volumes that are mounted from elsewhere: directories and disks of this host (`local`), and NFS. */
import { mkdir, rmdir, stat } from "node:fs/promises";
import type { LocalVolumeSource, NFSVolumeSource } from "../../schema/api/core_v1.ts";
import { fileKind } from "./host_path.ts";
import { mount, mountedAt, mountPoints } from "./mounts.ts";
import { giveToGroup } from "./ownership.ts";
import { withoutBacksteps } from "./paths.ts";
import { groupOf, type Plugin, type VolumeSetup } from "./plugin.ts";

/** What is mounted, and how. */
interface Source {
  readonly from: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** True when it was not mounted before. */
async function mountAt(dir: string, { from, type, options }: Source): Promise<boolean> {
  if (await mountedAt(dir)) return false;
  await mkdir(dir, { recursive: true, mode: 0o750 });
  try {
    await mount(from, dir, type, [...new Set(options)]);
  } catch (e) {
    await rmdir(dir).catch(() => {});
    throw e;
  }
  return true;
}

const LOCAL: Readonly<Record<string, (source: LocalVolumeSource) => { type: string; options: readonly string[] }>> = {
  Directory: () => ({ type: "", options: ["bind"] }),
  BlockDevice: ({ fsType }) => ({ type: fsType ?? "ext4", options: [] }),
};

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
  if (!await isShared(volume)) {
    return await giveToGroup(dir, { group, readOnly: false, policy: pod.spec?.securityContext?.fsGroupChangePolicy });
  }
  const { gid } = await stat(dir);
  if (gid === group) return;
  host.events.pod(
    pod,
    "Warning",
    "AlreadyMountedVolume",
    `The requested fsGroup is ${group}, but the volume ${name} has GID ${gid}. The volume may not be shareable.`,
  );
}

/** A directory or a disk of this host. A disk must hold a file system: none is made. */
export const local: Plugin<LocalVolumeSource> = {
  dir: "kubernetes.io~local-volume",
  takesOptions: true,
  async setUp(source, volume) {
    const { dir, readOnly, mountOptions } = volume;
    const { path } = source;
    if (!path) throw new Error("local volume source is nil or local path is not set");
    try {
      withoutBacksteps(path);
    } catch (e) {
      throw new Error(`invalid path: ${path} ${(e as Error).message}`);
    }
    const how = LOCAL[await fileKind(path)]?.(source);
    if (!how) throw new Error("only directory and block device are supported");
    const options = [...how.options, ...(readOnly ? ["ro"] : []), ...mountOptions];
    if (await mountAt(dir, { from: path, type: how.type, options })) await giveLocal(volume);
    return { path: dir, readOnly };
  },
};

/** An export of an NFS server. */
export const nfs: Plugin<NFSVolumeSource> = {
  dir: "kubernetes.io~nfs",
  takesOptions: true,
  async setUp(source, { dir, readOnly: claimed, mountOptions }) {
    const readOnly = claimed || (source.readOnly ?? false);
    const server = source.server.includes(":") ? `[${source.server}]` : source.server;
    const options = [...(readOnly ? ["ro"] : []), ...mountOptions];
    await mountAt(dir, { from: `${server}:${source.path}`, type: "nfs", options });
    return { path: dir, readOnly };
  },
};
