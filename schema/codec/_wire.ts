/** Small steps on protobuf bytes that the wire runtime does not have in the shape the codec needs. */
import { BinaryReader, type BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Int64 } from "../model/types.ts";
import { DecodeError } from "./error.ts";

/** Wire type of whole numbers, 7 bits a byte. */
export const VARINT = 0;
/** Wire type of what takes 8 bytes. */
export const BIT64 = 1;
/** Wire type of what has its length in bytes before it. */
export const LENGTH = 2;
/** Wire type of what takes 4 bytes. */
export const BIT32 = 5;

/** Envelope prefix of Protobuf objects. */
export const PREFIX: Uint8Array = new Uint8Array([0x6b, 0x38, 0x73, 0x00]);

/** Whether bytes start with the envelope's prefix. */
export function hasPrefix(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && PREFIX.every((b, i) => bytes[i] === b);
}

/** A reader that knows its bytes, so that short integers cost no bigint. */
export class WireReader extends BinaryReader {
  constructor(readonly bytesIn: Uint8Array) {
    super(bytesIn);
  }

  /** A tag as one number: `number << 3 | wire type`. @throws DecodeError when it is none */
  tagNumber(): number {
    const first = this.bytesIn[this.pos];
    if (first !== undefined && first < 0x80 && first > 7) {
      this.pos++;
      return first;
    }
    const [number, type] = this.tag();
    return number * 8 + type;
  }

  /** A signed 64-bit varint, as a number when that holds it. */
  integer(): Int64 {
    const bytes = this.bytesIn;
    for (let n = 0; n < 4; n++) {
      if (bytes[this.pos + n]! < 0x80) return this.uint32();
    }
    if (bytes[this.pos + 4]! <= 0x0f) return this.uint32();
    const value = BigInt(this.int64());
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  /** Reads a length and returns where the bytes end. @throws DecodeError when that is past `limit` */
  block(limit: number): number {
    const length = this.uint32();
    const end = this.pos + length;
    if (end > limit) throw new DecodeError("proto: unexpected end of data");
    return end;
  }

  /** Skips a value. Groups are skipped to a bounded depth. @throws DecodeError past `limit` */
  pass(tag: number, limit: number): void {
    this.skip(tag & 7, tag >>> 3);
    if (this.pos > limit) throw new DecodeError("proto: unexpected end of data");
  }
}

/** Writes a signed 64-bit varint. */
export function writeInteger(w: BinaryWriter, value: Int64): void {
  if (typeof value === "number" && value >= 0 && value <= 0xffffffff) w.uint32(value);
  else w.int64(typeof value === "bigint" ? value : BigInt(value));
}

/** Bytes that a varint takes. */
export function varintSize(value: number): number {
  let size = 1;
  while (value >= 0x80) {
    value = Math.floor(value / 128);
    size++;
  }
  return size;
}

/** Writes a varint into `out` at `at`; returns the position after it. */
export function putVarint(out: Uint8Array, at: number, value: number): number {
  while (value >= 0x80) {
    out[at++] = (value % 128) | 0x80;
    value = Math.floor(value / 128);
  }
  out[at++] = value;
  return at;
}

/** Turns what the wire runtime throws into a {@linkcode DecodeError}; mistakes of our own pass. */
export function asDecodeError(err: unknown): unknown {
  if (err instanceof DecodeError) return err;
  const foreign = err instanceof Error && (err.constructor === Error || err instanceof RangeError);
  const own = err instanceof Error && err.name === "ValueError";
  if (!foreign && !own) return err;
  return new DecodeError(/call stack/i.test(err.message) ? "exceeded max depth" : `proto: ${err.message}`, {
    cause: err,
  });
}
