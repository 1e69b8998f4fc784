/** FNV-1a hashes over the UTF-8 of a text, or bytes. */

const encoder = new TextEncoder();
const bytesOf = (input: string | Uint8Array) => typeof input === "string" ? encoder.encode(input) : input;

/** FNV-1a, 64 bits, as two unsigned halves: a bigint a byte would cost ten times as much. */
export function fnv64aHalves(input: string | Uint8Array): { high: number; low: number } {
  let high = 0xcbf29ce4, low = 0x84222325;
  for (const b of bytesOf(input)) {
    low = (low ^ b) >>> 0;
    // × 0x100000001b3: the low half times 0x1b3 carries into the high one, which also gets low × 2^40.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x100000000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return { high, low };
}

/** FNV-1a, 64 bits, unsigned. */
export function fnv64a(input: string | Uint8Array): bigint {
  const { high, low } = fnv64aHalves(input);
  return BigInt(high) << 32n | BigInt(low);
}
