/** Which resource a key of the store belongs to, and which rule of the configuration is for it. */
import { RESOURCES } from "../../../schema/api/resources.ts";
import type { Product } from "../../../schema/product.ts";
import { storagePrefix } from "../../catalog/prefixes.ts";
import type { GroupResource } from "./types.ts";

/** Any resource of any group. */
export const EVERYTHING = "*.*";

/** `secrets`, `*.`, `deployments.apps`, `*.apps`, `*.*`. */
export function ruleName({ group, resource }: GroupResource): string {
  return group === "" && resource === "*" ? "*." : group === "" ? resource : `${resource}.${group}`;
}

/** A rule's text in parts: the first dot ends the resource. */
export function parseRule(text: string): GroupResource {
  const dot = text.indexOf(".");
  return dot < 0 ? { resource: text, group: "" } : { resource: text.slice(0, dot), group: text.slice(dot + 1) };
}

/** Texts of the rules that can be for a resource, the closest first. */
export function candidates(name: string): string[] {
  return [name, ruleName({ group: parseRule(name).group, resource: "*" }), EVERYTHING];
}

/**
 * Finds a key's resource, as rules name it; undefined for keys of no resource. `root`: as `--store-prefix` (`/registry`). Events of both
 * groups are one resource, of the core group.
 */
export function resourceFinder(product: Product, root: string): (key: string) => string | undefined {
  const folders = new Map<string, string>();
  for (const { group, resource } of RESOURCES) {
    const id = group === "" ? resource : `${resource}.${group}`;
    const known = storagePrefix("", id, resource).slice(1, -1);
    if (folders.has(known) && group !== "") continue;
    folders.set(known, ruleName({ group: product.local(group), resource }));
  }
  const start = root.length + 1;
  return (key) => {
    const first = key.indexOf("/", start);
    if (first < 0) return undefined;
    const folder = key.slice(start, first);
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const second = key.indexOf("/", first + 1);
    if (second < 0) return undefined;
    // Custom resources have a folder for their group, whose name has a dot.
    return folders.get(key.slice(start, second)) ??
      (folder.includes(".") ? ruleName({ group: folder, resource: key.slice(first + 1, second) }) : undefined);
  };
}
