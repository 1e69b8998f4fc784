/** Tree → CBOR, in the profile of the public API (cbor.ts reads it). */
import type { Json } from "../model/types.ts";
import { ValueError } from "../values/error.ts";
import {
  BASE64,
  BYTES,
  DOUBLE,
  FALSE,
  HALF,
  LIST,
  MAP,
  NEGATIVE,
  NULL,
  SELF_DESCRIBED,
  SHORT,
  SINGLE,
  TAG,
  tooDeep,
  TRUE,
  UINT,
} from "./_cbor_wire.ts";
import { MAX_DEPTH } from "./json.ts";

/** A tree whose bytes may be left as they are: they are written as tag 22, which readers of JSON take for base64. */
export type CborInput = Json | Uint8Array | CborInput[] | { [key: string]: CborInput };

/**
 * The bytes of a body: deterministic (map keys in bytewise order of their encoding, shortest heads and floats), texts as byte
 * strings, behind the self-described tag. Throws {@linkcode ValueError} on what CBOR bodies do not hold (NaN, and
 * numbers that no float holds).
 */
export function encodeCbor(value: CborInput): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  for (const b of SELF_DESCRIBED) writer.byte(b);
  writer.item(value, MAX_DEPTH);
  return writer.finish();
}

const encoder = new TextEncoder();
const FIRST_SIZE = 4096;
const float = new DataView(new ArrayBuffer(8));

class Writer {
  #bytes = new Uint8Array(FIRST_SIZE);
  #at = 0;

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at);
  }

  item(value: CborInput, depth: number): void {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        return this.#number(value);
      case "boolean":
        return this.byte(value ? TRUE : FALSE);
      case "bigint":
        return this.#integer(value);
      case "object":
        return this.#object(value, depth);
    }
    // `undefined` members are absent in JSON; alone they are null.
    this.byte(NULL);
  }

  byte(b: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = b;
  }

  #object(value: CborInput & (object | null), depth: number): void {
    if (value === null) return this.byte(NULL);
    if (depth === 0) throw tooDeep();
    if (value instanceof Uint8Array) {
      this.#head(TAG, BASE64);
      this.#head(BYTES, value.length);
      this.#room(value.length);
      this.#bytes.set(value, this.#at);
      this.#at += value.length;
    } else if (Array.isArray(value)) {
      this.#head(LIST, value.length);
      for (const item of value) this.item(item, depth - 1);
    } else {
      this.#map(value as { [key: string]: CborInput }, depth - 1);
    }
  }

  #map(map: { [key: string]: CborInput }, depth: number): void {
    const keys = Object.keys(map).filter((k) => map[k] !== undefined).sort(byEncoding);
    this.#head(MAP, keys.length);
    for (const key of keys) {
      this.#text(key);
      this.item(map[key]!, depth);
    }
  }

  #text(value: string): void {
    if (value.length <= SHORT && this.#shortText(value)) return;
    // The head's size depends on the length in bytes, known only after encoding: write past the widest head, then move.
    this.#room(value.length * 3 + 9);
    const size = encoder.encodeInto(value, this.#bytes.subarray(this.#at + 9)).written;
    const from = this.#at + 9;
    this.#head(BYTES, size);
    this.#bytes.copyWithin(this.#at, from, from + size);
    this.#at += size;
  }
  /** Writes a short ASCII text; false, and nothing written, when it is not. */
  #shortText(value: string): boolean {
    this.#room(value.length + 1);
    const bytes = this.#bytes, start = this.#at;
    for (let i = 0; i < value.length; i++) {
      const c = value.charCodeAt(i);
      if (c > 127) return false;
      bytes[start + 1 + i] = c;
    }
    bytes[start] = BYTES << 5 | value.length;
    this.#at = start + 1 + value.length;
    return true;
  }

  #number(n: number): void {
    if (Number.isSafeInteger(n) && !Object.is(n, -0)) return n < 0 ? this.#head(NEGATIVE, -1 - n) : this.#head(UINT, n);
    if (!Number.isFinite(n)) throw new ValueError(`cbor: unsupported value ${n}`);
    this.#float(n);
  }
  /** A whole number; one of more than 64 bits is a float. */
  #integer(n: bigint): void {
    if (BigInt.asIntN(64, n) !== n) this.#number(Number(n));
    else if (n < 0n) this.#head(NEGATIVE, -1n - n);
    else this.#head(UINT, n);
  }
  /** The narrowest float that holds the value. */
  #float(n: number): void {
    const half = numberToHalf(n);
    if (half !== undefined) {
      float.setUint16(0, half);
      this.#write(HALF, 2);
    } else if (Math.fround(n) === n) {
      float.setFloat32(0, n);
      this.#write(SINGLE, 4);
    } else {
      float.setFloat64(0, n);
      this.#write(DOUBLE, 8);
    }
  }
  /** A head byte and the first `size` bytes of the scratch view. */
  #write(head: number, size: number): void {
    this.#room(size + 1);
    this.#bytes[this.#at++] = head;
    for (let i = 0; i < size; i++) this.#bytes[this.#at++] = float.getUint8(i);
  }
  #head(major: number, n: number | bigint): void {
    const m = major << 5;
    if (n < 24) return this.byte(m | Number(n));
    if (n < 0x100) {
      float.setUint8(0, Number(n));
      this.#write(m | 24, 1);
    } else if (n < 0x10000) {
      float.setUint16(0, Number(n));
      this.#write(m | 25, 2);
    } else if (n < 0x100000000) {
      float.setUint32(0, Number(n));
      this.#write(m | 26, 4);
    } else {
      float.setBigUint64(0, BigInt(n));
      this.#write(m | 27, 8);
    }
  }
  #room(n: number): void {
    if (this.#at + n <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + n));
    wider.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = wider;
  }
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
/** Bytewise order of encoded keys: the head holds the length, so that the shorter comes first. */
function byEncoding(a: string, b: string): number {
  if (!BEYOND_ASCII.test(a) && !BEYOND_ASCII.test(b)) return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  const x = encoder.encode(a), y = encoder.encode(b);
  if (x.length !== y.length) return x.length - y.length;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
  return 0;
}

/** The 16-bit form of a number that has one without loss. */
function numberToHalf(n: number): number | undefined {
  const sign = n < 0 || Object.is(n, -0) ? 0x8000 : 0, magnitude = Math.abs(n);
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14), fraction = magnitude / 2 ** exponent * 1024;
  const bits = fraction < 1024 ? fraction : (exponent + 15 << 10) + (fraction - 1024);
  return Number.isInteger(fraction) && bits < 0x7c00 ? sign | bits : undefined;
}
