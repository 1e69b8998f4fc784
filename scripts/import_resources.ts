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

/**
 * Text of `schema/api/resources.ts` without its header. A row is on by default when the observed server serves it so, or
 * when its version is generally available.
 */
export function resourceTable(facts: FactResources, discovery: FactDiscovery): string {
  const byDefault = new Set(discovery.states.default!.resources.map((r) => idOf(r.group, r.version, r.resource)));
  const rows = Object.entries(facts.served).flatMap(([gv, resources]) => {
    const slash = gv.indexOf("/");
    const group = slash < 0 ? "" : gv.slice(0, slash), version = gv.slice(slash + 1);
    const on = (r: FactResource) => byDefault.has(idOf(group, version, r.resource)) || /^v\d+$/.test(version);
    return resources.map((r) => row(group, version, r, on(r)));
  });
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
