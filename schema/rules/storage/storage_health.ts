/** The health of storage, as the drivers of a node tell it. */
import { longer } from "../../values/utf8.ts";
import { oneOf } from "../checks/basic.ts";
import { conditionReason } from "../checks/conditions.ts";
import { driverName } from "../core/volume_sources.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, items, type Tree } from "../tree.ts";

const STATUSES = ["StorageDegraded", "StorageUnreachable"];
const CHOICES = {
  accessMode: ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"],
  volumeMode: ["Filesystem", "Block"],
} as const;
const MOST = 16, REASON_LIMIT = 256, MESSAGE_LIMIT = 1024;

/** `status.storageHealth`, each driver once. */
export function storageHealth(list: readonly Tree[] | undefined, path: Path, errors: ErrorList): void {
  const seen = new Set<string>();
  for (const [i, h] of items(list).entries()) {
    const at = path.index(i), name: string = h["name"] ?? "", conditions = items<Tree>(h["healthConditions"]);
    if (seen.has(name)) errors.duplicate(at, name);
    seen.add(name);
    driverName(name, at.child("name"), errors);
    if (conditions.length > MOST) errors.tooMany(at.child("healthConditions"), conditions.length, MOST);
    else for (const [j, c] of conditions.entries()) condition(c, at.child("healthConditions").index(j), errors);
  }
}

function condition(c: Tree, path: Path, errors: ErrorList): void {
  const reason: string = c["reason"] ?? "", at = path.child("reason");
  oneOf(c["status"] ?? "", STATUSES, path.child("status"), errors);
  if (!reason) errors.required(at);
  else {
    conditionReason(reason, at, errors);
    if (longer(reason, REASON_LIMIT)) errors.tooLong(at, REASON_LIMIT);
  }
  if (longer(c["message"] ?? "", MESSAGE_LIMIT)) errors.tooLong(path.child("message"), MESSAGE_LIMIT);
  for (const [member, allowed] of Object.entries(CHOICES)) {
    if (isSet(c[member])) oneOf(c[member], allowed, path.child(member), errors);
  }
}
