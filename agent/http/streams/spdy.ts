/**
 * Frames of SPDY/3.1, as far as a client of exec and attach needs them: it opens streams, writes and reads them. Flow control is left
 * to the connection, as both sides of the field do.
 */
import { concat } from "../../../schema/values/bytes.ts";

const VERSION = 3, HEAD = 8, FIN = 1;
const TYPES = { synStream: 1, rstStream: 3, settings: 4, ping: 6, goAway: 7 } as const;
/** Control frames are read whole; longer ones are no sound ones, bytes. */
const MAX_CONTROL = 64 * 1024;
const UTF8 = new TextEncoder();

/** What is told of the other side's frames. */
export interface FrameEvents {
  /** A piece of a stream; `fin`: its last. */
  data(stream: number, bytes: Uint8Array, fin: boolean): void;
  /** A stream was broken off; 0: all are. */
  broken(stream: number): void;
  /** Something to be sent back. */
  reply(frame: Uint8Array): void;
}

function frame(first: number, flags: number, body: Uint8Array): Uint8Array {
  const head = new Uint8Array(HEAD), view = new DataView(head.buffer);
  view.setUint32(0, first);
  view.setUint32(4, (flags << 24 | body.length) >>> 0);
  return concat([head, body]);
}

const control = (type: number, flags: number, body: Uint8Array): Uint8Array =>
  frame((0x8000 | VERSION) * 0x10000 + type, flags, body);

function uint32(...values: number[]): Uint8Array {
  const out = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((v, i) => out.setUint32(i * 4, v));
  return new Uint8Array(out.buffer);
}

const text = (value: string): Uint8Array => {
  const bytes = UTF8.encode(value);
  return concat([uint32(bytes.length), bytes]);
};

/** The begin of a block that is stored as it is. */
const stored = (size: number): Uint8Array => Uint8Array.of(0, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255);

/** Bytes of a stream. */
export const dataFrame = (stream: number, bytes: Uint8Array, fin: boolean): Uint8Array =>
  frame(stream, fin ? FIN : 0, bytes);

/** Settings without one: the other side does nothing, and has nothing to answer. */
export const NOTHING = control(TYPES.settings, 0, uint32(0));

/** Opens streams: their headers together are one zlib stream, which is not compressed. */
export class StreamOpener {
  #last = -1;

  /** The frame that opens the next stream, and its number. */
  open(headers: Readonly<Record<string, string>>): { readonly stream: number; readonly frame: Uint8Array } {
    const stream = this.#last += 2, pairs = Object.entries(headers);
    const block = concat([uint32(pairs.length), ...pairs.flatMap((pair) => pair.map(text))]);
    const zlib = stream === 1 ? Uint8Array.of(0x78, 0x01) : new Uint8Array();
    // Readers hold a block back until the next one: an empty one follows.
    const parts = [zlib, stored(block.length), block, stored(0)];
    const body = concat([uint32(stream, 0), new Uint8Array(2), ...parts]);
    return { stream, frame: control(TYPES.synStream, 0, body) };
  }
}

/** Reads frames from bytes as they come. Data is passed on in pieces: nothing but the begin of a frame is kept. */
export class FrameReader {
  readonly #events: FrameEvents;
  #kept: Uint8Array = new Uint8Array();
  /** The data frame that is under way. */
  #stream = 0;
  #left = 0;
  #fin = false;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** @throws Error for bytes that are no frames */
  push(bytes: Uint8Array): void {
    let rest = this.#kept.length > 0 ? concat([this.#kept, bytes]) : bytes;
    for (;;) {
      if (this.#left > 0) rest = this.#data(rest);
      if (this.#left > 0 || rest.length < HEAD) break;
      const view = new DataView(rest.buffer, rest.byteOffset);
      const first = view.getUint32(0), second = view.getUint32(4), flags = second >>> 24, size = second & 0xffffff;
      if (first < 0x80000000) {
        rest = rest.subarray(HEAD);
        this.#stream = first;
        this.#left = size;
        this.#fin = (flags & FIN) !== 0;
        if (size === 0) this.#events.data(first, new Uint8Array(), this.#fin);
        continue;
      }
      if (size > MAX_CONTROL) throw new Error(`a control frame of ${size} bytes`);
      if (rest.length < HEAD + size) break;
      this.#control(first & 0xffff, rest.subarray(HEAD, HEAD + size));
      rest = rest.subarray(HEAD + size);
    }
    this.#kept = rest.slice();
  }

  #data(bytes: Uint8Array): Uint8Array {
    const piece = bytes.subarray(0, this.#left);
    this.#left -= piece.length;
    if (piece.length > 0) this.#events.data(this.#stream, piece, this.#fin && this.#left === 0);
    return bytes.subarray(piece.length);
  }

  #control(type: number, body: Uint8Array): void {
    const number = body.length < 4 ? 0 : new DataView(body.buffer, body.byteOffset).getUint32(0);
    if (type === TYPES.rstStream) this.#events.broken(number);
    else if (type === TYPES.goAway) this.#events.broken(0);
    // Those that we began are odd: we begin none.
    else if (type === TYPES.ping && number % 2 === 0) this.#events.reply(control(TYPES.ping, 0, uint32(number)));
  }
}
