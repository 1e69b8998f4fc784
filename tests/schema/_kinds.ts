/** What tests of the schema share. */
import type { Json, JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { productOf } from "../../schema/product.ts";
import { type Scheme, schemeOf } from "../../schema/scheme.ts";

/** Scheme of the public names. */
export const scheme: Scheme = schemeOf(productOf("kubernetes"));

/** The kind, which must exist. */
export function kindOf(apiVersion: string, kind: string): Kind {
  const found = scheme.kind(apiVersion, kind);
  if (!found) throw new Error(`no kind ${apiVersion} ${kind}`);
  return found;
}

/** An object literal as an object. */
export function obj(value: JsonMap): Obj {
  return value as Obj;
}

/** JSON text of anything. */
export function text(value: unknown): string {
  return JSON.stringify(value);
}

/** A directory beside the project that is there in some checkouts; undefined otherwise. */
export function shared(name: string): string | undefined {
  const url = new URL(`../../../shared/${name}`, import.meta.url);
  try {
    return Deno.statSync(url).isDirectory ? url.pathname : undefined;
  } catch {
    return undefined;
  }
}

/** A tree with the members of each object in sorted order, for comparing what has no order. */
export function sortedTree(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedTree);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, sortedTree(v)]),
  );
}
