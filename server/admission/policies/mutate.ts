/** One mutation of a policy: the object that its expression makes of the one before. */
import { CelError, type Value } from "../../../schema/cel/mod.ts";
import { atomicParts } from "../../../schema/merge/atomic_parts.ts";
import { atomOf } from "../../../schema/merge/atoms.ts";
import { PatchError } from "../../../schema/merge/errors.ts";
import { applyJsonPatch } from "../../../schema/merge/json_patch.ts";
import { mergeTyped } from "../../../schema/merge/merge_typed.ts";
import { typedErrors } from "../../../schema/merge/validate_typed.ts";
import { TypedError } from "../../../schema/merge/walk.ts";
import type { JsonMap, Kind, Obj } from "../../../schema/model/types.ts";
import { StatusError } from "../../../schema/status.ts";
import type { KindTools } from "../kinds.ts";
import type { Mutation } from "./compiled.ts";
import { faultOf } from "./expressions.ts";
import { partOf, stepsOf } from "./patch_values.ts";
import { EXPRESSIONS, Overspent, Purse } from "./purse.ts";

/** That a mutation cannot be made. Its message is fit for clients. */
export class Unmade extends Error {}

const UNAPPLIED = "error applying patch";
const UNTYPED = "failed to convert patch object to typed object";

/** Why nothing can be applied to a kind that no schema is published for: one that is only part of resources (Scale). */
export const untyped = ({ apiVersion, kind }: Kind): Unmade =>
  new Unmade(`${UNAPPLIED}: ${UNTYPED}: no corresponding type for ${apiVersion}, Kind=${kind}`);

/**
 * The object after a mutation, with defaults; the argument stays as it is. The same object where a patch tests for what is
 * not so. @throws Unmade; StatusError 500 for what is no object of the kind any more
 */
export function mutated(
  m: Mutation,
  object: Obj,
  kind: Kind,
  kinds: KindTools,
  values: Record<string, Value>,
): Obj {
  try {
    const made = new Purse(EXPRESSIONS).run(m.program, values);
    if (m.apply) return refit(() => kinds.read(applied(kind, object, partOf(made)), kind));
    const next = patched(object, stepsOf(made));
    return next === object ? object : kinds.read(next, kind);
  } catch (e) {
    if (e instanceof Overspent) throw new Unmade(e.message);
    if (e instanceof CelError) throw new Unmade(faultOf(m.expression, e));
    throw e;
  }
}

/** What was applied and fits its schema, and is no object of the kind all the same, is the policy's fault. */
function refit(read: () => Obj): Obj {
  try {
    return read();
  } catch (e) {
    throw e instanceof StatusError ? new Unmade(`${UNAPPLIED}: ${e.message}`) : e;
  }
}

function patched(tree: JsonMap, steps: readonly JsonMap[]): JsonMap {
  try {
    return applyJsonPatch(tree, [...steps]) as JsonMap;
  } catch (e) {
    if (!(e instanceof PatchError)) throw e;
    if (e.kind === "test-failed") return tree;
    throw new Unmade(`JSON Patch: ${e.message}`);
  }
}

function applied(kind: Kind, tree: JsonMap, part: JsonMap): JsonMap {
  const atom = atomOf(kind.message), whole = { ...part, apiVersion: tree["apiVersion"]!, kind: tree["kind"]! };
  const unfit = typedErrors(atom, whole);
  if (unfit.length) throw new Unmade(`${UNAPPLIED}: ${UNTYPED}: ${unfit.join("; ")}`);
  const atomic = atomicParts(atom, whole);
  if (atomic.length) {
    const parts = atomic.join(", ");
    throw new Unmade(
      `${UNAPPLIED}: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${parts}`,
    );
  }
  try {
    return mergeTyped(atom, tree, whole) as JsonMap;
  } catch (e) {
    throw e instanceof TypedError ? new Unmade(`${UNAPPLIED}: ${e.message}`) : e;
  }
}
