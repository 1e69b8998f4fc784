/** How full volumes are, by what their drivers say. */
import type { Usage } from "../plugin.ts";
import { type Ability, CALLS } from "./calls.ts";
import type { Csi } from "./csi.ts";

const STATS: Ability = "GET_VOLUME_STATS";

/** Of a volume that is published there; undefined: none is, or its driver does not say. @throws Error */
export async function usageAt(csi: Csi, path: string): Promise<Usage | undefined> {
  const id = csi.published.get(path);
  if (!id) return undefined;
  const driver = csi.drivers.get(id.driver);
  if (!(await driver.abilities()).has(STATS)) return undefined;
  const { usage } = await driver.call(CALLS.stats, { volumeId: id.handle, volumePath: path });
  const [bytes, inodes] = ["BYTES", "INODES"].map((unit) => usage.find((u) => u.unit === unit));
  return {
    availableBytes: bytes?.available ?? 0,
    capacityBytes: bytes?.total ?? 0,
    usedBytes: bytes?.used ?? 0,
    inodes: inodes?.total ?? 0,
    inodesFree: inodes?.available ?? 0,
    inodesUsed: inodes?.used ?? 0,
  };
}
