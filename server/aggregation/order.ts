/** The order of groups and versions in discovery, by what their registrations say. */
import type { Standing } from "./registrations.ts";

/** A group with its versions, both in order. */
export interface OrderedGroup {
  readonly group: string;
  readonly versions: readonly string[];
}

/** Rank of a version by its name: what is stable first, the higher number first; other names last. */
function rankOf(version: string): readonly [stage: number, major: number, minor: number] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return [-1, 0, 0];
  const stage = match[2] === "alpha" ? 0 : match[2] === "beta" ? 1 : 2;
  return [stage, Number(match[1]), Number(match[3] ?? 0)];
}

/** Below zero when `a` comes before `b`. */
export function compareVersions(a: string, b: string): number {
  const x = rankOf(a), y = rankOf(b);
  const at = x.findIndex((n, i) => n !== y[i]);
  if (at >= 0) return y[at]! - x[at]!;
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Groups by the highest priority among their versions. Of two with the same: the list of groups goes by the names of the objects
 * (the version stands first in them), the aggregated document by the names of the groups.
 */
export function ordered(standings: ReadonlyMap<string, Standing>, by: "objects" | "groups"): OrderedGroup[] {
  const named = [...standings].map(([name, s]) => ({ ...s, key: by === "objects" ? name : s.group }));
  named.sort((a, b) => b.groupPriority - a.groupPriority || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return [...Map.groupBy(named, (s) => s.group)].map(([group, all]) => ({
    group,
    versions: all.sort((a, b) => b.versionPriority - a.versionPriority || compareVersions(a.version, b.version))
      .map((s) => s.version),
  }));
}
