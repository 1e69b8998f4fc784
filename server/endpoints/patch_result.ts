/** What a client is told when a patch could be applied, but what it makes is no object of the kind. */
import { unmarked } from "../../schema/codec/json.ts";
import type { DecodeError, Mismatch } from "../../schema/codec/mod.ts";
import { StatusError } from "../../schema/status.ts";

/** 422 with one cause, at the patch. */
export function unfit(why: string): StatusError {
  const message = `Invalid value: ${why}`;
  const causes = [{ reason: "FieldValueInvalid", message, field: "patch" }];
  return new StatusError(422, "Invalid", ` "" is invalid: patch: ${message}`, { causes });
}

/** The same for what cannot be decoded. `strategic`: fields were set one by one, so that no JSON was read; `texts`: of marked floats. */
export function undecodable(e: DecodeError, strategic: boolean, texts: readonly string[] = []): StatusError {
  return unfit(strategic && e.mismatch ? `${e.mismatch.path}: ${unset(e.mismatch)}` : unmarked(e.message, texts));
}

const KINDS: Readonly<Record<string, string>> = { array: "slice", object: "map" };

/** Words that clients know for a value that a field cannot take. */
function unset({ found, wanted }: Mismatch): string {
  const from = KINDS[found] ?? found;
  if (wanted.startsWith("map[")) return `cannot restore map from ${from}`;
  if (wanted.startsWith("[]")) return `cannot restore slice from ${from}`;
  return wanted.includes(".") ? `cannot restore struct from: ${from}` : `cannot convert ${from} to ${wanted}`;
}
