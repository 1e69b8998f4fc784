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
export function candidates({ group, resource }: GroupResource): string[] {
  return [ruleName({ group, resource }), ruleName({ group, resource: "*" }), EVERYTHING];
}

/**
 * Finds a key's resource; undefined for keys of no resource. `root`: as `--store-prefix` (`/registry`). Events of both
 * groups are one resource, of the core group.
 */
export function resourceFinder(product: Product, root: string): (key: string) => GroupResource | undefined {
  const folders = new Map<string, GroupResource>();
  for (const { group, resource } of RESOURCES) {
    const id = group === "" ? resource : `${resource}.${group}`;
    const known = storagePrefix("", id, resource).slice(1, -1);
    if (folders.has(known) && group !== "") continue;
    folders.set(known, { group: product.local(group), resource });
  }
  const start = root.length + 1;
  return (key) => {
    const first = key.indexOf("/", start);
    if (first < 0) return undefined;
    const second = key.indexOf("/", first + 1);
    const nested = second < 0 ? undefined : folders.get(key.slice(start, second));
    if (nested) return nested;
    const folder = key.slice(start, first);
    // Custom resources have a folder for their group, whose name has a dot.
    if (second > 0 && folder.includes(".")) return { group: folder, resource: key.slice(first + 1, second) };
    return folders.get(folder);
  };
}
