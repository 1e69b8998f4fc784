/** Random names and ids. Randomness comes in as a function that gives so many random bytes. */

/** Gives `n` random bytes. */
export type RandomBytes = (n: number) => Uint8Array;

/** No vowels and no look-alikes: no word comes out by chance. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX_LENGTH = 5;
/** A generated name fits a DNS label. */
const MAX_NAME = 63;
/** Longest base that is kept whole. */
const MAX_GENERATED_BASE: number = MAX_NAME - SUFFIX_LENGTH;

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

const digit = (n: number): number => "0123456789abcdef".charCodeAt(n);
/** Codes of the two digits of each byte. */
const HIGH = Uint8Array.from({ length: 256 }, (_, b) => digit(b >> 4));
const LOW = Uint8Array.from({ length: 256 }, (_, b) => digit(b & 15));
const DASH = "-".charCodeAt(0);

/** A random UUID (version 4) in lower case. Made of codes at once: each request has one or two, and parts put together take thrice as long. */
export function uuid(random: RandomBytes): string {
  const b = random(16);
  const version = b[6]! & 0x0f | 0x40, variant = b[8]! & 0x3f | 0x80;
  const h = (i: number): number => HIGH[b[i]!]!, l = (i: number): number => LOW[b[i]!]!;
  // deno-fmt-ignore
  return String.fromCharCode(
    h(0), l(0), h(1), l(1), h(2), l(2), h(3), l(3), DASH, h(4), l(4), h(5), l(5), DASH,
    HIGH[version]!, LOW[version]!, h(7), l(7), DASH, HIGH[variant]!, LOW[variant]!, h(9), l(9), DASH,
    h(10), l(10), h(11), l(11), h(12), l(12), h(13), l(13), h(14), l(14), h(15), l(15),
  );
}

const POOL = 4096;

/** The same source, asked for much at once: requests want a few bytes each. No byte is given twice. */
export function pooled(source: RandomBytes): RandomBytes {
  let pool = new Uint8Array(0);
  let at = 0;
  return (n) => {
    if (n > POOL) return source(n);
    if (n > pool.length - at) {
      pool = source(POOL).slice();
      at = 0;
    }
    return pool.subarray(at, at += n);
  };
}

/** A number in [0, 1). */
export function fraction(random: RandomBytes): number {
  const b = random(4);
  return ((b[0]! << 24 | b[1]! << 16 | b[2]! << 8 | b[3]!) >>> 0) / 2 ** 32;
}
