/** How values stand on the wire: scalars, and the small messages that hold one value. */
import type { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Int64, Json, Scalar } from "../model/types.ts";
import { BIT32, BIT64, hasPrefix, LENGTH, VARINT, type WireReader, writeInteger } from "./_wire.ts";
import { DecodeError } from "./error.ts";
import { MAX_DEPTH, parseJson, stringifyJson } from "./json.ts";

/** State of one decoding. */
export interface Reading {
  readonly r: WireReader;
  depth: number;
  /** Messages that may still come. */
  left: number;
  readonly embedded: ((bytes: Uint8Array, within: Reading) => Json) | undefined;
}

/** Reads one value whose tag has been read, up to `limit`. */
type ReadValue = (ctx: Reading, limit: number) => Json;
/** Writes one value whose tag has been written. */
type WriteValue = (w: BinaryWriter, value: Json) => void;
/** How one type of value stands on the wire. */
export interface Form {
  readonly wireType: number;
  readonly read: ReadValue;
  readonly write: WriteValue;
  /** What an absent value that is always written stands for. */
  readonly zero: () => Json;
}

/** The zero of what may be null. */
export const nil = () => null;
/** The zero of what may not. */
export const constant = (value: Json) => () => value;

/** A string, once its end is known to be within bounds. */
export function textAt(ctx: Reading, limit: number): string {
  const r = ctx.r, start = r.pos;
  r.block(limit);
  r.pos = start;
  return r.string();
}

/** Forms of scalars. */
export const SCALARS: Readonly<Record<Scalar, Form>> = {
  string: { wireType: LENGTH, read: textAt, write: (w, v) => void w.string(v as string), zero: constant("") },
  bytes: {
    wireType: LENGTH,
    read: (ctx, limit) => bytesAt(ctx, limit).toBase64(),
    write: (w, v) => void w.bytes(Uint8Array.fromBase64(v as string)),
    zero: nil,
  },
  bool: {
    wireType: VARINT,
    read: ({ r }) => r.bool(),
    write: (w, v) => void w.bool(v as boolean),
    zero: constant(false),
  },
  int32: {
    wireType: VARINT,
    read: ({ r }) => {
      const value = r.integer();
      return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
    },
    write: (w, v) => void w.int32(v as number),
    zero: constant(0),
  },
  int64: {
    wireType: VARINT,
    read: ({ r }) => r.integer(),
    write: (w, v) => writeInteger(w, v as Int64),
    zero: constant(0),
  },
  uint32: {
    wireType: VARINT,
    read: ({ r }) => r.uint32(),
    write: (w, v) => void w.uint32(v as number),
    zero: constant(0),
  },
  double: {
    wireType: BIT64,
    read: ({ r }) => finite(r.double()),
    write: (w, v) => void w.double(v as number),
    zero: constant(0),
  },
  float: {
    wireType: BIT32,
    read: ({ r }) => finite(r.float()),
    write: (w, v) => void w.float(v as number),
    zero: constant(0),
  },
  any: {
    wireType: LENGTH,
    read: (ctx, limit) => json(bytesAt(ctx, limit), ctx),
    write: (w, v) => void w.string(stringifyJson(v)),
    zero: nil,
  },
};

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new DecodeError("proto: a number that is not finite");
  return value;
}

/** Bytes of told length. */
export function bytesAt(ctx: Reading, limit: number): Uint8Array {
  const end = ctx.r.block(limit), start = ctx.r.pos;
  ctx.r.pos = end;
  return ctx.r.bytesIn.subarray(start, end);
}

function json(bytes: Uint8Array, ctx: Reading): Json {
  if (!hasPrefix(bytes)) return parseJson(bytes).tree;
  if (!ctx.embedded) throw new DecodeError("proto: an embedded object in Protobuf is not readable here");
  return ctx.embedded(bytes, ctx);
}

/** Reads the fields of a small message, handing each known one to `take`. @throws DecodeError for bad bytes */
export function eachField(
  ctx: Reading,
  limit: number,
  forms: Readonly<Record<number, Form>>,
  take: (number: number, value: Json) => void,
): void {
  const r = ctx.r, end = r.block(limit);
  if (++ctx.depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
  while (r.pos < end) {
    const tag = r.tagNumber(), number = tag >>> 3;
    const form = forms[number];
    if (!form) r.pass(tag, end);
    else if ((tag & 7) !== form.wireType) {
      throw new DecodeError(`proto: wrong wireType = ${tag & 7} for field ${number}`);
    } else take(number, form.read(ctx, end));
    if (r.pos > end) throw new DecodeError("proto: unexpected end of data");
  }
  ctx.depth--;
}
