/** How wrapped values stand on the wire. */
import type { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { Int64, Json, Message, Scalar, Wrapper } from "../model/types.ts";
import { ValueError } from "../values/error.ts";
import { durationToNanos, nanosToDuration } from "../values/duration.ts";
import { canonicalQuantity } from "../values/quantity.ts";
import { microTimeToSeconds, secondsToMicroTime, secondsToTime, timeToSeconds } from "../values/time.ts";
import { LENGTH, VARINT, writeInteger } from "./_wire.ts";
import { bytesAt, constant, eachField, type Form, nil, SCALARS } from "./_wire_form.ts";
import { DecodeError } from "./error.ts";
import { parseJson, stringifyJson } from "./json.ts";

const FIELDS = "meta.v1.FieldsV1";
/** Owners that cannot be read say nothing, and do not keep their object from being read: a text is no field set. */
const LENIENT: Form = {
  ...SCALARS.any,
  read: (ctx, limit) => {
    const bytes = bytesAt(ctx, limit);
    try {
      return parseJson(bytes).tree;
    } catch (e) {
      if (e instanceof ValueError) return "";
      throw e;
    }
  },
};

/** The form of any type. */
type FormOf = (type: Scalar | Message) => Form;

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
function schemaMember(m: Message, formOf: FormOf): { number: number; form: Form; other: number } {
  const field = m.wire.find((f) => typeof f.type === "object" && !f.repeated);
  if (!field || typeof field.type !== "object") throw new Error(`descriptor ${m.id} has no schema`);
  return { number: field.number, form: formOf(field.type), other: m.wire.find((f) => f !== field)!.number };
}

/** `schemaOrArray` and `schemaOrStringArray`: one schema, or a list of items. */
const schemaOr = (itemOf: (schema: Form) => Form) => (m: Message, formOf: FormOf): Form => {
  const { number, form, other } = schemaMember(m, formOf);
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

/** Makes the form of a wrapper. `formOf` gives that of the message in it. */
export const WRAPPERS: Readonly<Record<Wrapper, (m: Message, formOf: FormOf) => Form>> = {
  time: moment(secondsToTime, timeToSeconds, () => 0),
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
  raw: (m) =>
    record(
      { 1: m.id === FIELDS ? LENIENT : SCALARS.any },
      ([, value]) => value ?? null,
      (w, v) => void (v !== null && w.uint32(1 << 3 | LENGTH).string(stringifyJson(v))),
      nil,
    ),
  list: listForm,
  schemaOrArray: schemaOr((schema) => schema),
  schemaOrStringArray: schemaOr(() => SCALARS.string),
  schemaOrBool: (m, formOf) => {
    const { number, form, other } = schemaMember(m, formOf);
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
