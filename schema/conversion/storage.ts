/** In which version each resource is stored. */
import { MODULES } from "../modules.ts";
import { RESOURCES } from "../api/resources.ts";
import type { KindRow, ResourceRow } from "../model/table.ts";
import type { Kind } from "../model/types.ts";

/** A group and version, public names. */
export interface StorageVersion {
  readonly group: string;
  readonly version: string;
}

/** Release whose servers must still be able to read what this one stores. */
const READABLE_BY = 36;

/** Resources that share another's stored objects. */
const SHARED: Readonly<Record<string, StorageVersion>> = {
  "events.events.k8s.io": { group: "", version: "v1" },
};

/**
 * Group and version of a resource's stored form: the preferred version that the release before knows too, so that a server
 * can be taken back; the preferred one where that release knows none. Events of both groups are the core group's.
 * `readableBy`: an older release whose servers must read it too; an alpha form does not do for that.
 * @throws Error for a resource that is not built in
 */
export function storageVersion(publicGroup: string, resource: string, readableBy = READABLE_BY): StorageVersion {
  const shared = SHARED[`${resource}.${publicGroup}`];
  if (shared) return shared;
  const rows = RESOURCES.filter((r) => r.group === publicGroup && r.resource === resource);
  const at = Math.max(0, rows.findIndex((r) => introduced(r.group, r.version, r.kind) <= READABLE_BY));
  const older = (r: ResourceRow) =>
    !r.version.includes("alpha") && introduced(r.group, r.version, r.kind) <= readableBy;
  const row = (readableBy < READABLE_BY ? rows.slice(at).find(older) : undefined) ?? rows[at];
  if (!row) throw new Error(`no resource ${JSON.stringify(resource)} in group ${JSON.stringify(publicGroup)}`);
  return { group: publicGroup, version: row.version };
}

/** Kinds that lie in an older version than the one they are worked on in, as the public server's do. */
const AT_REST: Readonly<Record<string, string>> = { "apiextensions.k8s.io CustomResourceDefinition": "v1beta1" };

/** The version in which objects of a stored kind lie. */
export function restVersion({ publicGroup, kind, version }: Kind): string {
  const id = `${publicGroup} ${kind}`;
  return Object.hasOwn(AT_REST, id) ? AT_REST[id]! : version;
}

/** Minor release of a kind's first appearance; always-known kinds are of release 0, alpha ones without a record of none. */
function introduced(group: string, version: string, kind: string): number {
  const module = MODULES.find((m) => m.group === group && m.version === version);
  const row = module && (JSON.parse(module.kinds) as Record<string, KindRow>)[kind];
  if (row?.introduced) return Number(row.introduced.split(".")[1]);
  return version.includes("alpha") ? Infinity : 0;
}
