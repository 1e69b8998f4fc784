/** Compression of answers. */
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import { through } from "../through.ts";

const compress = promisify(gzip);
/** That of the public server: a quarter of the usual one's time. */
const LEVEL = 1;

/** Whether a client takes gzip: by the bare word alone. As with the public server, one with a quality is none. */
export function takesGzip(headers: Pick<Headers, "get">): boolean {
  const takes = headers.get("accept-encoding");
  return takes !== null && takes.split(",").some((t) => t.trim() === "gzip");
}

/** A body, compressed off this thread. */
export async function zipped(body: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> {
  return await compress(body, { level: LEVEL }) as Uint8Array<ArrayBuffer>;
}

/** A stream, compressed as it passes; back-pressure goes through. */
export function gzipped(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return through(body, createGzip({ level: LEVEL }));
}
