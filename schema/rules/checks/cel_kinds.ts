/** Objects of a kind as a type of expressions: what its document says, member by member. */
import { BOOL, BYTES, DOUBLE, DYN, INT, listOf, mapOf, STRING, TIMESTAMP, type Type } from "../../cel/mod.ts";
import { celType, escapeName, typedSchema } from "../../customresources/cel_types.ts";
import type { Schema } from "../../customresources/schema.ts";
import type { Field, Kind, Message, Scalar, Wrapper } from "../../model/types.ts";

const SCALARS: Readonly<Record<Scalar, Type | undefined>> = {
  string: STRING,
  bool: BOOL,
  int32: INT,
  int64: INT,
  uint32: INT,
  double: DOUBLE,
  float: DOUBLE,
  bytes: BYTES,
  any: undefined,
};

/** Of values that are written in a form of their own. Those that may be anything cannot be looked at. */
const WRAPPED: Readonly<Partial<Record<Wrapper, Type>>> = {
  time: TIMESTAMP,
  microTime: TIMESTAMP,
  duration: STRING,
  quantity: STRING,
  intOrString: DYN,
};
const ANYTHING = /^apiextensions\.\w+\.JSON$/;

const KNOWN = new WeakMap<Message, Type>();

/** The type of a kind's objects; undefined for a custom kind without a schema. */
export function typeOfKind(kind: Kind): Type | undefined {
  if (!kind.custom) return messageType(kind.message, true);
  const { schema } = kind.custom;
  return schema && celType(typedSchema(schema as Schema), kind.kind);
}

function messageType(message: Message, typed: boolean): Type {
  const known = KNOWN.get(message);
  if (known) return known;
  const fields = new Map<string, Type>(typed || message.typeMeta ? [["apiVersion", STRING], ["kind", STRING]] : []);
  const type: Type = { k: "object", name: message.id, fields };
  KNOWN.set(message, type); // messages may hold themselves
  for (const f of message.json) {
    const name = escapeName(f.name), member = fieldType(f);
    if (name !== undefined && member) fields.set(name, member);
  }
  return type;
}

function fieldType(f: Field): Type | undefined {
  const one = typeof f.type === "object" ? valueType(f.type) : SCALARS[f.type];
  if (!one) return undefined;
  return f.map ? mapOf(STRING, one) : f.repeated ? listOf(one) : one;
}

function valueType(message: Message): Type | undefined {
  const { wrapper } = message;
  if (!wrapper) return messageType(message, false);
  if (wrapper === "list") return message.wire[0] && fieldType(message.wire[0]);
  if (wrapper === "raw" && !ANYTHING.test(message.id)) return { k: "object", name: message.id, fields: new Map() };
  return WRAPPED[wrapper];
}
