/** Checks that every group's rules use: formats, ranges, enums, immutability. */
import type { Obj } from "../../model/types.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, same } from "../tree.ts";
import type { Format } from "./formats.ts";

/** One cause for each fault that a format finds. */
export function format(value: string, path: Path | string, errors: ErrorList, f: Format): void {
  const faults = f(value);
  for (let i = 0; i < faults.length; i++) errors.invalid(path, value, faults[i]!);
}

/** A text that must be there and have a syntax: Required when empty, else its faults. */
export function requiredFormat(value: string | undefined, path: Path, errors: ErrorList, f: Format): void {
  if (!value) errors.required(path);
  else format(value, path, errors, f);
}

/** A text that must not be empty. */
export function required(value: unknown, path: Path, errors: ErrorList): boolean {
  if (isSet(value) && value !== "") return true;
  errors.required(path);
  return false;
}

/** A number of at least 0. Absent is good. */
export function nonNegative(value: number | bigint | null | undefined, path: Path, errors: ErrorList): void {
  if (isSet(value) && value < 0) errors.invalid(path, value, "must be greater than or equal to 0");
}

/** A number greater than 0. Absent is good. */
export function positive(value: number | bigint | null | undefined, path: Path, errors: ErrorList): void {
  if (isSet(value) && value <= 0) errors.invalid(path, value, "must be greater than 0");
}

/** A number of a range, ends included. Absent is good. */
export function range(value: number | null | undefined, min: number, max: number, path: Path, errors: ErrorList): void {
  if (isSet(value) && (value < min || value > max)) errors.invalid(path, value, `must be between ${min} and ${max}`);
}

/** One of a set of values. Returns whether it is. */
export function oneOf(value: unknown, allowed: readonly string[], path: Path, errors: ErrorList): boolean {
  if (allowed.includes(value as string)) return true;
  errors.notSupported(path, value ?? "", allowed);
  return false;
}

/** One of a set of values: Required when empty. */
export function requiredOneOf(value: unknown, allowed: readonly string[], path: Path, errors: ErrorList): boolean {
  return required(value, path, errors) && oneOf(value, allowed, path, errors);
}

/** A part that an update may not change. */
export function immutable(value: unknown, old: unknown, path: Path, errors: ErrorList): void {
  if (!same(value, old)) errors.invalid(path, value, "field is immutable");
}

/**
 * Counts a generation when one of the members differs. For kinds that look before they drop what gates do not allow, or
 * that do not start at 1; others name the members in `KindRules.generation`.
 */
export function countChange(obj: Obj, old: Obj, ...members: string[]): void {
  if (members.some((m) => !same(obj[m], old[m]))) obj.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Keeps what an update may not change: `target` is made to hold (or lack) the member as `source` does. */
export function keep(
  target: { [field: string]: unknown },
  source: { [field: string]: unknown } | undefined,
  name: string,
): void {
  const was = source?.[name];
  if (was === undefined) delete target[name];
  else target[name] = was;
}
