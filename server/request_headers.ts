/** Reading a request's headers. */

/** Headers to read, by lower-case names: the runtime's own are such, and those of a scope, which cost less. */
export interface RequestHeaders {
  /** Values of a repeated header are joined by `, `; null without it. */
  get(name: string): string | null;
  forEach(each: (value: string, name: string) => void): void;
}

const BYTES = /[\x80-\xff]/;
/** A mark at the beginning is a part of the value: names with and without it are of two users. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A value as text in UTF-8: the runtime gives each byte as a character. */
export const headerText = (value: string): string =>
  BYTES.test(value) ? utf8.decode(Uint8Array.from(value, (c) => c.charCodeAt(0))) : value;
