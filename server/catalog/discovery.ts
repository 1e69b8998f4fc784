/** Discovery documents: what the server serves (unaggregated, and aggregated v2). Kept until the catalog changes. */
import { createHash } from "node:crypto";
import type { JsonMap, Kind } from "../../schema/model/types.ts";
import { apiVersionOf, restVersion } from "../../schema/scheme.ts";
import type { Catalog, Group } from "./catalog.ts";
import type { ServedResource, Subresource } from "./types.ts";

const sorted = (names: Iterable<string>): string[] => [...names].sort();

/** Tells clients whether objects of two servers are stored alike: a hash of the storage version's kind. */
function storageHash(kind: Kind): string {
  const text = `${kind.group}/${restVersion(kind)}/${kind.kind}`;
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}

const WRITING: ReadonlySet<string> = new Set(["create", "update", "patch"]);

/** Verbs of custom resources stand in an order of their own. */
function verbsOf(s: ServedResource): string[] {
  if (!s.kind.custom) return sorted(s.verbs);
  return s.resource.leaving ? s.verbs.filter((v) => !WRITING.has(v)) : [...s.verbs];
}

const isStored = (s: ServedResource): boolean => s.verbs.includes("get") && s.verbs.includes("create");

/** Of custom resources only those have a hash whose storage version is served. */
const hasHash = (s: ServedResource): boolean =>
  isStored(s) && (!s.kind.custom || s.resource.served.some((v) => v.kind === s.resource.storageKind));

/** A group version that another server serves. */
export interface OtherVersion {
  /** As aggregated discovery has it; undefined: it was not asked for yet. */
  readonly tree: JsonMap | undefined;
}

/** Group versions of other servers, and their order among all. */
export interface OtherGroups {
  /** There are some. */
  readonly any: boolean;
  /** A group version that somebody registered, whoever serves it: it is in the lists of groups. */
  claimed(group: string, version: string): boolean;
  /** All groups that are registered, this server's own too, in order. `aggregated`: as the aggregated document has them. */
  groups(aggregated: boolean): readonly { readonly group: string; readonly versions: readonly string[] }[];
  /** Group versions of other servers, whether they can be reached or not. */
  versions(): Iterable<{ readonly group: string; readonly version: string }>;
  /** Undefined: not another server's. */
  version(group: string, version: string): OtherVersion | undefined;
  onChange(listener: () => void): void;
}

/** What documents are of. */
export interface Documented {
  readonly catalog: Catalog;
  /** Servers behind it. */
  readonly others: OtherGroups;
  /** Resources tell a hash of the version that they are stored in. */
  readonly hashes: boolean;
}

/** Documents of one catalog, and of the servers behind it. */
export class Discovery {
  readonly #catalog: Catalog;
  readonly #others: OtherGroups;
  readonly #hashes: boolean;
  readonly #registrar: string;
  readonly #kept = new Map<string, JsonMap>();

  constructor({ catalog, others, hashes }: Documented) {
    this.#catalog = catalog;
    this.#others = others;
    this.#hashes = hashes;
    this.#registrar = catalog.scheme.product.local("apiregistration.k8s.io");
    catalog.onChange(() => this.#kept.clear());
    others.onChange(() => this.#kept.clear());
  }

  /** Groups in order, core included. */
  #groups(aggregated: boolean): readonly Group[] {
    const own = this.#catalog.groups(), others = this.#others;
    if (aggregated && !others.any) return own;
    const listed = others.groups(aggregated);
    const names = new Set(listed.map((g) => g.group));
    const merged = listed.map(({ group, versions }): Group => {
      const here = own.find((g) => g.name === group)?.versions ?? [];
      const other = (v: string) => aggregated ? others.version(group, v) !== undefined : others.claimed(group, v);
      const known = versions.filter((v) => here.includes(v) || other(v));
      return { name: group, versions: [...known, ...here.filter((v) => !known.includes(v))] };
    });
    const rest = own.filter((g) => !names.has(g.name)), first = (g: Group) => g.name === this.#registrar;
    // What registrations themselves are served by is not registered, and comes first.
    return [
      ...rest.filter(first),
      ...merged.filter((g) => g.versions.length > 0),
      ...rest.filter((g) => !first(g)),
    ];
  }

  #versionTree(group: string, version: string): JsonMap | undefined {
    const other = this.#others.any ? this.#others.version(group, version) : undefined;
    if (other) return other.tree;
    return {
      version,
      resources: this.#catalog.servedIn(group, version).map((s) => aggregatedTree(s))
        .sort((a, b) => (a["resource"] as string) < (b["resource"] as string) ? -1 : 1),
      freshness: "Current",
    };
  }

  #keep(key: string, make: () => JsonMap): JsonMap {
    let tree = this.#kept.get(key);
    if (!tree) this.#kept.set(key, tree = make());
    return tree;
  }

  /** `/api`. */
  versions(address: string): JsonMap {
    return {
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
    };
  }

  /** `/apis`. */
  groups(): JsonMap {
    return this.#keep("/apis", () => {
      const groups = this.#groups(false).filter((g) => g.name !== "").map((g) => groupTree(g.name, g.versions));
      return { kind: "APIGroupList", apiVersion: "v1", groups };
    });
  }

  /** `/apis/<group>`; undefined when it serves nothing. */
  group(name: string): JsonMap | undefined {
    const group = this.#groups(false).find((g) => g.name === name && name !== "");
    return group && { kind: "APIGroup", apiVersion: "v1", ...groupTree(group.name, group.versions) };
  }

  /** `/api/v1`, `/apis/<group>/<version>`; undefined when it serves nothing. */
  resources(group: string, version: string): JsonMap | undefined {
    const served = this.#catalog.servedIn(group, version);
    if (served.length === 0) return undefined;
    return this.#keep(`${group}/${version}`, () => ({
      kind: "APIResourceList",
      ...(group === "" ? {} : { apiVersion: "v1" }),
      groupVersion: apiVersionOf(group, version),
      resources: served.sort((a, b) => a.resource.name < b.resource.name ? -1 : 1)
        .flatMap((s) => [resourceTree(s, this.#hashes), ...subresourceTrees(s)]),
    }));
  }

  /** Aggregated discovery of `/api` (core) or `/apis`. */
  aggregated(of: "core" | "named", version: string): JsonMap {
    return this.#keep(`${of} ${version}`, () => ({
      kind: "APIGroupDiscoveryList",
      apiVersion: `${this.#catalog.scheme.product.local("apidiscovery.k8s.io")}/${version}`,
      metadata: {},
      items: this.#groups(true).filter((g) => (g.name === "") === (of === "core")).map((g) => ({
        metadata: g.name === "" ? {} : { name: g.name },
        versions: g.versions.map((v) => this.#versionTree(g.name, v)).filter((v) => v !== undefined),
      })).filter((g) => g.versions.length > 0),
    }));
  }
}

function groupTree(name: string, versions: readonly string[]): JsonMap {
  const each = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: each, preferredVersion: each[0]! };
}

function resourceTree(s: ServedResource, hashes: boolean): JsonMap {
  const { resource } = s;
  return {
    name: resource.name,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: s.kind.kind,
    verbs: verbsOf(s),
    ...(resource.shortNames.length ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length ? { categories: [...resource.categories] } : {}),
    ...(hashes && hasHash(s) ? { storageVersionHash: storageHash(resource.storageKind) } : {}),
  };
}

/** By name; those of custom resources in the order in which definitions name them. */
function subresourcesOf(s: ServedResource): Subresource[] {
  const all = [...s.subresources.values()];
  return s.kind.custom ? all : all.sort((a, b) => a.name < b.name ? -1 : 1);
}

function subresourceTrees(s: ServedResource): JsonMap[] {
  return subresourcesOf(s).map((sub) => ({
    name: `${s.resource.name}/${sub.name}`,
    singularName: "",
    namespaced: s.resource.namespaced,
    ...foreign(s, sub),
    kind: sub.kind.kind,
    verbs: sorted(sub.verbs),
  }));
}

function foreign(s: ServedResource, sub: Subresource): JsonMap {
  if (sub.kind.apiVersion === s.kind.apiVersion) return {};
  return { group: sub.kind.group, version: sub.kind.version };
}

/** Group and version of a response's kind: empty when they are those of a built-in resource itself. */
function responseKind(s: ServedResource, kind: Kind): JsonMap {
  const own = !s.kind.custom && kind.apiVersion === s.kind.apiVersion;
  return { group: own ? "" : kind.group, version: own ? "" : kind.version, kind: kind.kind };
}

function aggregatedTree(s: ServedResource): JsonMap {
  const { resource } = s;
  const subs = subresourcesOf(s);
  return {
    resource: resource.name,
    responseKind: responseKind(s, s.kind),
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: verbsOf(s),
    ...(resource.shortNames.length ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length ? { categories: [...resource.categories] } : {}),
    ...(subs.length
      ? {
        subresources: subs.map((sub) => ({
          subresource: sub.name,
          responseKind: responseKind(s, sub.kind),
          verbs: sorted(sub.verbs),
        })),
      }
      : {}),
  };
}
