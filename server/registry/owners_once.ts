/** Owners of an object that are named twice. */
import type { ObjectMeta } from "../../schema/model/types.ts";

/** Lets each owner stand once; gives the uids of those that stood there again. */
export function ownersOnce(meta: ObjectMeta): ReadonlySet<string> {
  const owners = meta.ownerReferences, twice = new Set<string>();
  if (!owners || owners.length < 2) return twice;
  const seen = new Set<string>();
  const kept = owners.filter((o) => {
    const { apiVersion, kind, name, uid, controller = null, blockOwnerDeletion = null } = o;
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (!seen.has(key)) return seen.add(key);
    twice.add(uid);
    return false;
  });
  if (twice.size > 0) meta.ownerReferences = kept;
  return twice;
}
