/** What differs between two values of one descriptor. */
import { isMap } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { jsonEqual } from "./equal.ts";
import type { Atom, ListAtom, MapAtom } from "./atoms.ts";
import { wholeNode } from "./field_set_of.ts";
import type { FieldFilter } from "./field_filter.ts";
import type { PathElement } from "./fieldpath.ts";
import { FieldSet, FieldSetBuilder, LEAF } from "./fieldset.ts";
import { isScalarOf } from "./validate_typed.ts";
import { fail, firstShape, itemElement, noItems, noMembers, type Shape, shapeOf } from "./walk.ts";

/** Fields that the second value has and the first has not, the other way round, and those that both have but differ in. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const SAME: Comparison = { added: FieldSet.EMPTY, modified: FieldSet.EMPTY, removed: FieldSet.EMPTY };

/**
 * Compares two values. Parts that are the same object in memory are not walked. `unshown`: parts of the second value below
 * which it has more than it shows; a list that is owned whole differs by that too.
 *
 * @throws {TypedError} where a value does not fit
 */
export function compareTyped(atom: Atom, before: Json, after: Json, unshown?: ReadonlySet<object>): Comparison {
  if (before === after) return SAME;
  const walk = new Compare(unshown);
  walk.both(atom, before, after);
  return walk.result();
}

/** The comparison with only what the filter leaves. */
export function filtered(c: Comparison, filter: FieldFilter | undefined): Comparison {
  if (!filter) return c;
  return { added: filter.apply(c.added), modified: filter.apply(c.modified), removed: filter.apply(c.removed) };
}

class Compare {
  readonly #added = new FieldSetBuilder();
  readonly #modified = new FieldSetBuilder();
  readonly #removed = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  constructor(readonly unshown: ReadonlySet<object> | undefined) {}

  result(): Comparison {
    return { added: this.#added.build(), modified: this.#modified.build(), removed: this.#removed.build() };
  }

  both(atom: Atom, l: Json, r: Json): void {
    if (l === r) return;
    const left = shapeOf(atom, l);
    const right = shapeOf(atom, r);
    const first = firstShape(atom);
    // A place that allows several shapes is walked in each of the two that the values take.
    if (left !== right && isOpen(atom)) this.#as(left ?? first, atom, l, r);
    this.#as(right ?? (isOpen(atom) ? first : left ?? first), atom, l, r);
  }

  #as(shape: Shape, atom: Atom, l: Json, r: Json): void {
    if (shape === "scalar") {
      if (!isScalarOf(atom.scalar!, l) && !isScalarOf(atom.scalar!, r)) fail(this.#path, `expected ${atom.scalar}`);
      return this.#leaf(l, r);
    }
    if (shape === "list") {
      if (atom.list!.atomic || (noItems(l) && noItems(r))) return this.#leaf(l, r);
      return this.#items(atom.list!, Array.isArray(l) ? l : [], Array.isArray(r) ? r : []);
    }
    if (atom.map!.atomic || (noMembers(l) && noMembers(r))) return this.#leaf(l, r);
    this.#members(atom.map!, isMap(l) ? l : {}, isMap(r) ? r : {});
  }

  #leaf(l: Json, r: Json): void {
    if (!jsonEqual(l, r) || (this.unshown && holdsInList(r, this.unshown, false))) this.#modified.insert(this.#path);
  }

  #one(sink: FieldSetBuilder, atom: Atom, v: Json): void {
    sink.put(this.#path, wholeNode(atom, v, this.#path));
  }

  #members(map: MapAtom, l: JsonMap, r: JsonMap): void {
    for (const name of Object.keys(l)) this.#member(map, name, l[name]!, Object.hasOwn(r, name) ? r[name] : undefined);
    for (const name of Object.keys(r)) if (!Object.hasOwn(l, name)) this.#member(map, name, undefined, r[name]);
  }

  #member(map: MapAtom, name: string, l: Json | undefined, r: Json | undefined): void {
    if (l === r) return;
    this.#path.push("f:" + name);
    this.#sides(map.member(name) ?? fail(this.#path, "field not declared in schema"), l, r);
    this.#path.pop();
  }

  #sides(atom: Atom, l: Json | undefined, r: Json | undefined): void {
    if (l === undefined) this.#one(this.#added, atom, r!);
    else if (r === undefined) this.#one(this.#removed, atom, l);
    else this.both(atom, l, r);
  }

  #items(list: ListAtom, l: Json[], r: Json[]): void {
    const before = this.#group(list, l);
    const after = this.#group(list, r);
    for (const [element, values] of before) this.#item(list, element, values, after.get(element) ?? []);
    for (const [element, values] of after) if (!before.has(element)) this.#item(list, element, [], values);
  }

  #group(list: ListAtom, items: Json[]): Map<PathElement, Json[]> {
    const out = new Map<PathElement, Json[]>();
    for (const item of items) {
      const element = itemElement(list, item, this.#path);
      const had = out.get(element);
      if (had) had.push(item);
      else out.set(element, [item]);
    }
    return out;
  }

  /** Items of one element. Several on a side are compared as one value, owned as a member without anything below it. */
  #item(list: ListAtom, element: PathElement, l: Json[], r: Json[]): void {
    this.#path.push(element);
    if (l.length <= 1 && r.length <= 1) this.#sides(list.element, l[0], r[0]);
    else if (l.length >= 2 && r.length >= 2) {
      if (!jsonEqual(l, r)) this.#modified.insert(this.#path);
    } else if (l.length >= 2) {
      if (r.length) this.#one(this.#added, list.element, r[0]!);
      this.#removed.put(this.#path, LEAF);
    } else {
      if (l.length) this.#one(this.#removed, list.element, l[0]!);
      this.#added.put(this.#path, LEAF);
    }
    this.#path.pop();
  }
}

const isOpen = (atom: Atom) => atom.map !== undefined && atom.scalar !== undefined;

/** Whether one of some parts is in a list of the value. */
function holdsInList(v: Json, parts: ReadonlySet<object>, inList: boolean): boolean {
  if (typeof v !== "object" || v === null) return false;
  const below = inList || Array.isArray(v);
  return (below && parts.has(v)) || Object.values(v).some((x) => holdsInList(x, parts, below));
}
