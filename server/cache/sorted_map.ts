/**
 * A sorted map of items that know their key: a B+ tree with copy-on-write and subtree sizes.
 *
 * | operation | cost |
 * |---|---|
 * | get, set, delete, rank | O(log n) |
 * | clone | O(1); the next write to each node copies it |
 * | range | O(log n + visited) |
 *
 * A node belongs to the map whose edit number it carries; that map may change it in place, any other copies it first.
 */
import { type Before, beforeInUnits, beforeInUtf8, isHigh } from "../../schema/values/utf8.ts";

/** Anything kept in a {@linkcode SortedMap}. */
export interface Keyed {
  readonly key: string;
}

/** Most items of a leaf and children of a branch; measured best between 32 and 64 for copying writes. */
const width = 48;

interface Leaf<T> {
  readonly items: T[];
  readonly edit: number;
}

interface Branch<T> {
  readonly nodes: Node<T>[];
  /** Lower bounds: keys of `nodes[i]` are ≥ `mins[i]` and < `mins[i + 1]`. */
  readonly mins: string[];
  size: number;
  readonly edit: number;
}

type Node<T> = Leaf<T> | Branch<T>;

let edits = 0;

/** See the top of the file. */
export class SortedMap<T extends Keyed> {
  #root: Node<T> = { items: [], edit: 0 };
  #edit = ++edits;
  #before: Before = beforeInUnits;
  /** Set by the write under way: what stood there, and the right half of a split. */
  #previous: T | undefined;
  #right: Node<T> | undefined;
  #rightMin = "";

  /** Number of items. */
  get size(): number {
    return sizeOf(this.#root);
  }

  /** The same items, from now on independent. */
  clone(): SortedMap<T> {
    const copy = new SortedMap<T>();
    copy.#root = this.#root;
    copy.#before = this.#before;
    this.#edit = ++edits;
    return copy;
  }

  get(key: string): T | undefined {
    let node = this.#root;
    while ("nodes" in node) node = node.nodes[this.#childOf(node, key)]!;
    const item = node.items[this.#indexOf(node.items, key)];
    return item !== undefined && item.key === key ? item : undefined;
  }

  /** Puts the item in, and returns the one that had its key. */
  set(item: T): T | undefined {
    if (this.#before === beforeInUnits && isHigh(item.key)) this.#before = beforeInUtf8;
    this.#previous = undefined;
    this.#right = undefined;
    const left = this.#put(this.#root, item);
    this.#root = this.#right === undefined ? left : {
      nodes: [left, this.#right],
      mins: ["", this.#rightMin],
      size: sizeOf(left) + sizeOf(this.#right),
      edit: this.#edit,
    };
    return this.#taken();
  }

  /** Takes the item with the key out, and returns it. */
  delete(key: string): T | undefined {
    this.#previous = undefined;
    if (this.get(key) === undefined) return undefined;
    let root = this.#remove(this.#root, key);
    while ("nodes" in root && root.nodes.length === 1) root = root.nodes[0]!;
    this.#root = root;
    return this.#taken();
  }

  /** How many items have a key before this one. */
  rank(key: string): number {
    let before = 0;
    let node = this.#root;
    while ("nodes" in node) {
      const at = this.#childOf(node, key);
      for (let i = 0; i < at; i++) before += sizeOf(node.nodes[i]!);
      node = node.nodes[at]!;
    }
    return before + this.#indexOf(node.items, key);
  }

  /** Items with `from` ≤ key < `until` in order. The map must not change meanwhile: iterate a clone. */
  range(from = "", until?: string): IterableIterator<T> {
    return new RangeIterator(this.#root, from, until, this.#before);
  }

  #taken(): T | undefined {
    const previous = this.#previous;
    this.#previous = undefined;
    this.#right = undefined;
    return previous;
  }

  /** First index whose key is not before `key`. */
  #indexOf(items: readonly T[], key: string): number {
    return lowerBound(items, key, this.#before);
  }

  #childOf(branch: Branch<T>, key: string): number {
    return childIndex(branch.mins, key, this.#before);
  }

  #put(node: Node<T>, item: T): Node<T> {
    return "nodes" in node ? this.#putBranch(node, item) : this.#putLeaf(node, item);
  }

  #putLeaf(node: Leaf<T>, item: T): Leaf<T> {
    const own = this.#ownLeaf(node);
    const at = this.#indexOf(own.items, item.key);
    const there = own.items[at];
    if (there !== undefined && there.key === item.key) {
      this.#previous = there;
      own.items[at] = item;
      return own;
    }
    own.items.splice(at, 0, item);
    if (own.items.length > width) {
      const items = own.items.splice(cut(own.items.length, at));
      this.#right = { items, edit: this.#edit };
      this.#rightMin = items[0]!.key;
    }
    return own;
  }

  #putBranch(node: Branch<T>, item: T): Branch<T> {
    const own = this.#ownBranch(node);
    const at = this.#childOf(own, item.key);
    own.nodes[at] = this.#put(own.nodes[at]!, item);
    if (this.#previous === undefined) own.size++;
    const right = this.#right;
    if (right === undefined) return own;
    own.nodes.splice(at + 1, 0, right);
    own.mins.splice(at + 1, 0, this.#rightMin);
    this.#right = undefined;
    if (own.nodes.length > width) this.#splitBranch(own, at + 1);
    return own;
  }

  #splitBranch(own: Branch<T>, at: number): void {
    const middle = cut(own.nodes.length, at);
    const nodes = own.nodes.splice(middle);
    const mins = own.mins.splice(middle);
    const size = sum(nodes);
    own.size -= size;
    this.#right = { nodes, mins, size, edit: this.#edit };
    this.#rightMin = mins[0]!;
  }

  #remove(node: Node<T>, key: string): Node<T> {
    if (!("nodes" in node)) {
      const own = this.#ownLeaf(node);
      this.#previous = own.items.splice(this.#indexOf(own.items, key), 1)[0];
      return own;
    }
    const own = this.#ownBranch(node);
    const at = this.#childOf(own, key);
    own.nodes[at] = this.#remove(own.nodes[at]!, key);
    own.size--;
    this.#mergeAround(own, at);
    return own;
  }

  /** Joins a child that became small with a neighbour, if both fit well into one. */
  #mergeAround(branch: Branch<T>, at: number): void {
    const child = branch.nodes[at]!;
    if (lengthOf(child) > width / 4 || branch.nodes.length === 1) return;
    if (sizeOf(child) === 0) {
      branch.nodes.splice(at, 1);
      branch.mins.splice(at, 1);
      return;
    }
    const left = at > 0 ? at - 1 : at;
    const joined = this.#join(branch.nodes[left]!, branch.nodes[left + 1]!, branch.mins[left + 1]!);
    if (joined === undefined) return;
    branch.nodes.splice(left, 2, joined);
    branch.mins.splice(left + 1, 1);
  }

  #join(a: Node<T>, b: Node<T>, min: string): Node<T> | undefined {
    if (lengthOf(a) + lengthOf(b) > (width * 3) / 4) return undefined;
    const edit = this.#edit;
    if (!("nodes" in a)) return { items: a.items.concat((b as Leaf<T>).items), edit };
    const right = b as Branch<T>;
    const mins = a.mins.concat(right.mins);
    mins[a.mins.length] = min;
    return { nodes: a.nodes.concat(right.nodes), mins, size: a.size + right.size, edit };
  }

  #ownLeaf(node: Leaf<T>): Leaf<T> {
    return node.edit === this.#edit ? node : { items: node.items.slice(), edit: this.#edit };
  }

  #ownBranch(node: Branch<T>): Branch<T> {
    if (node.edit === this.#edit) return node;
    return { nodes: node.nodes.slice(), mins: node.mins.slice(), size: node.size, edit: this.#edit };
  }
}

/** Where to split: in the middle, or near the end when keys come in order. */
function cut(length: number, insertedAt: number): number {
  return insertedAt === length - 1 ? length - 4 : length >> 1;
}

function sizeOf<T>(node: Node<T>): number {
  return "nodes" in node ? node.size : node.items.length;
}

function lengthOf<T>(node: Node<T>): number {
  return "nodes" in node ? node.nodes.length : node.items.length;
}

function sum<T>(nodes: readonly Node<T>[]): number {
  let total = 0;
  for (const node of nodes) total += sizeOf(node);
  return total;
}

function lowerBound<T extends Keyed>(items: readonly T[], key: string, before: Before): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(items[middle]!.key, key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Last child whose lower bound is not after the key. */
function childIndex(mins: readonly string[], key: string, before: Before): number {
  let low = 1;
  let high = mins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(key, mins[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** Walks leaves from a key on. The end of the range is looked up once a leaf. */
class RangeIterator<T extends Keyed> implements IterableIterator<T> {
  readonly #path: { branch: Branch<T>; at: number }[] = [];
  #items: readonly T[] = [];
  #at = 0;
  #end = 0;

  constructor(root: Node<T>, from: string, readonly until: string | undefined, readonly before: Before) {
    let node = root;
    while ("nodes" in node) {
      const at = childIndex(node.mins, from, before);
      this.#path.push({ branch: node, at });
      node = node.nodes[at]!;
    }
    this.#enter(node);
    this.#at = lowerBound(node.items, from, before);
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<T> {
    while (this.#at >= this.#end) {
      if (!this.#advance()) return { value: undefined, done: true };
    }
    return { value: this.#items[this.#at++]!, done: false };
  }

  #enter(leaf: Leaf<T>): void {
    const items = leaf.items;
    const last = items[items.length - 1];
    this.#items = items;
    this.#at = 0;
    this.#end = items.length;
    if (this.until === undefined || last === undefined || this.before(last.key, this.until)) return;
    this.#end = lowerBound(items, this.until, this.before);
    this.#path.length = 0;
  }

  #advance(): boolean {
    for (let top = this.#path.pop(); top !== undefined; top = this.#path.pop()) {
      if (++top.at >= top.branch.nodes.length) continue;
      this.#path.push(top);
      let node = top.branch.nodes[top.at]!;
      while ("nodes" in node) {
        this.#path.push({ branch: node, at: 0 });
        node = node.nodes[0]!;
      }
      this.#enter(node);
      return true;
    }
    return false;
  }
}
