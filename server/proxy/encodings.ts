/** Encodings of pages that can be looked into. */
import { pipeline, Readable, type Transform } from "node:stream";
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from "node:zlib";

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

/** Bytes that are decoded before others have their turn. */
const TURN = 256 * 1024;

/**
 * A body changed inside its encoding, piece by piece as it is taken: a few bytes may stand for a thousand times as many, which the web's
 * own streams give all at once.
 */
export function within(body: Bytes, { decode, encode }: PageEncoding, change: (body: Bytes) => Bytes): Bytes {
  return through(change(through(body, decode())), encode());
}

/** Node's and the web's stream types differ in name only. */
type NodeBytes = Parameters<typeof Readable.fromWeb>[0];

/** Not by `Readable.toWeb`, which takes all that there is. */
function through(body: Bytes, by: Transform): Bytes {
  const out = pipeline(Readable.fromWeb(body as unknown as NodeBytes), by, () => {});
  const pieces: AsyncIterator<Uint8Array, undefined> = out[Symbol.asyncIterator]();
  let left = TURN;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      controller.enqueue(value);
      if ((left -= value.length) > 0) return;
      // Neither decoding nor what becomes of it waits for anything: all else in the process would wait for their end.
      left = TURN;
      await new Promise((resolve) => setTimeout(resolve));
    },
    cancel: () => void out.destroy(),
  }, { highWaterMark: 0 });
}
