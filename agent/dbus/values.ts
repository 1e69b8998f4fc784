/** Values of D-Bus, and how they lie in bytes. */

/** A value with its type. */
export interface Variant {
  /** Of one complete type. */
  readonly signature: string;
  readonly value: Value;
}

/** 64 bits as a bigint, other numbers as numbers; arrays, structures and entries of dictionaries as arrays. */
export type Value = number | bigint | boolean | string | readonly Value[] | Variant;

/** What cannot be written or read. */
export class DbusFormatError extends Error {}

/** One complete type. */
interface Type {
  readonly code: string;
  /** Of an array one, of a structure its members. */
  readonly inner: readonly Type[];
}

interface Fixed {
  readonly size: number;
  get(view: DataView, at: number, little: boolean): Value;
  set(view: DataView, at: number, value: never): void;
}

/** Messages may nest so deep. */
const DEEPEST = 32;

const FIXED: Readonly<Record<string, Fixed>> = {
  y: { size: 1, get: (v, at) => v.getUint8(at), set: (v, at, n: number) => v.setUint8(at, n) },
  b: { size: 4, get: (v, at, l) => v.getUint32(at, l) !== 0, set: (v, at, b: boolean) => v.setUint32(at, +b, true) },
  n: { size: 2, get: (v, at, l) => v.getInt16(at, l), set: (v, at, n: number) => v.setInt16(at, n, true) },
  q: { size: 2, get: (v, at, l) => v.getUint16(at, l), set: (v, at, n: number) => v.setUint16(at, n, true) },
  i: { size: 4, get: (v, at, l) => v.getInt32(at, l), set: (v, at, n: number) => v.setInt32(at, n, true) },
  u: { size: 4, get: (v, at, l) => v.getUint32(at, l), set: (v, at, n: number) => v.setUint32(at, n, true) },
  h: { size: 4, get: (v, at, l) => v.getUint32(at, l), set: (v, at, n: number) => v.setUint32(at, n, true) },
  x: { size: 8, get: (v, at, l) => v.getBigInt64(at, l), set: (v, at, n: bigint) => v.setBigInt64(at, n, true) },
  t: { size: 8, get: (v, at, l) => v.getBigUint64(at, l), set: (v, at, n: bigint) => v.setBigUint64(at, n, true) },
  d: { size: 8, get: (v, at, l) => v.getFloat64(at, l), set: (v, at, n: number) => v.setFloat64(at, n, true) },
};
/** Where values begin: at a multiple of so many bytes. */
const ALIGNED: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(FIXED).map(([code, { size }]) => [code, size])),
  s: 4,
  o: 4,
  g: 1,
  a: 4,
  v: 1,
  "(": 8,
  "{": 8,
};
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}" };

/** @throws DbusFormatError */
function typesOf(signature: string): readonly Type[] {
  let at = 0;
  const one = (depth: number): Type => {
    const code = signature[at++] ?? "";
    if (!Object.hasOwn(ALIGNED, code) || depth > DEEPEST) throw new DbusFormatError(`no signature: ${signature}`);
    if (code === "a") return { code, inner: [one(depth + 1)] };
    const closing = CLOSING[code], inner: Type[] = [];
    if (closing === undefined) return { code, inner };
    while (signature[at] !== closing) inner.push(one(depth + 1));
    at++;
    // Nothing tells how many there are of what has no bytes.
    if (inner.length === 0) throw new DbusFormatError(`no signature: ${signature}`);
    return { code, inner };
  };
  const types: Type[] = [];
  while (at < signature.length) types.push(one(0));
  return types;
}

/** Values in bytes, little end first. @throws DbusFormatError for a signature that is none */
export function encodeValues(signature: string, values: readonly Value[]): Uint8Array {
  const writer = new Writer();
  for (const [i, type] of typesOf(signature).entries()) writer.value(type, values[i]!);
  return writer.bytes;
}

class Writer {
  #buffer = new Uint8Array(256);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  value({ code, inner }: Type, value: Value): void {
    this.#align(code);
    const fixed = FIXED[code];
    if (fixed) return this.#fixed(fixed, value);
    if (code === "s" || code === "o") return this.#text("u", value as string);
    if (code === "g") return this.#text("y", value as string);
    if (code === "v") {
      const { signature, value: held } = value as Variant;
      this.#text("y", signature);
      return this.value(typesOf(signature)[0]!, held);
    }
    const all = value as readonly Value[];
    if (code !== "a") return inner.forEach((type, i) => this.value(type, all[i]!));
    this.#fixed(FIXED["u"]!, 0);
    const place = this.#length - 4;
    this.#align(inner[0]!.code);
    const begin = this.#length;
    for (const one of all) this.value(inner[0]!, one);
    new DataView(this.#buffer.buffer).setUint32(place, this.#length - begin, true);
  }

  #align(code: string): void {
    const to = ALIGNED[code]!;
    this.#grow((to - this.#length % to) % to);
  }

  #fixed({ size, set }: Fixed, value: Value): void {
    const at = this.#grow(size);
    set(new DataView(this.#buffer.buffer), at, value as never);
  }

  /** With its length before, and a zero after it. */
  #text(length: string, text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#fixed(FIXED[length]!, bytes.length);
    const at = this.#grow(bytes.length + 1);
    this.#buffer.set(bytes, at);
  }

  /** Takes so many bytes of zero; where they begin. */
  #grow(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) {
      const larger = new Uint8Array(this.#length * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    return at;
  }
}

/** Values of bytes. @param little whether numbers begin with their little end @throws DbusFormatError */
export function decodeValues(signature: string, bytes: Uint8Array, little = true): Value[] {
  const reader = new Reader(bytes, little);
  try {
    return typesOf(signature).map((type) => reader.value(type, 0));
  } catch (e) {
    throw e instanceof RangeError ? new DbusFormatError("a message is cut off") : e;
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;
  #at = 0;

  constructor(bytes: Uint8Array, little: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = little;
  }

  value({ code, inner }: Type, depth: number): Value {
    if (depth > DEEPEST * 2) throw new DbusFormatError("a message is nested too deep");
    this.#align(code);
    if (FIXED[code]) return this.#fixed(code);
    if (code === "s" || code === "o") return this.#text("u");
    if (code === "g") return this.#text("y");
    if (code === "v") {
      const signature = this.#text("y"), [type, more] = typesOf(signature);
      if (!type || more) throw new DbusFormatError(`no signature of a variant: ${signature}`);
      return { signature, value: this.value(type, depth + 1) };
    }
    if (code !== "a") return inner.map((type) => this.value(type, depth + 1));
    const length = this.#fixed("u") as number, out: Value[] = [];
    this.#align(inner[0]!.code);
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new DbusFormatError("an array is longer than its message");
    while (this.#at < end) out.push(this.value(inner[0]!, depth + 1));
    return out;
  }

  #align(code: string): void {
    const to = ALIGNED[code]!;
    this.#at += (to - this.#at % to) % to;
  }

  #fixed(code: string): Value {
    const { size, get } = FIXED[code]!;
    const value = get(this.#view, this.#at, this.#little);
    this.#at += size;
    return value;
  }

  #text(length: string): string {
    const bytes = this.#fixed(length) as number, begin = this.#at;
    this.#at += bytes + 1;
    if (this.#at > this.#bytes.length) throw new DbusFormatError("a text is longer than its message");
    return new TextDecoder().decode(this.#bytes.subarray(begin, begin + bytes));
  }
}
