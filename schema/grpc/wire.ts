/** Protobuf messages of a few flat tables, on the wire runtime of protobuf-es. */
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** An enumeration as its words, by number. */
export interface Words {
  readonly words: readonly string[];
}

/**
 * `int`: an integer as a number (exact to 2^53), `sint`: one that is often below nothing. `id`: int64 as a bigint, `uint64`: without
 * sign; `fixed64`: the same of eight bytes.
 * `strings`: a map of texts, an object. Otherwise a message of that table.
 */
export type FieldType =
  | "bytes"
  | "string"
  | "strings"
  | "int"
  | "sint"
  | "id"
  | "uint64"
  | "bool"
  | "enum"
  | "fixed32"
  | "fixed64"
  | "double"
  | Words
  | Table;

/** Field number, name, type, and whether it repeats. */
export type Field = readonly [no: number, name: string, type: FieldType, repeated?: "repeated"];

/** Fields of a message; a function where messages refer to each other. */
export type Table = readonly Field[];

/** What stands for a field that is absent and does not repeat: nothing, or the zero of its type; for a message nothing either way. */
export type Absent = "undefined" | "zero";

type Message = Record<string, unknown>;

const PAIR: Table = [[1, "key", "string"], [2, "value", "string"]];

/** The bytes of a message. Fields that are undefined are left out. */
export function encode(table: Table, message: object): Uint8Array {
  const writer = new BinaryWriter();
  write(writer, table, message as Message);
  return writer.finish();
}

function write(writer: BinaryWriter, table: Table, message: Message): void {
  for (const [no, name, type, repeated] of table) {
    const value = message[name];
    if (value === undefined) continue;
    for (const one of repeated ? value as unknown[] : [value]) writeField(writer, no, type, one);
  }
}

function writeField(writer: BinaryWriter, no: number, type: FieldType, value: unknown): void {
  if (isTable(type)) {
    writer.tag(no, WireType.LengthDelimited).fork();
    write(writer, type, value as Message);
    writer.join();
  } else if (typeof type === "object") writer.tag(no, WireType.Varint).int32(type.words.indexOf(value as string));
  else if (type === "strings") {
    for (const [key, text] of Object.entries(value as object)) writeField(writer, no, PAIR, { key, value: text });
  } else if (type === "bytes") writer.tag(no, WireType.LengthDelimited).bytes(value as Uint8Array);
  else if (type === "string") writer.tag(no, WireType.LengthDelimited).string(value as string);
  else if (type === "bool") writer.tag(no, WireType.Varint).bool(value as boolean);
  else if (type === "fixed32") writer.tag(no, WireType.Bit32).fixed32(value as number);
  else if (type === "fixed64") writer.tag(no, WireType.Bit64).fixed64(value as bigint);
  else if (type === "double") writer.tag(no, WireType.Bit64).double(value as number);
  else if (type === "sint") writer.tag(no, WireType.Varint).sint64(value as number);
  else if (type === "uint64") writer.tag(no, WireType.Varint).uint64(value as bigint);
  else writer.tag(no, WireType.Varint).int64(value as number | bigint);
}

/** The message of the bytes. Absent repeated fields are empty lists. */
export function decode<T>(table: Table, bytes: Uint8Array, absent: Absent = "undefined"): T {
  const reader = new BinaryReader(bytes);
  return read(reader, table, reader.len, absent) as T;
}

function read(reader: BinaryReader, table: Table, end: number, absent: Absent): Message {
  const out: Message = {};
  for (const [, name, type, repeated] of table) {
    if (repeated) out[name] = [];
    else if (absent === "zero" && !isTable(type)) out[name] = zeroOf(type);
  }
  while (reader.pos < end) {
    const [no, wire] = reader.tag();
    const field = table.find((f) => f[0] === no);
    if (!field) {
      reader.skip(wire, no);
      continue;
    }
    const [, name, type, repeated] = field;
    if (type === "strings") {
      const pair = readField(reader, PAIR, "zero") as { key: string; value: string };
      Object.assign(out[name] ??= {}, { [pair.key]: pair.value });
    } else if (!repeated) out[name] = readField(reader, type, absent);
    else if (wire === WireType.LengthDelimited && isPackable(type)) {
      const last = reader.uint32() + reader.pos;
      while (reader.pos < last) (out[name] as unknown[]).push(readField(reader, type, absent));
    } else (out[name] as unknown[]).push(readField(reader, type, absent));
  }
  return out;
}

function readField(reader: BinaryReader, type: Exclude<FieldType, "strings">, absent: Absent): unknown {
  if (isTable(type)) return read(reader, type, reader.uint32() + reader.pos, absent);
  if (typeof type === "object") return wordOf(type, reader.int32());
  switch (type) {
    case "bytes":
      return reader.bytes();
    case "string":
      return reader.string();
    case "bool":
      return reader.bool();
    case "enum":
      return reader.int32();
    case "int":
      return Number(reader.int64());
    case "sint":
      return Number(reader.sint64());
    case "id":
      return BigInt(reader.int64());
    case "uint64":
      return BigInt(reader.uint64());
    case "fixed32":
      return reader.fixed32();
    case "fixed64":
      return BigInt(reader.fixed64());
    case "double":
      return reader.double();
  }
}

const isTable = (type: FieldType): type is Table => Array.isArray(type);

/** Numbers that repeat may lie side by side in one field. */
const isPackable = (type: FieldType): boolean => !isTable(type) && type !== "bytes" && type !== "string";

/** A number that has no word stays one. */
const wordOf = ({ words }: Words, no: number): string => words[no] ?? String(no);

function zeroOf(type: Exclude<FieldType, Table>): unknown {
  if (typeof type === "object") return wordOf(type, 0);
  switch (type) {
    case "bytes":
      return new Uint8Array();
    case "string":
      return "";
    case "strings":
      return {};
    case "bool":
      return false;
    case "id":
    case "uint64":
    case "fixed64":
      return 0n;
    default:
      return 0;
  }
}
