/** What a client offers as its TLS handshake begins (RFC 8446, 4.1.2 and 4.2.7), read before the runtime reads it. */
import { concat } from "../../schema/values/bytes.ts";

const HANDSHAKE = 22, CLIENT_HELLO = 1, SUPPORTED_GROUPS = 10;
const RECORD_HEAD = 5, MESSAGE_HEAD = 4, VERSION_AND_RANDOM = 34;
/** More is not waited for: first messages of clients have some hundred bytes, or two thousand. */
const LONGEST = 16 * 1024;
const NONE = new Uint8Array();

/**
 * Numbers of the key exchange groups that a client offers; undefined while its first message is not whole. None where the bytes are
 * no such message, or where it does not tell.
 */
export function offeredGroups(bytes: Uint8Array): readonly number[] | undefined {
  const message = messageIn(bytes);
  if (message === undefined) return undefined;
  const hello = new Reader(message.subarray(MESSAGE_HEAD));
  hello.skip(VERSION_AND_RANDOM);
  hello.skip(hello.uint(1)); // session
  hello.skip(hello.uint(2)); // suites
  hello.skip(hello.uint(1)); // compressions
  const extensions = new Reader(hello.take(hello.uint(2)));
  while (!extensions.done) {
    const type = extensions.uint(2), content = extensions.take(extensions.uint(2));
    if (type === SUPPORTED_GROUPS) return numbersIn(content);
  }
  return [];
}

/** The handshake message that the records hold; empty where there is none that may be waited for. */
function messageIn(bytes: Uint8Array): Uint8Array | undefined {
  const records = new Reader(bytes), parts: Uint8Array[] = [];
  while (records.left >= RECORD_HEAD) {
    if (records.uint(1) !== HANDSHAKE) return NONE;
    records.skip(2);
    parts.push(records.take(records.uint(2)));
  }
  const message = concat(parts), head = new Reader(message);
  if (message.length >= MESSAGE_HEAD) {
    if (head.uint(1) !== CLIENT_HELLO) return NONE;
    const whole = MESSAGE_HEAD + head.uint(3);
    if (message.length >= whole) return message.subarray(0, whole);
  }
  return bytes.length < LONGEST ? undefined : NONE;
}

function numbersIn(list: Uint8Array): number[] {
  const numbers: number[] = [], reader = new Reader(list);
  reader.skip(2);
  while (reader.left >= 2) numbers.push(reader.uint(2));
  return numbers;
}

/** Reads forward; beyond the end there are zeros, and nothing. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return Math.max(0, this.#bytes.length - this.#at);
  }

  get done(): boolean {
    return this.left === 0;
  }

  skip(length: number): void {
    this.#at += length;
  }

  take(length: number): Uint8Array {
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }

  /** Big-endian, of so many bytes. */
  uint(length: number): number {
    return this.take(length).reduce((number, byte) => number << 8 | byte, 0);
  }
}
