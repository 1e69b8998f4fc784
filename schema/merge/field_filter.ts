/** Which fields a write through a resource or subresource can come to own. */
import type { FieldSet } from "./fieldset.ts";

/** Takes what cannot be owned out of a set. */
export interface FieldFilter {
  apply(set: FieldSet): FieldSet;
}

/** Everything but these fields and what is below them. */
export function allBut(fields: FieldSet): FieldFilter {
  return { apply: (set) => set.recursiveDifference(fields) };
}
