/** Resources that keep objects, each set of stored objects once. */
import type { Catalog } from "../catalog/catalog.ts";
import type { Resource } from "../catalog/types.ts";
import { isStored } from "../registry/registries.ts";

/** Every resource that keeps objects, one a key prefix; those whose objects can be listed and deleted. */
export function storedResources(catalog: Catalog): Resource[] {
  const byPrefix = new Map<string, Resource>();
  for (const r of catalog.resources()) {
    if (isStored(r) && !byPrefix.has(r.prefix) && has(r, "delete") && has(r, "list")) byPrefix.set(r.prefix, r);
  }
  return [...byPrefix.values()];
}

const has = (r: Resource, verb: string): boolean => r.served.some((s) => s.verbs.includes(verb));
