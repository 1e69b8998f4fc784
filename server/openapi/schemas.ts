/**
 * Definitions of messages as JSON schemas, in the two flavours: OpenAPI 2.0 and 3.0. A definition is kept as text with the
 * messages it refers to, so that a document is put together without building its tree.
 */
import { described, TYPE_MEMBERS } from "./described.ts";
import { stringifyJson } from "../../schema/codec/json.ts";
import { builtInMessage } from "../../schema/messages.ts";
import { isMap } from "../../schema/model/members.ts";
import type { Field, Json, JsonMap, Kind, Message, Scalar } from "../../schema/model/types.ts";
import type { Scheme } from "../../schema/scheme.ts";
import { authored2, authored3, isOpen2, selectableOf, withEmbedded } from "./custom.ts";
import { memberDefault } from "./implied.ts";
import { gvkTree, KindIndex, type Told, toldIn } from "./kinds.ts";
import { builtInName, customName, isBuiltIn } from "./names.ts";
import { unionsOf } from "./unions.ts";

/** `2`: Swagger 2.0; `3`: OpenAPI 3.0. */
export type Flavour = 2 | 3;

/** The schema of a custom kind as its author wrote it; undefined where there is none to be told. */
export type AuthoredSchema = (kind: Kind, flavour: Flavour) => JsonMap | undefined;

interface Definition {
  readonly text: string;
  readonly refs: ReadonlySet<Message>;
}

const SCALARS: Readonly<Record<Scalar, JsonMap>> = {
  string: { type: "string" },
  bytes: { type: "string", format: "byte" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  uint32: { type: "integer", format: "int64" },
  double: { type: "number", format: "double" },
  float: { type: "number", format: "float" },
  any: {},
};

/** Messages whose definition is no list of members. Any JSON, where the flavour has no word for what they are. */
const WRAPPED: Readonly<Record<string, (flavour: Flavour) => JsonMap>> = {
  time: () => ({ type: "string", format: "date-time" }),
  microTime: () => ({ type: "string", format: "date-time" }),
  duration: () => ({ type: "string" }),
  quantity: (flavour) => flavour === 2 ? { type: "string" } : { oneOf: [{ type: "string" }, { type: "number" }] },
  intOrString: (flavour) => ({
    format: "int-or-string",
    ...(flavour === 2 ? { type: "string" } : { oneOf: [{ type: "integer" }, { type: "string" }] }),
  }),
  raw: () => ({ type: "object" }),
  schemaOrArray: () => ({}),
  schemaOrBool: () => ({}),
  schemaOrStringArray: () => ({}),
};
/** Holds any JSON value; other raw messages hold objects. */
const ANY_JSON = /^apiextensions\.\w+\.JSON$/;

/** Members that refer to a definition and say no more of themselves: the newer flavour has a bare reference. */
const BARE: Readonly<Record<string, readonly string[]>> = {
  "apiextensions.v1.JSONSchemaProps": [
    "additionalItems",
    "additionalProperties",
    "example",
    "externalDocs",
    "items",
    "not",
  ],
};

/** Definitions of one flavour. */
export class Definitions {
  readonly #flavour: Flavour;
  readonly #authored: AuthoredSchema;
  /** A custom kind that is defined anew has another message. */
  readonly #kept = new WeakMap<Message, Definition>();
  readonly #kinds: KindIndex;
  readonly #enums: boolean;

  /** `enums`: whether built-in members name their values. */
  constructor(flavour: Flavour, scheme: Scheme, authored: AuthoredSchema, enums: boolean) {
    this.#enums = enums;
    this.#flavour = flavour;
    this.#kinds = new KindIndex(scheme);
    this.#authored = authored;
  }

  /** Forgets which kinds there are: some came or went. */
  forget(): void {
    this.#kinds.forget();
  }

  /** A reference to a message's definition. */
  ref(message: Message): JsonMap {
    const at = this.#flavour === 2 ? "#/definitions/" : "#/components/schemas/";
    return { $ref: at + this.nameOf(message) };
  }

  /** The name of a message's definition. */
  nameOf(message: Message): string {
    if (isBuiltIn(message)) return builtInName(message);
    const kind = this.#kinds.of(message)[0];
    return kind ? customName(kind.group, kind.version, kind.kind) : message.id;
  }

  /** The JSON text of the definitions of messages and of all they refer to, by name, naming the kinds that are told. */
  textOf(messages: Iterable<Message>, which: Told): string {
    const names = new Map(this.texts(messages, which));
    return `{${[...names.keys()].sort().map((n) => `${JSON.stringify(n)}:${names.get(n)}`).join(",")}}`;
  }

  /** The same one by one, in no order: names with their texts. */
  *texts(messages: Iterable<Message>, which: Told): Generator<[name: string, text: string]> {
    const names = new Set<string>();
    const pending = [...messages];
    for (let message = pending.pop(); message; message = pending.pop()) {
      const name = this.nameOf(message);
      if (names.has(name)) continue;
      names.add(name);
      const { text, refs } = this.#definition(message);
      pending.push(...refs);
      yield [name, this.#withKinds(text, message, which)];
    }
  }

  #definition(message: Message): Definition {
    let made = this.#kept.get(message);
    if (!made) {
      const refs = new Set<Message>();
      made = { text: stringifyJson(this.#schema(message, refs)), refs };
      this.#kept.set(message, made);
    }
    return made;
  }

  /** Kinds are not kept with a definition: documents differ in which they tell. */
  #withKinds(text: string, message: Message, which: Told): string {
    const kinds = toldIn(this.#kinds.of(message), which);
    if (kinds.length === 0) return text;
    const gvk = JSON.stringify({ "x-kubernetes-group-version-kind": kinds.map(gvkTree) });
    return text === "{}" ? gvk : `${text.slice(0, -1)},${gvk.slice(1)}`;
  }

  #schema(message: Message, refs: Set<Message>): JsonMap {
    const kind = isBuiltIn(message) ? undefined : this.#kinds.of(message)[0];
    const authored = kind && this.#authored(kind, this.#flavour);
    // Readers would refuse what they are not told of: of a kind without a schema they are told of no member at all.
    const body = authored
      ? this.#authoredBody(authored, refs)
      : kind?.custom
      ? { type: "object" }
      : this.#body(message, refs);
    return kind ? { ...body, ...selectableOf(message, kind) } : body;
  }

  #body(message: Message, refs: Set<Message>): JsonMap {
    if (message.wrapper && message.wrapper !== "list") {
      const form = ANY_JSON.test(message.id) ? {} : WRAPPED[message.wrapper]!(this.#flavour);
      return { ...form, ...described(message.id) };
    }
    const fields = message.json;
    const required = fields.filter(isRequired).map((f) => f.name);
    const properties: JsonMap = message.typeMeta ? { ...TYPE_MEMBERS } : {};
    const bare = BARE[message.id] ?? [];
    for (const f of fields) {
      const notes = described(message.id, f.name);
      properties[f.name] = this.#field(this.#told(message, f), notes, refs, bare.includes(f.name));
    }
    return {
      type: "object",
      ...described(message.id),
      ...(required.length ? { required } : {}),
      ...(Object.keys(properties).length ? { properties } : {}),
      ...mapType(message.structType ?? message.mapType),
      ...(message.preserveUnknown ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
      ...unionsOf(message),
    };
  }

  /** An author's schema of a custom kind, with what every kind has. */
  #authoredBody(authored: JsonMap, refs: Set<Message>): JsonMap {
    if (this.#flavour === 2 && isOpen2(authored)) return { type: "object" };
    const meta = this.#refTo(builtInMessage("meta.v1.ObjectMeta")!, described("", "metadata"), refs, true);
    const shown = withEmbedded(this.#flavour === 2 ? authored2(authored) : authored3(authored), this.#flavour, meta);
    const properties = { ...(shown["properties"] as JsonMap | undefined ?? {}) };
    for (const name of ["apiVersion", "kind"] as const) properties[name] = typeMember(name, properties[name]);
    properties["metadata"] = meta;
    return { ...shown, properties };
  }

  #field(f: Field, said: JsonMap, refs: Set<Message>, bare: boolean): JsonMap {
    const notes = { ...said, ...annotations(f) };
    // Defaults are for the newer flavour; older clients fill them in where the server would not.
    const value = this.#flavour === 3 ? memberDefault(f) : undefined;
    if (value !== undefined) notes["default"] = value;
    if (f.repeated) return { type: "array", items: this.#typed(f, {}, refs), ...notes };
    if (f.map) return { type: "object", additionalProperties: this.#typed(f, {}, refs), ...notes };
    return this.#typed(f, notes, refs, !bare);
  }

  /** Definitions of metadata name no values. */
  #told(message: Message, f: Field): Field {
    if (!f.enum || (this.#enums && !message.id.startsWith("meta."))) return f;
    const { enum: _values, ...rest } = f;
    return rest;
  }

  #typed({ type, enum: values }: Field, notes: JsonMap, refs: Set<Message>, wrap: boolean = false): JsonMap {
    if (typeof type === "string") {
      return { ...SCALARS[type], ...(values ? { enum: [...values].sort() } : {}), ...notes };
    }
    if (type.wrapper === "list") return { ...this.#list(type, refs), ...notes };
    if (isBuiltIn(type) || this.#kinds.of(type).length > 0) return this.#refTo(type, notes, refs, wrap);
    return { ...this.#body(type, refs), ...notes };
  }

  /** A message that is a list in JSON stands where it is used. */
  #list(message: Message, refs: Set<Message>): JsonMap {
    const [field] = message.fields;
    return { type: "array", items: field ? this.#typed(field, {}, refs) : {} };
  }

  /** A reference; the newer flavour takes no members beside it, and wraps what members say. */
  #refTo(message: Message, notes: JsonMap, refs: Set<Message>, wrap: boolean): JsonMap {
    refs.add(message);
    const ref = this.ref(message);
    if (this.#flavour === 2) return { ...ref, ...notes };
    return wrap || Object.keys(notes).length ? { allOf: [ref], ...notes } : ref;
  }
}

/** A field that says nothing of when it may be left out is required. */
const isRequired = (f: Field): boolean => f.required || !(f.optional || f.omitempty || f.omitzero);

const mapType = (type: string | undefined): JsonMap => type ? { "x-kubernetes-map-type": type } : {};

/** What merges know of a field. */
function annotations(f: Field): JsonMap {
  const out: JsonMap = {};
  const set = (name: string, value: Json | undefined) => {
    if (value !== undefined) out[`x-kubernetes-${name}`] = value;
  };
  set("list-map-keys", f.listMapKeys ? [...f.listMapKeys] : undefined);
  set("list-type", f.listType);
  set("map-type", f.mapType ?? f.structType);
  set("patch-merge-key", f.patchMergeKey);
  set("patch-strategy", f.patchStrategy);
  return out;
}

/** A member that tells an object's type, described as its author did. */
function typeMember(name: keyof typeof TYPE_MEMBERS, authored: Json | undefined): JsonMap {
  const description = isMap(authored) ? authored["description"] : undefined;
  return { ...TYPE_MEMBERS[name], ...(typeof description === "string" ? { description } : {}) };
}
