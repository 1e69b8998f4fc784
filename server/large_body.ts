/** Bodies of answers that are large. */
import { inTime } from "./in_time.ts";

/**
 * From so many bytes on: the runtime copies a body when it is made, and keeps the copy as long as its client likes. More than what is
 * lent has (`endpoints/render.ts`): that is copied at once.
 */
const LARGE = 128 * 1024;
/** Bytes that are copied at a time, as the client takes them. */
const PIECE = 64 * 1024;

/**
 * What is sent of bytes that others are sent, too: them, or a stream of them where they are large, which ends when it is not taken within
 * so many ms. Its length is for the head to tell ({@linkcode lengthOf}).
 */
export function sharedBody(
  bytes: Uint8Array<ArrayBuffer>,
  ms: number,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (bytes.length < LARGE) return bytes;
  let at = 0;
  const pieces = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at += PIECE));
      if (at >= bytes.length) controller.close();
    },
  }, { highWaterMark: 0 });
  return inTime(pieces, ms);
}

/** The header that tells the length of bytes that are sent so. */
export const lengthOf = (bytes: Uint8Array): Record<string, string> => ({ "content-length": String(bytes.length) });
