/** The random bytes of the system, taken from it in pieces: a call for each nonce costs several microseconds. */
import type { RandomBytes } from "./types.ts";

const PIECE = 8192;

/** A source of its own pieces. No byte is given out twice. It throws a RangeError for more than 8,192 bytes at once. */
export function randomPool(): RandomBytes {
  let piece = new Uint8Array();
  let at = 0;
  return (n) => {
    if (n > PIECE) throw new RangeError(`${n} random bytes at once`);
    if (at + n > piece.length) {
      piece = crypto.getRandomValues(new Uint8Array(PIECE));
      at = 0;
    }
    const given = piece.slice(at, at + n);
    piece.fill(0, at, at + n);
    at += n;
    return given;
  };
}
