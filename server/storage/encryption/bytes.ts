/** Small things about bytes. */

/** Whether the value begins so. */
export function startsWith(value: Uint8Array, prefix: Uint8Array): boolean {
  if (value.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (value[i] !== prefix[i]) return false;
  return true;
}

const encoder = new TextEncoder();

/** UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
