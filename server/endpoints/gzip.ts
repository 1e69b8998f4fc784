/** Compression of answers. The runtime compresses on this thread, whoever asks: much is compressed slice by slice. */
import { once } from "node:events";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import { concat } from "../../schema/values/bytes.ts";
import { pause } from "../pause.ts";
import { through } from "../through.ts";

const compress = promisify(gzip);
/** That of the public server: a quarter of the usual one's time. */
export const LEVEL = 1;
/** So many bytes are compressed at the usual level before others have their turn: some 15 ms. */
const SLICE = 256 * 1024;

/** Whether a client takes gzip: by the bare word alone. As with the public server, one with a quality is none. */
export function takesGzip(headers: Pick<Headers, "get">): boolean {
  const takes = headers.get("accept-encoding");
  return takes !== null && takes.split(",").some((t) => t.trim() === "gzip");
}

/** A body of some hundred kilobytes, compressed. */
export async function zipped(body: Uint8Array | string): Promise<Uint8Array<ArrayBuffer>> {
  return await compress(body, { level: LEVEL }) as Uint8Array<ArrayBuffer>;
}

/** A body of any length, compressed at the usual level in slices. */
export async function zippedSlowly(body: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const out = createGzip(), parts: Uint8Array[] = [];
  out.on("data", (part: Uint8Array) => parts.push(part));
  for (let at = 0; at < body.length; at += SLICE) {
    if (!out.write(body.subarray(at, at + SLICE))) await once(out, "drain");
    await pause(0);
  }
  out.end();
  await once(out, "end");
  return concat(parts);
}

/** A stream, compressed as it passes; back-pressure goes through. */
export function gzipped(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return through(body, createGzip({ level: LEVEL }));
}
