/** Ownership of fields, recorded by every write (specification, "Patch types": server-side apply). */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { Applied } from "../../schema/merge/managed.ts";
import type { ServedResource } from "../catalog/types.ts";

/** Who writes what, through which door. */
export interface FieldWrite {
  readonly served: ServedResource;
  readonly subresource: string;
  /** Name of the manager; when empty, the first part of the user agent. */
  readonly manager: string;
  readonly userAgent: string;
}

/** Keeps `metadata.managedFields`. */
export interface FieldManager {
  /**
   * After any write but apply: the next object with its entries; a new object or the same one changed in place. Both have
   * the storage version's shape.
   */
  update(live: Obj | undefined, next: Obj, write: FieldWrite): Obj;
  /**
   * Apply: merges the applied configuration into the live object. Both, and what comes back, have the request's version;
   * the applied one is as the client wrote it.
   * @throws StatusError 409 with a cause for each conflict, 400 and 422 for what cannot be applied
   */
  apply(live: Obj | undefined, applied: JsonMap, force: boolean, write: FieldWrite): Applied;
}
