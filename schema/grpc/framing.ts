/** Messages of gRPC in a stream of bytes: a flag, the length, the bytes. */
import { GrpcError } from "./status.ts";

const HEAD = 5;

/** A message with its head. @throws GrpcError when it is longer than `most` */
export function framed(message: Uint8Array, most: number): Uint8Array {
  if (message.length > most) {
    throw new GrpcError(
      "ResourceExhausted",
      `Attempted to send message with a size larger than ${most} (${message.length})`,
    );
  }
  const bytes = new Uint8Array(HEAD + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, HEAD);
  return bytes;
}

/** Puts messages together from pieces, each in memory of its own. */
export class MessageReader {
  readonly #head = new Uint8Array(HEAD);
  #body: Uint8Array | undefined;
  /** Bytes that are there of the head, or of the body. */
  #filled = 0;

  /** @param most bytes of a message */
  constructor(readonly most: number) {}

  /** The messages that a piece completes. @throws GrpcError for one that is too long, or compressed */
  *read(piece: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < piece.length;) {
      const into = this.#body ?? this.#head;
      const part = piece.subarray(at, at + into.length - this.#filled);
      into.set(part, this.#filled);
      at += part.length;
      this.#filled += part.length;
      if (this.#filled < into.length) return;
      this.#filled = 0;
      const whole = this.#body ?? this.#begun();
      if (this.#body === undefined && whole.length > 0) this.#body = whole;
      else {
        this.#body = undefined;
        yield whole;
      }
    }
  }

  /** True between messages. */
  get empty(): boolean {
    return this.#body === undefined && this.#filled === 0;
  }

  #begun(): Uint8Array {
    const view = new DataView(this.#head.buffer);
    if (view.getUint8(0) !== 0) {
      throw new GrpcError("Internal", "Received a compressed message, which was not asked for");
    }
    const length = view.getUint32(1);
    if (length > this.most) {
      throw new GrpcError("ResourceExhausted", `Received message larger than max (${length} vs ${this.most})`);
    }
    return new Uint8Array(length);
  }
}
