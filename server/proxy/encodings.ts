/** Encodings of pages that can be looked into. */
import type { Transform } from "node:stream";
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from "node:zlib";
import { through } from "../through.ts";

type Bytes = ReadableStream<Uint8Array>;

/** How something encoded is read, and written again. */
export interface PageEncoding {
  readonly decode: () => Transform;
  readonly encode: () => Transform;
}

/** By what `Content-Encoding` says. */
export const PAGE_ENCODINGS: ReadonlyMap<string, PageEncoding> = new Map([
  ["gzip", { decode: createGunzip, encode: createGzip }],
  ["deflate", { decode: createInflateRaw, encode: createDeflateRaw }],
]);

/**
 * A body changed inside its encoding, piece by piece as it is taken: a few bytes may stand for a thousand times as many, which the web's
 * own streams give all at once.
 */
export function within(body: Bytes, { decode, encode }: PageEncoding, change: (body: Bytes) => Bytes): Bytes {
  return through(change(through(body, decode())), encode());
}
