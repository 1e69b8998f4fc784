/** The contract of what a quota counts, by resource. */
import type { Obj } from "../../schema/model/types.ts";
import type { Attributes } from "../admission/types.ts";
import type { Amounts } from "../../schema/rules/core/pod_resources.ts";

/** One scope of a quota. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

/** Counts the objects of one resource. Pure. */
export interface Evaluator {
  /** Resource id: `pods`. */
  readonly id: string;
  /** Whether a write can change what is used. */
  handles(a: Attributes): boolean;
  /** Whether a name in a quota is one that this counts. */
  counts(name: string): boolean;
  /** What an object must say because a quota counts these names; undefined: it says it. */
  missing?(names: readonly string[], obj: Obj): string | undefined;
  /** Whether an object is in a scope. Absent: objects are in no scope. */
  inScope?(scope: ScopeRequirement, obj: Obj): boolean;
  /** What scopes read of an object that its changes can change, as text. */
  scopeFacts?(obj: Obj): string;
  /** What an object uses. */
  usage(obj: Obj): Amounts;
}
