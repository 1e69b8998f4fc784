/** The status of a `StorageVersion`: what each server says, and whether they agree. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { VersionEntry } from "./entries.ts";

const EQUAL = "AllEncodingVersionsEqual";

/** What servers say in a `StorageVersion`. */
export const serversIn = (obj: Obj): readonly JsonMap[] => (obj["status"]?.storageVersions ?? []) as JsonMap[];

/** A `StorageVersion` with what one server says; undefined when it says so already. `now`: ms. */
export function withServer(obj: Obj, server: string, entry: VersionEntry, now: number): Obj | undefined {
  const { encodingVersion, decodableVersions, servedVersions } = entry;
  const mine: JsonMap = {
    apiServerID: server,
    encodingVersion,
    decodableVersions: [...decodableVersions],
    servedVersions: [...servedVersions],
  };
  const all = serversIn(obj), i = all.findIndex((s) => s["apiServerID"] === server);
  return withServers(obj, i < 0 ? [...all, mine] : all.with(i, mine), now);
}

/** A `StorageVersion` with these servers' words; undefined when nothing changes by it. `now`: ms. */
export function withServers(obj: Obj, servers: readonly JsonMap[], now: number): Obj | undefined {
  const old = (obj["status"] ?? {}) as JsonMap;
  const { commonEncodingVersion: was, ...rest } = old;
  const versions = new Set(servers.map((s) => s["encodingVersion"]));
  const common = versions.size === 1 ? [...versions][0] as string : undefined;
  const status: JsonMap = {
    ...rest,
    storageVersions: [...servers],
    ...(common === undefined ? {} : { commonEncodingVersion: common }),
    conditions: conditions(old, common, was as string | undefined, obj.metadata.generation, now),
  };
  return JSON.stringify(sorted(status)) === JSON.stringify(sorted(old)) ? undefined : { ...obj, status };
}

function conditions(
  status: JsonMap,
  common: string | undefined,
  was: string | undefined,
  generation: number | undefined,
  now: number,
): JsonMap[] {
  const list = (status["conditions"] ?? []) as JsonMap[], old = list.find((c) => c["type"] === EQUAL);
  const agreed = common !== undefined, value = agreed ? "True" : "False";
  // That they agree on another version than before is a change too.
  const moved = old?.["status"] !== value || (agreed && was !== undefined && was !== common);
  const condition: JsonMap = {
    type: EQUAL,
    status: value,
    ...(generation ? { observedGeneration: generation } : {}),
    lastTransitionTime: moved ? nowTime(now) : old!["lastTransitionTime"]!,
    reason: agreed ? "CommonEncodingVersionSet" : "CommonEncodingVersionUnset",
    message: agreed ? "Every server stores it in the same version" : "Servers store it in different versions",
  };
  return old ? list.map((c) => c === old ? condition : c) : [...list, condition];
}

/** Members by name, so that texts of equal trees are equal. */
function sorted(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(sorted);
  if (typeof tree !== "object" || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, sorted(v)]));
}
