/** What the registry of definitions does beyond the generic one: a definition stays until its objects are gone. */
import { copyTree } from "../../schema/values/copy.ts";
import type { Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { Strategy } from "../registry/strategy.ts";
import { definitionRules } from "./definition_rules.ts";
import { CLEANUP, type Definition, setCondition } from "./definition.ts";

/** See the top of the file. `now`: milliseconds since the epoch. */
export function definitionStrategy(now: () => number, product: Product): Strategy {
  const cleanup = product.local(CLEANUP);
  return {
    rules: definitionRules(),
    // The first deletion marks only; the definition goes with its last finalizer.
    mayRemove: (obj) => obj.metadata.deletionTimestamp !== undefined,
    onMarkDeleted: (obj, old) => mark(obj, old, cleanup, nowTime(now())),
  };
}

/** Only the first deletion marks; it says nothing of dependants, and is no change of what is wanted. */
function mark(obj: Obj, { metadata: was }: Obj, cleanup: string, now: string): void {
  if (was.deletionTimestamp) return;
  const { metadata } = obj;
  delete metadata.deletionGracePeriodSeconds;
  if (was.generation !== undefined) metadata.generation = was.generation;
  const own = was.finalizers ?? [];
  metadata.finalizers = own.includes(cleanup) ? own : [...own, cleanup];
  obj["status"] = copyTree(obj["status"] ?? {});
  setCondition(obj as Definition, {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  }, now);
}
