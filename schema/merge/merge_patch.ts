/** JSON merge patch, RFC 7386. */
import { isMap, member, setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";

/** Applies a merge patch (RFC 7386, section 2). Inputs are not changed; the result may share parts with both. */
export function applyMergePatch(doc: Json, patch: Json): Json {
  if (!isMap(patch)) return patch;
  const out: JsonMap = isMap(doc) ? { ...doc } : {};
  for (const key of Object.keys(patch)) {
    const v = patch[key]!;
    if (v === null) delete out[key];
    else setMember(out, key, isMap(v) ? applyMergePatch(member(out, key) ?? null, v) : v);
  }
  return out;
}
