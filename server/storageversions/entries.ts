/** In what version a server keeps each built-in resource, as `StorageVersion` objects tell it. */
import { apiVersionOf, restVersion, type Scheme } from "../../schema/scheme.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/types.ts";
import { isStored } from "../registry/registries.ts";

/** What one server says of one resource. */
export interface VersionEntry {
  /** `<group>.<resource>`, of the core group `core.<resource>`: the name of the object. */
  readonly name: string;
  readonly encodingVersion: string;
  /** What the server can read: every version that it knows, of all groups that share the stored objects. */
  readonly decodableVersions: readonly string[];
  readonly servedVersions: readonly string[];
  /** Public ids of the resources that it is about. */
  readonly ids: readonly string[];
}

/** An entry for each set of stored objects, those of custom resources left out. */
export function versionEntries(scheme: Scheme, catalog: Catalog): VersionEntry[] {
  const stored = [...catalog.resources()].filter((r) => isStored(r) && !r.storageKind.custom).sort(byGroup);
  const shared = new Map<string, Resource[]>();
  for (const r of stored) shared.set(r.prefix, [...(shared.get(r.prefix) ?? []), r]);
  return [...shared.values()].map((resources) => {
    const first = resources[0]!, { storageKind } = first;
    const known = scheme.versionsOf(first.group).filter((v) => scheme.kindOf(first.group, v, storageKind.kind));
    const others = resources.slice(1).flatMap(servedVersions);
    return {
      name: `${first.group || "core"}.${first.name}`,
      encodingVersion: apiVersionOf(storageKind.group, restVersion(storageKind)),
      decodableVersions: [...new Set([...known.map((v) => apiVersionOf(first.group, v)), ...others])],
      servedVersions: servedVersions(first),
      ids: resources.map((r) => r.id),
    };
  });
}

const servedVersions = (r: Resource): string[] => r.served.map((s) => apiVersionOf(r.group, s.version));

const byGroup = (a: Resource, b: Resource): number =>
  a.group === b.group ? (a.name < b.name ? -1 : 1) : a.group < b.group ? -1 : 1;
