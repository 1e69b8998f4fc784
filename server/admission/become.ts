/** Objects of admission are changed in place: others hold the object itself. */
import type { Obj } from "../../schema/model/types.ts";

/** Puts another object's members in the place of an object's own. */
export function become(object: Obj, next: Obj): void {
  if (object === next) return;
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, next);
}
