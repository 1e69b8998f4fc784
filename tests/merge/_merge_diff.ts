/** The JSON merge patch between two values, as a client would make it. */
import { isMap, member, setMember } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { jsonEqual } from "../../schema/merge/equal.ts";

/**
 * The patch that makes `b` of `a`. A null member of an object in `b` cannot be said in a merge patch: it is as if absent
 * unless the whole value is replaced by a list or scalar that holds it.
 */
export function createMergePatch(a: Json, b: Json): Json {
  if (!isMap(a) || !isMap(b)) return b;
  const out: JsonMap = {};
  for (const key of Object.keys(b)) {
    const was = member(a, key);
    const is = b[key]!;
    if (jsonEqual(was, is)) continue;
    setMember(out, key, was === undefined ? is : createMergePatch(was, is));
  }
  for (const key of Object.keys(a)) if (!Object.hasOwn(b, key)) setMember(out, key, null);
  return out;
}
