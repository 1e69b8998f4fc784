/** What makes one node of another: a strategic merge patch of metadata and status. */
import { isDeepStrictEqual } from "node:util";
import type { Node, NodeCondition } from "../../schema/api/core_v1.ts";
import { isMap } from "../../schema/model/members.ts";

/** A value without what says nothing: empty texts, lists and objects, zeros. What may be left out says something when it is false. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value.map((v) => bare(v) ?? {}) : undefined;
  if (typeof value !== "object" || value === null) return value === false ? value : value || undefined;
  const kept = Object.entries(value).map(([k, v]) => [k, bare(v)] as const).filter(([, v]) => v !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

type Tree = Record<string, unknown>;

/** Members that differ, recursively; those that are gone are null. Lists are taken whole. */
function difference(before: unknown, after: unknown): unknown {
  if (!isMap(before) || !isMap(after)) return after;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, after[name] === undefined ? null : difference(before[name], after[name])]),
  );
}

const withoutHeartbeat = (conditions: readonly NodeCondition[] = []) =>
  [...conditions].map(({ lastHeartbeatTime: _, ...c }) => c).sort((a, b) => a.type < b.type ? -1 : 1);

const parts = ({ metadata, status }: Node) => ({
  metadata: { labels: metadata?.labels, annotations: metadata?.annotations },
  status: { ...status, conditions: withoutHeartbeat(status?.conditions) },
});

/** Whether more than the time of heartbeats differs. */
export const hasChanged = (before: Node, after: Node): boolean =>
  !isDeepStrictEqual(bare(parts(before)), bare(parts(after)));

/** The patch. Conditions are merged by type: those of others stay. Addresses of one type may be several: they go whole. */
export function statusPatch(before: Node, after: Node): unknown {
  const { metadata, status } = difference(bare(parts(before)), bare(parts(after))) as Partial<Record<string, Tree>>;
  const { conditions: _, ...rest } = status ?? {};
  const was = new Map((before.status?.conditions ?? []).map((c) => [c.type, c]));
  const conditions = (after.status?.conditions ?? []).filter((c) => !isDeepStrictEqual(c, was.get(c.type)));
  const addresses = Array.isArray(rest["addresses"])
    ? { addresses: [...rest["addresses"], { $patch: "replace" }] }
    : {};
  return {
    ...(metadata ? { metadata } : {}),
    status: { ...rest, ...addresses, ...(conditions.length > 0 ? { conditions } : {}) },
  };
}
