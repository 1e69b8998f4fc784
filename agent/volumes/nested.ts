/** Places in a volume where other volumes of a container are mounted: the agent's own volumes cannot get them later. */
import { normalize } from "node:path";
import type { Pod, VolumeMount } from "../../schema/api/core_v1.ts";
import { allContainersOf } from "../pods/spec.ts";

const clean = (path: string) => normalize(path).replace(/(.)\/$/, "$1");

function below(mounts: readonly VolumeMount[], volume: string): string[] {
  // By the slash at its end a place stands just before those that are below it.
  const all = mounts.map((m) => `${clean(m.mountPath)}/`).sort(), indices = new Map(all.map((place, i) => [place, i]));
  const out: string[] = [];
  for (const { mountPath } of mounts.filter((m) => m.name === volume)) {
    const path = clean(mountPath), mine = `${path}/`;
    if (path.startsWith("../")) throw new Error(`invalid container mount point ${path}`);
    let last: string | undefined;
    for (let i = indices.get(mine)! + 1; all[i]?.startsWith(mine); i++) {
      if (last !== undefined && all[i]!.startsWith(last)) continue;
      last = all[i]!;
      out.push(last.slice(mine.length, -1));
    }
  }
  return out;
}

/** Relative to the volume; what is below another such place is that one's. @throws Error: a container would climb out */
export function nestedMountPoints(pod: Pod, volume: string): readonly string[] {
  return [...new Set(allContainersOf(pod).flatMap((c) => below(c.volumeMounts ?? [], volume)))];
}
