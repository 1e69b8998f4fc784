/** Directories that live as long as their pod: on disk, in memory, or of huge pages. */
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { release } from "node:os";
import type { EmptyDirVolumeSource, Pod } from "../../schema/api/core_v1.ts";
import { parseQuantity, type Quantity } from "../../schema/values/quantity.ts";
import { orAbsent } from "../files.ts";
import { mount, mountedAt } from "./mounts.ts";
import { giveToGroup } from "./ownership.ts";
import { groupOf, type Plugin, type VolumeSetup } from "./plugin.ts";
import { memoryLimit } from "./pod_memory.ts";

/** Name of the plugin's directories: also of those that hold projected content. */
const EMPTY_DIR = "kubernetes.io~empty-dir";
const MODE = 0o777;
const HUGE_PAGES = "HugePages", RESOURCE = "hugepages-";

/** From here on the kernel can keep memory of a file system from being swapped out. */
const NO_SWAP: readonly [number, number] = [6, 4];

function noSwap(): boolean {
  const [major = 0, minor = 0] = release().split(".").map((n) => parseInt(n));
  return major > NO_SWAP[0] || (major === NO_SWAP[0] && minor >= NO_SWAP[1]);
}

/** Size of a file system in memory: the least of the volume's limit, the pod's, and what pods may have of the node. */
function memorySize(limit: string | undefined, { pod, host }: VolumeSetup): bigint {
  const sizes = [host.node.allocatable()["memory"], memoryLimit(pod), limit]
    .flatMap((q) => q === undefined ? [] : [typeof q === "bigint" ? q : parseQuantity(q).value()])
    .filter((q) => q > 0n);
  return sizes.reduce((least, q) => q < least ? q : least, sizes[0] ?? 0n);
}

function pageSizes(pod: Pod): Quantity[] {
  const { containers, initContainers, resources } = pod.spec ?? {};
  const lists = [resources, ...[...containers ?? [], ...initContainers ?? []].map((c) => c.resources)];
  const names = lists.flatMap((r) => Object.keys(r?.requests ?? {}));
  return names.filter((n) => n.startsWith(RESOURCE)).map((n) => parseQuantity(n.slice(RESOURCE.length)));
}

function pageSize(medium: string, pod: Pod): string {
  const wanted = medium === HUGE_PAGES ? undefined : parseQuantity(medium.slice(HUGE_PAGES.length + 1));
  const sizes = pageSizes(pod).filter((s) => !wanted || s.cmp(wanted) === 0);
  const [size] = sizes;
  if (!size) {
    throw new Error(`medium ${medium}: hugePages storage requested, but there is no resource request for huge pages`);
  }
  if (sizes.some((s) => s.cmp(size) !== 0)) {
    throw new Error(`medium: ${medium} can't be used if container requests multiple huge page sizes`);
  }
  return size.toString();
}

async function mountOnce(dir: string, type: string, source: string, options: readonly string[]): Promise<void> {
  if ((await mountedAt(dir))?.type !== type) await mount(source, dir, type, options);
}

async function mountMedium(medium: string, limit: string | undefined, volume: VolumeSetup): Promise<void> {
  const { dir, pod } = volume;
  if (medium === "") return;
  if (medium === "Memory") {
    const size = memorySize(limit, volume);
    const options = [...(size > 0n ? [`size=${size}`] : []), ...(noSwap() ? ["noswap"] : [])];
    return await mountOnce(dir, "tmpfs", "tmpfs", options);
  }
  if (medium !== HUGE_PAGES && !medium.startsWith(`${HUGE_PAGES}-`)) {
    throw new Error(`unknown storage medium ${JSON.stringify(medium)}`);
  }
  await mountOnce(dir, "hugetlbfs", "nodev", [`pagesize=${pageSize(medium, pod)}`]);
}

/** Whether a volume was made before, by this process or an earlier one. What was lost since is made again. */
async function isReady(dir: string, meta: string, medium: string): Promise<boolean> {
  if (!await orAbsent(stat(join(meta, "ready")))) return false;
  if (medium === "" ? await orAbsent(stat(dir)) : await mountedAt(dir)) return true;
  await rm(meta, { recursive: true, force: true });
  return false;
}

/** Makes a directory of a medium. @param name under which its readiness is noted */
export async function makeDirectory(source: EmptyDirVolumeSource, volume: VolumeSetup, name: string): Promise<void> {
  const made = () => make(source, volume, name);
  // Of a pod one after the other: it may have many thousands, and each reads the table of all that is mounted.
  await (source.medium ? volume.host.turns.take(volume.ref.uid, made) : made());
}

async function make(
  { medium = "", sizeLimit, mode = MODE }: EmptyDirVolumeSource,
  volume: VolumeSetup,
  name: string,
): Promise<void> {
  const { dir, paths, pod, host } = volume;
  const meta = paths.meta(EMPTY_DIR, name);
  if (await isReady(dir, meta, medium)) return;
  await mkdir(dir, { recursive: true });
  await chmod(dir, host.gate("EmptyDirVolumeMode") ? mode : MODE);
  await mountMedium(medium, sizeLimit, volume);
  const group = groupOf(pod);
  if (group !== undefined) await giveToGroup(dir, { group, readOnly: false });
  await mkdir(meta, { recursive: true, mode: 0o750 });
  await writeFile(join(meta, "ready"), "");
}

/** See the top of the file. */
export const emptyDir: Plugin<EmptyDirVolumeSource> = {
  dir: EMPTY_DIR,
  owns: true,
  async setUp(source, volume) {
    await makeDirectory(source, volume, volume.name);
    return { path: volume.dir, readOnly: false };
  },
};
