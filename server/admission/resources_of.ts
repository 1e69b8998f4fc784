/** From a kind to the resources that serve it, and from a resource to those that share its objects. */
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/types.ts";

/** Resources of the catalog that serve a kind in a version: one, as a rule. */
export function resourcesOf(catalog: Catalog, apiVersion: string, kind: string): Resource[] {
  return [...catalog.resources()].filter((r) =>
    r.served.some((s) => s.kind.apiVersion === apiVersion && s.kind.kind === kind)
  );
}

/** Resources that share a resource's stored objects (events of two groups), itself first. */
export function sharing(catalog: Catalog, resource: Resource): Resource[] {
  return [resource, ...[...catalog.resources()].filter((r) => r !== resource && r.prefix === resource.prefix)];
}
