/** `--runonce`: static pods are started, and no more. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Clock } from "../types.ts";

/** What one run needs. */
export interface RunOnceParts {
  readonly clock: Clock;
  /** Whether each source has said what it has. */
  delivered(): boolean;
  /** All pods that they have, with what became of them. */
  pods(): readonly Pod[];
}

/** How long the sources may take to say what they have, and the pause between two looks at them, ms. */
const MANIFEST_MS = 1_000;
const MANIFEST_LOOK_MS = 20;
/** First pause between two looks at pods, ms; each is twice as long as the one before. */
const FIRST_PAUSE_MS = 1_000;
const LOOKS = 10;

/** What came of it. */
export interface RunOnceResult {
  readonly started: readonly Pod[];
  readonly failed: readonly Pod[];
}

/** Waits until each pod runs or has failed. @throws Error: the sources did not all say what they have in time */
export async function runOnce({ clock, delivered, pods }: RunOnceParts, signal: AbortSignal): Promise<RunOnceResult> {
  const late = clock.ticks() + MANIFEST_MS;
  while (!delivered() && !signal.aborted) {
    if (clock.ticks() >= late) throw new Error("no pod manifest update after 1s");
    await clock.wait(MANIFEST_LOOK_MS, signal);
  }
  for (let look = 0, pause = FIRST_PAUSE_MS; look < LOOKS && !signal.aborted; look++, pause *= 2) {
    if (pods().every((pod) => hasStarted(pod) || hasFailed(pod))) break;
    await clock.wait(pause, signal);
  }
  return { started: pods().filter(hasStarted), failed: pods().filter((pod) => !hasStarted(pod)) };
}

const hasFailed = ({ status }: Pod): boolean => status?.phase === "Failed";

/** All its containers run, or have done their work. */
function hasStarted({ spec, status }: Pod): boolean {
  const statuses = status?.containerStatuses ?? [];
  return statuses.length === spec?.containers?.length &&
    statuses.every(({ state }) => state?.running || state?.terminated?.exitCode === 0);
}
