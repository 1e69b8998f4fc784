/** Which fields a write through a resource or subresource can come to own. */
import type { PathElement } from "./fieldpath.ts";
import { type FieldNode, fieldNode, FieldSet } from "./fieldset.ts";

/** Takes what cannot be owned out of a set. */
export interface FieldFilter {
  apply(set: FieldSet): FieldSet;
}

/** Everything but these fields and what is below them. */
export function allBut(fields: FieldSet): FieldFilter {
  return { apply: (set) => set.recursiveDifference(fields) };
}

/** A path whose elements may be `*`, any element. */
export type PathPattern = readonly (PathElement | "*")[];

/** Only what is on the way to, at, or below the end of one of the patterns. */
export function onlyBelow(...patterns: PathPattern[]): FieldFilter {
  return { apply: (set) => matching(set, patterns) };
}

function matching(set: FieldSet, patterns: readonly PathPattern[]): FieldSet {
  if (patterns.some((p) => p.length === 0)) return set;
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of set.nodes) {
    const rest = patterns.filter((p) => p[0] === "*" || p[0] === element).map((p) => p.slice(1));
    if (rest.length === 0) continue;
    const kept = fieldNode(node.member, node.children && matching(node.children, rest));
    if (kept) out.set(element, kept);
  }
  return new FieldSet(out);
}
