/** Staging a volume: once on the node, before pods get it. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type Ability, CALLS, type Capability } from "./calls.ts";
import { removePlace, saveData } from "./data.ts";
import { type CsiDriver, CsiError } from "./driver.ts";
import { type CsiVolume, secretOf } from "./volume.ts";

/** How it is staged. */
interface Staging {
  readonly driver: CsiDriver;
  readonly can: ReadonlySet<Ability>;
  readonly path: string;
  /** See `Stage`. */
  readonly disk?: string;
  readonly capability: Capability;
  /** What is told of the attachment. */
  readonly context: Readonly<Record<string, string>>;
}

/** Where it is staged; undefined: its driver does not. @throws Error, CsiError */
export async function stage(volume: CsiVolume, s: Staging): Promise<string | undefined> {
  const { setup: { host, signal }, id, attributes, stageSecret } = volume;
  const { uses } = host.csi, before = uses.stageOf(id), place = { path: s.path, disk: s.disk };
  if (!s.can.has("STAGE_UNSTAGE_VOLUME")) {
    // What the agent has made for a disk goes with its last pod.
    if (s.disk !== undefined) uses.staged(id, { ...place, isSure: false });
    return undefined;
  }
  if (before?.isSure) return s.path;
  const secrets = await secretOf(host, stageSecret, "fetching NodeStageSecretRef");
  await mkdir(s.path, { recursive: true, mode: 0o750 });
  if (s.disk === undefined) await saveData(dirname(s.path), { driverName: id.driver, volumeHandle: id.handle });
  uses.staged(id, { ...place, isSure: false });
  try {
    await s.driver.call(CALLS.stage, {
      volumeId: id.handle,
      publishContext: s.context,
      stagingTargetPath: s.path,
      volumeCapability: s.capability,
      secrets,
      volumeContext: attributes,
    }, signal);
  } catch (e) {
    // One that an earlier start has staged stays so.
    if (e instanceof CsiError && e.isFinal && !before) {
      if (s.disk === undefined) await removePlace(s.path);
      uses.unstaged(id);
    }
    throw e;
  }
  uses.staged(id, { ...place, isSure: true });
  return s.path;
}
