/** Where frames of SPDY begin and end in bytes that pass. */

const HEAD = 8;

/** See the top of the file. */
export class FrameBounds {
  /** Bytes that have come of a frame's head, and how long it says that the rest is. */
  #head = 0;
  #length = 0;
  /** Bytes that are missing of the rest. */
  #left = 0;

  /** The next byte begins a frame. */
  get between(): boolean {
    return this.#head === 0 && this.#left === 0;
  }

  pass(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, bytes.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      // The length is a head's last three bytes.
      this.#length = (this.#length << 8 | bytes[at++]!) & 0xffffff;
      if (++this.#head < HEAD) continue;
      this.#head = 0;
      this.#left = this.#length;
    }
  }
}
