/** Steps of making a volume, their faults in the words of events. */
import { PodRefused } from "../types.ts";

/** A fault of a step that tells its own words. */
class StepFault extends Error {
  override readonly name: string = "StepFault";
}

/** `ENOENT: no such file or directory, open '/a'` as `open /a: no such file or directory`. */
const textOf = ({ message }: Error): string => message.replace(/^E[A-Z]+: (.+), (\w+) '(.+)'$/s, "$2 $3: $1");

/** Does a step; one within it that failed is told alone. @param step `MountVolume.SetUp` @throws Error in the words of events */
export async function during<T>(step: string, volume: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (e) {
    if (e instanceof StepFault || e instanceof PodRefused) throw e;
    throw new StepFault(`${step} failed for volume ${JSON.stringify(volume)} : ${textOf(e as Error)}`, { cause: e });
  }
}

/** Nobody on this node makes such a volume. */
export const NO_PLUGIN = "no volume plugin matched";

/** The fault of a volume that is not ready in time, or cannot be found. */
export class NotReady extends StepFault {
  override readonly name = "NotReady";
}

/** What a pod's volumes fail with that are not ready in time, or cannot be found. */
export function notReady(volume: string, state: "unattached" | "failed", why: string): NotReady {
  const unattached = state === "unattached" ? volume : "", failed = state === "failed" ? volume : "";
  return new NotReady(
    `Unable to attach or mount volumes: unmounted volumes=[${volume}], unattached volumes=[${unattached}], failed to process volumes=[${failed}]: ${why}`,
  );
}
