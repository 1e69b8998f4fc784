/** What both kinds of flow control share: conditions, and what a write of the status leaves alone. */
import type { Obj } from "../../model/types.ts";
import { keep } from "../checks/basic.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { items, repeats, type Tree } from "../tree.ts";
import type { SubresourceRules } from "../types.ts";

const CONDITIONS = Path.of("status", "conditions");

/** Conditions: each type once, and not empty. */
export function conditionTypes(list: readonly Tree[] | undefined, errors: ErrorList): void {
  const all = items(list);
  const again = repeats(all, (c) => c["type"] ?? "");
  for (const [i, c] of all.entries()) {
    const type: string = c["type"] ?? "", at = CONDITIONS.index(i).child("type");
    if (again.has(i)) errors.duplicate(at, type);
    if (!type) errors.required(at);
  }
}

/** Rules of `status` of both kinds: only the status and who manages it change. */
export const FLOW_STATUS: SubresourceRules = {
  meta: { compared: 0 },
  prepareUpdate(obj: Obj, old: Obj) {
    keep(obj, old, "spec");
    const { managedFields } = obj.metadata, { managedFields: _, ...metadata } = old.metadata;
    obj.metadata = { ...metadata, ...(managedFields ? { managedFields } : {}) };
  },
  validateUpdate: (obj, _old, errors) => conditionTypes(obj["status"]?.conditions, errors),
};
