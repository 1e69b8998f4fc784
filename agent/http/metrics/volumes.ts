/** How full volumes are that pods claim. */
import type { HttpParts } from "../types.ts";
import type { VolumeFigures } from "../stats/types.ts";
import type { Family } from "./text.ts";

const ROWS: readonly (readonly [name: string, figure: keyof VolumeFigures, help: string])[] = [
  ["capacity_bytes", "capacityBytes", "Capacity in bytes of the volume"],
  ["available_bytes", "availableBytes", "Bytes that are left in the volume"],
  ["used_bytes", "usedBytes", "Bytes that are used in the volume"],
  ["inodes", "inodes", "Maximum number of inodes in the volume"],
  ["inodes_free", "inodesFree", "Inodes that are left in the volume"],
  ["inodes_used", "inodesUsed", "Inodes that are used in the volume"],
];

/** The figures, each claim once, whoever shares it. */
export async function volumeMetrics(
  { pods, volumeStats }: Pick<HttpParts, "pods" | "volumeStats">,
): Promise<readonly Family[]> {
  const all = await Promise.all(pods.pods().map((pod) => volumeStats?.(pod) ?? []));
  const claimed = new Map(all.flat().flatMap((v) => v.pvcRef ? [[`${v.pvcRef.namespace}/${v.pvcRef.name}`, v]] : []));
  return ROWS.map(([name, figure, help]) => ({
    name: `kubelet_volume_stats_${name}`,
    help,
    type: "gauge" as const,
    samples: [...claimed.values()].flatMap(({ pvcRef, [figure]: value }) =>
      typeof value === "number"
        ? [{ labels: { namespace: pvcRef!.namespace, persistentvolumeclaim: pvcRef!.name }, value }]
        : []
    ),
  }));
}
