/** From a definition to the row that the catalog serves, and to what the registry must know of it. */
import { customKind } from "../../schema/customresources/mod.ts";
import type { Converter, Kind, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { compareVersions } from "../../schema/model/versions.ts";
import type { Resource, ServedResource, Subresource } from "../catalog/types.ts";
import type { SubresourceHandler } from "../endpoints/api.ts";
import type { CachedResource } from "../cache/mod.ts";
import type { Printer } from "../printing/types.ts";
import type { Strategy } from "../registry/strategy.ts";
import { customCodec } from "./codec.ts";
import type { Definition, Version } from "./definition.ts";
import { customPrinter } from "./printer.ts";
import { customRules } from "./rules.ts";
import { customScale } from "./scale.ts";
import { type ConversionHooks, webhookConverter } from "./webhook_converter.ts";

/** Verbs of a custom resource, in the order in which discovery names them. */
const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const PART_VERBS = ["get", "patch", "update"];

/** A definition made ready to be served. */
export interface CustomResource {
  readonly resource: Resource;
  /** All versions, also those that are not served: stored objects and owners of fields may name them. */
  readonly kinds: readonly Kind[];
  readonly strategy: Strategy;
  readonly cached: CachedResource;
  /** By version. */
  readonly printers: ReadonlyMap<string, Printer>;
  readonly scale: SubresourceHandler;
}

/**
 * Builds what serves a definition.
 * @param root prefix of the store, without a slash at its end
 * @param taken whether the group version of that name is a built-in one: nothing is served there
 */
export function customResource(
  d: Definition,
  scheme: Scheme,
  root: string,
  hooks: ConversionHooks,
  taken: (version: string) => boolean = () => false,
): CustomResource {
  const { spec } = d, names = { ...spec.names, ...d.status?.acceptedNames };
  const converter = webhookConverter(d, hooks, () => kinds.values());
  const kinds: ReadonlyMap<string, Kind> = new Map(
    spec.versions.map((v) => [v.name, kindOf(d, v, names.kind!, names.listKind!, converter)]),
  );
  const storage = kinds.get(spec.versions.find((v) => v.storage)!.name)!;
  const fields = [...new Set(spec.versions.flatMap((v) => (v.selectableFields ?? []).map((f) => f.jsonPath.slice(1))))];
  const served: ServedResource[] = [];
  const resource: Resource = {
    id: d.metadata.name!,
    group: spec.group,
    publicGroup: spec.group,
    name: names.plural!,
    singular: names.singular ?? "",
    namespaced: spec.scope === "Namespaced",
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    prefix: `${root}/${spec.group}/${names.plural}/`,
    storageKind: storage,
    served,
    selectable: fields,
  };
  const order = spec.versions.filter((v) => v.served && !taken(v.name)).sort((a, b) => compareVersions(a.name, b.name));
  for (const v of order) served.push(servedOf(resource, kinds.get(v.name)!, v, scheme));
  const { id, prefix, namespaced } = resource;
  return {
    resource,
    kinds: [...kinds.values()],
    strategy: strategyOf(spec.versions, kinds, storage),
    cached: { id, prefix, namespaced, codec: customCodec(scheme, storage, [...kinds.values()], fields) },
    printers: new Map(spec.versions.map((v) => [v.name, customPrinter(v.additionalPrinterColumns)])),
    scale: customScale(new Map(spec.versions.map((v) => [v.name, v.subresources?.scale]))),
  };
}

/** A resource as discovery tells of it while its definition goes. */
export function leaving(of: Resource): Resource {
  const served: ServedResource[] = [];
  const resource: Resource = { ...of, served, leaving: true };
  served.push(...of.served.map((s) => ({ ...s, resource })));
  return resource;
}

function kindOf(
  d: Definition,
  v: Version,
  kind: string,
  listKind: string,
  converter: Converter | undefined,
): Kind {
  const { group } = d.spec;
  const warning = v.deprecationWarning || deprecationOf(d, v, kind);
  return customKind({
    group,
    version: v.name,
    kind,
    listKind,
    schema: v.schema?.openAPIV3Schema,
    preserves: d.spec.preserveUnknownFields,
    deprecation: v.deprecated ? warning : undefined,
    selectable: (v.selectableFields ?? []).map((f) => f.jsonPath.slice(1)),
    storage: v.storage === true,
    converter,
  });
}

/** Names the best version to use instead, when there is a better one. */
function deprecationOf({ spec: { group, versions } }: Definition, v: Version, kind: string): string {
  const better = versions
    .filter((o) => o.served && !o.deprecated && compareVersions(o.name, v.name) < 0)
    .sort((a, b) => compareVersions(a.name, b.name))[0];
  return `${group}/${v.name} ${kind} is deprecated${better ? `; use ${group}/${better.name} ${kind}` : ""}`;
}

function servedOf(resource: Resource, kind: Kind, v: Version, scheme: Scheme): ServedResource {
  const parts: Subresource[] = [];
  if (v.subresources?.status) parts.push({ name: "status", kind, verbs: PART_VERBS });
  if (v.subresources?.scale) {
    parts.push({ name: "scale", kind: scheme.kind("autoscaling/v1", "Scale")!, verbs: PART_VERBS });
  }
  return { resource, version: v.name, kind, verbs: VERBS, subresources: new Map(parts.map((p) => [p.name, p])) };
}

function strategyOf(versions: readonly Version[], kinds: ReadonlyMap<string, Kind>, storage: Kind): Strategy {
  const ruled = new Map(versions.map((v) => [v.name, {
    kind: kinds.get(v.name)!,
    hasStatus: v.subresources?.status !== undefined,
    scale: v.subresources?.scale,
  }]));
  const rules = customRules(storage, ruled), { converter, prune, defaults: fill } = storage.custom!;
  // What was stored as another version is from now on of this one.
  const settle = (obj: Obj) => {
    prune(obj);
    obj.apiVersion = storage.apiVersion;
  };
  if (!converter) return { rules, settle, fill };
  const as = async (obj: Obj, kind: Kind, signal: AbortSignal) =>
    obj.apiVersion === kind.apiVersion ? obj : (await converter([obj], kind, signal))[0]!;
  return {
    rules,
    fill,
    conversions: {
      view: (obj, version, signal) => as(obj, kinds.get(version) ?? storage, signal),
      async rest(obj, signal) {
        const rest = await as(obj, storage, signal);
        prune(rest);
        return rest;
      },
    },
  };
}
