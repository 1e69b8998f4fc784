/** Which of a running pod's volumes may be given another size: those in memory. */
import { compareQuantity } from "../../values/quantity.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";

const VOLUMES = Path.of("spec").child("volumes");

/** Refuses every change of volumes but the limits of those in memory that have one. */
export function volumesResized(
  now: readonly Tree[] | undefined,
  was: readonly Tree[] | undefined,
  errors: ErrorList,
): void {
  if (count(now) !== count(was)) return errors.forbidden(VOLUMES, "must not be added or removed on resize");
  for (const [i, v] of items(now).entries()) volumeResized(v, was![i]!, VOLUMES.index(i), errors);
}

function volumeResized(now: Tree, was: Tree, path: Path, errors: ErrorList): void {
  if (now["name"] !== was["name"]) {
    return errors.forbidden(path.child("name"), "must not be renamed or reordered on resize");
  }
  const dir: Tree | undefined = now["emptyDir"], old: Tree | undefined = was["emptyDir"];
  if (!same(limitless(now), limitless(was))) {
    return errors.forbidden(path, "only the size limit of volumes in memory may change");
  }
  if (!dir || !old) return;
  const limit = path.child("emptyDir", "sizeLimit");
  if (limited(dir) !== limited(old)) return errors.forbidden(limit, "must not be added or removed");
  if (!limited(dir) || compareQuantity(dir["sizeLimit"], old["sizeLimit"]) === 0) return;
  if (dir["medium"] !== "Memory") errors.forbidden(limit, "may change for volumes in memory only");
}

const limited = (dir: Tree): boolean => isSet(dir["sizeLimit"]) && compareQuantity(dir["sizeLimit"], "0") !== 0;

/** The volume without the limit of its directory. */
function limitless(volume: Tree): Tree {
  if (!volume["emptyDir"]) return volume;
  const { sizeLimit: _, ...emptyDir } = volume["emptyDir"];
  return { ...volume, emptyDir };
}
