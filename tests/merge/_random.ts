/** Seeded values for the property tests of merges. */
import type { Json, JsonMap } from "../../schema/model/types.ts";
import type { Random } from "../fixture/random.ts";

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
