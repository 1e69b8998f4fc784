/** FNV-1a, 64 bits, over the UTF-8 of a text, or bytes. */

const encoder = new TextEncoder();

/** The hash, unsigned. Counted in two halves: a bigint a byte would cost ten times as much. */
export function fnv64a(input: string | Uint8Array): bigint {
  let high = 0xcbf29ce4, low = 0x84222325;
  for (const b of typeof input === "string" ? encoder.encode(input) : input) {
    low = (low ^ b) >>> 0;
    // × 0x100000001b3: the low half times 0x1b3 carries into the high one, which also gets low × 2^40.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x100000000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return BigInt(high) << 32n | BigInt(low);
}
