/** The table of served resources, from the facts (`resources.json` and the observed `discovery.json`). */

interface Gvk {
  group: string;
  version: string;
  kind: string;
}
interface FactSubresource extends Gvk {
  subresource: string;
  verbs: string[];
}
interface FactResource {
  resource: string;
  kind: string;
  singular: string;
  namespaced: boolean;
  verbs: string[];
  shortNames: string[];
  categories: string[];
  subresources: FactSubresource[];
}
interface FactResources {
  groups: { group: string; versions: string[] }[];
  served: Record<string, FactResource[]>;
  former: Record<string, FactResource[]>;
}
interface Observed {
  group: string;
  version: string;
  resource: string;
}
interface FactDiscovery {
  states: Record<string, { resources: Observed[] }>;
}

const idOf = (group: string, version: string, resource: string) => `${group}/${version}/${resource}`;

/** Oldest minor version that can be emulated: what went before it is not listed. */
const OLDEST = 34;

/**
 * Text of `schema/api/resources.ts` without its header. A row is on by default when the observed server serves it so, or
 * when its version is generally available.
 * @param removedIn minor version in which a kind of the model went; undefined: it is not known, or stays
 */
export function resourceTable(
  facts: FactResources,
  discovery: FactDiscovery,
  removedIn: (group: string, version: string, kind: string) => number | undefined,
): string {
  const byDefault = new Set(discovery.states.default!.resources.map((r) => idOf(r.group, r.version, r.resource)));
  const rowsOf = (list: Record<string, FactResource[]>, wanted: typeof removedIn | undefined) =>
    Object.entries(list).flatMap(([gv, resources]) => {
      const slash = gv.indexOf("/");
      const group = slash < 0 ? "" : gv.slice(0, slash), version = gv.slice(slash + 1);
      const on = (r: FactResource) => byDefault.has(idOf(group, version, r.resource)) || /^v\d+$/.test(version);
      return resources.filter((r) => !wanted || (wanted(group, version, r.kind) ?? 0) > OLDEST)
        .map((r) => row(group, version, r, on(r)));
    });
  const rows = rowsOf(facts.served, undefined), former = rowsOf(facts.former, removedIn);
  return [
    `import type { GroupRow, ResourceRow } from "../model/table.ts";`,
    "",
    "/** API groups in the order of the group list, versions in preference order. Public names. */",
    "export const GROUPS: readonly GroupRow[] = JSON.parse(String.raw`[",
    facts.groups.map((g) => JSON.stringify({ group: g.group, versions: g.versions })).join(",\n"),
    "]`);",
    "",
    "/** Every served resource in every version, in the order of discovery. Public names. */",
    "export const RESOURCES: readonly ResourceRow[] = JSON.parse(String.raw`[",
    rows.map((r) => JSON.stringify(r)).join(",\n"),
    "]`);",
    "",
    "/** Versions that are gone: served to who emulates a server that still had them. */",
    "export const FORMER: readonly ResourceRow[] = JSON.parse(String.raw`[",
    former.map((r) => JSON.stringify(r)).join(",\n"),
    "]`);",
    "",
  ].join("\n");
}

function row(group: string, version: string, r: FactResource, byDefault: boolean): unknown {
  return {
    group,
    version,
    resource: r.resource,
    kind: r.kind,
    singular: r.singular,
    namespaced: r.namespaced,
    verbs: r.verbs,
    shortNames: r.shortNames,
    categories: r.categories,
    default: byDefault,
    subresources: r.subresources.map((s) => ({
      name: s.subresource,
      group: s.group,
      version: s.version,
      kind: s.kind,
      verbs: s.verbs,
    })),
  };
}
