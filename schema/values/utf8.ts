/**
 * The order of texts by their UTF-8 bytes, which is that of their code points. JavaScript compares UTF-16 units, which
 * differs past U+D7FF only: surrogates, parts of the highest code points, stand below U+E000 to U+FFFF there.
 */

const HIGH = /[\ud800-\uffff]/;

/** Whether the order of a text may differ between UTF-8 bytes and UTF-16 units. */
export const isHigh = (text: string): boolean => HIGH.test(text);

/** Where a unit stands in the order of bytes. */
const rank = (unit: number): number => unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;

/** Order of bytes. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Whether the first of two texts comes before the second. */
export type Before = (a: string, b: string) => boolean;

/** By the order of bytes. */
export const beforeInUtf8: Before = (a, b) => compareUtf8(a, b) < 0;

/** By the order of units, where that will do: see {@linkcode compareUnits}. */
export const beforeInUnits: Before = (a, b) => a < b;

/** Order of units: right for texts of which at most one {@linkcode isHigh}, and for {@linkcode orderKey}s. */
export function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}

/** The text in a form whose order of units is the order of bytes. Keeps prefixes; the same string for most texts. */
export function orderKey(text: string): string {
  if (!HIGH.test(text)) return text;
  let out = "";
  for (let i = 0; i < text.length; i++) out += String.fromCharCode(rank(text.charCodeAt(i)));
  return out;
}

/** What of a text fits into so many bytes, from its beginning, whole characters. */
export function fitting(text: string, most: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(most)).read);
}

/** Length in bytes of UTF-8. */
export function byteLength(s: string): number {
  let n = s.length;
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c < 0x80) continue;
    if (c < 0x800) n += 1;
    else if (c >= 0xd800 && c < 0xdc00) (n += 2, i++);
    else n += 2;
  }
  return n;
}

/** Whether a text is longer than `max` bytes. */
export function longer(s: string, max: number): boolean {
  return s.length > max || (s.length * 3 > max && byteLength(s) > max);
}
