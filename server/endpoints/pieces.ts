/** Bodies made of many parts. */
import { concat } from "../../schema/values/bytes.ts";
import { STANDS } from "./list_window.ts";

/** A body: bytes, or a stream of them. */
export type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

const UTF8 = new TextEncoder();
/** Lists above this many bytes are streamed. So much is gathered before it is copied, and one part more: no longer than forms may be lent for. */
const STREAM_FROM = STANDS;
/** Bytes of one piece of a streamed list, and one part more. */
const PIECE = 64 * 1024;

/** Joins parts, texts or bytes, into pieces: all into one when it is small, else a stream that makes a piece when it is asked for. */
export function pieces(parts: Iterator<Uint8Array | string>): Body {
  const first = collect(parts, STREAM_FROM);
  if (first.done) return first.bytes;
  let pending: Uint8Array<ArrayBuffer> | undefined = first.bytes;
  return new ReadableStream<Uint8Array>({
    type: "bytes",
    pull(controller) {
      if (!pending) return give(controller, parts);
      controller.enqueue(pending);
      pending = undefined;
    },
  }, { highWaterMark: 0 });
}

/** The same for parts that it takes a while to begin with; `gone` tells that nobody waits for them any more. */
export function piecesLater(
  begin: (gone: () => boolean) => Promise<Iterator<Uint8Array | string>>,
): ReadableStream<Uint8Array> {
  let parts: Iterator<Uint8Array | string> | undefined, cancelled = false;
  return new ReadableStream<Uint8Array>({
    type: "bytes",
    async pull(controller) {
      parts ??= await begin(() => cancelled);
      if (!cancelled) give(controller, parts);
    },
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
}

function give(controller: ReadableStreamController<Uint8Array>, parts: Iterator<Uint8Array | string>): void {
  const { bytes, done } = collect(parts, PIECE);
  if (bytes.length > 0) controller.enqueue(bytes);
  if (done) controller.close();
}

function collect(
  parts: Iterator<Uint8Array | string>,
  limit: number,
): { bytes: Uint8Array<ArrayBuffer>; done: boolean } {
  const held: Uint8Array[] = [];
  let size = 0, texts = 0;
  while (size < limit) {
    const { value, done } = parts.next();
    if (done) return { bytes: concat(held), done: true };
    let part = value;
    if (typeof part === "string") {
      part = encoded(part, texts);
      if (part.buffer === TEXTS.buffer) texts += part.length;
    }
    held.push(part);
    size += part.byteLength;
  }
  return { bytes: concat(held), done: false };
}

/** Where the texts of one piece are encoded: an array of its own for each would cost more than the text. */
const TEXTS = new Uint8Array(64 * 1024);

/** A text in {@linkcode TEXTS} from an offset on; in an array of its own where it may not fit. */
function encoded(text: string, at: number): Uint8Array {
  if (text.length * 3 > TEXTS.length - at) return UTF8.encode(text);
  return TEXTS.subarray(at, at + UTF8.encodeInto(text, TEXTS.subarray(at)).written);
}
