/**
 * A watch that begins with what there is, compressed (gate `WatchListCompression`).
 *
 * It is one gzip stream, since some clients read no further than the first member. Its parts are compressed each by itself and
 * end on a byte, so that those who see the same events share the work, and nothing of a part waits for the next.
 */
import { constants, crc32, deflateRawSync } from "node:zlib";
import { concat } from "../../schema/values/bytes.ts";
import { LEVEL } from "./gzip.ts";

const HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** A block of nothing. Readers hand on at one what they have. */
const EMPTY = new Uint8Array([0, 0, 0, 0xff, 0xff]);
const LAST = new Uint8Array([1, 0, 0, 0xff, 0xff]);
/** Fewer bytes go as they are: a lone event costs more to compress than to send. */
const WORTH = 4 * 1024;

/** Compressed parts, by their bytes. */
const made = new WeakMap<Uint8Array, Uint8Array>();

function compressed(bytes: Uint8Array): Uint8Array {
  const known = made.get(bytes);
  if (known) return known;
  const part = bytes.length < WORTH
    ? plain(bytes)
    : deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
  made.set(bytes, part);
  return part;
}

/** A stored block: how long it is, twice, and the bytes. */
function plain(bytes: Uint8Array): Uint8Array {
  const head = new DataView(new ArrayBuffer(EMPTY.length));
  head.setUint16(1, bytes.length, true);
  head.setUint16(3, ~bytes.length, true);
  return concat([new Uint8Array(head.buffer), bytes, EMPTY]);
}

/** Makes the stream of one watch. */
export class Gzip {
  #crc = 0;
  #length = 0;
  #begun = false;

  /** What to send for these bytes. */
  part(bytes: Uint8Array): Uint8Array {
    this.#crc = crc32(bytes, this.#crc);
    this.#length += bytes.length;
    return this.#after(compressed(bytes));
  }

  /** What ends the stream. */
  end(): Uint8Array {
    const sums = new DataView(new ArrayBuffer(8));
    sums.setUint32(0, this.#crc, true);
    sums.setUint32(4, this.#length % 2 ** 32, true);
    return this.#after(concat([LAST, new Uint8Array(sums.buffer)]));
  }

  #after(bytes: Uint8Array): Uint8Array {
    if (this.#begun) return bytes;
    this.#begun = true;
    return concat([HEADER, bytes]);
  }
}
