/** Which fields a value mentions. */
import type { Json, JsonMap } from "../model/types.ts";
import type { Atom, ListAtom, MapAtom } from "./atoms.ts";
import { type PathElement, valueElement } from "./fieldpath.ts";
import { type FieldNode, fieldNode, FieldSet, LEAF, parentNode } from "./fieldset.ts";
import { fail, firstShape, itemElement, noItems, noMembers, shapeOf } from "./walk.ts";

type Nodes = Map<PathElement, FieldNode>;

/**
 * The set of a value's leaves (scalars, and what is owned whole), of the items of its lists, and of members whose value is
 * null or an empty object. An item that stands more than once in its list is a member without anything below it.
 *
 * @throws {TypedError} where the value does not fit
 */
export function fieldSetOf(atom: Atom, value: Json): FieldSet {
  return nodeOf(atom, value, [])?.children ?? FieldSet.EMPTY;
}

function nodeOf(atom: Atom, v: Json, path: PathElement[]): FieldNode | undefined {
  switch (shapeOf(atom, v) ?? firstShape(atom)) {
    case "scalar":
      return LEAF;
    case "list":
      if (atom.list!.atomic) return LEAF;
      return Array.isArray(v) ? fieldNode(false, items(atom.list!, v, path)) : undefined;
    case "map":
      if (atom.map!.atomic) return LEAF;
      return noMembers(v) ? undefined : fieldNode(false, members(atom.map!, v as JsonMap, path));
  }
}

function members(map: MapAtom, v: JsonMap, path: PathElement[]): FieldSet {
  const nodes: Nodes = new Map();
  for (const name of Object.keys(v)) {
    const element = "f:" + name;
    path.push(element);
    const atom = map.member(name) ?? fail(path, "field not declared in schema");
    const value = v[name]!;
    const node = nodeOf(atom, value, path);
    const self = value === null || !map.declares(name) || (typeof value === "object" && isEmptyMap(value));
    const kept = self && !node?.member ? fieldNode(true, node?.children) : node;
    if (kept) nodes.set(element, kept);
    path.pop();
  }
  return new FieldSet(nodes);
}

const isEmptyMap = (v: Json) => !Array.isArray(v) && noMembers(v);

function items(list: ListAtom, v: Json[], path: PathElement[]): FieldSet {
  const nodes: Nodes = new Map();
  for (const item of v) {
    const element = itemElement(list, item, path);
    if (nodes.has(element)) {
      nodes.set(element, LEAF);
      continue;
    }
    path.push(element);
    nodes.set(element, fieldNode(true, nodeOf(list.element, item, path)?.children)!);
    path.pop();
  }
  return new FieldSet(nodes);
}

/**
 * The node of a value that stands on one side of a comparison only: all of its places are members, those on the way too.
 *
 * @throws {TypedError} where the value does not fit
 */
export function wholeNode(atom: Atom, v: Json, path: PathElement[]): FieldNode {
  switch (shapeOf(atom, v) ?? firstShape(atom)) {
    case "scalar":
      return LEAF;
    case "list":
      return atom.list!.atomic || noItems(v) ? LEAF : wholeItems(atom.list!, v as Json[], path);
    case "map":
      return atom.map!.atomic || noMembers(v) ? LEAF : wholeMembers(atom.map!, v as JsonMap, path);
  }
}

function wholeMembers(map: MapAtom, v: JsonMap, path: PathElement[]): FieldNode {
  const names = Object.keys(v);
  const nodes: FieldNode[] = [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    path.push("f:" + name);
    nodes.push(wholeNode(map.member(name) ?? fail(path, "field not declared in schema"), v[name]!, path));
    path.pop();
  }
  return shared(map, names, nodes, "f:");
}

function wholeItems(list: ListAtom, v: Json[], path: PathElement[]): FieldNode {
  const nodes: Nodes = new Map();
  const scalars = list.keys.length === 0;
  for (const item of v) {
    const element = scalars && typeof item !== "object" ? valueElement(item) : itemElement(list, item, path);
    if (scalars || nodes.has(element)) {
      nodes.set(element, LEAF);
      continue;
    }
    path.push(element);
    nodes.set(element, wholeNode(list.element, item, path));
    path.pop();
  }
  return shared(list, [...nodes.keys()], [...nodes.values()], "");
}

/** A node that was made of these names and nodes. */
interface Made {
  readonly names: readonly string[];
  readonly nodes: readonly FieldNode[];
  readonly node: FieldNode;
}

/** The last nodes made at a place. */
const RECENT = new WeakMap<MapAtom | ListAtom, Made[]>();
const REMEMBERED = 4;

/**
 * A member with these below it. Objects written one after another are often alike (the pods of one set), and a node of the
 * same parts is the same node, with the encoding that it has by now.
 */
function shared(
  at: MapAtom | ListAtom,
  names: readonly string[],
  nodes: readonly FieldNode[],
  prefix: string,
): FieldNode {
  let recent = RECENT.get(at);
  if (!recent) RECENT.set(at, recent = []);
  for (const made of recent) if (same(made.names, names) && same(made.nodes, nodes)) return made.node;
  const children = new Map<PathElement, FieldNode>();
  for (let i = 0; i < names.length; i++) children.set(prefix + names[i]!, nodes[i]!);
  const node = parentNode(true, new FieldSet(children));
  if (names.length > MOST_REMEMBERED) return node;
  if (recent.length === REMEMBERED) recent.shift();
  recent.push({ names, nodes, node });
  return node;
}

/** Larger nodes are not kept for the next: what is remembered stays small. */
const MOST_REMEMBERED = 100;

function same<T>(a: readonly T[], b: readonly T[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
