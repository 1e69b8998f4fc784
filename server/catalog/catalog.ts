/**
 * The catalog: one row a served resource, whether built in or defined at run time. Discovery, OpenAPI, authorization,
 * admission, garbage collection and routing read it, and hear when it changes.
 */
import { BINARY_VERSION } from "../../schema/version.ts";
import { GROUPS, RESOURCES } from "../../schema/api/resources.ts";
import type { ResourceRow, SubresourceRow } from "../../schema/model/table.ts";
import { DROPPED } from "../../schema/modules.ts";
import { apiVersionOf, type Scheme, storageVersion } from "../../schema/scheme.ts";
import type { Kind } from "../../schema/model/types.ts";
import { type Emulation, rowsOf } from "./emulation.ts";
import { gateOf } from "./gated.ts";
import { storagePrefix } from "./prefixes.ts";
import type { Resource, ServedResource, Subresource } from "./types.ts";

/** Which rows are served: `--runtime-config`, and the emulated version unless it is our own. */
export interface Serving {
  readonly emulation?: Emulation;
  /** Minor release of the oldest servers that must be able to read what is stored. */
  readonly readableBy?: number;
  enabled(publicGroup: string, version: string, resource: string, byDefault: boolean): boolean;
}

/** A group as discovery lists it. */
export interface Group {
  readonly name: string;
  /** Versions in order of preference. */
  readonly versions: readonly string[];
}

/** Resources of one server. */
export class Catalog {
  readonly scheme: Scheme;
  readonly #resources = new Map<string, Resource>();
  readonly #served = new Map<string, ServedResource>();
  /** By the prefix of their keys. */
  readonly #alike = new Map<string, Set<Resource>>();
  /** By group version, in discovery order. */
  readonly #versions = new Map<string, ServedResource[]>();
  readonly #listeners = new Set<(changed: Resource) => void>();
  #groups: Group[] | undefined;
  /** Moves with every change. */
  generation = 0;

  /** @param minor version whose behaviour is shown */
  constructor(scheme: Scheme, readonly minor: number = BINARY_VERSION.minor) {
    this.scheme = scheme;
  }

  /** A served resource by its path: group as served, version, plural name. */
  find(group: string, version: string, name: string): ServedResource | undefined {
    return this.#served.get(`${group}/${version}/${name}`);
  }

  /** A resource by its public id. */
  resource(id: string): Resource | undefined {
    return this.#resources.get(id);
  }

  /** All resources, in discovery order. */
  resources(): Iterable<Resource> {
    return this.#resources.values();
  }

  /** The resources whose objects have keys of a prefix, in discovery order. */
  withPrefix(prefix: string): Iterable<Resource> {
    return this.#alike.get(prefix) ?? [];
  }

  /** What a group version serves, in discovery order. */
  servedIn(group: string, version: string): ServedResource[] {
    return [...this.#versions.get(apiVersionOf(group, version)) ?? []];
  }

  /** The served row of a kind, in any version. */
  byKind(group: string, kind: string, version?: string): ServedResource | undefined {
    if (version !== undefined) {
      return this.#versions.get(apiVersionOf(group, version))?.find((s) => s.kind.kind === kind);
    }
    for (const s of this.#served.values()) if (s.kind.kind === kind && s.resource.group === group) return s;
    return undefined;
  }

  /** Groups that serve anything, core included, in discovery order. */
  groups(): readonly Group[] {
    return this.#groups ??= this.#listGroups();
  }

  /** Whether what is not found in a group version is a matter of this server's own: it serves the built-in group. */
  isOwn(group: string, version: string): boolean {
    const found = this.groups().find((g) => g.name === group);
    return found !== undefined && (group === "" ? found.versions.includes(version) : this.#builtIn(group));
  }

  /** Whether a group version has custom kinds only. */
  isCustom(group: string, version: string): boolean {
    const own = this.#versions.get(apiVersionOf(group, version));
    return own !== undefined && own.every((s) => s.kind.custom !== undefined);
  }

  /** Whether a group version has built-in kinds: a definition adds nothing to it. */
  hasBuiltIn(group: string, version: string): boolean {
    return this.#builtIn(group) && this.servedIn(group, version).some((s) => s.kind.custom === undefined);
  }

  #builtIn(group: string): boolean {
    return GROUPS.some((g) => this.scheme.product.local(g.group) === group);
  }

  #listGroups(): Group[] {
    const versions = new Map<string, Set<string>>();
    for (
      const { group, version } of this.#served.values().map((s) => ({ group: s.resource.group, version: s.version }))
    ) {
      const set = versions.get(group) ?? new Set();
      versions.set(group, set.add(version));
    }
    const order = GROUPS.map((g) => this.scheme.product.local(g.group));
    const rank = (name: string) => order.includes(name) ? order.indexOf(name) : order.length;
    return [...versions].map(([name, set]) => ({ name, versions: this.#preferred(name, set) }))
      .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
  }

  #preferred(group: string, served: Set<string>): string[] {
    const order = this.scheme.versionsOf(group);
    return [...served].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  }

  /** Adds or replaces a resource. */
  put(resource: Resource): void {
    this.remove(resource.id);
    this.#resources.set(resource.id, resource);
    this.#alike.set(resource.prefix, (this.#alike.get(resource.prefix) ?? new Set()).add(resource));
    for (const s of resource.served) {
      this.#served.set(`${resource.group}/${s.version}/${resource.name}`, s);
      const at = apiVersionOf(resource.group, s.version), others = this.#versions.get(at);
      if (others) others.push(s);
      else this.#versions.set(at, [s]);
    }
    this.#changed(resource);
  }

  /** Takes a resource out. */
  remove(id: string): void {
    const old = this.#resources.get(id);
    if (!old) return;
    this.#resources.delete(id);
    const alike = this.#alike.get(old.prefix)!;
    alike.delete(old);
    if (alike.size === 0) this.#alike.delete(old.prefix);
    for (const s of old.served) {
      this.#served.delete(`${old.group}/${s.version}/${old.name}`);
      const at = apiVersionOf(old.group, s.version), left = this.#versions.get(at)!.filter((other) => other !== s);
      if (left.length > 0) this.#versions.set(at, left);
      else this.#versions.delete(at);
    }
    this.#changed(old);
  }

  #changed(resource: Resource): void {
    this.generation++;
    this.#groups = undefined;
    for (const listener of this.#listeners) listener(resource);
  }

  /** Calls back after each change with what came or went; returns how to stop that. */
  onChange(listener: (changed: Resource) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The catalog of the built-in resources that are switched on. */
export function builtinCatalog(
  scheme: Scheme,
  serving: Serving,
  storeRoot: string,
  gate: (name: string) => boolean = () => true,
): Catalog {
  const catalog = new Catalog(scheme, serving.emulation?.minor);
  const kindOf = (r: ResourceRow) => mustKind(scheme, scheme.product.local(r.group), r.version, r.kind);
  const rows = serving.emulation ? rowsOf(serving.emulation, kindOf, (g) => scheme.product.local(g)) : RESOURCES;
  const served = ({ group, version, resource, default: byDefault }: ResourceRow): boolean => {
    const needed = gateOf(idOf(group, resource), catalog.minor);
    return serving.enabled(group, version, resource, byDefault) && (needed === undefined || gate(needed));
  };
  for (const of of byResource(rows.filter(served))) {
    catalog.put(resourceOf(scheme, of, storeRoot, serving.readableBy));
  }
  return catalog;
}

function byResource(rows: readonly ResourceRow[]): ResourceRow[][] {
  const map = new Map<string, ResourceRow[]>();
  for (const row of rows) {
    const id = idOf(row.group, row.resource);
    map.set(id, [...(map.get(id) ?? []), row]);
  }
  return [...map.values()];
}

/** `deployments.apps`, `pods`. */
export function idOf(publicGroup: string, resource: string): string {
  return publicGroup ? `${resource}.${publicGroup}` : resource;
}

function resourceOf(scheme: Scheme, rows: ResourceRow[], root: string, readableBy?: number): Resource {
  const first = rows[0]!;
  const group = scheme.product.local(first.group);
  const id = idOf(first.group, first.resource);
  const order = scheme.versionsOf(group);
  const sorted = [...rows].sort((a, b) => order.indexOf(a.version) - order.indexOf(b.version));
  const served: ServedResource[] = [];
  const resource: Resource = {
    id,
    group,
    publicGroup: first.group,
    name: first.resource,
    singular: first.singular,
    namespaced: first.namespaced,
    shortNames: first.shortNames,
    categories: first.categories,
    prefix: storagePrefix(root, id, first.resource),
    storageKind: storedKind(scheme, rows, readableBy),
    served,
  };
  for (const row of sorted) served.push(servedOf(scheme, resource, row));
  return resource;
}

/** What is served in versions alone that have been dropped is stored in one of them, as it was. */
function storedKind(scheme: Scheme, rows: readonly ResourceRow[], readableBy?: number): Kind {
  const row = rows[0]!;
  const { group, version } = rows.every((r) => DROPPED.includes(r))
    ? row
    : storageVersion(row.group, row.resource, readableBy);
  return mustKind(scheme, scheme.product.local(group), version, row.kind);
}

function servedOf(scheme: Scheme, resource: Resource, row: ResourceRow): ServedResource {
  const kind = mustKind(scheme, resource.group, row.version, row.kind);
  const subs = row.subresources.map((s) => [s.name, subresourceOf(scheme, s)] as const);
  return { resource, version: row.version, kind, verbs: row.verbs, subresources: new Map(subs) };
}

function subresourceOf(scheme: Scheme, row: SubresourceRow): Subresource {
  return {
    name: row.name,
    kind: mustKind(scheme, scheme.product.local(row.group), row.version, row.kind),
    verbs: row.verbs,
  };
}

function mustKind(scheme: Scheme, group: string, version: string, kind: string): Kind {
  const found = scheme.kind(apiVersionOf(group, version), kind);
  if (!found) throw new Error(`no kind ${kind} in ${apiVersionOf(group, version)}`);
  return found;
}
