/** What an election writes into a lease. */
import type { JsonMap, Obj } from "../../../schema/model/types.ts";
import { nowMicroTime, timeToSeconds } from "../../../schema/values/time.ts";
import { type Candidate, HOLDS_SECONDS, leaseExpired, type LeaseState, SECOND_US } from "./step.ts";

/** Microseconds since 1970 of a time as the API writes it. */
export function microsOf(time: unknown): number | undefined {
  if (typeof time !== "string" || time === "") return undefined;
  const { seconds, nanos } = timeToSeconds(time);
  return seconds * SECOND_US + Math.trunc(nanos / 1000);
}

/** A candidate's object as elections see it. */
export function candidateOf(obj: Obj): Candidate {
  const spec = (obj["spec"] ?? {}) as JsonMap;
  const [pinged, renewed] = [microsOf(spec["pingTime"]), microsOf(spec["renewTime"])];
  const text = (name: string) => String(spec[name] ?? "");
  return {
    name: obj.metadata.name!,
    strategy: text("strategy"),
    binaryVersion: text("binaryVersion"),
    emulationVersion: text("emulationVersion"),
    created: microsOf(obj.metadata.creationTimestamp) ?? 0,
    ...(pinged === undefined ? {} : { pinged }),
    ...(renewed === undefined ? {} : { renewed }),
  };
}

/** A lease's object as elections see it. */
export function leaseOf(obj: Obj): LeaseState {
  const spec = (obj["spec"] ?? {}) as JsonMap;
  const renewed = microsOf(spec["renewTime"]);
  const { holderIdentity, leaseDurationSeconds } = spec;
  return {
    holder: String(holderIdentity ?? ""),
    ...(renewed === undefined ? {} : { renewed }),
    ...(typeof leaseDurationSeconds === "number" ? { durationSeconds: leaseDurationSeconds } : {}),
  };
}

/** The outcome of an election. */
export interface Outcome {
  readonly strategy: string;
  /** Absent: who knows the strategy names the holder. */
  readonly holder?: string;
}

/** The spec of a lease that is not there yet. `now`: ms. */
export function firstSpec({ strategy, holder }: Outcome, now: number): JsonMap {
  return {
    ...(holder === undefined ? {} : { holderIdentity: holder }),
    leaseDurationSeconds: HOLDS_SECONDS,
    renewTime: nowMicroTime(now),
    strategy,
  };
}

/**
 * A lease with the outcome of an election: a lease without a holder, or whose holder is gone, is given; a holder that lives is
 * told by `preferredHolder` whom to leave it to. Undefined when the lease says so already. `now`: ms.
 */
export function withOutcome(lease: Obj, { strategy, holder }: Outcome, now: number): Obj | undefined {
  const state = leaseOf(lease);
  const spec: JsonMap = { ...(lease["spec"] as JsonMap | undefined), strategy };
  const free = state.holder === "" || leaseExpired(state, now * 1000);
  if (holder !== undefined && holder !== state.holder) {
    if (!free) spec["preferredHolder"] = holder;
    else {
      for (const m of ["preferredHolder", "acquireTime"]) delete spec[m];
      Object.assign(spec, {
        holderIdentity: holder,
        renewTime: nowMicroTime(now),
        leaseDurationSeconds: HOLDS_SECONDS,
      });
    }
  }
  const was = (lease["spec"] ?? {}) as JsonMap;
  const changed = Object.keys({ ...was, ...spec }).some((m) => was[m] !== spec[m]);
  return changed ? { ...lease, spec } : undefined;
}
