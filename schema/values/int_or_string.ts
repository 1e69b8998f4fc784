/** Values that are a whole number or a percentage: `3`, `"25%"`. */
import { ValueError } from "./error.ts";

/** A number, or a text such as `25%` or the name of a port. */
export type IntOrString = number | string;

/** Whether a value is a percentage: digits and `%`. */
export function isPercent(value: IntOrString): boolean {
  return typeof value === "string" && /^[0-9]+%$/.test(value);
}

/** The number before `%`, or undefined when the value is no percentage. */
export function percentOf(value: IntOrString): number | undefined {
  return isPercent(value) ? Number((value as string).slice(0, -1)) : undefined;
}

/** The number itself, or so many percent of `total`, rounded. Throws {@linkcode ValueError} on a text without percent. */
export function scaledValue(value: IntOrString, total: number, round: "up" | "down"): number {
  if (typeof value === "number") return value;
  const percent = /^([+-]?[0-9]{1,15})%$/.exec(value)?.[1];
  if (percent === undefined) {
    throw new ValueError(
      `invalid value for IntOrString: invalid type: string is not a percentage`,
    );
  }
  const exact = Number(percent) * total / 100;
  return round === "up" ? Math.ceil(exact) : Math.floor(exact);
}

/** The value as a number: texts of digits are read, others are 0. */
export function intValue(value: IntOrString): number {
  if (typeof value === "number") return value;
  return /^[+-]?[0-9]{1,15}$/.test(value) ? Number(value) : 0;
}
