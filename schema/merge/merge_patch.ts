/** JSON merge patch, RFC 7386. */
import { isMap, member, setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";

/**
 * Applies a merge patch (RFC 7386, section 2). Inputs are not changed; the result may share parts with both. As on the
 * public server, a list sets no member to null within its items either, unless it comes in the place of an object.
 */
export function applyMergePatch(doc: Json, patch: Json): Json {
  if (!isMap(patch)) return patch;
  const out: JsonMap = isMap(doc) ? { ...doc } : {};
  for (const key of Object.keys(patch)) {
    const v = patch[key]!;
    if (v === null) delete out[key];
    else setMember(out, key, merged(member(out, key) ?? null, v));
  }
  return out;
}

function merged(current: Json, v: Json): Json {
  if (isMap(v)) return applyMergePatch(current, v);
  return Array.isArray(v) && !isMap(current) ? v.map(withoutNulls) : v;
}

/** An item of a list: null stays, members that are null do not. */
const withoutNulls = (v: Json): Json => v === null ? v : merged(null, v);
