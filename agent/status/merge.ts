/** A pod's status as the API server should have it: what the agent says, and what others said. */
import type { PodCondition, PodStatus } from "../../schema/api/core_v1.ts";
import { decodeTyped } from "../../schema/codec/mod.ts";
import { jsonEqual } from "../../schema/merge/equal.ts";
import { builtInMessage } from "../../schema/messages.ts";
import type { Json } from "../../schema/model/types.ts";
import { isOwnCondition } from "../pods/conditions.ts";
import { isTerminal } from "../pods/spec.ts";

/** The condition that others set too: the agent says it together with the end. */
const SHARED = "DisruptionTarget";
const READY: ReadonlySet<string> = new Set(["Ready", "ContainersReady"]);
/** Members that others set, which stay as they are. */
const FOREIGN = [
  "resourceClaimStatuses",
  "extendedResourceClaimStatus",
  "nodeAllocatableResourceClaimStatuses",
] as const;

/** The status in the one form that the API server gives back: times to the second, amounts as it writes them. */
export function canonical(status: PodStatus): PodStatus {
  const message = builtInMessage("core.v1.PodStatus")!;
  return decodeTyped(message, status as Json, {}, { unknown: [] }) as PodStatus;
}

/** A status that follows another of the same pod: the end stays the end, and the start the start. */
export function following(old: PodStatus, status: PodStatus): PodStatus {
  const next: PodStatus = { ...status };
  if (isTerminal(old.phase) && next.phase !== old.phase) keep(next, old, ["phase", "reason", "message"]);
  if (old.startTime) next.startTime = old.startTime;
  if (old.volumeHealth?.length && !next.volumeHealth?.length) next.volumeHealth = old.volumeHealth;
  if ((old.observedGeneration ?? 0) > (next.observedGeneration ?? 0)) keep(next, old, ["observedGeneration"]);
  return next;
}

/** What is to stand at the API server, whose status is `there`. Both canonical. @param now RFC 3339 */
export function merged(there: PodStatus, status: PodStatus, now: string): PodStatus {
  const next = following(there, status);
  const ends = !isTerminal(there.phase) && isTerminal(next.phase);
  const own = (next.conditions ?? []).filter(({ type }) => isOwnCondition(type) || type === SHARED && ends)
    .map((c) => c.type === SHARED ? { ...c, lastTransitionTime: sharedSince(c, there) ?? now } : c);
  const says = new Set(own.map((c) => c.type));
  const others = (there.conditions ?? []).filter(({ type }) => !isOwnCondition(type) && !says.has(type));
  keep(next, there, FOREIGN);
  next.conditions = [...others, ...own].map((c) => isTerminal(next.phase) && READY.has(c.type) ? unready(c, next) : c);
  return next;
}

/** Since when others have said the same; undefined: the agent is the first, with the end. */
function sharedSince({ type, status }: PodCondition, there: PodStatus): string | undefined {
  return there.conditions?.find((c) => c.type === type && c.status === status)?.lastTransitionTime;
}

/** Whether two statuses say the same of what the agent says. Both canonical. */
export function sameOwn(a: PodStatus, b: PodStatus): boolean {
  return jsonEqual(said(a), said(b));
}

function said(status: PodStatus): Json {
  const shown = (status.conditions ?? []).filter(({ type }) => isOwnCondition(type) || type === SHARED)
    .map(({ type, status, reason = "", message = "" }) => ({ type, status, reason, message }))
    .sort((a, b) => a.type < b.type ? -1 : 1);
  const own: PodStatus = { ...status, conditions: shown };
  for (const member of FOREIGN) delete own[member];
  return own as Json;
}

function keep(status: PodStatus, from: PodStatus, members: readonly (keyof PodStatus)[]): void {
  for (const member of members) {
    delete status[member];
    if (from[member] !== undefined) Object.assign(status, { [member]: from[member] });
  }
}

/** What ended is not ready, however late the one who watches that notices. */
function unready(condition: PodCondition, { phase }: PodStatus): PodCondition {
  if (condition.status !== "True") return condition;
  const { message: _, ...rest } = condition;
  return { ...rest, status: "False", reason: phase === "Failed" ? "PodFailed" : "PodCompleted" };
}
