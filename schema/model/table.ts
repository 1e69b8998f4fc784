/**
 * Compact descriptor tables (`schema/api/*.ts`) and their expansion. A module's text is parsed when one of its messages is
 * first asked for, and a message is expanded when its fields are first read.
 */
import type { Field, Message, Scalar, Wrapper } from "./types.ts";

/** One module of built-in descriptors, as written by the importer. */
export interface ApiModule {
  /** Public group name; empty for core and for modules without kinds. */
  readonly group: string;
  readonly version: string;
  /** Prefix of its message ids: `core.v1`. */
  readonly short: string;
  /** False where the group has no Protobuf form. */
  readonly protobuf: boolean;
  /** JSON: kind name to {@linkcode KindRow}. */
  readonly kinds: string;
  /** JSON: message name to its compact form. */
  readonly messages: string;
}

/** What a module tells of a kind. */
export interface KindRow {
  readonly list?: string;
  readonly protobuf?: boolean;
  /** Of the list kind, where it differs. */
  readonly listProtobuf?: boolean;
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** An API group in the table of served resources. Public names. */
export interface GroupRow {
  readonly group: string;
  /** Preferred version first. */
  readonly versions: readonly string[];
}

/** A subresource; group, version and kind of what it takes and answers. */
export interface SubresourceRow {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A resource in one version, in the table of served resources. Public names. */
export interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Served without `--runtime-config`. */
  readonly default: boolean;
  readonly subresources: readonly SubresourceRow[];
}

type CompactField = string | readonly [string, Partial<Field>];

/** A message in a module's table. */
interface CompactMessage {
  /** Fields. */
  readonly f: readonly CompactField[];
  readonly w?: Wrapper;
  /** Has TypeMeta. */
  readonly t?: 1;
  readonly nullable?: boolean;
  readonly structType?: "atomic" | "granular";
  readonly mapType?: "atomic" | "granular";
  readonly union?: boolean;
}

/** Messages by id, over a set of modules. */
export class MessageTable {
  readonly #modules: ReadonlyMap<string, ApiModule>;
  readonly #parsed = new Map<string, Map<string, CompactMessage>>();
  readonly #messages = new Map<string, Message>();

  constructor(modules: Iterable<ApiModule>) {
    this.#modules = new Map([...modules].map((m) => [m.short, m]));
  }

  /** The message of an id (`core.v1.PodSpec`), the same object each time. */
  get(id: string): Message | undefined {
    const known = this.#messages.get(id);
    if (known) return known;
    const dot = id.lastIndexOf(".");
    const compact = this.#module(id.slice(0, dot))?.get(id.slice(dot + 1));
    if (!compact) return undefined;
    const message = new TableMessage(id, compact, this);
    this.#messages.set(id, message);
    return message;
  }

  /** Names of a module's messages, in declared order. */
  names(short: string): Iterable<string> {
    return this.#module(short)?.keys() ?? [];
  }

  #module(short: string): Map<string, CompactMessage> | undefined {
    let parsed = this.#parsed.get(short);
    const module = this.#modules.get(short);
    if (!parsed && module) {
      parsed = new Map(Object.entries(JSON.parse(module.messages) as Record<string, CompactMessage>));
      this.#parsed.set(short, parsed);
    }
    return parsed;
  }
}

class TableMessage implements Message {
  readonly id: string;
  readonly wrapper?: Wrapper;
  readonly typeMeta: boolean;
  readonly nullable?: boolean;
  readonly structType?: "atomic" | "granular";
  readonly mapType?: "atomic" | "granular";
  readonly union?: boolean;
  readonly #compact: CompactMessage;
  readonly #table: MessageTable;
  #shape: Shape | undefined;

  constructor(id: string, compact: CompactMessage, table: MessageTable) {
    this.id = id;
    this.#compact = compact;
    this.#table = table;
    this.typeMeta = compact.t === 1;
    if (compact.w) this.wrapper = compact.w;
    if (compact.nullable) this.nullable = true;
    if (compact.structType) this.structType = compact.structType;
    if (compact.mapType) this.mapType = compact.mapType;
    if (compact.union) this.union = true;
  }
  get fields(): readonly Field[] {
    return this.#expanded().fields;
  }
  get json(): readonly Field[] {
    return this.#expanded().json;
  }
  get byName(): ReadonlyMap<string, Field> {
    return this.#expanded().byName;
  }
  get wire(): readonly Field[] {
    return this.#expanded().wire;
  }
  #expanded(): Shape {
    if (this.#shape) return this.#shape;
    const short = this.id.slice(0, this.id.lastIndexOf("."));
    this.#shape = shapeOf(this.#compact.f.map((f) => expandField(f, short, this.#table)));
    return this.#shape;
  }
}

/** The views of a message's fields that the model promises. */
export interface Shape {
  readonly fields: readonly Field[];
  readonly json: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  readonly wire: readonly Field[];
}

/** Computes the views from the declared fields. */
export function shapeOf(fields: readonly Field[]): Shape {
  const json = fields.flatMap((f) => f.inline && typeof f.type === "object" ? f.type.json : f.name ? [f] : []);
  const wire = fields.filter((f) => f.number > 0).sort((a, b) => a.number - b.number);
  return { fields, json, byName: new Map(json.map((f) => [f.name, f])), wire };
}

function expandField(compact: CompactField, short: string, table: MessageTable): Field {
  const [line, extras] = typeof compact === "string" ? [compact, undefined] : compact;
  const [name, number, type, flags = ""] = line.split(" ") as [string, string, string, string?];
  const has = (letter: string) => flags.includes(letter);
  const target = typeOf(type, short, table);
  return {
    name,
    number: Number(number),
    type: target,
    repeated: has("r"),
    map: has("m"),
    inline: has("i"),
    pointer: has("p"),
    required: has("R"),
    optional: has("O"),
    omitempty: has("e"),
    omitzero: has("z"),
    nullable: typeof target === "object" && target.nullable === true,
    ...(has("u") ? { unionDiscriminator: true } : undefined),
    ...extras,
  };
}

function typeOf(type: string, short: string, table: MessageTable): Scalar | Message {
  if (!type.includes(".")) return type as Scalar;
  const id = type.startsWith(".") ? short + type : type;
  const message = table.get(id);
  if (!message) throw new Error(`descriptor table: no message ${JSON.stringify(id)}`);
  return message;
}
