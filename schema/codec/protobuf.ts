/**
 * Protobuf messages ↔ canonical objects, driven by the descriptors (facts README, "Wire facts"). A message is compiled on
 * first use: readers by field number that fill slots in the order of the JSON form, and writers by ascending number.
 *
 * Long, because reading and writing of each form stand side by side.
 */
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Field, Int64, Json, JsonMap, Message, Scalar, Wrapper } from "../model/types.ts";
import { durationToNanos, nanosToDuration } from "../values/duration.ts";
import { canonicalQuantity } from "../values/quantity.ts";
import { microTimeToSeconds, secondsToMicroTime, secondsToTime, timeToSeconds } from "../values/time.ts";
import { asDecodeError, BIT32, BIT64, LENGTH, VARINT, WireReader, writeInteger } from "./_wire.ts";
import { DecodeError } from "./error.ts";
import { MAX_DEPTH, parseJson, stringifyJson } from "./json.ts";
import { type Presence, presenceOf, sortedKeys, zeroOf } from "./typed.ts";

/** What a decoder of messages may be told. */
export interface MessageOptions {
  /** Reads an opaque value that is itself Protobuf with an envelope. Without it such a value is an error. */
  readonly embedded?: (bytes: Uint8Array) => Json;
  /** Members that stand before all others in the result. */
  readonly head?: Readonly<JsonMap>;
  /** Most messages within the value, so that few bytes cannot ask for much memory. Default: no bound. */
  readonly maxMessages?: number;
}

/**
 * Bytes of a bare message (no envelope) as the members of its canonical object. Unknown numbers are skipped; lengths are checked before
 * anything is allocated.
 * @throws DecodeError when the bytes are not such a message
 */
export function decodeMessage(message: Message, bytes: Uint8Array, opts: MessageOptions = {}): JsonMap {
  const ctx: Reading = {
    r: new WireReader(bytes),
    depth: 0,
    left: opts.maxMessages ?? Infinity,
    embedded: opts.embedded,
  };
  try {
    return planOf(message).read(ctx, bytes.length, opts.head);
  } catch (err) {
    throw asDecodeError(err);
  }
}

/** The canonical object's bytes as a bare message, without envelope, `apiVersion` and `kind`. */
export function encodeMessage(message: Message, object: JsonMap): Uint8Array<ArrayBuffer> {
  return withWriter((w) => planOf(message).write(w, object));
}

/** One writer is kept between calls: it keeps its buffer. */
let spare: BinaryWriter | undefined;
const SPARE_MAX = 1 << 18;

function withWriter(work: (w: BinaryWriter) => void): Uint8Array<ArrayBuffer> {
  const w = spare ?? new BinaryWriter();
  spare = undefined;
  work(w);
  const bytes = w.finish() as Uint8Array<ArrayBuffer>;
  if (bytes.length <= SPARE_MAX) spare = w;
  return bytes;
}

/** State of one decoding. */
interface Reading {
  readonly r: WireReader;
  depth: number;
  /** Messages that may still come. */
  left: number;
  readonly embedded: ((bytes: Uint8Array) => Json) | undefined;
}

type Slots = (Json | undefined)[];
/** Reads one value whose tag has been read, up to `limit`. */
type ReadValue = (ctx: Reading, limit: number) => Json;
type WriteValue = (w: BinaryWriter, value: Json) => void;
/** How one type of value stands on the wire. */
interface Form {
  readonly wireType: number;
  readonly read: ReadValue;
  readonly write: WriteValue;
  /** What an absent value that is always written stands for. */
  readonly zero: () => Json;
}

/** Reader of one field number, into slots that start at `base`. */
interface FieldReader {
  readonly wireType: number;
  readonly read: (ctx: Reading, slots: Slots, base: number, limit: number) => void;
  /** Of repeated scalars: takes the packed form too. */
  readonly packed?: (ctx: Reading, slots: Slots, base: number, limit: number) => void;
}

const PLANS = new WeakMap<Message, WirePlan>();

function planOf(message: Message): WirePlan {
  let plan = PLANS.get(message);
  if (!plan) PLANS.set(message, plan = new WirePlan(message));
  return plan;
}

/** One member of the result, in the order of the JSON form. */
interface Member extends Presence {
  readonly name: string;
  readonly map: boolean;
}

class WirePlan {
  readonly #message: Message;
  #members: readonly Member[] | undefined;
  #readers: (FieldReader | undefined)[] | undefined;
  #writers: ((w: BinaryWriter, object: JsonMap) => void)[] | undefined;

  constructor(message: Message) {
    this.#message = message;
  }

  read(ctx: Reading, limit: number, head?: Readonly<JsonMap>): JsonMap {
    const members = this.#members ??= this.#message.json.map((f) => ({ name: f.name, map: f.map, ...presenceOf(f) }));
    const slots: Slots = new Array(members.length).fill(undefined);
    if (++ctx.depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
    if (--ctx.left < 0) throw new DecodeError("too many values");
    this.fill(ctx, slots, 0, limit);
    ctx.depth--;
    const out: JsonMap = head ? { ...head } : {};
    for (let i = 0; i < members.length; i++) {
      const m = members[i]!, value = slots[i];
      if (value === undefined) {
        if (m.absent) out[m.name] = m.absent();
      } else if (!m.dropped?.(value)) {
        out[m.name] = m.map ? sorted(value as JsonMap) : value;
      }
    }
    return out;
  }

  /** Reads fields into slots; an inlined message fills its owner's. */
  fill(ctx: Reading, slots: Slots, base: number, limit: number): void {
    const readers = this.#readers ??= this.#compileReaders();
    const r = ctx.r;
    while (r.pos < limit) {
      const tag = r.tagNumber();
      const reader = readers[tag >>> 3];
      const wireType = tag & 7;
      if (!reader) r.pass(tag, limit);
      else if (reader.wireType === wireType) reader.read(ctx, slots, base, limit);
      else if (reader.packed && wireType === LENGTH) reader.packed(ctx, slots, base, limit);
      else throw new DecodeError(`proto: wrong wireType = ${wireType} for field ${tag >>> 3} of ${this.#message.id}`);
      if (r.pos > limit) throw new DecodeError("proto: unexpected end of data");
    }
  }

  write(w: BinaryWriter, object: JsonMap): void {
    const writers = this.#writers ??= this.#compileWriters();
    for (let i = 0; i < writers.length; i++) writers[i]!(w, object);
  }

  #compileReaders(): (FieldReader | undefined)[] {
    const readers: (FieldReader | undefined)[] = [];
    let slot = 0;
    for (const f of this.#message.fields) {
      const at = slot;
      if (f.inline && typeof f.type === "object") {
        const inner = f.type;
        slot += inner.json.length;
        if (f.number) readers[f.number] = { wireType: LENGTH, read: inlineReader(inner, at) };
      } else if (f.name) {
        slot++;
        if (f.number) readers[f.number] = fieldReader(f, at);
      }
    }
    return readers;
  }

  #compileWriters(): ((w: BinaryWriter, object: JsonMap) => void)[] {
    return this.#message.wire.map((f) => {
      if (!f.inline || typeof f.type !== "object") return fieldWriter(f);
      const tag = f.number << 3 | LENGTH, inner = planOf(f.type);
      return (w, object) => {
        w.uint32(tag).fork();
        inner.write(w, object);
        w.join();
      };
    });
  }
}

function inlineReader(inner: Message, at: number): FieldReader["read"] {
  const plan = planOf(inner);
  return (ctx, slots, base, limit) => plan.fill(ctx, slots, base + at, ctx.r.block(limit));
}

function fieldReader(f: Field, at: number): FieldReader {
  const form = formOf(f.type);
  if (f.map) return { wireType: LENGTH, read: mapReader(form, at) };
  const one = form.read;
  if (!f.repeated) {
    return { wireType: form.wireType, read: (ctx, slots, base, limit) => void (slots[base + at] = one(ctx, limit)) };
  }
  const read: FieldReader["read"] = (ctx, slots, base, limit) => {
    const value = one(ctx, limit);
    const list = slots[base + at] as Json[] | undefined;
    if (list) list.push(value);
    else slots[base + at] = [value];
  };
  if (form.wireType === LENGTH) return { wireType: LENGTH, read };
  return {
    wireType: form.wireType,
    read,
    packed: (ctx, slots, base, limit) => {
      const end = ctx.r.block(limit);
      while (ctx.r.pos < end) read(ctx, slots, base, end);
    },
  };
}

/** A map entry is a message with key 1 and value 2; what is absent is zero. The last of equal keys wins. */
function mapReader(form: Form, at: number): FieldReader["read"] {
  return (ctx, slots, base, limit) => {
    const r = ctx.r, end = r.block(limit);
    let key = "";
    let value: Json | undefined;
    while (r.pos < end) {
      const tag = r.tagNumber();
      if (tag === (1 << 3 | LENGTH)) key = textAt(ctx, end);
      else if (tag === (2 << 3 | form.wireType)) value = form.read(ctx, end);
      else r.pass(tag, end);
      if (r.pos > end) throw new DecodeError("proto: unexpected end of data");
    }
    const map = (slots[base + at] ??= {}) as JsonMap;
    put(map, key, value ?? form.zero());
  };
}

function put(map: JsonMap, key: string, value: Json): void {
  if (key !== "__proto__") map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The map with its keys in order. */
function sorted(map: JsonMap): JsonMap {
  const keys = sortedKeys(map);
  let i = 0;
  for (const key in map) if (key !== keys[i++]) return reordered(map, keys);
  return map;
}

function reordered(map: JsonMap, keys: readonly string[]): JsonMap {
  const out: JsonMap = {};
  for (const key of keys) put(out, key, map[key]!);
  return out;
}

function fieldWriter(f: Field): (w: BinaryWriter, object: JsonMap) => void {
  const form = formOf(f.type);
  const { name } = f, tag = f.number << 3 | form.wireType;
  const own = (object: JsonMap): Json | undefined => Object.hasOwn(object, name) ? object[name] : undefined;
  if (f.map) return mapWriter(own, f.number << 3 | LENGTH, form);
  if (f.repeated) {
    return (w, object) => {
      const list = own(object);
      if (!Array.isArray(list)) return;
      for (let i = 0; i < list.length; i++) {
        w.uint32(tag);
        form.write(w, list[i] ?? form.zero());
      }
    };
  }
  const nullable = f.pointer || f.type === "bytes" || f.type === "any" || f.nullable;
  return (w, object) => {
    const value = own(object);
    if (value === undefined || value === null) {
      if (nullable) return;
      w.uint32(tag);
      form.write(w, form.zero());
    } else {
      w.uint32(tag);
      form.write(w, value);
    }
  };
}

function mapWriter(own: (o: JsonMap) => Json | undefined, tag: number, form: Form) {
  return (w: BinaryWriter, object: JsonMap) => {
    const map = own(object);
    if (typeof map !== "object" || map === null || Array.isArray(map)) return;
    for (const key of sortedKeys(map)) {
      const value = map[key] ?? form.zero();
      w.uint32(tag).fork();
      w.uint32(1 << 3 | LENGTH).string(key);
      if (value !== null || form !== SCALARS.bytes) {
        w.uint32(2 << 3 | form.wireType);
        form.write(w, value);
      }
      w.join();
    }
  };
}

// ---- forms ---------------------------------------------------------------------------------------------------------------

const nil = () => null;
const constant = (value: Json) => () => value;

/** A string, once its end is known to be within bounds. */
function textAt(ctx: Reading, limit: number): string {
  const r = ctx.r, start = r.pos;
  r.block(limit);
  r.pos = start;
  return r.string();
}

const SCALARS: Readonly<Record<Scalar, Form>> = {
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

function bytesAt(ctx: Reading, limit: number): Uint8Array {
  const end = ctx.r.block(limit), start = ctx.r.pos;
  ctx.r.pos = end;
  return ctx.r.bytesIn.subarray(start, end);
}

/** Envelope prefix of Protobuf objects. */
export const PREFIX: Uint8Array = new Uint8Array([0x6b, 0x38, 0x73, 0x00]);

/** Whether bytes start with the envelope's prefix. */
export function hasPrefix(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && PREFIX.every((b, i) => bytes[i] === b);
}

function json(bytes: Uint8Array, ctx: Reading): Json {
  if (!hasPrefix(bytes)) return parseJson(bytes).tree;
  if (!ctx.embedded) throw new DecodeError("proto: an embedded object in Protobuf is not readable here");
  return ctx.embedded(bytes);
}

const FORMS = new WeakMap<Message, Form>();

function formOf(type: Scalar | Message): Form {
  if (typeof type === "string") return SCALARS[type];
  let form = FORMS.get(type);
  if (!form) FORMS.set(type, form = type.wrapper ? WRAPPERS[type.wrapper](type) : messageForm(type));
  return form;
}

function messageForm(message: Message): Form {
  const plan = planOf(message);
  return {
    wireType: LENGTH,
    read: (ctx, limit) => plan.read(ctx, ctx.r.block(limit)),
    write: (w, v) => {
      w.fork();
      plan.write(w, v as JsonMap);
      w.join();
    },
    zero: () => zeroOf(message),
  };
}

/** Reads the fields of a small message, handing each known one to `take`. */
function eachField(
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

/** The form of a wrapper: its message's fields by number, made into a value, and written by a function. */
function record(
  fields: Readonly<Record<number, Form>>,
  make: (values: readonly (Json | undefined)[], empty: boolean) => Json,
  write: (w: BinaryWriter, value: Json) => void,
  zero: () => Json,
): Form {
  return {
    wireType: LENGTH,
    zero,
    read: (ctx, limit) => {
      const values: (Json | undefined)[] = [];
      const empty = ctx.r.bytesIn[ctx.r.pos] === 0;
      eachField(ctx, limit, fields, (number, value) => values[number] = value);
      return make(values, empty);
    },
    write: (w, v) => {
      w.fork();
      write(w, v);
      w.join();
    },
  };
}

const moment = (
  toText: (seconds: Int64, nanos: number) => string,
  fromText: (text: string) => { seconds: Int64; nanos: number },
  nanos: (n: number) => number,
) =>
(): Form =>
  record(
    { 1: SCALARS.int64, 2: SCALARS.int64 },
    ([, seconds, rest], empty) => (empty ? null : toText((seconds ?? 0) as Int64, within(rest))),
    (w, v) => {
      if (v === null) return;
      const at = fromText(v as string);
      w.uint32(1 << 3 | VARINT);
      writeInteger(w, at.seconds);
      w.uint32(2 << 3 | VARINT);
      writeInteger(w, nanos(at.nanos));
    },
    nil,
  );

/** Nanoseconds of a second, whatever the wire says. */
const within = (nanos: Json | undefined): number => {
  const n = Number(nanos ?? 0);
  if (n < 0 || n > 999_999_999) throw new DecodeError("proto: nanoseconds of a time out of range");
  return n;
};

/** Reader and writer of a schema, by field 1 or 2 of a wrapper. */
function schemaMember(m: Message): { number: number; form: Form; other: number } {
  const field = m.wire.find((f) => typeof f.type === "object" && !f.repeated);
  if (!field || typeof field.type !== "object") throw new Error(`descriptor ${m.id} has no schema`);
  return { number: field.number, form: formOf(field.type), other: m.wire.find((f) => f !== field)!.number };
}

/** `schemaOrArray` and `schemaOrStringArray`: one schema, or a list of items. */
const schemaOr = (itemOf: (schema: Form) => Form) => (m: Message): Form => {
  const { number, form, other } = schemaMember(m);
  const item = itemOf(form);
  return {
    wireType: LENGTH,
    zero: nil,
    read: (ctx, limit) => {
      let schema: Json = null;
      const items: Json[] = [];
      eachField(ctx, limit, { [number]: form, [other]: item }, (at, value) => {
        if (at === number) schema = value;
        else items.push(value);
      });
      return items.length ? items : schema;
    },
    write: (w, v) => {
      w.fork();
      const [tag, one, values] = Array.isArray(v) ? [other, item, v] : [number, form, v === null ? [] : [v]];
      for (const value of values) {
        w.uint32(tag << 3 | LENGTH);
        one.write(w, value);
      }
      w.join();
    },
  };
};

const WRAPPERS: Readonly<Record<Wrapper, (m: Message) => Form>> = {
  time: moment((s) => secondsToTime(s), timeToSeconds, () => 0),
  microTime: moment(secondsToMicroTime, microTimeToSeconds, (n) => n - n % 1000),
  duration: () =>
    record(
      { 1: SCALARS.int64 },
      ([, n]) => nanosToDuration(BigInt((n ?? 0) as Int64)),
      (w, v) => {
        w.uint32(1 << 3 | VARINT);
        writeInteger(w, durationToNanos(v as string));
      },
      constant("0s"),
    ),
  quantity: () =>
    record(
      { 1: SCALARS.string },
      ([, text]) => (text ? canonicalQuantity(text as string) : "0"),
      (w, v) => void w.uint32(1 << 3 | LENGTH).string(v as string),
      constant("0"),
    ),
  intOrString: () =>
    record(
      { 1: SCALARS.int64, 2: SCALARS.int32, 3: SCALARS.string },
      ([, type, int, text]) => (type === 1 ? text ?? "" : int ?? 0),
      (w, v) => {
        const text = typeof v === "string";
        w.uint32(1 << 3 | VARINT).uint32(text ? 1 : 0);
        w.uint32(2 << 3 | VARINT).int32(text ? 0 : v as number);
        w.uint32(3 << 3 | LENGTH).string(text ? v : "");
      },
      constant(0),
    ),
  raw: () =>
    record(
      { 1: SCALARS.any },
      ([, value]) => value ?? null,
      (w, v) => void (v !== null && w.uint32(1 << 3 | LENGTH).string(stringifyJson(v))),
      nil,
    ),
  list: () => listForm(),
  schemaOrArray: schemaOr((schema) => schema),
  schemaOrStringArray: schemaOr(() => SCALARS.string),
  schemaOrBool: (m) => {
    const { number, form, other } = schemaMember(m);
    return record(
      { [number]: form, [other]: SCALARS.bool },
      (values) => values[number] ?? values[other] ?? false,
      (w, v) => {
        w.uint32(other << 3 | VARINT).bool(v !== false);
        if (typeof v === "object" && v !== null) {
          w.uint32(number << 3 | LENGTH);
          form.write(w, v);
        }
      },
      constant(false),
    );
  },
};

/** A list that has a message of its own: repeated strings under 1. */
function listForm(): Form {
  return {
    wireType: LENGTH,
    zero: nil,
    read: (ctx, limit) => {
      const items: Json[] = [];
      eachField(ctx, limit, { 1: SCALARS.string }, (_, value) => items.push(value));
      return items;
    },
    write: (w, v) => {
      w.fork();
      for (const item of (v ?? []) as string[]) w.uint32(1 << 3 | LENGTH).string(item);
      w.join();
    },
  };
}
