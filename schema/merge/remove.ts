/** Taking the fields of a set out of a value, or keeping only those. */
import { isMap, setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { type Atom, ATOMIC_ANY, type ListAtom, type MapAtom } from "./atoms.ts";
import type { FieldSet } from "./fieldset.ts";
import { firstShape, itemElement, shapeOf } from "./walk.ts";

/**
 * The value without the members and items that are in the set, with all that is below them. What becomes empty is null.
 * What does not change is the same object in memory as before.
 */
export function removeFields(atom: Atom, value: Json, fields: FieldSet): Json {
  if (fields.empty) return value;
  switch (shapeOf(atom, value) ?? firstShape(atom)) {
    case "scalar":
      return value;
    case "list":
      if (!Array.isArray(value) || value.length === 0 || atom.list!.atomic) return null;
      return removeItems(atom.list!, value, fields);
    case "map":
      if (!isMap(value) || Object.keys(value).length === 0 || atom.map!.atomic) return null;
      return removeMembers(atom.map!, value, fields);
  }
}

function removeItems(list: ListAtom, value: Json[], fields: FieldSet): Json {
  const out: Json[] = [];
  let changed = false;
  for (const item of value) {
    const node = fields.nodes.get(itemElement(list, item, []));
    if (node?.member) {
      changed = true;
      continue;
    }
    // An item is there until it is removed itself, if only with the defaults of its keys.
    const kept = node?.children ? removeFields(list.element, item, node.children) ?? {} : item;
    changed ||= kept !== item;
    out.push(kept);
  }
  if (!changed) return value;
  return out.length ? out : null;
}

function removeMembers(map: MapAtom, value: JsonMap, fields: FieldSet): Json {
  let out: JsonMap | undefined;
  for (const [element, node] of fields.nodes) {
    const name = element.slice(2);
    if (element[0] !== "f" || !Object.hasOwn(value, name)) continue;
    if (node.member) delete (out ??= { ...value })[name];
    else {
      const kept = removeFields(map.member(name) ?? ATOMIC_ANY, value[name]!, node.children!);
      if (kept !== value[name]) setMember(out ??= { ...value }, name, kept);
    }
  }
  if (!out) return value;
  return Object.keys(out).length ? out : null;
}
