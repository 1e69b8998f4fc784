/** From a kind to the resources that serve it. */
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/types.ts";

/** Resources of the catalog that serve a kind in a version: one, as a rule. */
export function resourcesOf(catalog: Catalog, apiVersion: string, kind: string): Resource[] {
  return [...catalog.resources()].filter((r) =>
    r.served.some((s) => s.kind.apiVersion === apiVersion && s.kind.kind === kind)
  );
}
