/**
 * What the terminator changes in the HTTP/2 frames that the inner server sends: the stream limit in its first SETTINGS, and a
 * GOAWAY put between two whole frames. Made only for listeners that ask for either; bytes pass unchanged otherwise.
 */
import { concat } from "../../schema/values/bytes.ts";

/** Where a {@linkcode FrameRewriter} is in the bytes. `http1`: the inner server speaks HTTP/1.1, nothing is changed. */
type Phase = "first frame" | "frames" | "http1";

const HEAD = 9;
const HEADERS = 0x1;
const SETTINGS = 0x4;
const PUSH_PROMISE = 0x5;
const CONTINUATION = 0x9;
const END_HEADERS = 0x4;
const MAX_CONCURRENT_STREAMS = 0x3;

/** Last stream 2³¹-1, no error: open no new streams here, those that are open go on (RFC 9113, 6.8). */
const GOAWAY = Uint8Array.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0);

const payloadLength = (head: Uint8Array) => (head[0]! << 16) | (head[1]! << 8) | head[2]!;

/** The SETTINGS frame with at most `maxStreams` streams. The server's own limit stays where it is lower. */
export function limitStreams(frame: Uint8Array, maxStreams: number): Uint8Array {
  const out = frame.slice();
  const view = new DataView(out.buffer);
  for (let at = HEAD; at + 6 <= out.length; at += 6) {
    if (view.getUint16(at) !== MAX_CONCURRENT_STREAMS) continue;
    view.setUint32(at + 2, Math.min(view.getUint32(at + 2), maxStreams));
    return out;
  }
  const setting = new Uint8Array(6);
  new DataView(setting.buffer).setUint16(0, MAX_CONCURRENT_STREAMS);
  new DataView(setting.buffer).setUint32(2, maxStreams);
  const longer = concat([out, setting]);
  const length = payloadLength(longer) + 6;
  longer.set([length >> 16, (length >> 8) & 0xff, length & 0xff]);
  return longer;
}

/** Follows the frames of one connection, from the inner server to the client. Keeps at most one frame head, or the first frame. */
export class FrameRewriter {
  #phase: Phase = "first frame";
  /** The first frame as far as it came; then the head of the current frame. */
  #head: Uint8Array = new Uint8Array(0);
  /** Payload bytes of the current frame still to come. */
  #left = 0;
  /** In a header block, whose frames must follow each other directly. */
  #inBlock = false;
  #goAway: "no" | "wanted" | "sent" = "no";

  /**
   * @param maxStreams 0 leaves the server's own
   * @param write sends bytes to the client at once; used between chunks
   */
  constructor(readonly maxStreams: number, readonly write: (bytes: Uint8Array) => void) {}

  /** Tells the client to go away, once: now if the last byte ended a frame, else at the next place that is between frames. */
  goAway(): void {
    if (this.#goAway !== "no" || this.#phase === "http1") return;
    this.#goAway = this.#between() && this.#phase === "frames" ? "sent" : "wanted";
    if (this.#goAway === "sent") this.write(GOAWAY);
  }

  /** The bytes to send instead of `chunk`; may be empty. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#phase === "http1" || chunk.length === 0) return chunk;
    return this.#phase === "frames" ? this.#follow(chunk) : this.#first(chunk);
  }

  #between(): boolean {
    return this.#left === 0 && this.#head.length === 0 && !this.#inBlock;
  }

  #first(chunk: Uint8Array): Uint8Array {
    const bytes = concat([this.#head, chunk]);
    // "HTTP/1.1 …" does not begin with a zero; a SETTINGS frame is under 64 KiB and does.
    if (bytes[0] !== 0 || (bytes.length > 3 && bytes[3] !== SETTINGS)) {
      this.#phase = "http1";
      return bytes;
    }
    const end = bytes.length < HEAD ? Infinity : HEAD + payloadLength(bytes);
    if (bytes.length < end) {
      this.#head = bytes;
      return new Uint8Array(0);
    }
    this.#phase = "frames";
    this.#head = new Uint8Array(0);
    const settings = bytes.subarray(0, end);
    const first = this.maxStreams > 0 ? limitStreams(settings, this.maxStreams) : settings;
    if (this.#goAway !== "wanted") return concat([first, this.#follow(bytes.subarray(end))]);
    this.#goAway = "sent";
    return concat([first, GOAWAY, this.#follow(bytes.subarray(end))]);
  }

  #follow(chunk: Uint8Array): Uint8Array {
    let insertAt = -1;
    for (let at = 0; at < chunk.length;) {
      at += this.#left > 0 ? this.#skipPayload(chunk.length - at) : this.#readHead(chunk, at);
      if (this.#goAway === "wanted" && this.#between()) {
        this.#goAway = "sent";
        insertAt = at;
      }
    }
    return insertAt < 0 ? chunk : concat([chunk.subarray(0, insertAt), GOAWAY, chunk.subarray(insertAt)]);
  }

  #skipPayload(available: number): number {
    const taken = Math.min(this.#left, available);
    this.#left -= taken;
    return taken;
  }

  #readHead(chunk: Uint8Array, at: number): number {
    const taken = Math.min(HEAD - this.#head.length, chunk.length - at);
    const whole = taken === HEAD;
    const head = whole ? chunk.subarray(at, at + HEAD) : concat([this.#head, chunk.subarray(at, at + taken)]);
    if (head.length < HEAD) {
      this.#head = head;
      return taken;
    }
    this.#head = new Uint8Array(0);
    this.#left = payloadLength(head);
    const type = head[3];
    if (type === HEADERS || type === PUSH_PROMISE || type === CONTINUATION) {
      this.#inBlock = (head[4]! & END_HEADERS) === 0;
    }
    return taken;
  }
}
