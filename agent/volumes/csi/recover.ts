/** What earlier starts of the agent have left: volumes that are published to pods and staged. */
import { basename, dirname, join } from "node:path";
import { directoriesIn, namesIn } from "../../files.ts";
import { mountPoints } from "../mounts.ts";
import type { PodPaths } from "../paths.ts";
import { loadData } from "./data.ts";
import { DIR, diskPlaces, globalMount, podDisks, stagedRoot } from "./places.ts";
import type { CsiUses } from "./uses.ts";

/** Directories of disks beside those that stand for a volume each. */
const SHARED: ReadonlySet<string> = new Set(["staging", "publish"]);

/** Notes it all. @param root directory of the agent, its true path @throws Error: it cannot be looked at */
export async function recoverUses(root: string, uses: CsiUses): Promise<void> {
  for (const uid of await directoriesIn(join(root, "pods"))) await recoverPod(root, uid, uses);
  const staged = stagedRoot(root);
  for (const driver of await directoriesIn(staged)) {
    if (driver === "volumeDevices") continue;
    for (const volume of await directoriesIn(join(staged, driver))) {
      const data = await loadData(join(staged, driver, volume));
      if (!data) continue;
      const id = { driver: data.driverName, handle: data.volumeHandle };
      uses.staged(id, { path: globalMount(root, id), disk: undefined, isSure: false });
    }
  }
  for (const name of await directoriesIn(join(staged, "volumeDevices"))) {
    if (!SHARED.has(name)) await recoverDisk(root, name, uses);
  }
}

async function recoverPod(root: string, uid: string, uses: CsiUses): Promise<void> {
  const pod = join(root, "pods", uid), volumes = join(pod, "volumes", DIR), disks = podDisks({ pod });
  const noted = [
    ...(await directoriesIn(volumes)).map((name) => join(volumes, name)),
    ...(await namesIn(disks)).map((name) => diskPlaces(root, name).data),
  ];
  for (const dir of noted) {
    const data = await loadData(dir);
    if (!data || data.volumeLifecycleMode === "Ephemeral") continue;
    uses.join({ driver: data.driverName, handle: data.volumeHandle }, uid);
  }
}

async function recoverDisk(root: string, name: string, uses: CsiUses): Promise<void> {
  const { data: dir, staging } = diskPlaces(root, name), data = await loadData(dir);
  if (!data) return;
  uses.staged({ driver: data.driverName, handle: data.volumeHandle }, { path: staging, disk: name, isSure: false });
}

/** Whether another pod has it, which may not have come again yet. @param name of its PersistentVolume */
export async function isElsewhere({ pod }: Pick<PodPaths, "pod">, name: string): Promise<boolean> {
  const pods = dirname(pod), uid = basename(pod), { publish } = diskPlaces(dirname(pods), name);
  for (const { path } of await mountPoints()) {
    if (dirname(path) === publish && basename(path) !== uid) return true;
    const [other, ...place] = path.startsWith(`${pods}/`) ? path.slice(pods.length + 1).split("/") : [];
    if (other === uid || place.join("/") !== `volumes/${DIR}/${name}/mount`) continue;
    // A volume of the pod's own may be called like it.
    if ((await loadData(dirname(path)))?.volumeLifecycleMode !== "Ephemeral") return true;
  }
  return false;
}
