/** How nodes are evaluated: which are places that are looked up, which are always the same; what loops cost. */
import { dotted, type LoopKind, type Node } from "./ast.ts";
import { TYPE_NAMES } from "./check.ts";
import { MAKING } from "./cost_size.ts";
import { meaningOf } from "./meaning.ts";
import type { Overload } from "./table.ts";

/** Whether a node is a place below a variable or a value, which costs to look up: no choice is, no type, no `has(…)`. */
export function isPlace(node: Node): boolean {
  if (node.t === "name") return !Object.hasOwn(TYPE_NAMES, node.name);
  if (node.t !== "select" && node.t !== "index") return false;
  if (node.t === "select" && (node.test || Object.hasOwn(TYPE_NAMES, dotted(node) ?? ""))) return false;
  let root: Node = node;
  while (root.t === "select" || root.t === "index") root = root.on;
  return root.t !== "if";
}

const CONVERSIONS: ReadonlySet<string> = new Set(
  ["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"],
);
const CONSTANT = new WeakMap<Node, boolean>();

/** Whether a node is always the same, so that it is evaluated but once: it costs nothing. */
export function isConstant(node: Node): boolean {
  if (node.t === "literal") return true;
  let known = CONSTANT.get(node);
  if (known === undefined) CONSTANT.set(node, known = looksConstant(node));
  return known;
}

function looksConstant(node: Node): boolean {
  switch (node.t) {
    case "name":
      return Object.hasOwn(TYPE_NAMES, node.name);
    case "list":
      return node.items.every((i) => isConstant(i.value));
    case "map":
      return node.entries.every((e) => isConstant(e.key) && isConstant(e.value));
    case "call":
      return !node.on && CONVERSIONS.has(node.name) && node.args.length === 1 && isConstant(node.args[0]!);
    default:
      return false;
  }
}

/** Whether a call asks for one of values that are written out: they are looked up at once. */
export function isMembership(node: Node & { t: "call" }, overloads: ReadonlyMap<Node, readonly Overload[]>): boolean {
  const [, list] = node.args;
  if (node.name !== "in" || node.on || list?.t !== "list" || !isConstant(list)) return false;
  const meant = overloads.get(node);
  return meant?.length === 1 && meaningOf("in", meant[0]!) === "inList" &&
    list.items.every(({ value }) => value.t === "literal" && !(value.value instanceof Uint8Array));
}

/**
 * What loops cost besides their parts, as folds with an accumulator that each round looks up: `round` for each that adds
 * to it (of quantifiers, for asking whether to go on), `constant` less where what is added is always the same, and
 * `after` for the result.
 */
export const ROUNDS: Readonly<Record<LoopKind, { round: number; constant?: number; after: number }>> = {
  all: { round: 2, after: 1 },
  exists: { round: 3, after: 1 },
  existsOne: { round: 2, after: 2 },
  filter: { round: 3 + MAKING.list, after: 1 },
  map: { round: 2 + MAKING.list, constant: MAKING.list, after: 1 },
  transformList: { round: 2 + MAKING.list, constant: MAKING.list, after: 1 },
  transformMap: { round: 3, after: 1 },
  transformMapEntry: { round: 2, after: 1 },
  sortBy: { round: 2 + MAKING.list, constant: MAKING.list, after: 3 },
  optMap: { round: 0, after: 0 },
  optFlatMap: { round: 0, after: 0 },
};
