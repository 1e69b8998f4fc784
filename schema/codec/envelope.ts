/**
 * The Protobuf envelope of objects (facts README, "Wire facts" 1), and what can be done on encoded objects without decoding
 * them: a list made of its items' bytes, a watch event around an object.
 */
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { JsonMap, Kind, Message, Obj } from "../model/types.ts";
import type { Scheme } from "../scheme.ts";
import { asDecodeError, hasPrefix, LENGTH, PREFIX, putVarint, varintSize, WireReader } from "./_wire.ts";
import type { Reading } from "./_wire_form.ts";
import { DecodeError } from "./error.ts";
import { decodeMessage, encodeMessage } from "./protobuf.ts";
import { concat } from "../values/bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const decoder = new TextDecoder();

const TYPE_META = 1 << 3 | LENGTH;
const RAW = 2 << 3 | LENGTH;
/** contentEncoding and contentType, both empty, end every envelope. */
const TRAILER: Bytes = new Uint8Array([3 << 3 | LENGTH, 0, 4 << 3 | LENGTH, 0]);

/** An envelope taken apart. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The bare message: a view into the envelope. */
  readonly raw: Uint8Array;
}

/** How envelopes begin, by version and kind: up to the length of the bare message. Those of the scheme, so they are few. */
const HEADS = new Map<string, Bytes>();

function headOf(apiVersion: string, kind: string): Bytes {
  const key = `${apiVersion} ${kind}`;
  let head = HEADS.get(key);
  if (!head) {
    const w = new BinaryWriter();
    w.raw(PREFIX).uint32(TYPE_META).fork();
    w.uint32(1 << 3 | LENGTH).string(apiVersion).uint32(2 << 3 | LENGTH).string(kind);
    HEADS.set(key, head = w.join().uint32(RAW).finish() as Bytes);
  }
  return head;
}

/** An envelope's head, its length of the bare message, and room for so many bytes after it. */
function begun(apiVersion: string, kind: string, rawLength: number, room: number): { bytes: Bytes; at: number } {
  const head = headOf(apiVersion, kind), at = head.length + varintSize(rawLength);
  const bytes = new Uint8Array(at + room);
  bytes.set(head);
  putVarint(bytes, head.length, rawLength);
  return { bytes, at };
}

/** Puts a bare message into an envelope. */
export function wrap(apiVersion: string, kind: string, raw: Uint8Array): Bytes {
  const { bytes, at } = begun(apiVersion, kind, raw.length, raw.length + TRAILER.length);
  bytes.set(raw, at);
  bytes.set(TRAILER, at + raw.length);
  return bytes;
}

/** Takes an envelope apart. @throws DecodeError when it is none */
export function unwrap(bytes: Uint8Array): Envelope {
  const { typeMeta, raw } = layout(bytes);
  const texts = ["", "", ""];
  guarded(() => {
    const r = new WireReader(typeMeta);
    while (r.pos < typeMeta.length) {
      const tag = r.tagNumber(), number = tag >>> 3;
      if ((tag & 7) !== LENGTH || number > 2) {
        r.pass(tag, typeMeta.length);
        continue;
      }
      const end = r.block(typeMeta.length);
      texts[number] = decoder.decode(typeMeta.subarray(r.pos, end));
      r.pos = end;
    }
  });
  return { apiVersion: texts[1]!, kind: texts[2]!, raw: bytes.subarray(raw.start, raw.end) };
}

/** Where the parts of an envelope stand. */
interface Layout {
  readonly typeMeta: Uint8Array;
  readonly raw: {
    readonly start: number;
    readonly end: number; /** Where its length stands. */
    readonly length: number;
  };
}

function layout(bytes: Uint8Array): Layout {
  if (!hasPrefix(bytes)) {
    throw new DecodeError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  if (bytes.length === PREFIX.length) throw new DecodeError("empty body");
  let typeMeta = new Uint8Array(0) as Uint8Array;
  let raw = { start: bytes.length, end: bytes.length, length: bytes.length };
  guarded(() => {
    const r = new WireReader(bytes);
    r.pos = PREFIX.length;
    while (r.pos < bytes.length) {
      const tag = r.tagNumber();
      if (tag !== TYPE_META && tag !== RAW) {
        r.pass(tag, bytes.length);
        continue;
      }
      const length = r.pos, end = r.block(bytes.length);
      if (tag === RAW) raw = { start: r.pos, end, length };
      else typeMeta = bytes.subarray(r.pos, end);
      r.pos = end;
    }
  });
  return { typeMeta, raw };
}

function guarded(work: () => void): void {
  try {
    work();
  } catch (err) {
    throw asDecodeError(err);
  }
}

/** An object's bytes, envelope included. @throws Error when the kind has no Protobuf form */
export function encodeProtobuf(kind: Kind, object: Obj): Bytes {
  if (!kind.protobuf) throw new Error(`kind ${kind.apiVersion} ${kind.kind} has no Protobuf form`);
  const raw = encodeMessage(kind.message, object as JsonMap);
  return kind.message.typeMeta !== false ? wrap(kind.apiVersion, kind.kind, raw) : wrap("", "", raw);
}

/** How to decode an enveloped object. */
export interface ProtobufOptions {
  /** Kind of an envelope that names none, or leaves out one half. */
  readonly defaultKind?: Kind | undefined;
  readonly maxMessages?: number;
}

/** An enveloped object. @throws DecodeError when the bytes are no object of a kind of the scheme */
export function decodeProtobuf(
  bytes: Uint8Array,
  scheme: Scheme,
  opts: ProtobufOptions = {},
): { object: Obj; kind: Kind } {
  return decodeWithin(undefined, bytes, scheme, opts);
}

function decodeWithin(
  within: Reading | undefined,
  bytes: Uint8Array,
  scheme: Scheme,
  opts: ProtobufOptions,
): { object: Obj; kind: Kind } {
  const { apiVersion, kind: name, raw } = unwrap(bytes);
  const kind = scheme.kind(apiVersion || (opts.defaultKind?.apiVersion ?? ""), name || (opts.defaultKind?.kind ?? ""));
  if (!kind) throw notRegistered(name, apiVersion);
  if (!kind.protobuf) throw new DecodeError(`kind ${JSON.stringify(kind.kind)} has no Protobuf form`);
  const object = decodeMessage(kind.message, raw, {
    within,
    embedded: (inner, around) => decodeWithin(around, inner, scheme, {}).object,
    ...(kind.message.typeMeta !== false ? { head: { kind: kind.kind, apiVersion: kind.apiVersion } } : {}),
    ...(opts.maxMessages === undefined ? {} : { maxMessages: opts.maxMessages }),
  });
  return { object: object as Obj, kind };
}

/** What is told of a kind that nobody knows. */
export function notRegistered(kind: string, apiVersion: string): DecodeError {
  if (!kind) return new DecodeError("Object 'Kind' is missing");
  if (!apiVersion) return new DecodeError("Object 'apiVersion' is missing");
  return new DecodeError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
}

/** Bytes of a list around its items, so that it can be streamed. */
export interface ListParts {
  /** Before the first item. */
  readonly header: Bytes;
  /** Before an item of a length: tag and length. */
  itemPrefix(length: number): Bytes;
  /** After the last item. */
  readonly trailer: Bytes;
  /** Length of the whole. */
  readonly length: number;
}

/**
 * The envelope of a list around items whose bare messages ({@linkcode unwrap}'s `raw`) have the given lengths. `listMeta`
 * is the list's metadata as JSON has it.
 * @throws Error for a kind that is no list: a mistake of the caller
 */
export function listEnvelopeParts(kind: Kind, listMeta: JsonMap, itemLengths: Iterable<number>): ListParts {
  const items = kind.message.byName.get("items"), meta = kind.message.byName.get("metadata");
  if (!items || !meta) throw new Error(`kind ${kind.kind} is not a list`);
  let total = 0;
  for (const length of itemLengths) total += 1 + varintSize(length) + length;
  const body = encodeMessage(meta.type as Message, listMeta);
  const w = new BinaryWriter();
  const metaBytes = w.uint32(meta.number << 3 | LENGTH).bytes(body).finish() as Bytes;
  const first = meta.number < items.number;
  const envelope = begun(kind.apiVersion, kind.kind, metaBytes.length + total, 0).bytes;
  const header = first ? concat([envelope, metaBytes]) : envelope;
  const trailer = first ? TRAILER : concat([metaBytes, TRAILER]);
  const tag = items.number << 3 | LENGTH;
  return {
    header,
    trailer,
    length: header.length + total + trailer.length,
    itemPrefix(length) {
      const out = new Uint8Array(1 + varintSize(length));
      out[0] = tag;
      putVarint(out, 1, length);
      return out;
    },
  };
}

/** A bare WatchEvent (no envelope, as watch streams frame it) around an object's bytes, whatever their encoding. */
export function watchEventMessage(type: string, object: Uint8Array): Bytes {
  const w = new BinaryWriter();
  w.uint32(1 << 3 | LENGTH).string(type);
  w.uint32(2 << 3 | LENGTH).uint32(1 + varintSize(object.length) + object.length);
  return w.uint32(1 << 3 | LENGTH).bytes(object).finish() as Bytes;
}
