/** Field ownership after admission: what cannot be read is taken back. */
import type { Json, ManagedFieldsEntry } from "../../../schema/model/types.ts";
import { decodeOwners } from "../../../schema/merge/owners.ts";
import { FieldSetError } from "../../../schema/merge/fieldpath.ts";
import type { Attributes } from "../types.ts";

/** Puts the managed fields back as they were where those of the object now are malformed, with a warning. */
export function keepManaged(a: Attributes, before: ManagedFieldsEntry[] | undefined): void {
  const { metadata } = a.object!;
  if (metadata.managedFields === before) return;
  try {
    decodeOwners(metadata.managedFields as Json);
  } catch (e) {
    if (!(e instanceof FieldSetError)) throw e;
    a.warn(`.metadata.managedFields was in an invalid state after admission and is left as it was: ${e.message}`);
    if (before) metadata.managedFields = before;
    else delete metadata.managedFields;
  }
}
