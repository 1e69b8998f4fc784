/** Taking back what is staged for nobody. */
import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { orAbsent } from "../../files.ts";
import { CALLS } from "./calls.ts";
import { removePlace } from "./data.ts";
import type { CsiDrivers } from "./drivers.ts";
import { diskPlaces, type VolumeId } from "./places.ts";
import type { CsiUses, Stage } from "./uses.ts";

/** Where it is looked. */
interface StagePlaces {
  readonly drivers: CsiDrivers;
  readonly uses: CsiUses;
}

/** @param root directory of the agent @throws Error: the driver is not there, or does not */
export async function unstage(
  { drivers, uses }: StagePlaces,
  root: string,
  id: VolumeId,
  signal: AbortSignal,
): Promise<void> {
  const stage = uses.stageOf(id);
  // It may have come into use in the meantime.
  if (!stage || !uses.isIdle(id)) return;
  const driver = drivers.get(id.driver);
  // Until it is done it is not known whether it is staged.
  uses.staged(id, { ...stage, isSure: false });
  if ((await driver.abilities(signal)).has("STAGE_UNSTAGE_VOLUME")) {
    await driver.call(CALLS.unstage, { volumeId: id.handle, stagingTargetPath: stage.path }, signal);
  }
  await removeStage(root, stage);
  uses.unstaged(id);
}

/** What the agent has made for it. */
async function removeStage(root: string, { path, disk }: Stage): Promise<void> {
  if (disk === undefined) return await removePlace(path);
  const { staging, data, publish } = diskPlaces(root, disk);
  for (const dir of [staging, publish]) await orAbsent(rmdir(dir));
  await rm(dirname(data), { recursive: true, force: true });
}
