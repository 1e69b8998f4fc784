/** Schemas of custom kinds in OpenAPI documents: as their authors wrote them, less what a flavour cannot say. */
import { isStructural } from "../../schema/rules/apiextensions/structural.ts";
import { TYPE_MEMBERS } from "./described.ts";
import { builtInMessage } from "../../schema/messages.ts";
import { isMap } from "../../schema/model/members.ts";
import type { Field, Json, JsonMap, Kind, Message } from "../../schema/model/types.ts";

/** Members of a schema that hold schemas: one, or a map of them. */
const ONE = ["items", "additionalProperties"];
const MAPS = ["properties"];
/** Words that Swagger 2.0, or its readers, do not know. */
const UNKNOWN_TO_2 = new Set(["allOf", "anyOf", "oneOf", "not", "default", "nullable"]);

const PRESERVE = "x-kubernetes-preserve-unknown-fields", EMBEDDED = "x-kubernetes-embedded-resource";

/**
 * The schema of a custom kind that a document tells. Of one that keeps what its schema does not know, Swagger 2.0 tells nothing, nor
 * does any document of one whose schema is not structural.
 */
export function authoredOf({ custom }: Kind, flavour: 2 | 3): JsonMap | undefined {
  const schema = custom?.schema;
  if (!schema || !custom.preserves) return schema;
  if (!isStructural(schema)) return undefined;
  return flavour === 2 ? { [PRESERVE]: true } : schema;
}

/** An author's schema for Swagger 2.0: never stricter than the author meant. */
export function authored2(schema: JsonMap): JsonMap {
  const kept = Object.entries(schema).filter(([word]) => !UNKNOWN_TO_2.has(word));
  const out: JsonMap = Object.fromEntries(kept);
  // Readers would refuse null, a number or an unknown member there: so they are told nothing.
  const open = schema["nullable"] === true || schema["x-kubernetes-int-or-string"] === true;
  if (open) delete out["type"];
  if (open || schema[PRESERVE] === true) {
    for (const word of [...ONE, ...MAPS]) delete out[word];
    if (out["type"] === "object" || out["type"] === "array") delete out["type"];
  }
  narrow(out, schema);
  return descend(out, authored2);
}

const isNullable = (s: Json | undefined): boolean => isMap(s) && s["nullable"] === true;

/** Members that may be null are not required: readers take null as absent. */
function narrow(out: JsonMap, schema: JsonMap): void {
  const required = schema["required"] as string[] | undefined, members = schema["properties"];
  if (!required) return;
  const left = required.filter((name) => !(isMap(members) && isNullable(members[name])));
  if (left.length === 0 || isNullable(schema["additionalProperties"])) delete out["required"];
  else out["required"] = left;
}

const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];

/**
 * An author's schema for OpenAPI 3.0: what is a whole number or a text says so in words that every reader knows, beside what the author
 * says with the same words of it.
 */
export function authored3(schema: JsonMap): JsonMap {
  const inner = descend(schema, authored3), anyOf = schema["anyOf"], allOf = (schema["allOf"] ?? []) as JsonMap[];
  if (schema["x-kubernetes-int-or-string"] !== true || saysBoth(anyOf) || saysBoth(allOf[0]?.["anyOf"])) return inner;
  return anyOf ? { ...inner, allOf: [{ anyOf: INT_OR_STRING }, ...allOf] } : { ...inner, anyOf: INT_OR_STRING };
}

const saysBoth = (anyOf: Json | undefined): boolean => JSON.stringify(anyOf) === JSON.stringify(INT_OR_STRING);

/** Whether readers of Swagger 2.0 are told nothing of a whole object, since they would refuse the rest. */
export const isOpen2 = (schema: JsonMap): boolean => schema[PRESERVE] === true;

/** An author's schema in which embedded objects have what every object has; `metadata` is the schema of that. */
export function withEmbedded(schema: JsonMap, flavour: 2 | 3, metadata: JsonMap): JsonMap {
  const inner = descend(schema, (s) => withEmbedded(s, flavour, metadata));
  if (schema[EMBEDDED] !== true || (flavour === 2 && schema[PRESERVE] === true)) return inner;
  const required = (inner["required"] ?? []) as Json[], own = inner["properties"] as JsonMap | undefined;
  return {
    ...inner,
    required: [...required, ...["kind", "apiVersion"].filter((m) => !required.includes(m))],
    properties: { ...own, ...TYPE_MEMBERS, metadata },
  };
}

/** A schema with those inside it changed. Examples and further documents say nothing of values: nobody is told of them. */
function descend(schema: JsonMap, change: (s: JsonMap) => JsonMap): JsonMap {
  const { example: _example, externalDocs: _documents, ...out } = schema;
  for (const word of ONE) if (isMap(out[word])) out[word] = change(out[word]);
  for (const word of MAPS) {
    if (isMap(out[word])) {
      const members = Object.entries(out[word]).map(([name, s]) => [name, isMap(s) ? change(s) : s]);
      out[word] = Object.fromEntries(members);
    }
  }
  return out;
}

const LISTS = new WeakMap<Message, { message: Message; kind: Kind }>();
const KINDS = new WeakMap<Message, Kind>();
const ITEMS = new WeakMap<Message, Kind>();

/** The message of a custom kind's list kind. */
export function customList(kind: Kind): Message {
  const held = LISTS.get(kind.message);
  if (held) return held.message;
  const name = kind.list ?? `${kind.kind}List`;
  const fields = [
    member("metadata", builtInMessage("meta.v1.ListMeta")!, false),
    member("items", kind.message, true),
  ];
  const byName = new Map(fields.map((f) => [f.name, f]));
  const id = `${kind.group}.${kind.version}.${name}`;
  const message: Message = { id, fields, json: fields, byName, wire: [], typeMeta: true };
  const { group, publicGroup, version, apiVersion } = kind;
  const list: Kind = { group, publicGroup, version, apiVersion, kind: name, message, protobuf: false };
  LISTS.set(kind.message, { message, kind: list });
  KINDS.set(message, list);
  ITEMS.set(message, kind);
  return message;
}

/** The kind of a message that {@linkcode customList} made. */
export const listKindOfMessage = (message: Message): Kind | undefined => KINDS.get(message);

/** `x-kubernetes-selectable-fields` of a custom kind, or of the list of one. */
export function selectableOf(message: Message, kind: Kind | undefined): JsonMap {
  const fields = (ITEMS.get(message) ?? kind)?.custom?.selectable;
  return fields ? { "x-kubernetes-selectable-fields": fields.map((fieldPath) => ({ fieldPath })) } : {};
}

const member = (name: string, type: Message, repeated: boolean): Field => ({
  name,
  number: 0,
  type,
  repeated,
  map: false,
  inline: false,
  // Nobody declared it, and it has no default.
  pointer: true,
  required: repeated,
  optional: !repeated,
  omitempty: !repeated,
  omitzero: false,
  nullable: false,
});
