/** What claims a pod has got, in its status. */
import { wasEmptiedAt } from "../../codec/emptied.ts";
import type { Obj } from "../../model/types.ts";
import { isSet, type Tree } from "../tree.ts";

const MEMBERS = [
  "resourceClaimStatuses",
  "extendedResourceClaimStatus",
  "nodeAllocatableResourceClaimStatuses",
] as const;

/**
 * Keeps what a writer leaves out, in place: one that does not know of these members would take away what others rely on. A
 * list that is sent empty is taken at its word.
 */
export function keepClaimStatuses(pod: Obj, old: Obj): void {
  const status: Tree = pod["status"], was: Tree = old["status"] ?? {};
  for (const m of MEMBERS) {
    if (!isSet(status[m]) && isSet(was[m]) && !wasEmptiedAt(pod, ["status", m])) status[m] = was[m];
  }
}
