/** Defaults of custom kinds, and the nulls that give way to them (specification, "Versioning": custom resources). */
import { copyTree } from "../values/copy.ts";
import { isMap, setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { propertyOf, type Schema, valuesOf } from "./schema.ts";

/**
 * Fills in defaults, in place, after dropping nulls that a member may not have and that no default replaces; `keepNulls`
 * leaves those, as for what server-side apply has merged.
 */
export function applyDefaults(object: JsonMap, schema: Schema, keepNulls = false): void {
  if (!keepNulls) dropNulls(object, schema);
  fill(object, schema);
}

/** Whether a node has one. */
export const hasDefault = (s: Schema | undefined): s is Schema & { default: Json } =>
  s?.default !== undefined && s.default !== null;
const refusesNull = (v: Json | undefined, s: Schema | undefined): boolean =>
  v === null && s !== undefined && !s.nullable;

/** The schema of a member: declared, or of the map's values. */
const memberSchema = (s: Schema, name: string): Schema | undefined => propertyOf(s, name) ?? valuesOf(s);

/** Drops nulls that a member may not have and that no default replaces, in place. */
export function dropNulls(v: Json, s: Schema | undefined): void {
  if (!s) return;
  if (Array.isArray(v)) { for (const item of v) dropNulls(item, s.items); }
  else if (isMap(v)) {
    for (const name of Object.keys(v)) {
      const own = memberSchema(s, name);
      if (refusesNull(v[name], own) && !hasDefault(own)) delete v[name];
      else dropNulls(v[name]!, own);
    }
  }
}

function fill(v: Json, s: Schema | undefined): void {
  if (!s) return;
  if (Array.isArray(v)) fillItems(v, s.items);
  else if (isMap(v)) fillMembers(v, s);
}

function fillItems(list: Json[], items: Schema | undefined): void {
  list.forEach((item, i) => {
    if (refusesNull(item, items) && hasDefault(items)) list[i] = copyTree(items.default);
    fill(list[i]!, items);
  });
}

function fillMembers(map: JsonMap, s: Schema): void {
  for (const [name, property] of Object.entries(s.properties ?? {})) {
    if (hasDefault(property) && !Object.hasOwn(map, name)) setMember(map, name, copyTree(property.default));
  }
  for (const name of Object.keys(map)) {
    const own = memberSchema(s, name);
    if (refusesNull(map[name], own) && hasDefault(own)) map[name] = copyTree(own.default);
    fill(map[name]!, own);
  }
}
