/** Patches of statuses: strategic merges from one status to another. */
import type { PodStatus } from "../../schema/api/core_v1.ts";
import { jsonEqual } from "../../schema/merge/equal.ts";
import { isMap } from "../../schema/model/members.ts";
import type { JsonMap } from "../../schema/model/types.ts";

/** Lists that merge by a member of their items, which others may add to meanwhile; all other lists are given whole. */
const KEYS: Readonly<Record<string, string>> = {
  conditions: "type",
  podIPs: "ip",
  hostIPs: "ip",
  resourceClaimStatuses: "name",
};

/** The `status` of a patch; undefined: nothing differs. */
export function statusPatch(from: PodStatus, to: PodStatus): JsonMap | undefined {
  return difference(from as JsonMap, to as JsonMap, KEYS);
}

function difference(from: JsonMap, to: JsonMap, keys: Readonly<Record<string, string>>): JsonMap | undefined {
  const patch: JsonMap = {};
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const before = from[name], after = to[name];
    if (jsonEqual(before, after)) continue;
    const key = keys[name];
    if (after === undefined) patch[name] = null;
    else if (key && Array.isArray(before) && Array.isArray(after)) {
      Object.assign(patch, listDifference(name, key, before as JsonMap[], after as JsonMap[]));
    } else if (isMap(before) && isMap(after)) patch[name] = difference(before, after, {})!;
    else patch[name] = after;
  }
  return Object.keys(patch).length ? patch : undefined;
}

function listDifference(name: string, key: string, before: readonly JsonMap[], after: readonly JsonMap[]): JsonMap {
  const old = new Map(before.map((item) => [item[key], item]));
  const kept = new Set(after.map((item) => item[key]));
  const changed = after.flatMap((item) => {
    const was = old.get(item[key]);
    const differs = was ? difference(was, item, {}) : item;
    return differs ? [{ ...differs, [key]: item[key]! }] : [];
  });
  const gone = before.filter((item) => !kept.has(item[key])).map((item) => ({ $patch: "delete", [key]: item[key]! }));
  const items = [...changed, ...gone];
  return {
    [`$setElementOrder/${name}`]: after.map((item) => ({ [key]: item[key]! })),
    ...(items.length ? { [name]: items } : {}),
  };
}
