/** Objects that fit into the store, or do so without the owners of their fields. */
import type { Obj } from "../../schema/model/types.ts";
import { hasReason } from "../../schema/status.ts";
import type { Caller } from "./context.ts";

/** What a commit must know of who writes. */
export type Writer = Pick<Caller, "applies" | "span">;

/** An object about to be committed, in place, and its bytes at rest with and without the owners of its fields. */
export interface Fitting {
  readonly obj: Obj;
  readonly value: Uint8Array;
  withoutOwners(): Uint8Array;
}

/**
 * Commits an object. What is too large for the store is committed once more without `managedFields`, which can be larger than
 * all the rest; not so for who applies it: they are what the next apply goes by.
 */
export async function fitting<T>(
  { obj, value, withoutOwners }: Fitting,
  { applies }: Writer,
  commit: (value: Uint8Array) => Promise<T>,
): Promise<T> {
  try {
    return await commit(value);
  } catch (e) {
    if (!hasReason(e, "RequestEntityTooLarge") || applies || !obj.metadata.managedFields) throw e;
    delete obj.metadata.managedFields;
    return await commit(withoutOwners());
  }
}
