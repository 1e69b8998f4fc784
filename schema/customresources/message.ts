/** From a schema to the message that the merges and field ownership read. */
import { builtInMessage } from "../messages.ts";
import type { Field, Message, Scalar } from "../model/types.ts";
import { isEmbedded, isIntOrString, keepsUnknown, type Schema, valuesOf } from "./schema.ts";

/** The message of a whole kind. `id`: `<group>.<version>.<kind>`; `preserves`: it takes members that its schema does not know. */
export function kindMessage(id: string, schema: Schema | undefined, preserves: boolean): Message {
  return objectMessage(id, schema ?? { "x-kubernetes-preserve-unknown-fields": true }, true, preserves);
}

const SCALARS: Readonly<Record<string, Scalar>> = {
  string: "string",
  integer: "int64",
  number: "double",
  boolean: "bool",
};

type Part = Pick<Field, "type" | "repeated" | "map"> & Partial<Field>;
const INT_OR_STRING = message("meta.custom.IntOrString", [], { wrapper: "intOrString" });

function message(id: string, fields: readonly Field[], more: Partial<Message> = {}): Message {
  const byName = new Map(fields.map((f) => [f.name, f]));
  return { id, fields, json: fields, byName, wire: [], ...more };
}

function field(name: string, part: Part): Field {
  return {
    name,
    number: 0,
    inline: false,
    pointer: true,
    required: false,
    optional: true,
    omitempty: true,
    omitzero: false,
    nullable: false,
    ...part,
  };
}

/** `free`: something above keeps unknown members, which goes for all that lies below it. */
function objectMessage(id: string, s: Schema, typed: boolean, free: boolean): Message {
  const open = free || keepsUnknown(s);
  const fields = Object.entries(s.properties ?? {})
    .filter(([name]) => !typed || name !== "metadata" && name !== "apiVersion" && name !== "kind")
    .map(([name, part]) => memberField(`${id}.${name}`, name, part, open));
  const metadata = builtInMessage("meta.v1.ObjectMeta")!;
  if (typed) fields.unshift(field("metadata", { type: metadata, repeated: false, map: false }));
  return message(id, fields, {
    ...(typed ? { typeMeta: true } : {}),
    // What has no members that are known by name has any.
    ...(open || (!typed && !Object.keys(s.properties ?? {}).length) ? { preserveUnknown: true } : {}),
    ...(s["x-kubernetes-map-type"] ? { mapType: s["x-kubernetes-map-type"] } : {}),
  });
}

function memberField(id: string, name: string, s: Schema, free: boolean): Field {
  const part = partOf(id, s, free);
  return field(name, {
    ...part,
    ...(s.default === undefined || s.default === null ? {} : { default: s.default }),
    ...(s["x-kubernetes-map-type"] ? { mapType: s["x-kubernetes-map-type"] } : {}),
  });
}

const one = (type: Scalar | Message): Part => ({ type, repeated: false, map: false });

function partOf(id: string, s: Schema, free: boolean): Part {
  if (isIntOrString(s)) return one(INT_OR_STRING);
  if (isEmbedded(s)) return one(objectMessage(id, s, true, free));
  if (s.type === "array") return listPart(id, s, free || keepsUnknown(s));
  if (s.type === "object") return objectPart(id, s, free);
  const scalar = SCALARS[s.type ?? ""];
  return one(scalar && !keepsUnknown(s) ? scalar : "any");
}

function listPart(id: string, s: Schema, free: boolean): Part {
  const item = s.items ? partOf(`${id}[]`, s.items, free) : one("any");
  return {
    // Lists of lists and of maps have no descriptor: each item is owned whole, or by member.
    type: item.repeated || item.map ? "any" : item.type,
    repeated: true,
    map: false,
    listType: s["x-kubernetes-list-type"] ?? "atomic",
    ...(s["x-kubernetes-list-map-keys"] ? { listMapKeys: s["x-kubernetes-list-map-keys"] } : {}),
  };
}

function objectPart(id: string, s: Schema, free: boolean): Part {
  const values = valuesOf(s);
  if (values && !s.properties && !keepsUnknown(s)) {
    const value = partOf(`${id}{}`, values, free);
    return value.map ? { type: "any", repeated: false, map: true } : { ...value, map: true };
  }
  if (!s.properties && (keepsUnknown(s) || s.additionalProperties === true)) {
    return s["x-kubernetes-map-type"] === "atomic" ? one(objectMessage(id, s, false, free)) : one("any");
  }
  return one(objectMessage(id, s, false, free));
}
