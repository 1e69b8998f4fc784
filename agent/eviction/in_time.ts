/** Waiting for a pod that is ended. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Clock, Events } from "../types.ts";

/** How much longer than its grace a pod is waited for, and at least that, s. */
const PATIENCE = 1.5;
const LEAST_PATIENCE = 10;

/** Its end. @param grace s that its containers get @throws Error: it took much longer than that */
export async function inTime(
  { clock, events }: { readonly clock: Clock; readonly events: Events },
  pod: Pod,
  grace: number,
  end: Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const late = clock.wait(Math.max(grace * PATIENCE, LEAST_PATIENCE) * 1000, over.signal).then(() => {
    if (over.signal.aborted) return;
    const message = "Container runtime did not kill the pod within specified grace period.";
    events.pod(pod, "Warning", "ExceededGracePeriod", message);
    throw new Error("timeout waiting to kill pod");
  });
  try {
    await Promise.race([end, late]);
  } finally {
    over.abort();
  }
}
