/** Thresholds of eviction as options write them. */
import { durationToNanos } from "../../schema/values/duration.ts";
import { ValueError } from "../../schema/values/error.ts";
import { parseQuantity, type Quantity, quantityOf } from "../../schema/values/quantity.ts";
import { type Signal, SIGNALS } from "./signals.ts";

type Strings = Readonly<Record<string, string>>;

/** Options that say them: by signal. */
export interface ThresholdOptions {
  readonly evictionHard: Strings;
  readonly evictionSoft: Strings;
  readonly evictionSoftGracePeriod: Strings;
  readonly evictionMinimumReclaim: Strings;
  /** With `pods` a hard threshold of memory holds for all pods together too. */
  readonly enforceNodeAllocatable: readonly string[];
}

/** An amount, or a part of the capacity from 0 to 1. */
export type Bound = { readonly quantity: Quantity } | { readonly part: number };

/** Below it something is done. The object itself is its identity. */
export interface Threshold {
  readonly signal: Signal;
  readonly bound: Bound;
  readonly hard: boolean;
  /** ms for which it must be crossed. */
  readonly grace: number;
  /** So much more than the bound must be won back. */
  readonly reclaim?: Bound;
}

/** A bound as an amount of a capacity. */
export const boundOf = (bound: Bound, capacity: number): Quantity =>
  "quantity" in bound ? bound.quantity : quantityOf(Math.trunc(capacity * bound.part), "BinarySI");

/** Reads all. @throws ValueError */
export function parseThresholds(o: ThresholdOptions): readonly Threshold[] {
  const reclaims = entries(o.evictionMinimumReclaim, reclaimOf);
  const graces = entries(o.evictionSoftGracePeriod, graceOf);
  const threshold = (signal: Signal, bound: Bound, grace?: number): Threshold => {
    const reclaim = reclaims.get(signal);
    return { signal, bound, hard: grace === undefined, grace: grace ?? 0, ...reclaim && { reclaim } };
  };
  const hard = [...entries(o.evictionHard, thresholdOf)].map(([signal, bound]) => threshold(signal, bound));
  const soft = [...entries(o.evictionSoft, thresholdOf)].map(([signal, bound]) => {
    const grace = graces.get(signal);
    if (grace !== undefined) return threshold(signal, bound, grace);
    throw new ValueError(`grace period must be specified for the soft eviction threshold ${signal}`);
  });
  const all = o.enforceNodeAllocatable.includes("pods")
    ? hard.filter((t) => t.signal === "memory.available")
      .map((t): Threshold => ({ ...t, signal: "allocatableMemory.available" }))
    : [];
  // Containers lie where images do: what is said of a file system of their own is left out, as on the public agent.
  return [...hard, ...soft, ...all].filter((t) => !t.signal.startsWith("containerfs."));
}

/** What is read of each signal; undefined where it says nothing. */
function entries<T>(option: Strings, read: (signal: string, text: string) => T | undefined): ReadonlyMap<Signal, T> {
  const out = new Map<Signal, T>();
  for (const [signal, text] of Object.entries(option)) {
    if (!Object.hasOwn(SIGNALS, signal)) throw new ValueError(`unsupported eviction signal ${signal}`);
    const value = read(signal, text);
    if (value !== undefined) out.set(signal as Signal, value);
  }
  return out;
}

/** Undefined for a text that is no percentage. The public agent counts with 32 bits. */
function partOf(text: string): number | undefined {
  if (!text.endsWith("%")) return undefined;
  const percent = text.slice(0, -1);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(percent)) throw new ValueError(`${JSON.stringify(text)} is no percentage`);
  return Math.fround(Math.fround(Number(percent)) / 100);
}

function thresholdOf(signal: string, text: string): Bound | undefined {
  if (text === "0%" || text === "100%") return undefined;
  const part = partOf(text);
  if (part !== undefined) {
    if (part < 0) throw new ValueError(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
    if (part > 1) throw new ValueError(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
    return { part };
  }
  const quantity = parseQuantity(text);
  if (quantity.sign() <= 0) throw new ValueError(`eviction threshold ${signal} must be positive: ${quantity}`);
  return { quantity };
}

function reclaimOf(signal: string, text: string): Bound {
  const part = partOf(text);
  if (part !== undefined) {
    if (part > 0) return { part };
    throw new ValueError(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
  }
  const quantity = parseQuantity(text);
  if (quantity.sign() < 0) throw new ValueError(`negative eviction minimum reclaim specified for ${signal}`);
  return { quantity };
}

function graceOf(_signal: string, text: string): number {
  const ms = Number(durationToNanos(text)) / 1e6;
  if (ms >= 0) return ms;
  throw new ValueError(`invalid eviction grace period specified: ${text}, must be a positive value`);
}
