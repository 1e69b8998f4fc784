/** Conditions that the server itself writes into the status of a pod. */
import { nowTime } from "../../../schema/values/time.ts";

/** A condition of a pod, as far as the server looks at it. */
export interface PodCondition {
  type: string;
  status: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** The conditions with one set, in its place where there is one of the type: of the same status, it keeps its time. */
export function withCondition(
  conditions: readonly PodCondition[] = [],
  given: PodCondition,
  now: number,
): PodCondition[] {
  const { reason, message, ...head } = given;
  const at = conditions.findIndex((c) => c.type === given.type), was = conditions[at];
  const lastTransitionTime = was?.status === given.status ? was.lastTransitionTime ?? null : nowTime(now);
  const condition = { ...head, lastTransitionTime, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
  return was ? conditions.with(at, condition) : [...conditions, condition];
}
