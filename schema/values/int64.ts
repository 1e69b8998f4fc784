/** Integers of 64 bits as text. */

/** A signed integer of 64 bits in decimal digits, with or without a sign; undefined for any other text. */
export function parseInt64(text: string): bigint | undefined {
  const [, sign, digits] = /^([+-]?)0*([0-9]{1,19})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const n = sign === "-" ? -BigInt(digits) : BigInt(digits);
  return BigInt.asIntN(64, n) === n ? n : undefined;
}
