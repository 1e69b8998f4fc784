/** Merging an applied configuration into an object: what it says wins, what it does not mention stays. */
import { isMap, setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { jsonEqual } from "./equal.ts";
import type { Atom, ListAtom, MapAtom } from "./atoms.ts";
import type { PathElement } from "./fieldpath.ts";
import { isScalarOf } from "./validate_typed.ts";
import { fail, firstShape, itemElement, noItems, noMembers, shapeOf } from "./walk.ts";

/**
 * Merges `applied` into `live`. Items of a list that is owned item by item keep the order of `live` where `applied` does
 * not set another. What does not change is the same object in memory as before.
 *
 * @throws {TypedError} where a value does not fit, or `applied` holds an item twice
 */
export function mergeTyped(atom: Atom, live: Json, applied: Json): Json {
  return merge(atom, live, applied, []);
}

function merge(atom: Atom, l: Json, r: Json, path: PathElement[]): Json {
  if (l === r) return l;
  switch (shapeOf(atom, r) ?? (isOpen(atom) ? undefined : shapeOf(atom, l)) ?? firstShape(atom)) {
    case "scalar":
      if (!isScalarOf(atom.scalar!, l) && !isScalarOf(atom.scalar!, r)) fail(path, `expected ${atom.scalar}`);
      return leaf(l, r);
    case "list":
      if (atom.list!.atomic || (noItems(l) && noItems(r))) return leaf(l, r);
      return mergeItems(atom.list!, Array.isArray(l) ? l : [], Array.isArray(r) ? r : [], path);
    case "map":
      if (atom.map!.atomic || (noMembers(l) && noMembers(r))) return leaf(l, r);
      return mergeMembers(atom.map!, isMap(l) ? l : {}, isMap(r) ? r : {}, path);
  }
}

const leaf = (l: Json, r: Json) => (jsonEqual(l, r) ? l : r);
const isOpen = (atom: Atom) => atom.map !== undefined && atom.scalar !== undefined;

function mergeMembers(map: MapAtom, l: JsonMap, r: JsonMap, path: PathElement[]): JsonMap {
  let out: JsonMap | undefined;
  for (const name of Object.keys(r)) {
    path.push("f:" + name);
    const atom = map.member(name) ?? fail(path, "field not declared in schema");
    const had = Object.hasOwn(l, name);
    const merged = had ? merge(atom, l[name]!, r[name]!, path) : r[name]!;
    path.pop();
    if (had && merged === l[name]) continue;
    setMember(out ??= { ...l }, name, merged);
  }
  return out ?? l;
}

function mergeItems(list: ListAtom, l: Json[], r: Json[], path: PathElement[]): Json[] {
  const left = index(list, l, path, false);
  const right = index(list, r, path, true);
  const out: Json[] = [];
  for (const [element, i] of order(left, right)) {
    const applied = right.at.get(element);
    const item = applied === undefined ? l[i]! : mergeItem(list, element, left.at.get(element), applied, path);
    out.push(item);
  }
  return out.length === l.length && out.every((v, i) => v === l[i]) ? l : out;
}

function mergeItem(list: ListAtom, element: PathElement, l: Json | undefined, r: Json, path: PathElement[]): Json {
  // An item that stands twice in the live list is not merged with, the applied one takes the place of all.
  if (l === undefined || l === DUPLICATE) return r;
  path.push(element);
  const out = merge(list.element, l, r, path);
  path.pop();
  return out;
}

/** Stands for items that a live list holds more than once. */
const DUPLICATE: JsonMap = Object.freeze({});

interface Index {
  readonly elements: PathElement[];
  readonly at: Map<PathElement, Json>;
}

function index(list: ListAtom, items: Json[], path: PathElement[], unique: boolean): Index {
  const elements: PathElement[] = [];
  const at = new Map<PathElement, Json>();
  for (const item of items) {
    const element = itemElement(list, item, path);
    if (at.has(element)) {
      if (unique) fail([...path, element], "duplicate entries for this key");
      at.set(element, DUPLICATE);
    } else at.set(element, item);
    elements.push(element);
  }
  return { elements, at };
}

/**
 * The order of the merged items, each with its place in the live list (used for items that only stand there). Live items
 * come as they stand; applied ones come where both lists agree on the order, else as the applied list has them.
 */
function* order(left: Index, right: Index): Generator<readonly [PathElement, number]> {
  const shared = right.elements.filter((e) => left.at.has(e));
  const done = new Set<PathElement>();
  let next = 0;
  let l = 0;
  let r = 0;
  const take = (element: PathElement, at: number) => {
    done.add(element);
    return [element, at] as const;
  };
  while (l < left.elements.length || r < right.elements.length) {
    const mine = left.elements[l];
    if (mine !== undefined && r < right.elements.length) {
      if (mine === right.elements[r]) {
        yield take(mine, l++);
        r++;
        next++;
        continue;
      }
      if (right.at.has(mine) && next < shared.length && shared[next] !== mine) {
        l++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!right.at.has(mine)) {
        yield [mine, l++];
        continue;
      }
      if (done.has(mine)) l++;
    }
    if (r < right.elements.length) {
      const element = right.elements[r++]!;
      yield take(element, -1);
      if (next < shared.length && shared[next] === element) next++;
    }
  }
}
