/** A document as it is sent. */
import { createHash } from "node:crypto";

/** See the top of the file. */
export interface Document {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-512 of the content, upper-case hexadecimal: the same on every server that serves the same. */
  readonly hash: string;
}

/** A document of a text. */
export function documentOf(text: string): Document {
  const bytes = new TextEncoder().encode(text);
  return { bytes, hash: createHash("sha512").update(bytes).digest("hex").toUpperCase() };
}
