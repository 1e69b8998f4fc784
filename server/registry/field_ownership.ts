/** Field ownership over the scheme's kinds. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import type { FieldManager, FieldWrite } from "./field_manager.ts";

/** See {@linkcode FieldManager}. */
export class FieldOwnership implements FieldManager {
  constructor(readonly scheme: Scheme, readonly now: () => number) {}
  update(_live: Obj | undefined, next: Obj, _write: FieldWrite): Obj {
    return next;
  }
  apply(_live: Obj | undefined, applied: JsonMap, _force: boolean, _write: FieldWrite): JsonMap {
    return applied;
  }
}
