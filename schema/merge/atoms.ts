/**
 * How a place in an object merges: what shapes a value may have there, and whether it is owned whole or by parts. Read from
 * the model's descriptors as the public schema is (list types, map types, and merge keys where a list has no list type).
 */
import type { Field, Json, Message, Scalar } from "../model/types.ts";
import { SCALAR_ZERO } from "../model/zero.ts";

/** Types of scalar that are told apart; `any` takes each of them. */
export type ScalarKind = "string" | "number" | "boolean" | "any";

/** What may stand at a place. Most places have one shape; one that the model leaves open has all three. */
export interface Atom {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListAtom | undefined;
  readonly map: MapAtom | undefined;
}

/** A list: owned whole, or item by item by its keys (`map`) or by the item itself (`set`, no keys). */
export interface ListAtom {
  readonly atomic: boolean;
  /** Names of the keys, sorted, with the value that stands for an absent one. */
  readonly keys: readonly ListKey[];
  readonly element: Atom;
}

/** A key of a list of objects. */
export interface ListKey {
  readonly name: string;
  /** `"name":`, as the element's text begins. */
  readonly prefix: string;
  readonly default: Json | undefined;
}

/** An object: owned whole or member by member. */
export interface MapAtom {
  readonly atomic: boolean;
  /** Declared members are not members of a set by themselves when something below them is; other members are. */
  declares(name: string): boolean;
  /** What may stand in a member; undefined where the member is not allowed. */
  member(name: string): Atom | undefined;
  /** True where the schema declares nothing and takes everything. */
  readonly deduced: boolean;
}

const scalar = (kind: ScalarKind): Atom => ({ scalar: kind, list: undefined, map: undefined });
const STRING = scalar("string");
const NUMBER = scalar("number");
const BOOLEAN = scalar("boolean");
const ANY_SCALAR = scalar("any");

function openMap(atomic: boolean, element: () => Atom, deduced: boolean): MapAtom {
  return { atomic, deduced, declares: () => false, member: element };
}

/** Any value, owned whole. */
export const ATOMIC_ANY: Atom = {
  scalar: "any",
  get list(): ListAtom {
    return { atomic: true, keys: [], element: ATOMIC_ANY };
  },
  map: openMap(true, () => ATOMIC_ANY, false),
};

const ATOMIC_LIST: ListAtom = { atomic: true, keys: [], element: ATOMIC_ANY };

/** Any value: objects by member, lists whole. */
const DEDUCED: Atom = {
  scalar: "any",
  list: ATOMIC_LIST,
  map: openMap(false, () => DEDUCED, true),
};

const SCALARS: Readonly<Record<Scalar, Atom>> = {
  string: STRING,
  bytes: STRING,
  bool: BOOLEAN,
  int32: NUMBER,
  int64: NUMBER,
  uint32: NUMBER,
  double: NUMBER,
  float: NUMBER,
  any: DEDUCED,
};

const COMPILED = new WeakMap<Message, Atom>();

/** The atom of a message. Compiled once; members when they are first asked for. */
export function atomOf(message: Message): Atom {
  let atom = COMPILED.get(message);
  if (!atom) COMPILED.set(message, atom = compile(message));
  return atom;
}

function compile(message: Message): Atom {
  switch (message.wrapper) {
    case undefined:
      return { scalar: undefined, list: undefined, map: new StructAtom(message, isAtomic(message)) };
    case "raw":
      // An embedded object is owned whole; the JSON of a default or an enum, of no declared type, by member.
      return message.id.endsWith(".RawExtension") ? ATOMIC_ANY : DEDUCED;
    case "list":
      return { scalar: undefined, list: { atomic: true, keys: [], element: STRING }, map: undefined };
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStringArray":
    case "intOrString": // A number or a text is said to be of no declared type; what else stands there is refused later.
      return DEDUCED;
    default:
      return ANY_SCALAR;
  }
}

const isAtomic = (m: Message | Field) => m.structType === "atomic" || m.mapType === "atomic";

class StructAtom implements MapAtom {
  readonly #members = new Map<string, Atom | undefined>();
  readonly deduced: boolean;
  constructor(readonly message: Message, readonly atomic: boolean) {
    this.deduced = message.fields.length === 0;
  }
  declares(name: string): boolean {
    return this.message.byName.has(name) || this.#isTypeMeta(name);
  }
  member(name: string): Atom | undefined {
    let found = this.#members.get(name);
    if (found) return found;
    const field = this.message.byName.get(name);
    if (field) found = fieldAtom(field);
    else if (this.#isTypeMeta(name)) return STRING;
    else return this.message.preserveUnknown || this.deduced ? DEDUCED : undefined;
    this.#members.set(name, found);
    return found;
  }
  /** `apiVersion` and `kind` stand in no descriptor, but in every object that is a kind. */
  #isTypeMeta(name: string): boolean {
    if (name !== "apiVersion" && name !== "kind") return false;
    return this.message.typeMeta ?? this.message.byName.has("metadata");
  }
}

function typeAtom(type: Field["type"]): Atom {
  return typeof type === "string" ? SCALARS[type] : atomOf(type);
}

function fieldAtom(field: Field): Atom {
  const element = typeAtom(field.type);
  if (field.repeated) {
    const list = listAtom(field, element);
    if (!field.map) return { scalar: undefined, list, map: undefined };
    const inner: Atom = { scalar: undefined, list: { atomic: true, keys: [], element }, map: undefined };
    return { scalar: undefined, list: undefined, map: openMap(isAtomic(field), () => inner, false) };
  }
  if (field.map) return { scalar: undefined, list: undefined, map: openMap(isAtomic(field), () => element, false) };
  if (element.map && isOverridden(field, element.map)) return override(field, element);
  return element;
}

const isOverridden = (field: Field, map: MapAtom) => {
  const said = field.structType ?? field.mapType;
  return said !== undefined && (said === "atomic") !== map.atomic;
};

function override(field: Field, element: Atom): Atom {
  const atomic = isAtomic(field);
  const map = element.map instanceof StructAtom
    ? new StructAtom(element.map.message, atomic)
    : openMap(atomic, () => ATOMIC_ANY, false);
  return { ...element, map };
}

function listAtom(field: Field, element: Atom): ListAtom {
  const { atomic, keys } = listType(field);
  return { atomic, keys: [...keys].sort().map((name) => listKey(name, field.type)), element };
}

function listType(field: Field): { atomic: boolean; keys: readonly string[] } {
  if (field.listType) return { atomic: field.listType === "atomic", keys: field.listMapKeys ?? [] };
  if (field.patchStrategy?.split(",").includes("merge")) {
    return { atomic: false, keys: field.patchMergeKey ? [field.patchMergeKey] : [] };
  }
  return { atomic: true, keys: [] };
}

function listKey(name: string, type: Field["type"]): ListKey {
  const field = typeof type === "string" ? undefined : type.byName.get(name);
  return { name, prefix: JSON.stringify(name) + ":", default: field && keyDefault(field) };
}

/** The declared default; else, as the public schema has it, the zero value of a scalar that is always written. */
function keyDefault(field: Field): Json | undefined {
  if (field.default !== undefined) return field.default;
  if (field.pointer || field.omitempty || field.repeated || field.map || typeof field.type !== "string") {
    return undefined;
  }
  return SCALAR_ZERO[field.type];
}
