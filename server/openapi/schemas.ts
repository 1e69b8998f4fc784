/**
 * Definitions of messages as JSON schemas, in the two flavours: OpenAPI 2.0 and 3.0. A definition is kept as text with the
 * messages it refers to, so that a document is put together without building its tree.
 */
import { stringifyJson } from "../../schema/codec/json.ts";
import { builtInMessage } from "../../schema/messages.ts";
import type { Field, Json, JsonMap, Kind, Message, Scalar } from "../../schema/model/types.ts";
import { apiVersionOf, type Scheme } from "../../schema/scheme.ts";
import { authored2, authored3, isOpen2, listKindOfMessage, withEmbedded } from "./custom.ts";
import { builtInName, customName, isBuiltIn, upper } from "./names.ts";

/** `2`: Swagger 2.0; `3`: OpenAPI 3.0. */
export type Flavour = 2 | 3;

/** The schema of a custom kind as its author wrote it; undefined where there is none. */
export type AuthoredSchema = (kind: Kind) => JsonMap | undefined;

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

/** Options kinds, which every group version has. */
const IN_EVERY_GROUP = ["DeleteOptions", "WatchEvent"];

/** Definitions of one flavour. */
export class Definitions {
  readonly #flavour: Flavour;
  readonly #scheme: Scheme;
  readonly #authored: AuthoredSchema;
  readonly #kept = new Map<Message, Definition>();
  readonly #kinds = new Map<Message, Kind[]>();
  #indexed: boolean = false;

  constructor(flavour: Flavour, scheme: Scheme, authored: AuthoredSchema) {
    this.#flavour = flavour;
    this.#scheme = scheme;
    this.#authored = authored;
  }

  /** Forgets what was derived from the scheme's kinds: some came or went. */
  forget(): void {
    this.#indexed = false;
    for (const message of this.#kept.keys()) if (!isBuiltIn(message)) this.#kept.delete(message);
  }

  /** A reference to a message's definition. */
  ref(message: Message): JsonMap {
    const at = this.#flavour === 2 ? "#/definitions/" : "#/components/schemas/";
    return { $ref: at + this.nameOf(message) };
  }

  /** The name of a message's definition. */
  nameOf(message: Message): string {
    if (isBuiltIn(message)) return builtInName(message);
    const kind = this.#kindsOf(message)[0];
    return kind ? customName(kind.group, kind.version, kind.kind) : message.id;
  }

  /** The JSON text of the definitions of messages and of all they refer to, by name. */
  textOf(messages: Iterable<Message>): string {
    const names = new Map<string, string>();
    const pending = [...messages];
    for (let message = pending.pop(); message; message = pending.pop()) {
      const name = this.nameOf(message);
      if (names.has(name)) continue;
      const { text, refs } = this.#definition(message);
      names.set(name, text);
      pending.push(...refs);
    }
    return `{${[...names.keys()].sort().map((n) => `${JSON.stringify(n)}:${names.get(n)}`).join(",")}}`;
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

  #schema(message: Message, refs: Set<Message>): JsonMap {
    const kinds = this.#kindsOf(message);
    const gvk = kinds.length ? { "x-kubernetes-group-version-kind": kinds.map(gvkTree) } : {};
    const authored = kinds[0] && !isBuiltIn(message) ? this.#authored(kinds[0]) : undefined;
    if (authored) {
      return { ...this.#authoredBody(authored, refs), ...gvk };
    }
    return { ...this.#body(message, refs), ...gvk };
  }

  #body(message: Message, refs: Set<Message>): JsonMap {
    if (message.wrapper && message.wrapper !== "list") {
      return ANY_JSON.test(message.id) ? {} : WRAPPED[message.wrapper]!(this.#flavour);
    }
    const fields = message.json;
    const required = fields.filter(isRequired).map((f) => f.name).sort();
    const properties: JsonMap = message.typeMeta ? { apiVersion: { type: "string" }, kind: { type: "string" } } : {};
    for (const f of fields) properties[f.name] = this.#field(f, refs);
    return {
      type: "object",
      ...(required.length ? { required } : {}),
      ...(Object.keys(properties).length ? { properties } : {}),
      ...mapType(message.structType ?? message.mapType),
      ...(message.preserveUnknown ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
      ...unions(fields),
    };
  }

  /** An author's schema of a custom kind, with what every kind has. */
  #authoredBody(authored: JsonMap, refs: Set<Message>): JsonMap {
    if (this.#flavour === 2 && isOpen2(authored)) return { type: "object" };
    const meta = this.#refTo(builtInMessage("meta.v1.ObjectMeta")!, { description: "Metadata of the object" }, refs);
    const shown = withEmbedded(this.#flavour === 2 ? authored2(authored) : authored3(authored), this.#flavour, meta);
    const properties = { ...(shown["properties"] as JsonMap | undefined ?? {}) };
    properties["apiVersion"] ??= { type: "string" };
    properties["kind"] ??= { type: "string" };
    properties["metadata"] = meta;
    return { ...shown, properties };
  }

  #field(f: Field, refs: Set<Message>): JsonMap {
    const notes = annotations(f);
    if (f.repeated) return { type: "array", items: this.#item(f, refs), ...notes };
    if (f.map) return { type: "object", additionalProperties: this.#item(f, refs), ...notes };
    // Defaults are for the newer flavour; older clients fill them in where the server would not.
    if (f.default !== undefined && this.#flavour === 3) notes["default"] = f.default;
    return this.#typed(f, notes, refs);
  }

  #item(f: Field, refs: Set<Message>): JsonMap {
    return this.#typed(f, {}, refs);
  }

  #typed({ type, enum: values }: Field, notes: JsonMap, refs: Set<Message>): JsonMap {
    if (typeof type === "string") {
      return { ...SCALARS[type], ...(values ? { enum: [...values].sort() } : {}), ...notes };
    }
    if (type.wrapper === "list") return { ...this.#list(type, refs), ...notes };
    if (isBuiltIn(type) || this.#kindsOf(type).length > 0) return this.#refTo(type, notes, refs);
    return { ...this.#body(type, refs), ...notes };
  }

  /** A message that is a list in JSON stands where it is used. */
  #list(message: Message, refs: Set<Message>): JsonMap {
    const [field] = message.fields;
    return { type: "array", items: field ? this.#item(field, refs) : {} };
  }

  /** A reference; the newer flavour takes no members beside it. */
  #refTo(message: Message, notes: JsonMap, refs: Set<Message>): JsonMap {
    refs.add(message);
    const ref = this.ref(message);
    if (Object.keys(notes).length === 0) return ref;
    return this.#flavour === 2 ? { ...ref, ...notes } : { allOf: [ref], ...notes };
  }

  #kindsOf(message: Message): readonly Kind[] {
    if (!this.#indexed) this.#index();
    const list = listKindOfMessage(message);
    return this.#kinds.get(message) ?? (list ? [list] : []);
  }

  #index(): void {
    this.#kinds.clear();
    const add = (k: Kind) => this.#kinds.set(k.message, [...this.#kinds.get(k.message) ?? [], k]);
    const versions = new Map<string, Kind>();
    for (const kind of this.#scheme.kinds()) {
      add(kind);
      // Custom groups do not count, or every document would change with each of them.
      if (isBuiltIn(kind.message)) versions.set(kind.apiVersion, kind);
    }
    for (const name of IN_EVERY_GROUP) {
      const all = [...versions.values()].flatMap(({ group, version }) =>
        this.#scheme.kind(apiVersionOf(group, version), name) ?? []
      );
      all.forEach(add);
    }
    for (const kinds of this.#kinds.values()) kinds.sort((a, b) => a.apiVersion < b.apiVersion ? -1 : 1);
    for (const [message, kinds] of this.#kinds) {
      this.#kinds.set(
        message,
        kinds.filter((k, i) => kinds.findIndex((x) => x.apiVersion === k.apiVersion && x.kind === k.kind) === i),
      );
    }
    this.#indexed = true;
  }
}

/** A kind, as `x-kubernetes-group-version-kind` names it. */
export const gvkTree = ({ group, version, kind }: Kind): JsonMap => ({ group, kind, version });

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

/** Members of which one is chosen by another's value. */
function unions(fields: readonly Field[]): JsonMap {
  const discriminator = fields.find((f) => f.unionDiscriminator);
  if (!discriminator) return {};
  const members = fields.filter((f) => f !== discriminator && !isRequired(f)).map((f) => f.name).sort();
  if (members.length === 0) return {};
  const by: JsonMap = Object.fromEntries(members.map((name) => [name, upper(name)]));
  return { "x-kubernetes-unions": [{ discriminator: discriminator.name, "fields-to-discriminateBy": by }] };
}
