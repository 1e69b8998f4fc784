/**
 * Keys are ordered by their UTF-8 bytes. JavaScript compares UTF-16 units, which differs where surrogates meet U+E000 to
 * U+FFFF: {@linkcode orderKey} swaps those two blocks so that plain string comparison gives the order of bytes.
 */

const HIGH = /[\ud800-\uffff]/;

/** The key in a form whose plain string order is the order of UTF-8 bytes. Keeps prefixes; the same string for most keys. */
export function orderKey(key: string): string {
  if (!HIGH.test(key)) return key;
  let out = "";
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    out += String.fromCharCode(unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
  }
  return out;
}

/** Plain order of strings, for trees of {@linkcode orderKey}s. */
export function compareOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Negative, zero or positive as `a` comes before, with or after `b` in the order of UTF-8 bytes. */
export function compareKeys(a: string, b: string): number {
  return compareOrder(orderKey(a), orderKey(b));
}
