/** Texts as bytes. */

const encoder = new TextEncoder();

/** UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);
