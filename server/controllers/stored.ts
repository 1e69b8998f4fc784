/** Resources that keep objects, each set of stored objects once. */
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/types.ts";
import { isStored } from "../registry/registries.ts";

/** Every resource that keeps objects, one a key prefix; those whose objects can be listed and deleted. */
export function storedResources(catalog: Catalog): Resource[] {
  const byPrefix = new Map<string, Resource>();
  for (const r of catalog.resources()) if (!byPrefix.has(r.prefix) && isKept(r)) byPrefix.set(r.prefix, r);
  return [...byPrefix.values()];
}

/** The one of these whose objects have keys of a prefix. */
export function storedResource(catalog: Catalog, prefix: string): Resource | undefined {
  return [...catalog.withPrefix(prefix)].find(isKept);
}

const isKept = (r: Resource): boolean => isStored(r) && has(r, "delete") && has(r, "list");
const has = (r: Resource, verb: string): boolean => r.served.some((s) => s.verbs.includes(verb));
