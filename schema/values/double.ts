/** Numbers as text, as the public server writes them in what it says. */

/** Text of a double: shortest digits, with an exponent beyond six digits before the point and four zeros behind it. */
export function doubleText(v: number): string {
  if (Number.isNaN(v)) return "NaN";
  if (!Number.isFinite(v)) return v > 0 ? "+Inf" : "-Inf";
  if (Object.is(v, -0)) return "-0";
  const size = Math.abs(v), text = size !== 0 && (size < 1e-4 || size >= 1e6) ? v.toExponential() : String(v);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** Text of a number that a document has: whole ones by their digits, unless they were written with an exponent. */
export const numberText = (v: number | bigint): string =>
  typeof v === "bigint" || Number.isSafeInteger(v) ? String(v) : doubleText(v);
