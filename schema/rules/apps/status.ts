/** What the status of several workloads has in common. */
import type { ErrorList } from "../errors.ts";
import type { Obj } from "../../model/types.ts";
import { Path } from "../path.ts";
import { isSet } from "../tree.ts";

/** The count of collisions of names never goes down. */
export function keepsCollisionCount(obj: Obj, old: Obj, errors: ErrorList): void {
  const now = obj["status"]?.collisionCount, was = old["status"]?.collisionCount;
  if (isSet(was) && (!isSet(now) || now < was)) {
    errors.invalid(Path.of("status", "collisionCount"), now ?? 0, "must not be decremented");
  }
}
