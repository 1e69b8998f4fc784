/** Writing of JSON trees as Protobuf messages, by tables of what each message's members are. */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isMap } from "../../schema/model/members.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";

/** Writes a value as the fields of a message. It throws TypeError for what is no such value: other servers' documents come here, too. */
export type Write = (w: BinaryWriter, value: Json) => void;
/** Number and way of each member of a message. */
export type Members = Readonly<
  Record<string, readonly [number: number, write: (w: BinaryWriter, n: number, v: Json) => void]>
>;

/** @throws TypeError unless it is one of the type */
function typed<T>(is: (v: unknown) => boolean, v: Json): T {
  if (!is(v)) throw new TypeError(`${JSON.stringify(v)?.slice(0, 64)} is of another type`);
  return v as T;
}

const isText = (v: unknown) => typeof v === "string";
const isNumber = (v: unknown) => typeof v === "number";
const isBool = (v: unknown) => typeof v === "boolean";
const listOf = (v: Json): Json[] => typed(Array.isArray, v);
const mapOf = (v: Json): JsonMap => typed(isMap, v);

/** A text. */
export const text = (w: BinaryWriter, n: number, v: Json): void =>
  void w.tag(n, WireType.LengthDelimited).string(typed(isText, v));
/** Texts, one after another. */
export const texts = (w: BinaryWriter, n: number, v: Json): void => listOf(v).forEach((x) => text(w, n, x));
/** A boolean. */
export const bool = (w: BinaryWriter, n: number, v: Json): void =>
  void w.tag(n, WireType.Varint).bool(typed(isBool, v));
/** A whole number. */
export const int64 = (w: BinaryWriter, n: number, v: Json): void =>
  void w.tag(n, WireType.Varint).int64(typed<number>(isNumber, v));
/** A number. */
export const double = (w: BinaryWriter, n: number, v: Json): void =>
  void w.tag(n, WireType.Bit64).double(typed(isNumber, v));

/** A value as a message of its own. */
export const nested = (write: Write) => (w: BinaryWriter, n: number, v: Json): void => {
  w.tag(n, WireType.LengthDelimited).fork();
  write(w, v);
  w.join();
};
/** Each of a list as a message. */
export const each = (write: Write) => (w: BinaryWriter, n: number, v: Json): void =>
  listOf(v).forEach((x) => nested(write)(w, n, x));

/** A message of known members; others are extensions under a number, or dropped. */
export const message = (members: () => Members, extensions?: number): Write => (w, value) => {
  for (const [name, v] of Object.entries(mapOf(value))) {
    const member = Object.hasOwn(members(), name) ? members()[name] : undefined;
    if (member) member[1](w, member[0], v);
    else if (extensions !== undefined) nested(namedAny(name))(w, extensions, v);
  }
};

/** A map, as a list of entries of name and value. */
export const entries = (number: number, write: Write): Write => (w, value) => {
  for (const [name, v] of Object.entries(mapOf(value))) {
    nested((inner) => {
      text(inner, 1, name);
      nested(write)(inner, 2, v);
    })(w, number, v);
  }
};

/** Any JSON, as text that is YAML too. */
export const any: Write = (w, v) => text(w, 2, JSON.stringify(v));
/** Any JSON under a name. */
const namedAny = (name: string): Write => (w, v) => {
  text(w, 1, name);
  nested(any)(w, 2, v);
};

/** A message by itself. */
export function encoded(write: Write, document: JsonMap): Uint8Array<ArrayBuffer> {
  const w = new BinaryWriter();
  write(w, document);
  return w.finish() as Uint8Array<ArrayBuffer>;
}

/** What stands before a message of so many bytes that is a member of another. */
export function lengthHead(number: number, bytes: number): Uint8Array<ArrayBuffer> {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(bytes).finish() as Uint8Array<ArrayBuffer>;
}
