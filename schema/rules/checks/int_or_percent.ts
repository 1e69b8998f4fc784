/** Numbers that may be given as percentages. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { format } from "./basic.ts";
import { percent } from "./formats.ts";

/** A whole number of at least 0, or a percentage. */
export function intOrPercent(value: number | string | undefined, path: Path, errors: ErrorList): void {
  if (typeof value === "string") format(value, path, errors, percent);
  else if ((value ?? 0) < 0) errors.invalid(path, value, "must be greater than or equal to 0");
}

/** The number itself, of either form; 0 for a text that is neither. */
export function plainValue(value: number | string | undefined): number {
  if (typeof value !== "string") return value ?? 0;
  return percent(value).length ? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0) : Number(value.slice(0, -1));
}

/** A percentage is at most 100%. */
export function atMostAll(value: number | string | undefined, path: Path, errors: ErrorList): void {
  if (typeof value === "string" && !percent(value).length && plainValue(value) > 100) {
    errors.invalid(path, value, "must not be greater than 100%");
  }
}
