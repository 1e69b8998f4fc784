/** The health of volumes, as drivers tell it. The rest is in the tags. */
import { conditionReason } from "../checks/conditions.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";

/** `healthConditions` of a volume, at their path. */
export function healthConditions(list: readonly Tree[] | undefined, path: Path, errors: ErrorList): void {
  for (const [i, c] of items(list).entries()) {
    if (c["reason"]) conditionReason(c["reason"], path.index(i).child("reason"), errors);
  }
}

/** `status.volumeHealth` of a pod: each of its volumes. */
export function volumeHealth(list: readonly Tree[] | undefined, spec: Tree, path: Path, errors: ErrorList): void {
  const known = new Set(items(spec["volumes"]).map((v) => v["name"]));
  for (const [i, h] of items(list).entries()) {
    const at = path.index(i);
    if (h["name"] && !known.has(h["name"])) errors.notFound(at.child("name"), h["name"]);
    healthConditions(h["healthConditions"], at.child("healthConditions"), errors);
  }
}
