/** Objects that fit into the store, or do so without the owners of their fields. */
import type { Obj } from "../../schema/model/types.ts";
import { hasReason } from "../../schema/status.ts";
import type { Caller } from "./context.ts";

/** What a commit must know of who writes. */
export type Writer = Pick<Caller, "applies" | "span">;

/**
 * Commits an object. What is too large for the store is committed once more without `managedFields`, which can be larger than
 * all the rest, in place; not so for who applies it: they are what the next apply goes by.
 */
export async function fitting<T>(obj: Obj, { applies }: Writer, commit: () => Promise<T>): Promise<T> {
  try {
    return await commit();
  } catch (e) {
    if (!hasReason(e, "RequestEntityTooLarge") || applies || !obj.metadata.managedFields) throw e;
    delete obj.metadata.managedFields;
    return await commit();
  }
}
