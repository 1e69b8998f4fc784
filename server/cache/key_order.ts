/** Order of keys by UTF-8 bytes, as stores have it. JavaScript compares UTF-16 units, which differs past U+D7FF only. */

/** Compares two keys: negative, 0 or positive. */
export type CompareKeys = (a: string, b: string) => number;

const beyond = /[\ud800-\uffff]/;

/** Whether the key's order may differ between UTF-8 bytes and UTF-16 units. */
export function isUnusualKey(key: string): boolean {
  return beyond.test(key);
}

/** Right for keys of which at most one {@linkcode isUnusualKey}. */
export function compareUsual(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Right for all keys. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others of 16 bits. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
