/**
 * CBOR (RFC 8949) → tree, in the profile of the public API: texts are written as byte strings, maps sorted, lengths definite,
 * behind the self-described tag. A reader and a writer of our own: general libraries neither write texts as byte strings nor
 * refuse what this profile refuses, and took ten times as long on a 2 KB object.
 */
import {
  BASE16,
  BASE64,
  BASE64URL,
  BIG,
  BIG_NEGATIVE,
  BREAK,
  BYTES,
  DATE_NUMBER,
  DATE_TEXT,
  DOUBLE,
  FALSE,
  HALF,
  halfToNumber,
  INDEFINITE,
  LIST,
  MAP,
  NEGATIVE,
  NULL,
  SHORT,
  SINGLE,
  TAG,
  TEXT,
  tooDeep,
  TRUE,
  UINT,
} from "./_cbor_wire.ts";
import { setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { ValueError } from "../values/error.ts";
import { secondsToTime, timeToSeconds } from "../values/time.ts";
import { MAX_DEPTH, type Parsed, type ParseOptions } from "./json.ts";
import { concat } from "../values/bytes.ts";

/**
 * Reads one data item, with or without the self-described tag. Duplicate keys are an error here, as for the public server:
 * `duplicates` is always empty. Throws {@linkcode ValueError}.
 */
export function parseCbor(bytes: Uint8Array, _opts?: ParseOptions): Parsed {
  const reader = new Reader(bytes);
  const tree = reader.item(MAX_DEPTH, 0);
  if (reader.at < bytes.length) throw new ValueError(`cbor: ${bytes.length - reader.at} bytes of extraneous data`);
  return { tree, duplicates: [], ...(reader.wholeFloats ? { wholeFloats: true } : {}) };
}

/** The tree of a good item in which no whole number stands where a float was written: a half stands there. */
export function markedCborFloats(bytes: Uint8Array): Json {
  return new Reader(bytes, true).item(MAX_DEPTH, 0);
}

const truncated = (): ValueError => new ValueError("cbor: unexpected EOF");

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const looseUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  /** A float that is a whole number was read. */
  wholeFloats = false;

  constructor(bytes: Uint8Array, readonly marks = false) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** One item. `later` is the tag that says how bytes inside are to be shown, or 0. */
  item(depth: number, later: number): Json {
    const head = this.#head();
    const info = head & 31;
    switch (head >> 5) {
      case UINT:
        return whole(this.#argument(info));
      case NEGATIVE:
        return negative(this.#argument(info));
      case BYTES:
        return show(this.#string(BYTES, info), later);
      case TEXT:
        return info === INDEFINITE ? text(this.#string(TEXT, info)) : this.#text(info);
      case LIST:
        return this.#list(info, depth - 1, later);
      case MAP:
        return this.#map(info, depth - 1, later);
      case TAG:
        return this.#tagged(this.#length(info), depth - 1, later);
      default:
        return this.#simple(head);
    }
  }

  #list(info: number, depth: number, later: number): Json[] {
    if (depth < 0) throw tooDeep();
    const out: Json[] = [];
    if (info === INDEFINITE) { while (!this.#breaks()) out.push(this.item(depth, later)); }
    else for (let n = this.#length(info); n > 0; n--) out.push(this.item(depth, later));
    return out;
  }

  #map(info: number, depth: number, later: number): JsonMap {
    if (depth < 0) throw tooDeep();
    const out: JsonMap = {};
    let n = info === INDEFINITE ? Infinity : this.#length(info);
    for (; n > 0; n--) {
      if (info === INDEFINITE && this.#breaks()) break;
      const key = this.#key();
      if (Object.hasOwn(out, key)) throw new ValueError(`cbor: found duplicate map key ${JSON.stringify(key)}`);
      setMember(out, key, this.item(depth, later));
    }
    return out;
  }

  #key(): string {
    const head = this.#head();
    const info = head & 31;
    const major = head >> 5;
    if (major !== BYTES && major !== TEXT) throw new ValueError("cbor: a map key is not a string");
    if (info === INDEFINITE) {
      return major === TEXT ? text(this.#string(TEXT, info)) : show(this.#string(BYTES, info), 0);
    }
    return this.#text(info, major === BYTES);
  }

  #tagged(tag: number, depth: number, later: number): Json {
    if (depth < 0) throw tooDeep();
    switch (tag) {
      case BIG:
      case BIG_NEGATIVE:
        throw new ValueError("cbor: integers beyond 64 bits are not accepted");
      case DATE_TEXT:
      case DATE_NUMBER:
        return date(tag, this.item(depth, 0));
      case BASE64URL:
      case BASE64:
      case BASE16:
        return this.item(depth, tag);
      default:
        return this.item(depth, later);
    }
  }

  #simple(head: number): Json {
    const start = this.at;
    switch (head) {
      case FALSE:
        return false;
      case TRUE:
        return true;
      case NULL:
        return null;
      case HALF:
        this.#take(2);
        return this.#finite(halfToNumber(this.#view.getUint16(start)));
      case SINGLE:
        this.#take(4);
        return this.#finite(this.#view.getFloat32(start));
      case DOUBLE:
        this.#take(8);
        return this.#finite(this.#view.getFloat64(start));
    }
    if (head === 0xf8 && this.#bytes[this.#take(1)]! < 32) throw illFormed("simple value below 32 in two bytes");
    if (head > 0xf8) throw illFormed(head === BREAK ? 'unexpected "break" code' : "reserved simple value");
    throw new ValueError("cbor: simple values other than false, true and null are not accepted");
  }

  #finite(n: number): number {
    if (!Number.isFinite(n)) throw new ValueError("cbor: NaN and infinities are not accepted");
    if (!Number.isInteger(n)) return n;
    this.wholeFloats = true;
    return this.marks ? 0.5 : n;
  }

  #head(): number {
    return this.#bytes[this.#take(1)]!;
  }
  /** Moves on by `n` bytes; gives where they begin. */
  #take(n: number): number {
    const start = this.at;
    if (n > this.#bytes.length - start) throw truncated();
    this.at = start + n;
    return start;
  }
  #breaks(): boolean {
    if (this.at >= this.#bytes.length) throw truncated();
    if (this.#bytes[this.at] !== BREAK) return false;
    this.at++;
    return true;
  }
  #argument(info: number): number | bigint {
    switch (info) {
      case 24:
        return this.#bytes[this.#take(1)]!;
      case 25:
        return this.#view.getUint16(this.#take(2));
      case 26:
        return this.#view.getUint32(this.#take(4));
      case 27: {
        const n = this.#view.getBigUint64(this.#take(8));
        return n <= Number.MAX_SAFE_INTEGER ? Number(n) : n;
      }
    }
    if (info < 24) return info;
    throw illFormed(`additional information ${info}`);
  }
  #length(info: number): number {
    return Number(this.#argument(info));
  }
  /** Content of a string; chunks of an indefinite one are joined. */
  #string(major: number, info: number): Uint8Array {
    if (info !== INDEFINITE) {
      const start = this.#take(this.#length(info));
      return this.#bytes.subarray(start, this.at);
    }
    const chunks: Uint8Array[] = [];
    while (!this.#breaks()) {
      const head = this.#head();
      if (head >> 5 !== major || (head & 31) === INDEFINITE) {
        throw illFormed("wrong chunk in an indefinite-length string");
      }
      const chunk = this.#string(major, head & 31);
      if (major === TEXT) text(chunk);
      chunks.push(chunk);
    }
    return concat(chunks);
  }
  /** A string of definite length as text. */
  #text(info: number, loose = false): string {
    const length = this.#length(info);
    const start = this.#take(length);
    if (length <= SHORT) {
      const ascii = shortAscii(this.#bytes, start, this.at);
      if (ascii !== undefined) return ascii;
    }
    const part = this.#bytes.subarray(start, this.at);
    return loose ? looseUtf8.decode(part) : text(part);
  }
}

const illFormed = (what: string) => new ValueError(`cbor: ill-formed: ${what}`);

function shortAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  let out = "";
  for (let i = start; i < end; i++) {
    const b = bytes[i]!;
    if (b > 127) return undefined;
    out += String.fromCharCode(b);
  }
  return out;
}

function text(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new ValueError("cbor: invalid UTF-8 string");
  }
}

/** Bytes as text: as the enclosing tag wishes, else as UTF-8 (what is not becomes U+FFFD). */
function show(bytes: Uint8Array, later: number): string {
  switch (later) {
    case BASE64:
      return bytes.toBase64();
    case BASE64URL:
      return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
    case BASE16:
      return bytes.toHex();
  }
  return (bytes.length <= SHORT ? shortAscii(bytes, 0, bytes.length) : undefined) ?? looseUtf8.decode(bytes);
}

/** Tags 0 and 1: an RFC 3339 text. */
function date(tag: number, value: Json): string {
  if (tag === DATE_TEXT && typeof value === "string") {
    timeToSeconds(value);
    return value;
  }
  if (tag === DATE_NUMBER && (typeof value === "number" || typeof value === "bigint")) {
    const seconds = Math.floor(Number(value));
    const whole = secondsToTime(seconds);
    const nanos = Math.round((Number(value) - seconds) * 1e9);
    const fraction = String(nanos).padStart(9, "0").replace(/0+$/, "");
    return nanos === 0 || nanos === 1e9 ? whole : whole.replace("Z", `.${fraction}Z`);
  }
  throw new ValueError(`cbor: wrong content in tag ${tag}`);
}

function whole(n: number | bigint): number | bigint {
  if (typeof n === "bigint" && n >= 1n << 63n) throw new ValueError(`cbor: ${n} overflows a 64-bit integer`);
  return n;
}
function negative(n: number | bigint): number | bigint {
  if (typeof n === "number" && n < Number.MAX_SAFE_INTEGER) return -1 - n;
  return -1n - BigInt(whole(n));
}
