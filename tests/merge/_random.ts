/** Seeded values for the property tests of merges. */
import type { Json, JsonMap } from "../../schema/model/types.ts";

/** A source of numbers; the same seed gives the same row. */
export interface Random {
  /** An integer from 0 to below `n`. */
  below(n: number): number;
  /** One of the list. */
  pick<T>(list: readonly T[]): T;
  /** True once in `n`. */
  once(n: number): boolean;
}

/** mulberry32 over the seed. */
export function random(seed: number): Random {
  let s = seed >>> 0;
  const next = () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = s;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number) => Math.floor(next() * n);
  return { below, pick: (list) => list[below(list.length)]!, once: (n) => below(n) === 0 };
}

const KEYS = ["a", "b", "c", "d", "constructor", "__proto__", "x/y", "", "~0"];
const LEAVES: Json[] = ["", "x", "y", 0, 1, -7, 1.5, true, false, 12345678901234567890n];

/** Any JSON of at most `depth` levels, from few keys and leaves so that two of them overlap. */
export function randomJson(r: Random, depth: number, options: { nulls: boolean }): Json {
  const shape = depth === 0 ? 0 : r.below(4);
  if (shape === 1) return Array.from({ length: r.below(4) }, () => randomJson(r, depth - 1, options));
  if (shape >= 2) {
    const entries = Array.from(
      { length: r.below(5) },
      () => [r.pick(KEYS), randomJson(r, depth - 1, options)] as const,
    );
    return Object.fromEntries(entries) as JsonMap;
  }
  return options.nulls && r.once(6) ? null : r.pick(LEAVES);
}
