/** Writing of JSON trees as Protobuf messages, by tables of what each message's members are. */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Json, JsonMap } from "../../schema/model/types.ts";

/** Writes a value as the fields of a message. */
export type Write = (w: BinaryWriter, value: Json) => void;
/** Number and way of each member of a message. */
export type Members = Readonly<
  Record<string, readonly [number: number, write: (w: BinaryWriter, n: number, v: Json) => void]>
>;

/** A text. */
export const text = (w: BinaryWriter, n: number, v: Json): void =>
  void w.tag(n, WireType.LengthDelimited).string(v as string);
/** Texts, one after another. */
export const texts = (w: BinaryWriter, n: number, v: Json): void => (v as Json[]).forEach((x) => text(w, n, x));
/** A boolean. */
export const bool = (w: BinaryWriter, n: number, v: Json): void => void w.tag(n, WireType.Varint).bool(v as boolean);
/** A whole number. */
export const int64 = (w: BinaryWriter, n: number, v: Json): void => void w.tag(n, WireType.Varint).int64(v as number);
/** A number. */
export const double = (w: BinaryWriter, n: number, v: Json): void => void w.tag(n, WireType.Bit64).double(v as number);

/** A value as a message of its own. */
export const nested = (write: Write) => (w: BinaryWriter, n: number, v: Json): void => {
  w.tag(n, WireType.LengthDelimited).fork();
  write(w, v);
  w.join();
};
/** Each of a list as a message. */
export const each = (write: Write) => (w: BinaryWriter, n: number, v: Json): void =>
  (v as Json[]).forEach((x) => nested(write)(w, n, x));

/** A message of known members; others are extensions under a number, or dropped. */
export const message = (members: () => Members, extensions?: number): Write => (w, value) => {
  for (const [name, v] of Object.entries(value as JsonMap)) {
    const member = members()[name];
    if (member) member[1](w, member[0], v);
    else if (extensions !== undefined) nested(namedAny(name))(w, extensions, v);
  }
};

/** A map, as a list of entries of name and value. */
export const entries = (number: number, write: Write): Write => (w, value) => {
  for (const [name, v] of Object.entries(value as JsonMap)) {
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

/** A whole document. */
export function encoded(write: Write, document: JsonMap): Uint8Array<ArrayBuffer> {
  const w = new BinaryWriter();
  write(w, document);
  return w.finish() as Uint8Array<ArrayBuffer>;
}
