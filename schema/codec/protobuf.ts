/**
 * Protobuf messages ↔ canonical objects, driven by the descriptors (facts README, "Wire facts"). A message is compiled on
 * first use: readers by field number that fill slots in the order of the JSON form, and writers by ascending number.
 */
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { setMember, sortedKeys } from "../model/members.ts";
import type { Field, Json, JsonMap, Message, Scalar } from "../model/types.ts";
import { asDecodeError, LENGTH, WireReader } from "./_wire.ts";
import { type Form, type Reading, SCALARS, textAt } from "./_wire_form.ts";
import { WRAPPERS } from "./_wire_wrappers.ts";
import { DecodeError } from "./error.ts";
import { MAX_DEPTH } from "./json.ts";
import { type Presence, presenceOf, zeroOf } from "./presence.ts";

/** What a decoder of messages may be told. */
export interface MessageOptions {
  /** Reads an opaque value that is itself Protobuf with an envelope, within what is being read. Without it such a value is an error. */
  readonly embedded?: Reading["embedded"];
  /** Members that stand before all others in the result. */
  readonly head?: Readonly<JsonMap>;
  /** Most messages within the value, so that few bytes cannot ask for much memory. Default: no bound. */
  readonly maxMessages?: number;
  /** What the value is a part of: depth and messages count on. */
  readonly within?: Reading | undefined;
}

/**
 * Bytes of a bare message (no envelope) as the members of its canonical object. Unknown numbers are skipped; lengths are checked before
 * anything is allocated.
 * @throws DecodeError when the bytes are not such a message
 */
export function decodeMessage(message: Message, bytes: Uint8Array, opts: MessageOptions = {}): JsonMap {
  const { within, embedded, head } = opts;
  const ctx: Reading = {
    r: new WireReader(bytes),
    depth: within?.depth ?? 0,
    left: within?.left ?? opts.maxMessages ?? Infinity,
    embedded,
  };
  try {
    const out = planOf(message).read(ctx, bytes.length, head);
    if (within) within.left = ctx.left;
    return out;
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

type Slots = (Json | undefined)[];

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
  return {
    wireType: form.wireType,
    read,
    packed: (ctx, slots, base, limit) => {
      const end = ctx.r.block(limit);
      while (ctx.r.pos < end) read(ctx, slots, base, end);
    },
  };
}

/** A map entry is a message with key 1 and value 2; what is absent is zero, of bytes none. The last of equal keys wins. */
function mapReader(form: Form, at: number): FieldReader["read"] {
  const absent = form === SCALARS.bytes ? () => "" : form.zero;
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
    setMember(map, key, value ?? absent());
  };
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
  for (const key of keys) setMember(out, key, map[key]!);
  return out;
}

function fieldWriter(f: Field): (w: BinaryWriter, object: JsonMap) => void {
  const form = formOf(f.type);
  const { name } = f, tag = f.number << 3 | form.wireType;
  if (f.map) return mapWriter(name, f.number << 3 | LENGTH, form);
  if (f.repeated) {
    return (w, object) => {
      const list = object[name];
      if (!Array.isArray(list)) return;
      for (let i = 0; i < list.length; i++) {
        w.uint32(tag);
        form.write(w, list[i] ?? form.zero());
      }
    };
  }
  const nullable = f.pointer || f.type === "bytes" || f.type === "any" || f.nullable;
  return (w, object) => {
    const value = object[name];
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

function mapWriter(name: string, tag: number, form: Form) {
  return (w: BinaryWriter, object: JsonMap) => {
    const map = object[name];
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

const FORMS = new WeakMap<Message, Form>();

function formOf(type: Scalar | Message): Form {
  if (typeof type === "string") return SCALARS[type];
  let form = FORMS.get(type);
  if (!form) FORMS.set(type, form = type.wrapper ? WRAPPERS[type.wrapper](type, formOf) : messageForm(type));
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
