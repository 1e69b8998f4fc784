/** When the JSON form of a message writes a member that is absent or zero, and as what (facts README, "JSON facts"). */
import type { Field, Json, JsonMap, Message, Scalar, Wrapper } from "../model/types.ts";
import { SCALAR_ZERO } from "../model/zero.ts";

/** When a field's member is written, and as what. */
export interface Presence {
  /** The value when it is absent; undefined: the member is left out. */
  readonly absent: (() => Json) | undefined;
  /** Tells present values for which the member is left out; undefined: none. */
  readonly dropped: ((value: Json) => boolean) | undefined;
}

/** The rules of presence of one field. */
export function presenceOf(field: Field): Presence {
  return { absent: absent(field), dropped: field.omitempty || field.omitzero ? dropTest(field) : undefined };
}

const WRAPPER_ZERO: Readonly<Record<Wrapper, Json>> = {
  time: null,
  microTime: null,
  duration: "0s",
  quantity: "0",
  intOrString: 0,
  raw: null,
  list: null,
  schemaOrArray: null,
  schemaOrBool: false,
  schemaOrStringArray: null,
};

/** Makes a type's zero, as it stands in a list, a map, or a field that is always written. */
export function zeroMaker(type: Scalar | Message): () => Json {
  if (typeof type === "string") {
    const value = SCALAR_ZERO[type] ?? null;
    return () => value;
  }
  if (type.wrapper) {
    const value = WRAPPER_ZERO[type.wrapper];
    return () => value;
  }
  return () => zeroOf(type);
}

/** Members of a message that are written though nothing is set. */
type Written = readonly (readonly [name: string, value: () => Json])[];
const WRITTEN = new WeakMap<Message, Written>();

/** The form that a message has when none of its members is set. A new object each time. */
export function zeroOf(message: Message): JsonMap {
  let written = WRITTEN.get(message);
  if (!written) WRITTEN.set(message, written = writtenOf(message));
  const out: JsonMap = {};
  for (const [name, value] of written) out[name] = value();
  return out;
}

function writtenOf(message: Message): Written {
  return message.json.flatMap((f) => {
    const value = absent(f);
    return value ? [[f.name, value] as const] : [];
  });
}

/** Held by reference in the typed form: absent is `null` or left out, never a zero. */
const isReference = (f: Field) =>
  f.pointer || f.repeated || f.map || f.type === "bytes" || f.type === "any" ||
  (typeof f.type === "object" && f.type.wrapper === "list");

function absent(f: Field): (() => Json) | undefined {
  if (isReference(f)) return f.omitempty || f.omitzero ? undefined : () => null;
  if (f.omitzero) return undefined;
  if (f.omitempty && typeof f.type === "string") return undefined;
  return zeroMaker(f.type);
}

const isEmptyList = (v: Json) => (v as Json[]).length === 0;
const isEmptyMap = (v: Json) => {
  for (const _ in v as JsonMap) return false;
  return true;
};
const never = () => false;
const isZeroScalar = (v: Json) => v === "" || v === 0 || v === false;
/** The test of members that are left out when null alone. */
export const isNull = (v: Json): boolean => v === null;

function dropTest(f: Field): (value: Json) => boolean {
  if (f.repeated || (typeof f.type === "object" && f.type.wrapper === "list" && !f.pointer && !f.map)) {
    return (v) => v === null || isEmptyList(v);
  }
  if (f.map) return (v) => v === null || isEmptyMap(v);
  if (f.pointer) return isNull;
  if (typeof f.type === "string") return f.type === "any" ? isNull : isZeroScalar;
  return f.omitzero ? isNull : never;
}
