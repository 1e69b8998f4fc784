/** Putting a finalizer on a new object. */
import type { Obj } from "../../../schema/model/types.ts";

/** Adds it unless it is there. */
export function addFinalizer(obj: Obj, finalizer: string): void {
  const m = obj.metadata;
  if (!m.finalizers?.includes(finalizer)) m.finalizers = [...(m.finalizers ?? []), finalizer];
}
