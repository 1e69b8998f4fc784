/**
 * Values of expressions: null, booleans, text, lists as arrays; `bigint` is an int, `number` a double; the rest are the
 * classes below.
 */
import { Quantity } from "../values/quantity.ts";
import { compareUtf8 } from "../values/utf8.ts";
import { CelError } from "./ast.ts";
import { OPAQUE_NAMES, type OpaqueType } from "./types.ts";

/** A value. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | CelMap
  | Time
  | Span
  | Optional
  | TypeValue
  | Opaque
  | readonly Value[];

/** An unsigned integer. */
export class Uint {
  constructor(readonly value: bigint) {}
}
/** A moment, nanoseconds since the epoch. `offset`: minutes that its text is ahead of UTC. */
export class Time {
  constructor(readonly ns: bigint, readonly offset = 0) {}
}
/** A span of time, nanoseconds. */
export class Span {
  constructor(readonly ns: bigint) {}
}
/** What may be there. */
export class Optional {
  constructor(readonly value: Value | undefined) {}
}
/** A type as a value. */
export class TypeValue {
  constructor(readonly name: string) {}
}
/** A quantity, an address, a URL …: kept as what was parsed. */
export class Opaque {
  constructor(readonly type: OpaqueType, readonly value: unknown) {}
}

/** A list whose order does not count. */
export class LooseList extends Array<Value> {
  /** Tells items from each other: of a set the items themselves, of a map their keys. */
  keyOf: (item: Value) => Value = (item) => item;
  static override get [Symbol.species]() {
    return Array;
  }

  /** A list of items. */
  static holding(items: readonly Value[], keyOf: (item: Value) => Value): LooseList {
    const list = new LooseList();
    for (const item of items) list.push(item);
    list.keyOf = keyOf;
    return list;
  }
  /** Whether another list has the same items in any order. */
  same(other: readonly Value[]): boolean {
    if (this.length !== other.length) return false;
    const others = Map.groupBy(other, (y) => placeText(this.keyOf(y)));
    return this.every((x) => others.get(placeText(this.keyOf(x)))?.some((y) => equal(x, y)));
  }
  /** This list, its items replaced by those of another with their keys, the others behind. */
  merged(other: readonly Value[]): LooseList {
    const items: Value[] = [], places = new Map<string, number[]>();
    const add = (item: Value) => {
      const text = placeText(this.keyOf(item)), at = items.push(item) - 1, list = places.get(text);
      if (list) list.push(at);
      else places.set(text, [at]);
    };
    for (const x of this) add(x);
    for (const y of other) {
      const key = this.keyOf(y), at = places.get(placeText(key))?.find((i) => equal(this.keyOf(items[i]!), key));
      if (at === undefined) add(y);
      else items[at] = y;
    }
    return LooseList.holding(items, this.keyOf);
  }
}

/** Of equal values the same text, of others mostly another. */
function placeText(v: Value): string {
  if (isList(v)) return v.map(placeText).join();
  if (v instanceof Time || v instanceof Span) return `t${v.ns}`;
  return keyText(v) ?? (v instanceof Uint8Array ? v.toBase64() : "");
}

/** A map, or an object with fields. */
export interface CelMap {
  readonly isMap: true;
  get(key: Value): Value | undefined;
  keys(): readonly Value[];
  readonly size: number;
}

/** A map of entries. */
export class EntryMap implements CelMap {
  readonly isMap = true;
  readonly #entries = new Map<string, readonly [Value, Value]>();
  #keys: readonly Value[] | undefined;
  set(key: Value, value: Value): void {
    const text = keyText(key);
    if (text === undefined) throw new CelError("unsupported key type");
    this.#entries.set(text, [key, value]);
    this.#keys = undefined;
  }
  get(key: Value): Value | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }
  keys(): readonly Value[] {
    return this.#keys ??= Array.from(this.#entries.values(), (e) => e[0]);
  }
  get size(): number {
    return this.#entries.size;
  }
}

/** An object that an expression made (`Type{field: value}`). Fields that were not given are null, but not there. */
export class Made extends EntryMap {
  constructor(readonly type: string, fields: Iterable<readonly [string, Value]>) {
    super();
    for (const [name, value] of fields) this.set(name, value);
  }
  override get(key: Value): Value {
    return super.get(key) ?? null;
  }
  /** Whether a field was given. */
  has(name: string): boolean {
    return super.get(name) !== undefined;
  }
}

/** Equal keys have equal texts: numbers by value, whatever their type. Undefined: it is no key. */
function keyText(key: Value): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === "number") return `n${Number.isInteger(key) ? BigInt(key) : key}`;
  return typeof key === "boolean" ? `b${key}` : undefined;
}

/** Whether a value is a map. */
export const isCelMap = (v: Value): v is CelMap => typeof v === "object" && v !== null && "isMap" in v;
/** Whether a value is a list. */
export const isList = (v: Value): v is readonly Value[] => Array.isArray(v);

/** Name of a value's type. */
export function typeOf(v: Value): string {
  if (v === null) return "null_type";
  if (isList(v)) return "list";
  if (isCelMap(v)) return v instanceof Made ? v.type : "map";
  switch (typeof v) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
  }
  if (v instanceof Uint8Array) return "bytes";
  if (v instanceof Uint) return "uint";
  if (v instanceof Time) return "google.protobuf.Timestamp";
  if (v instanceof Span) return "google.protobuf.Duration";
  if (v instanceof Optional) return "optional_type";
  if (v instanceof TypeValue) return "type";
  return OPAQUE_NAMES[(v as Opaque).type];
}

const isNumber = (v: Value): v is bigint | number | Uint =>
  typeof v === "bigint" || typeof v === "number" || v instanceof Uint;
const plain = (v: bigint | number | Uint): bigint | number => v instanceof Uint ? v.value : v;

/** Two numbers as they are compared: beside a double the other is one, too. */
function pair(a: bigint | number | Uint, b: bigint | number | Uint): readonly [bigint | number, bigint | number] {
  const x = plain(a), y = plain(b);
  return typeof x === typeof y ? [x, y] : [Number(x), Number(y)];
}

/** Deep equality; numbers by value. */
export function equal(a: Value, b: Value): boolean {
  if (a instanceof LooseList) return isList(b) && a.same(b);
  if (isNumber(a) && isNumber(b)) {
    const [x, y] = pair(a, b);
    return x === y;
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b;
  if (isList(a) || isList(b)) {
    return isList(a) && isList(b) && a.length === b.length && a.every((x, i) => equal(x, b[i]!));
  }
  if (isCelMap(a) || isCelMap(b)) return isCelMap(a) && isCelMap(b) && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a.constructor !== b.constructor) return false;
  if (a instanceof Time) return a.ns === (b as Time).ns;
  if (a instanceof Span) return a.ns === (b as Span).ns;
  if (a instanceof TypeValue) return a.name === (b as TypeValue).name;
  if (a instanceof Optional) {
    const x = a.value, y = (b as Optional).value;
    return x === undefined || y === undefined ? x === y : equal(x, y);
  }
  return equalOpaque(a as Opaque, b as Opaque);
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a instanceof Made || b instanceof Made) {
    if (!(a instanceof Made && b instanceof Made) || a.type !== b.type) return false;
  }
  if (a.size !== b.size) return false;
  let names: ReadonlySet<Value> | undefined;
  return a.keys().every((k) => {
    const own = a.get(k), other = b.get(k);
    if (own !== undefined && other !== undefined) return equal(own, other);
    // A member that is null has no value, but has its name.
    return own === other && (names ??= new Set(b.keys())).has(k);
  });
}

function equalOpaque(a: Opaque, b: Opaque): boolean {
  if (a.type !== b.type) return false;
  if (a.value instanceof Quantity) return a.value.cmp(b.value as Quantity) === 0;
  return JSON.stringify(a.value, textOf) === JSON.stringify(b.value, textOf);
}

const textOf = (_key: string, v: unknown): unknown => typeof v === "bigint" ? String(v) : v;

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** Order of two values that have one; negative when the first is the smaller. @throws CelError */
export function compare(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return order(...pair(a, b));
  if (typeof a === "string" && typeof b === "string") return compareUtf8(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Time && b instanceof Time) return order(a.ns, b.ns);
  if (a instanceof Span && b instanceof Span) return order(a.ns, b.ns);
  throw new CelError("no such overload");
}

function order(a: bigint | number, b: bigint | number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) throw new CelError("NaN values cannot be ordered");
  return a < b ? -1 : a > b ? 1 : 0;
}
