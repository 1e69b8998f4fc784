/** What observations mean: which thresholds are due, and what pressure the node tells of. Pure. */
import { boundOf, type Threshold } from "./thresholds.ts";
import { type Observations, type Pressure, PRESSURES, SIGNALS } from "./signals.ts";

/** What is remembered from one look to the next. */
export interface Memory {
  /** Since when thresholds are crossed, ms. */
  readonly crossed: ReadonlyMap<Threshold, number>;
  /** Those that were due: they stay so until enough is won back. */
  readonly due: readonly Threshold[];
  /** When pressure was seen last, ms. */
  readonly seen: ReadonlyMap<Pressure, number>;
  readonly observations: Observations;
}

/** Before the first look. */
export const NOTHING: Memory = { crossed: new Map(), due: [], seen: new Map(), observations: new Map() };

/** What to do. */
export interface Decision {
  readonly memory: Memory;
  readonly pressure: readonly Pressure[];
  /** Those to act on now: crossed for long enough, and seen anew since the last look. */
  readonly act: readonly Threshold[];
}

/** The thresholds that are crossed. @param reclaiming so much more must be free */
export function crossedBy(
  thresholds: readonly Threshold[],
  observations: Observations,
  reclaiming = false,
): readonly Threshold[] {
  return thresholds.filter(({ signal, bound, reclaim }) => {
    const seen = observations.get(signal);
    if (!seen) return false;
    const more = reclaiming && reclaim ? boundOf(reclaim, seen.capacity).toNumber() : 0;
    return seen.available < boundOf(bound, seen.capacity).toNumber() + more;
  });
}

/** See the top of the file. @param transition ms for which pressure is told after it was seen last */
export function decide(
  thresholds: readonly Threshold[],
  observations: Observations,
  before: Memory,
  now: number,
  transition: number,
): Decision {
  const met = new Set([...crossedBy(thresholds, observations), ...crossedBy(before.due, observations, true)]);
  const crossed = new Map([...met].map((t) => [t, before.crossed.get(t) ?? now]));
  const told = new Set([...met].map((t): Pressure => SIGNALS[t.signal].condition));
  const seen = new Map([...before.seen, ...[...told].map((condition) => [condition, now] as const)]);
  const due = [...crossed].filter(([t, since]) => now - since >= t.grace).map(([t]) => t);
  const isNew = ({ signal }: Threshold) =>
    (observations.get(signal)?.time ?? 0) > (before.observations.get(signal)?.time ?? -Infinity);
  return {
    memory: { crossed, due, seen, observations },
    pressure: PRESSURES.filter((condition) => now - (seen.get(condition) ?? -Infinity) < transition),
    act: due.filter(isNew),
  };
}

/** The one to act on first: memory before all others. */
export const first = (thresholds: readonly Threshold[]): Threshold | undefined =>
  thresholds.find((t) => SIGNALS[t.signal].resource === "memory") ?? thresholds[0];
