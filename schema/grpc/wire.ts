/** Protobuf messages of a few flat tables, on the wire runtime of protobuf-es. */
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * `int`: int64 as a number (exact to 2^53). `id`: int64 or uint64 as a bigint; `fixed64`: the same of eight bytes. Otherwise a message
 * of that table.
 */
export type FieldType = "bytes" | "string" | "int" | "id" | "bool" | "enum" | "fixed32" | "fixed64" | "double" | Table;

/** Field number, name, type, and whether it repeats. */
export type Field = readonly [no: number, name: string, type: FieldType, repeated?: "repeated"];

/** Fields of a message; a function where messages refer to each other. */
export type Table = readonly Field[];

type Message = Record<string, unknown>;

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
  if (typeof type !== "string") {
    writer.tag(no, WireType.LengthDelimited).fork();
    write(writer, type, value as Message);
    writer.join();
  } else if (type === "bytes") writer.tag(no, WireType.LengthDelimited).bytes(value as Uint8Array);
  else if (type === "string") writer.tag(no, WireType.LengthDelimited).string(value as string);
  else if (type === "bool") writer.tag(no, WireType.Varint).bool(value as boolean);
  else if (type === "fixed32") writer.tag(no, WireType.Bit32).fixed32(value as number);
  else if (type === "fixed64") writer.tag(no, WireType.Bit64).fixed64(value as bigint);
  else if (type === "double") writer.tag(no, WireType.Bit64).double(value as number);
  else writer.tag(no, WireType.Varint).int64(value as number | bigint);
}

/** The message of the bytes. Absent repeated fields are empty lists, other absent fields undefined. */
export function decode<T>(table: Table, bytes: Uint8Array): T {
  const reader = new BinaryReader(bytes);
  return read(reader, table, reader.len) as T;
}

function read(reader: BinaryReader, table: Table, end: number): Message {
  const out: Message = {};
  for (const [, name, , repeated] of table) if (repeated) out[name] = [];
  while (reader.pos < end) {
    const [no, wire] = reader.tag();
    const field = table.find((f) => f[0] === no);
    if (!field) {
      reader.skip(wire, no);
      continue;
    }
    const value = readField(reader, field[2]);
    if (field[3]) (out[field[1]] as unknown[]).push(value);
    else out[field[1]] = value;
  }
  return out;
}

function readField(reader: BinaryReader, type: FieldType): unknown {
  if (typeof type !== "string") return read(reader, type, reader.uint32() + reader.pos);
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
    case "id":
      return BigInt(reader.int64());
    case "fixed32":
      return reader.fixed32();
    case "fixed64":
      return BigInt(reader.fixed64());
    case "double":
      return reader.double();
  }
}
