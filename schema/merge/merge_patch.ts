/** JSON merge patch, RFC 7386. */
import { isMap, member, setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { jsonEqual } from "./_tree.ts";
import { PatchError } from "./errors.ts";

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

/**
 * {@linkcode applyMergePatch} for an API object, where only an object is a patch.
 *
 * @throws {PatchError} `malformed`
 */
export function mergePatchObject(doc: JsonMap, patch: Json): JsonMap {
  if (!isMap(patch)) throw new PatchError("malformed", "a merge patch must be an object");
  return applyMergePatch(doc, patch) as JsonMap;
}

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
