/** Objects side by side, without what may differ. */
import { stringifyJson } from "../../schema/codec/json.ts";
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";

/** Where two values part, or nothing when they are equal but for the order of members. */
export function difference(got: Json, wanted: Json): string | undefined {
  const [a, b] = [stringifyJson(sorted(got)), stringifyJson(sorted(wanted))];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at++;
  at = Math.max(0, at - 60);
  return `…${a.slice(at, at + 160)} is not …${b.slice(at, at + 160)}`;
}

/** Members by name: their order is no part of an object. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, v]) => v !== undefined).sort().map(([k, v]) => [k, sorted(v!)]),
  );
}

/** JSON text as bytes. */
export const encodeUtf8 = (object: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(object));

/** The object without what each creation gives anew. */
export function withoutOwn(object: Obj): Json {
  const metadata = { ...object.metadata } as JsonMap;
  for (const key of ["uid", "creationTimestamp", "managedFields", "resourceVersion"]) delete metadata[key];
  const text = JSON.stringify({ ...object, metadata });
  return JSON.parse(text.replaceAll(object.metadata.uid!, "uid"));
}
