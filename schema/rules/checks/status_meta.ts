/** Metadata of writes through `status`, where clients may not change it. */
import type { Obj } from "../../model/types.ts";
import type { Tree } from "../tree.ts";
import { keep } from "./basic.ts";

const KEPT = ["labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp", "selfLink"];

/** Keeps of the old object what a write of its status may not change: the spec and most of the metadata. */
export function keepAllButStatus(obj: Obj, old: Obj): void {
  keep(obj, old, "spec");
  for (const m of KEPT) keep(obj.metadata as Tree, old.metadata as Tree, m);
}
