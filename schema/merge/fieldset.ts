/**
 * Sets of field paths. A set is a tree: below each element there may be more, and an element may itself be a member or only
 * lead to members. Sets are not changed once they are in use: the operations return new ones, which share parts.
 *
 * | operation | cost |
 * |---|---|
 * | `has`, `insert` | depth of the path |
 * | `union`, `intersection`, `difference` | size of the smaller one where they overlap, plus the copied nodes |
 */
import type { JsonMap } from "../model/types.ts";
import type { Path, PathElement } from "./fieldpath.ts";

/** A node of the tree: a member, or with members below, or both. Never neither. */
export interface FieldNode {
  readonly member: boolean;
  readonly children: FieldSet | undefined;
  /** The node in the public encoding, once it was made. Kept here: a weak map of nodes costs more than the encoding. */
  encoded: JsonMap | undefined;
}

/** A node with members below. */
export const parentNode = (member: boolean, children: FieldSet): FieldNode => ({
  member,
  children,
  encoded: undefined,
});

/** Leaf nodes are all this one. */
export const LEAF: FieldNode = { member: true, children: undefined, encoded: {} };

/** A set of field paths. */
export class FieldSet {
  readonly nodes: ReadonlyMap<PathElement, FieldNode>;
  /** The set in the public encoding, once it was made. */
  encoded: JsonMap | undefined = undefined;
  static readonly EMPTY: FieldSet = new FieldSet(new Map());

  /** Takes the nodes as they are: none may be neither member nor parent. */
  constructor(nodes: ReadonlyMap<PathElement, FieldNode>) {
    this.nodes = nodes;
  }

  /** The set of these paths. A path without elements (the whole object) is not recorded. */
  static of(...paths: Path[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const p of paths) builder.insert(p);
    return builder.build();
  }
  /** The set of the paths of member names, `["spec", "replicas"]`. */
  static ofFields(...paths: (readonly string[])[]): FieldSet {
    return FieldSet.of(...paths.map((p) => p.map((name) => "f:" + name)));
  }

  /** Members of any of the sets. They are joined two by two: what many small ones come to is not copied for each of them. */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    let rest = sets;
    while (rest.length > 1) {
      const halved: FieldSet[] = [];
      for (let i = 0; i < rest.length; i += 2) halved.push(rest[i]!.union(rest[i + 1] ?? FieldSet.EMPTY));
      rest = halved;
    }
    return rest[0] ?? FieldSet.EMPTY;
  }

  get empty(): boolean {
    return this.nodes.size === 0;
  }
  /** How many members there are. */
  get size(): number {
    let n = 0;
    for (const node of this.nodes.values()) n += (node.member ? 1 : 0) + (node.children?.size ?? 0);
    return n;
  }

  has(path: Path): boolean {
    let at: FieldSet | undefined = path.length ? this : undefined;
    for (let i = 0; at && i < path.length - 1; i++) at = at.nodes.get(path[i]!)?.children;
    return at?.nodes.get(path[path.length - 1]!)?.member ?? false;
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.nodes.size !== other.nodes.size) return false;
    for (const [element, node] of this.nodes) {
      const o = other.nodes.get(element);
      if (!o || o.member !== node.member) return false;
      if (!(node.children ?? FieldSet.EMPTY).equals(o.children ?? FieldSet.EMPTY)) return false;
    }
    return true;
  }

  /** Members of either. */
  union(other: FieldSet): FieldSet {
    if (other.empty || this === other) return this;
    if (this.empty) return other;
    const out = new Map(this.nodes);
    for (const [element, node] of other.nodes) {
      const mine = out.get(element);
      out.set(element, mine ? both(mine, node) : node);
    }
    return new FieldSet(out);
  }

  /** Members of both. */
  intersection(other: FieldSet): FieldSet {
    if (this === other) return this;
    const out = new Map<PathElement, FieldNode>();
    const [small, large] = this.nodes.size <= other.nodes.size ? [this, other] : [other, this];
    for (const [element, node] of small.nodes) {
      const o = large.nodes.get(element);
      if (!o) continue;
      const children = node.children && o.children ? node.children.intersection(o.children) : undefined;
      put(out, element, node.member && o.member, children);
    }
    return new FieldSet(out);
  }

  /** Members of this that are not members of the other. */
  difference(other: FieldSet): FieldSet {
    return minus(this, other, false);
  }
  /** Members of this that are neither members of the other nor below one. */
  recursiveDifference(other: FieldSet): FieldSet {
    return minus(this, other, true);
  }

  /** Members that have no members below. */
  leaves(): FieldSet {
    const out = new Map<PathElement, FieldNode>();
    for (const [element, node] of this.nodes) {
      out.set(element, node.children ? parentNode(false, node.children.leaves()) : node);
    }
    return new FieldSet(out);
  }

  /** Calls `f` with each member's path, parents first. The array is reused: copy it to keep it. */
  forEach(f: (path: Path) => void): void {
    walk(this, [], f);
  }
  /** All members' paths. */
  paths(): Path[] {
    const out: Path[] = [];
    this.forEach((p) => out.push(p.slice()));
    return out;
  }
}

function walk(set: FieldSet, path: PathElement[], f: (path: Path) => void): void {
  for (const [element, node] of set.nodes) {
    path.push(element);
    if (node.member) f(path);
    if (node.children) walk(node.children, path, f);
    path.pop();
  }
}

function minus(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (a.empty || b.empty) return a;
  if (a === b) return FieldSet.EMPTY;
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of a.nodes) {
    const o = b.nodes.get(element);
    if (!o) {
      out.set(element, node);
      continue;
    }
    if (recursive && o.member) continue;
    const children = node.children && o.children ? minus(node.children, o.children, recursive) : node.children;
    put(out, element, node.member && !o.member, children);
  }
  return new FieldSet(out);
}

function both(a: FieldNode, b: FieldNode): FieldNode {
  if (a === b) return a;
  const children = a.children && b.children ? a.children.union(b.children) : a.children ?? b.children;
  return children ? parentNode(a.member || b.member, children) : LEAF;
}

/** Adds a node unless it would be neither member nor parent. */
function put(out: Map<PathElement, FieldNode>, element: PathElement, member: boolean, children?: FieldSet): void {
  const below = children && !children.empty ? children : undefined;
  if (below) out.set(element, parentNode(member, below));
  else if (member) out.set(element, LEAF);
}

/** A node; undefined if it would be neither member nor parent. */
export function fieldNode(member: boolean, children: FieldSet | undefined): FieldNode | undefined {
  if (children && !children.empty) return parentNode(member, children);
  return member ? LEAF : undefined;
}

/** Collects paths into a set. */
export class FieldSetBuilder {
  #root: Branch | undefined;

  insert(path: Path): void {
    if (path.length) this.put(path, LEAF);
  }
  /** Adds a node with all that is below it, where there is none yet but members on the way. */
  put(path: Path, node: FieldNode): void {
    let at = this.#root ??= new Branch();
    for (let i = 0; i < path.length - 1; i++) at = at.child(path[i]!);
    const last = path[path.length - 1]!;
    const had = at.nodes.get(last);
    at.nodes.set(last, had ? both(had, node) : node);
  }
  build(): FieldSet {
    return this.#root?.build() ?? FieldSet.EMPTY;
  }
}

class Branch {
  readonly nodes = new Map<PathElement, FieldNode>();
  #branches: Map<PathElement, Branch> | undefined;

  child(element: PathElement): Branch {
    const branches = this.#branches ??= new Map();
    let found = branches.get(element);
    if (!found) branches.set(element, found = new Branch());
    return found;
  }
  build(): FieldSet {
    for (const [element, branch] of this.#branches ?? []) {
      const node = parentNode(false, branch.build());
      const had = this.nodes.get(element);
      this.nodes.set(element, had ? both(had, node) : node);
    }
    return new FieldSet(this.nodes);
  }
}
