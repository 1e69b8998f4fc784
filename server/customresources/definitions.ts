/** What the registry of definitions does beyond the generic one: a definition stays until its objects are gone. */
import { copyTree } from "../../schema/values/copy.ts";
import type { Obj } from "../../schema/model/types.ts";
import { nowTime } from "../../schema/values/time.ts";
import type { Strategy } from "../registry/strategy.ts";
import { definitionRules } from "./definition_rules.ts";
import { CLEANUP, type Definition, setCondition } from "./definition.ts";

/** See the top of the file. `now`: milliseconds since the epoch. */
export function definitionStrategy(now: () => number): Strategy {
  return {
    rules: definitionRules(),
    // The first deletion marks only; the definition goes with its last finalizer.
    mayRemove: (obj) => obj.metadata.deletionTimestamp !== undefined,
    onMarkDeleted: (obj) => mark(obj, nowTime(now())),
  };
}

function mark(obj: Obj, now: string): void {
  const { metadata } = obj;
  delete metadata.deletionGracePeriodSeconds;
  if (metadata.finalizers?.includes(CLEANUP)) return;
  metadata.finalizers = [...metadata.finalizers ?? [], CLEANUP];
  if (metadata.generation) metadata.generation--; // a mark is no change of what is wanted
  obj["status"] = copyTree(obj["status"] ?? {});
  setCondition(obj as Definition, {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  }, now);
}
