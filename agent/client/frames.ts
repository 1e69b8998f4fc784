/** Watch streams in pieces ↔ frames. */
import { concat } from "../../schema/values/bytes.ts";

/** Largest frame, bytes: an object of the largest size that a store takes, many times over. */
const MAX_FRAME = 64 * 1024 * 1024;

/** Where a frame stands in bytes: its begin and end, and where the next one begins. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** Finds the first frame, from a place on that was searched up to `seen`; undefined: it is not whole. */
type Find = (bytes: Uint8Array, from: number, seen: number) => Place | undefined;

/** Lines. */
const line: Find = (bytes, from, seen) => {
  const end = bytes.indexOf(0x0a, seen);
  return end < 0 ? undefined : { start: from, end, next: end + 1 };
};

/** Frames with their length before them, four bytes. */
const sized: Find = (bytes, from) => {
  if (bytes.length - from < 4) return undefined;
  const start = from + 4;
  const end = start + new DataView(bytes.buffer, bytes.byteOffset + from).getUint32(0);
  if (end - start > MAX_FRAME) throw new Error("a frame of the watch is too large");
  return end > bytes.length ? undefined : { start, end, next: end };
};

function splitter(find: Find, take: (frame: Uint8Array) => void): (piece: Uint8Array) => void {
  let held: Uint8Array = new Uint8Array(0);
  return (piece) => {
    const bytes = held.length ? concat([held, piece]) : piece;
    let from = 0;
    for (let seen = held.length, at; (at = find(bytes, from, seen)); from = seen = at.next) {
      if (at.end > at.start) take(bytes.subarray(at.start, at.end));
    }
    held = bytes.slice(from);
    if (held.length > MAX_FRAME + 4) throw new Error("a frame of the watch is too large");
  };
}

/** Takes pieces; gives frames: of Protobuf, or lines of JSON. It throws an Error for a frame that is too large. */
export const framesOf = (protobuf: boolean, take: (frame: Uint8Array) => void): (piece: Uint8Array) => void =>
  splitter(protobuf ? sized : line, take);
