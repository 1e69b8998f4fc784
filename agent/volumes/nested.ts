/** Places in a volume where other volumes of a container are mounted: the agent's own volumes cannot get them later. */
import { normalize } from "node:path";
import type { Pod, VolumeMount } from "../../schema/api/core_v1.ts";
import { allContainersOf } from "../pods/spec.ts";

const clean = (path: string) => normalize(path).replace(/(.)\/$/, "$1");

function below(mounts: readonly VolumeMount[], volume: string): string[] {
  const all = mounts.map((m) => clean(m.mountPath)).sort();
  const out: string[] = [];
  for (const mine of mounts.filter((m) => m.name === volume).map((m) => clean(m.mountPath))) {
    if (mine.startsWith("../")) throw new Error(`invalid container mount point ${mine}`);
    const seen: string[] = [];
    for (const path of all) {
      if (!path.startsWith(`${mine}/`) || seen.some((s) => path.startsWith(`${s}/`))) continue;
      seen.push(path);
      out.push(path.slice(mine.length + 1));
    }
  }
  return out;
}

/** Relative to the volume; what is below another such place is that one's. @throws Error: a container would climb out */
export function nestedMountPoints(pod: Pod, volume: string): readonly string[] {
  return [...new Set(allContainersOf(pod).flatMap((c) => below(c.volumeMounts ?? [], volume)))];
}
