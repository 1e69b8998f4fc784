/** Objects with their version. */
import type { Obj } from "../../schema/model/types.ts";

/** A copy of the object that shows a revision, its metadata in declared order. The object itself stays as it is. */
export function versioned(obj: Obj, revision: number): Obj {
  const { name, generateName, namespace, uid, resourceVersion: _, ...rest } = obj.metadata;
  const metadata: Obj["metadata"] = {};
  if (name !== undefined) metadata.name = name;
  if (generateName !== undefined) metadata.generateName = generateName;
  if (namespace !== undefined) metadata.namespace = namespace;
  if (uid !== undefined) metadata.uid = uid;
  metadata.resourceVersion = String(revision);
  return { ...obj, metadata: Object.assign(metadata, rest) };
}
