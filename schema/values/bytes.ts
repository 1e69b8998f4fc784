/** Bytes. */

/** All parts in one. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Whether the bytes begin so. */
export function beginsWith(bytes: Uint8Array, begin: Uint8Array): boolean {
  if (bytes.length < begin.length) return false;
  for (let i = 0; i < begin.length; i++) if (bytes[i] !== begin[i]) return false;
  return true;
}

/** Bytes of their own: a view would hold all that it is a view of. */
export function compact(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength + 64 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;
}
