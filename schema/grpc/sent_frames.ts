/** The bytes that one side sends over HTTP/2, read for how much of each request, or answer, has gone. */

/** What a client says first. */
const PREFACE = 24;
const HEAD = 9;
const DATA = 0;

/** See the top of the file. */
export class SentFrames {
  readonly #head = new Uint8Array(HEAD);
  #filled = 0;
  /** Bytes until the next head. */
  #rest: number;

  /** @param told of each frame of a body that begins: the stream, and the bytes */
  constructor(readonly told: (stream: number, count: number) => void, side: "client" | "server" = "client") {
    this.#rest = side === "client" ? PREFACE : 0;
  }

  /** The next piece of what is sent. */
  read(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const passed = Math.min(this.#rest, piece.length - at);
      at += passed;
      this.#rest -= passed;
      const part = piece.subarray(at, at + HEAD - this.#filled);
      this.#head.set(part, this.#filled);
      at += part.length;
      this.#filled += part.length;
      if (this.#filled === HEAD) this.#begin();
    }
  }

  #begin(): void {
    const view = new DataView(this.#head.buffer);
    this.#filled = 0;
    this.#rest = view.getUint32(0) >>> 8;
    if (view.getUint8(3) === DATA) this.told(view.getUint32(5), this.#rest);
  }
}
