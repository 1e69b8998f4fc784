/** Numbers that are members of old versions of a kind, and stand in an annotation now. */
import { badRequest } from "../../status.ts";
import type { Obj } from "../../model/types.ts";
import { parseInt64 } from "../../values/int64.ts";

/** What an annotation says; undefined where it is no integer of 64 bits, or not there. */
export function storedNumber({ metadata }: Obj, annotation: string): bigint | undefined {
  return parseInt64(metadata.annotations?.[annotation] ?? "");
}

/** What an annotation says; undefined where it is not there. @throws StatusError 400 for what is no integer of 64 bits */
export function numberOf(obj: Obj, annotation: string, kind: string): bigint | undefined {
  const text = obj.metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  const n = storedNumber(obj, annotation);
  if (n === undefined) {
    const what = `the annotation ${annotation} must be an integer of 64 bits, not ${JSON.stringify(text)}`;
    throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${what}`);
  }
  return n;
}
