/**
 * Distinguished Encoding Rules, as much as certificates need: a writer of small functions and a reader of nested values.
 *
 * Certificates are written here and not by a library because a first start makes three of them, and loading a library for it
 * costs more than the rest of the start.
 */
import { concat } from "../schema/values/bytes.ts";

/** Tags used in certificates. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

const encoder = new TextEncoder();

function lengthOf(n: number): Uint8Array {
  if (n < 0x80) return Uint8Array.of(n);
  const bytes: number[] = [];
  for (let rest = n; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Uint8Array.of(0x80 | bytes.length, ...bytes);
}

/** Any value: tag, length, content. */
export function value(tag: number, ...content: Uint8Array[]): Uint8Array {
  const body = concat(content);
  return concat([Uint8Array.of(tag), lengthOf(body.length), body]);
}

/** A sequence of values. */
export const sequence = (...items: Uint8Array[]): Uint8Array => value(TAG.sequence, ...items);

/** A set of values, in the order given; one member in all uses here, so order does not matter. */
export const set = (...items: Uint8Array[]): Uint8Array => value(TAG.set, ...items);

/** A constructed context-specific value, `[n] EXPLICIT`. */
export const explicit = (n: number, ...content: Uint8Array[]): Uint8Array => value(0xa0 | n, ...content);

/** A primitive context-specific value, `[n] IMPLICIT`. */
export const implicit = (n: number, content: Uint8Array): Uint8Array => value(0x80 | n, content);

/** A non-negative integer, big-endian; leading zeros are normalised. */
export function integer(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const body = bytes.subarray(start);
  return (body[0] ?? 0) & 0x80 ? value(TAG.integer, Uint8Array.of(0), body) : value(TAG.integer, body);
}

/** A bit string of whole bytes. */
export const bitString = (bytes: Uint8Array, unused = 0): Uint8Array =>
  value(TAG.bitString, Uint8Array.of(unused), bytes);

/** An octet string around bytes. */
export const octetString = (bytes: Uint8Array): Uint8Array => value(TAG.octetString, bytes);

/** `TRUE`; `FALSE` is the default everywhere in certificates and is left out. */
export const TRUE = value(TAG.boolean, Uint8Array.of(0xff));

/** A UTF-8 string. */
export const utf8 = (text: string): Uint8Array => value(TAG.utf8, encoder.encode(text));

/** An object identifier from its dotted form. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const groups = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
      groups.unshift(0x80 | (left & 0x7f));
    }
    bytes.push(...groups);
  }
  return value(TAG.oid, Uint8Array.from(bytes));
}

/** A time to the second: two-digit years to 2049, four digits from then (RFC 5280, 4.1.2.5). */
export function time(date: Date): Uint8Array {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, "");
  return date.getUTCFullYear() < 2050
    ? value(TAG.utcTime, encoder.encode(digits.slice(2)))
    : value(TAG.generalizedTime, encoder.encode(digits));
}

/** One value read. Views into the input, never copies. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content. */
  readonly whole: Uint8Array;
}

const cut = (at: number) => new Error(`Cannot read DER at byte ${at}: the value is cut off or its length is wrong`);

function readAt(bytes: Uint8Array, at: number): DerValue {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw cut(at);
  let start = at + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    // 0 would be the indefinite form, which DER forbids; more than 3 is over 16 MB.
    if (count === 0 || count > 3) throw cut(at);
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start + i] ?? 0);
    start += count;
  }
  const end = start + length;
  if (end > bytes.length) throw cut(at);
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}

/** Reads the one value that fills `bytes`. @throws Error when it is cut off or followed by more */
export function read(bytes: Uint8Array): DerValue {
  const result = readAt(bytes, 0);
  if (result.whole.length !== bytes.length) throw cut(result.whole.length);
  return result;
}

/** The values inside a constructed value. @throws Error when one is cut off */
export function children(parent: DerValue): DerValue[] {
  const out: DerValue[] = [];
  for (let at = 0; at < parent.content.length;) {
    const child = readAt(parent.content, at);
    out.push(child);
    at += child.whole.length;
  }
  return out;
}

/** The dotted form of an object identifier. */
export function oidText(node: DerValue): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of node.content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    if (arcs.length > 0) arcs.push(arc);
    else {
      const first = Math.min(2, Math.floor(arc / 40));
      arcs.push(first, arc - first * 40);
    }
    arc = 0;
  }
  return arcs.join(".");
}

/** Names are compared with others: a mark at their beginning is a part of them. */
const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });
const UTF16 = new TextDecoder("utf-16be", { ignoreBOM: true });

/** The text of any string type. Those of UTF-32 are not read. */
export function text({ tag, content }: DerValue): string {
  // A zero may end it, as others read it.
  return tag === TAG.bmp ? UTF16.decode(content).replace(/\0$/, "") : UTF8.decode(content);
}
