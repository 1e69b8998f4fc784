/** Random names and ids. Randomness comes in as a function that gives so many random bytes. */

/** Gives `n` random bytes. */
export type RandomBytes = (n: number) => Uint8Array;

/** No vowels and no look-alikes: no word comes out by chance. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;
/** A generated name fits a DNS label. */
const MAX_NAME = 63;
/** Longest base that is kept whole. */
export const MAX_GENERATED_BASE: number = MAX_NAME - SUFFIX_LENGTH;

/** So many letters of the alphabet of generated names. */
export function randomLetters(n: number, random: RandomBytes): string {
  let out = "";
  // Bytes past the last whole round of the alphabet are thrown away, so that every letter is as likely.
  const limit = 256 - 256 % ALPHABET.length;
  while (out.length < n) {
    for (const b of random(n - out.length)) if (b < limit) out += ALPHABET[b % ALPHABET.length];
  }
  return out;
}

/** `base` cut to 58 characters and five random letters. */
export function generateName(base: string, random: RandomBytes): string {
  return base.slice(0, MAX_GENERATED_BASE) + randomLetters(SUFFIX_LENGTH, random);
}

/** A random UUID (version 4) in lower case. */
export function uuid(random: RandomBytes): string {
  const b = random(16).slice();
  b[6] = b[6]! & 0x0f | 0x40;
  b[8] = b[8]! & 0x3f | 0x80;
  const hex = Array.from(b, (x) => x.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
