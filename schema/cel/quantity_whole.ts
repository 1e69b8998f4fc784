/**
 * Whether a quantity counts as a whole number: those that the public server keeps in 64 bits as they were written do. A
 * point is in the way even before zeros, unless the suffix takes it up, and so is a great binary suffix.
 */

const NUMBER = /^[+-]?0*(\d*)(?:\.(\d*))?(.*)$/s;
const DECIMAL: Readonly<Record<string, number>> = { "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
/** Digits that fit 64 bits beside a decimal suffix, and beside a binary one, which takes three for every ten powers. */
const DECIMAL_DIGITS = 18, BINARY_DIGITS = 14;

/** Whether the text of a quantity is that of a whole number. Its size is not looked at. */
export function writtenWhole(text: string): boolean {
  const [, digits = "", part = "", suffix = ""] = NUMBER.exec(text) ?? [];
  const whole = Math.max(digits.length, 1), binary = Object.hasOwn(BINARY, suffix) ? BINARY[suffix] : undefined;
  if (binary !== undefined) return part === "" && whole + Math.floor(binary * 3 / 10) <= BINARY_DIGITS;
  const power = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix]! : Number(/^[eE]([+-]?\d+)$/.exec(suffix)?.[1] ?? -1);
  return whole + part.length <= DECIMAL_DIGITS && power >= part.length;
}
