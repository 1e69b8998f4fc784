/** Field sets seen with a descriptor. */
import type { Atom } from "./atoms.ts";
import type { PathElement } from "./fieldpath.ts";
import { type FieldNode, FieldSet, LEAF, parentNode } from "./fieldset.ts";
import { firstShape } from "./walk.ts";

/** The set with the declared members that only lead to members added to it. */
export function withNamedFields(set: FieldSet, atom: Atom | undefined): FieldSet {
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set.nodes) {
    if (!node.children) continue;
    const children = withNamedFields(node.children, atomBelow(atom, element));
    const member = node.member || (element[0] === "f" && (atom?.map?.declares(element.slice(2)) ?? false));
    if (children === node.children && member === node.member) continue;
    (out ??= new Map(set.nodes)).set(element, parentNode(member, children));
  }
  return out ? new FieldSet(out) : set;
}

function atomBelow(atom: Atom | undefined, element: PathElement): Atom | undefined {
  if (element[0] === "f") return atom?.map?.member(element.slice(2));
  return element[0] === "k" ? atom?.list?.element : undefined;
}

/** Sets that were found in order for an atom: stored ones come again and again. */
const RECONCILED = new WeakMap<FieldSet, Atom>();

/**
 * Brings a set that was written for an older descriptor in order: what is now owned whole is a member, without anything
 * below it. What was owned whole and is now owned by parts is left as it is.
 */
export function reconcile(set: FieldSet, atom: Atom): FieldSet {
  if (RECONCILED.get(set) === atom) return set;
  const out = reconcileBelow(set, atom);
  RECONCILED.set(out, atom);
  return out;
}

function reconcileBelow(set: FieldSet, atom: Atom): FieldSet {
  let out: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set.nodes) {
    const below = firstShape(atom) === "list" ? atom.list!.element : memberAtom(atom, element);
    const next = below ? reconcileNode(node, below) : node;
    if (next !== node) (out ??= new Map(set.nodes)).set(element, next);
  }
  return out ? new FieldSet(out) : set;
}

function memberAtom(atom: Atom, element: PathElement): Atom | undefined {
  return atom.map?.member(element[0] === "f" ? element.slice(2) : "");
}

function reconcileNode(node: FieldNode, atom: Atom): FieldNode {
  if (!node.children) return node;
  switch (firstShape(atom)) {
    case "scalar":
      return node;
    case "list":
      if (atom.list!.atomic) return LEAF;
      break;
    case "map":
      if (atom.map!.deduced) return node;
      if (atom.map!.atomic) return LEAF;
  }
  const children = reconcileBelow(node.children, atom);
  return children === node.children ? node : parentNode(node.member, children);
}
