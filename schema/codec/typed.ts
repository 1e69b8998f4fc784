/**
 * Plain JSON trees → canonical objects of a kind (facts README, "JSON facts"). A message is compiled on first use to a plan
 * of closures, one a field; decoding walks the plan, so the result has the declared order whatever the order of the input.
 *
 * Long, because the table of scalar and wrapper decoders belongs together.
 */
import type { Field, Int64, Json, JsonMap, Kind, Message, Obj, Scalar, Wrapper } from "../model/types.ts";
import { canonicalDuration } from "../values/duration.ts";
import { ValueError } from "../values/error.ts";
import { canonicalQuantity } from "../values/quantity.ts";
import { canonicalMicroTime, canonicalTime, ZERO_TIME } from "../values/time.ts";
import { bounded, DecodeError } from "./error.ts";
import { checkDepth, MAX_DEPTH } from "./json.ts";

/** How to decode. */
export interface TypedOptions {
  /** Collect unknown members. Without it they are dropped unseen, which is faster. */
  readonly strict?: boolean;
  /** Where the tree stands in its object, before every path told (`spec.template`). */
  readonly path?: string;
  /** Most messages within the value, so that few bytes cannot ask for much memory. Default: no bound. */
  readonly maxMessages?: number;
}

/** What decoding found beside the value. */
export interface Findings {
  /** `unknown field "spec.foo[0].bar"`, in the order found. */
  readonly unknown: string[];
}

/**
 * A tree as a message, canonical: declared order, null as absent, canonical quantities, times and durations, zero values
 * left out or written as the JSON form has it. Parts of opaque JSON (`raw`, `any`) are shared with the tree.
 * @throws DecodeError naming the field, when a value has the wrong type or is out of range
 */
export function decodeTyped(message: Message, tree: Json, opts: TypedOptions, out: Findings): JsonMap {
  const ctx = new Context(opts, out.unknown);
  return bounded(() => planOf(message).decode(tree, ctx));
}

/**
 * A tree as an object of a kind. `apiVersion` and `kind` of the result are the kind's, whatever the tree says.
 * @throws DecodeError as {@linkcode decodeTyped}
 */
export function decodeObject(kind: Kind, tree: Json, opts: TypedOptions = {}): { object: Obj; unknown: string[] } {
  if (kind.custom) return bounded(() => kind.custom!.decode(tree, opts.strict === true));
  const unknown: string[] = [];
  const ctx = new Context(opts, unknown);
  const head = kind.message.typeMeta !== false ? { kind: kind.kind, apiVersion: kind.apiVersion } : undefined;
  const object = bounded(() => planOf(kind.message).decode(tree, ctx, head)) as unknown as Obj;
  if (ctx.emptied) keepEmptied(object, ctx.emptied);
  return { object, unknown };
}

/** An empty list or map that was left out of the decoded form. */
interface Emptied {
  /** Name of the object's own member that it was in. */
  readonly within: string;
  readonly holder: JsonMap;
  readonly name: string;
}

/** By members of decoded objects: what was left out of them. */
const EMPTIED = new WeakMap<object, Emptied[]>();

function keepEmptied(object: Obj, emptied: readonly Emptied[]): void {
  for (const [within, all] of Map.groupBy(emptied, (e) => e.within)) {
    const member = object[within];
    if (typeof member === "object" && member !== null) EMPTIED.set(member, all);
  }
}

/**
 * Whether a member of a decoded object (its `spec`) was sent with empty lists or maps, which the decoded form leaves out,
 * and nothing has come in their place.
 */
export const wasEmptied = (member: unknown): boolean =>
  typeof member === "object" && member !== null &&
  !!EMPTIED.get(member)?.some(({ holder, name }) => holder[name] === undefined);

/** The form that a message has when none of its members is set. A new object each time. */
export function zeroOf(message: Message): JsonMap {
  return planOf(message).decode({}, new Context({}, []));
}

/** When a field's member is written, and as what. */
export interface Presence {
  /** The value when it is absent; undefined: the member is left out. */
  readonly absent: (() => Json) | undefined;
  /** Tells present values for which the member is left out; undefined: none. */
  readonly dropped: ((value: Json) => boolean) | undefined;
}

/** The rules of presence in the JSON form (facts README, "JSON facts"). */
export function presenceOf(field: Field): Presence {
  return { absent: absent(field), dropped: field.omitempty || field.omitzero ? dropTest(field) : undefined };
}

/** State of one decoding: where it is, and what it found. */
class Context {
  readonly strict: boolean;
  readonly prefix: string;
  /** Field names, map keys, and indices as numbers, from the root. */
  readonly stack: (string | number)[] = [];
  depth = 0;
  /** Messages that may still come. */
  left: number;
  /** Empty lists and maps that were left out. */
  emptied: Emptied[] | undefined;
  /** Above zero inside a value whose unknown members are nobody's business. */
  muted = 0;
  readonly #unknown: string[];

  constructor(opts: TypedOptions, unknown: string[]) {
    this.strict = opts.strict === true;
    this.prefix = opts.path ?? "";
    this.left = opts.maxMessages ?? Infinity;
    this.#unknown = unknown;
  }
  enter(): void {
    if (++this.depth > MAX_DEPTH) throw new DecodeError("exceeded max depth");
  }
  /** `spec.containers[0].name` of the current place, or of a member of it. */
  path(indices: boolean, member?: string): string {
    let text = this.prefix;
    const append = (step: string) => text = text ? `${text}.${step}` : step;
    for (let i = 0; i < this.depth; i++) {
      const step = this.stack[i]!;
      if (typeof step === "string") append(step);
      else if (indices) text += `[${step}]`;
    }
    if (member !== undefined) append(member);
    return text;
  }
  unknown(member: string): void {
    if (this.muted) return;
    const text = `unknown field ${JSON.stringify(this.path(true, member))}`;
    if (!this.#unknown.includes(text)) this.#unknown.push(text);
  }
}

type Decode = (value: Json, ctx: Context) => Json;

/** One member of a plan. */
interface Member extends Presence {
  readonly name: string;
  readonly decode: Decode;
  /** A name that every object inherits (`constructor`): look at own members only. */
  readonly inherited: boolean;
}

const PLANS = new WeakMap<Message, Plan>();

function planOf(message: Message): Plan {
  let plan = PLANS.get(message);
  if (!plan) PLANS.set(message, plan = new Plan(message));
  return plan;
}

/** A message's members, compiled when first decoded: messages may hold themselves. */
class Plan {
  readonly #message: Message;
  #members: readonly Member[] | undefined;

  constructor(message: Message) {
    this.#message = message;
  }

  decode(tree: Json, ctx: Context, head?: { kind: string; apiVersion: string }): JsonMap {
    if (typeof tree !== "object" || tree === null || Array.isArray(tree)) {
      throw mismatch(tree, goName(this.#message), ctx);
    }
    const members = this.#members ??= this.#compile();
    const at = ctx.depth;
    ctx.enter();
    if (--ctx.left < 0) throw new DecodeError("too many values");
    const out: JsonMap = head ? { kind: head.kind, apiVersion: head.apiVersion } : {};
    const named = head !== undefined || this.#message.typeMeta === true;
    let seen = named ? this.#typeMeta(tree, ctx, at, head ? undefined : out) : 0;
    for (let i = 0; i < members.length; i++) {
      const m = members[i]!;
      const value = m.inherited && !Object.hasOwn(tree, m.name) ? undefined : tree[m.name];
      if (value !== undefined) seen++;
      if (value === undefined || value === null) {
        if (m.absent) out[m.name] = m.absent();
        continue;
      }
      ctx.stack[at] = m.name;
      const result = m.decode(value, ctx);
      if (!m.dropped?.(result)) out[m.name] = result;
      else if (typeof result === "object" && result !== null) {
        (ctx.emptied ??= []).push({ within: String(ctx.stack[0]), holder: out, name: m.name });
      }
    }
    ctx.depth = at;
    if (ctx.strict || this.#message.preserveUnknown) this.#others(tree, seen, named, out, ctx);
    return out;
  }

  /** Reads `kind` and `apiVersion`; returns how many are there. */
  #typeMeta(tree: JsonMap, ctx: Context, at: number, out: JsonMap | undefined): number {
    let seen = 0;
    for (const name of TYPE_META) {
      const value = tree[name];
      if (value === undefined) continue;
      seen++;
      ctx.stack[at] = name;
      if (value === null) continue;
      if (typeof value !== "string") throw mismatch(value, "string", ctx, this.#message);
      if (out && value !== "") out[name] = value;
    }
    return seen;
  }

  /** Members that the message does not have: reported, and kept where the message keeps them. */
  #others(tree: JsonMap, seen: number, named: boolean, out: JsonMap, ctx: Context): void {
    let count = 0;
    for (const _ in tree) count++;
    if (count === seen) return;
    for (const name of Object.keys(tree)) {
      if (this.#message.byName.has(name) || (named && TYPE_META.includes(name))) continue;
      if (this.#message.preserveUnknown) put(out, name, tree[name]!);
      else ctx.unknown(name);
    }
  }

  #compile(): Member[] {
    return this.#message.json.map((f) => ({
      name: f.name,
      decode: fieldDecoder(f, this.#message),
      ...presenceOf(f),
      ...(KEPT_EMPTY.has(`${this.#message.id}.${f.name}`) ? { dropped: isNull } : {}),
      inherited: f.name in Object.prototype,
    }));
  }
}

/** Lists and maps that are there though empty: defaults fill them only where they are absent, and validation tells of empty ones. */
const KEPT_EMPTY: ReadonlySet<string> = new Set([
  "apiextensions.v1.JSONSchemaProps.dependencies",
  "autoscaling.v2.HPAScalingRules.policies",
]);

const TYPE_META: readonly string[] = ["kind", "apiVersion"];

/** Sets an own member whatever its name. */
function put(out: JsonMap, name: string, value: Json): void {
  if (name === "__proto__") {
    Object.defineProperty(out, name, { value, enumerable: true, configurable: true, writable: true });
  } else out[name] = value;
}

// ---- what stands for an absent or zero member -------------------------------------------------------------------------

const SCALAR_ZERO: Readonly<Record<Scalar, Json>> = {
  string: "",
  bytes: null,
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  double: 0,
  float: 0,
  any: null,
};
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

/** A value's zero, in a list, a map, or a field that is always written. */
function zero(type: Scalar | Message): () => Json {
  if (typeof type === "string") {
    const value = SCALAR_ZERO[type];
    return () => value;
  }
  if (type.wrapper) {
    const value = WRAPPER_ZERO[type.wrapper];
    return () => value;
  }
  return () => zeroOf(type);
}

/** Held by reference in the typed form: absent is `null` or left out, never a zero. */
const isReference = (f: Field) =>
  f.pointer || f.repeated || f.map || f.type === "bytes" || f.type === "any" ||
  (typeof f.type === "object" && f.type.wrapper === "list");

function absent(f: Field): (() => Json) | undefined {
  if (isReference(f)) return f.omitempty || f.omitzero ? undefined : () => null;
  if (f.omitzero) return undefined;
  if (f.omitempty && typeof f.type === "string") return undefined;
  return zero(f.type);
}

const isEmptyList = (v: Json) => (v as Json[]).length === 0;
const isEmptyMap = (v: Json) => {
  for (const _ in v as JsonMap) return false;
  return true;
};
const isMap = (v: Json): v is JsonMap => typeof v === "object" && v !== null && !Array.isArray(v);
const never = () => false;
const isZeroScalar = (v: Json) => v === "" || v === 0 || v === false;
const isNull = (v: Json) => v === null;

function dropTest(f: Field): (value: Json) => boolean {
  if (f.repeated || (typeof f.type === "object" && f.type.wrapper === "list" && !f.pointer && !f.map)) {
    return (v) => v === null || isEmptyList(v);
  }
  if (f.map) return (v) => v === null || isEmptyMap(v);
  if (f.pointer) return isNull;
  if (typeof f.type === "string") return f.type === "any" ? isNull : isZeroScalar;
  return f.omitzero ? isNull : never;
}

// ---- decoders ----------------------------------------------------------------------------------------------------------

function fieldDecoder(f: Field, owner: Message): Decode {
  const one = valueDecoder(f, owner);
  if (f.map) {
    return mapDecoder(
      one,
      f.type === "bytes" ? () => "" : zero(f.type),
      `map[string]${elementName(f, owner)}`,
      owner,
    );
  }
  if (f.repeated) return listDecoder(one, zero(f.type), `[]${elementName(f, owner)}`, owner);
  return one;
}

function valueDecoder(f: Field, owner: Message): Decode {
  const type = f.type;
  if (typeof type === "string") return SCALARS[type](elementName(f, owner), owner);
  if (type.wrapper) return WRAPPERS[type.wrapper](type);
  const plan = planOf(type);
  return (v, ctx) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) throw mismatch(v, goName(type), ctx, owner);
    return plan.decode(v, ctx);
  };
}

function listDecoder(one: Decode, zeroItem: () => Json, type: string, owner: Message): Decode {
  return (v, ctx) => {
    if (!Array.isArray(v)) throw mismatch(v, type, ctx, owner);
    const at = ctx.depth;
    ctx.enter();
    const out = new Array<Json>(v.length);
    for (let i = 0; i < v.length; i++) {
      ctx.stack[at] = i;
      const item = v[i]!;
      out[i] = item === null ? zeroItem() : one(item, ctx);
    }
    ctx.depth = at;
    return out;
  };
}

function mapDecoder(one: Decode, zeroItem: () => Json, type: string, owner: Message): Decode {
  return (v, ctx) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) throw mismatch(v, type, ctx, owner);
    const at = ctx.depth;
    ctx.enter();
    const out: JsonMap = {};
    for (const key of sortedKeys(v)) {
      ctx.stack[at] = key;
      const item = v[key]!;
      put(out, key, item === null ? zeroItem() : one(item, ctx));
    }
    ctx.depth = at;
    return out;
  };
}

/** Keys in the order that the JSON form has them. */
export function sortedKeys(map: JsonMap): string[] {
  const keys = Object.keys(map);
  for (let i = 1; i < keys.length; i++) {
    if (keys[i - 1]! >= keys[i]! || HIGH.test(keys[i]!)) return keys.sort(compareUtf8);
  }
  return keys;
}

/** Units from the surrogates on, where the order of UTF-16 is not that of UTF-8. */
const HIGH = /[\ud800-\uffff]/;

/** Order of UTF-8 bytes: that of UTF-16 units, but for surrogates, which stand for the highest code points. */
export function compareUtf8(a: string, b: string): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? fix(x) - fix(y) : x - y;
  }
  return a.length - b.length;
}
const fix = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

type ScalarDecoder = (goType: string, owner: Message) => Decode;

const integer = (min: Int64, max: Int64): ScalarDecoder => (goType, owner) => (v, ctx) => {
  if (
    typeof v === "number" && Number.isInteger(v) && v >= min && v <= max &&
    (max <= 0xffffffff || Number.isSafeInteger(v))
  ) {
    return v + 0;
  }
  if (typeof v === "bigint" && v >= min && v <= max) return Number.isSafeInteger(Number(v)) ? Number(v) : v;
  throw typeof v === "number" || typeof v === "bigint"
    ? mismatch(v, goType, ctx, owner, `number ${v}`)
    : mismatch(v, goType, ctx, owner);
};
const text: ScalarDecoder = (goType, owner) => (v, ctx) => {
  if (typeof v !== "string") throw mismatch(v, goType, ctx, owner);
  return v;
};
const truth: ScalarDecoder = (goType, owner) => (v, ctx) => {
  if (typeof v !== "boolean") throw mismatch(v, goType, ctx, owner);
  return v;
};
const real: ScalarDecoder = (goType, owner) => (v, ctx) => {
  const n = typeof v === "bigint" ? Number(v) : v;
  if (typeof n !== "number" || !Number.isFinite(n)) throw mismatch(v, goType, ctx, owner);
  return n;
};

const SCALARS: Readonly<Record<Scalar, ScalarDecoder>> = {
  string: text,
  bool: truth,
  int32: integer(-0x80000000, 0x7fffffff),
  uint32: integer(0, 0xffffffff),
  int64: integer(-(2n ** 63n), 2n ** 63n - 1n),
  double: real,
  float: real,
  any: () => opaque,
  bytes: (_goType, owner) => (v, ctx) => {
    if (Array.isArray(v)) return byteList(v, ctx, owner);
    if (typeof v !== "string") throw mismatch(v, "[]uint8", ctx, owner);
    return base64(v, ctx);
  },
};

/** A value's own syntax error, with the field that holds it. */
const located = (err: unknown, ctx: Context): unknown =>
  err instanceof ValueError ? new DecodeError(`${ctx.path(true)}: ${err.message}`, { cause: err }) : err;

function textual(type: string, parse: (text: string) => Json): () => Decode {
  return () => (v, ctx) => {
    if (typeof v !== "string") throw mismatch(v, type, ctx);
    try {
      return parse(v);
    } catch (err) {
      throw located(err, ctx);
    }
  };
}

/** Canonical forms of the quantities seen last: objects repeat a few of them. */
const QUANTITIES = new Map<string, string>();
const QUANTITIES_MAX = 2048;

function quantity(v: string | number | bigint): string {
  const text = String(v);
  const known = QUANTITIES.get(text);
  if (known !== undefined) return known;
  const canonical = canonicalQuantity(v);
  if (text.length <= 32) {
    if (QUANTITIES.size >= QUANTITIES_MAX) QUANTITIES.clear();
    QUANTITIES.set(text, canonical);
  }
  return canonical;
}

const instant = (canonical: (text: string) => string) => (text: string): Json => {
  const out = canonical(text);
  return out.startsWith(ZERO_DATE) && /^[^.Z]*(\.0+)?Z$/.test(out) ? null : out;
};
const ZERO_DATE = ZERO_TIME.slice(0, -1);

/** Decodes with unknown members unreported: the public form reads these values by themselves. */
function muted(decode: Decode): Decode {
  return (v, ctx) => {
    ctx.muted++;
    const out = decode(v, ctx);
    ctx.muted--;
    return out;
  };
}

const memberType = (m: Message, name: string): Message => {
  const type = (m.byName.get(name) ?? m.wire.find((f) => typeof f.type === "object"))?.type;
  if (typeof type !== "object") throw new Error(`descriptor ${m.id} has no message member`);
  return type;
};

const WRAPPERS: Readonly<Record<Wrapper, (m: Message) => Decode>> = {
  time: textual("v1.Time", instant(canonicalTime)),
  microTime: textual("v1.MicroTime", instant(canonicalMicroTime)),
  duration: textual("v1.Duration", canonicalDuration),
  quantity: () => (v, ctx) => {
    if (typeof v !== "string" && typeof v !== "number" && typeof v !== "bigint") {
      throw mismatch(v, "resource.Quantity", ctx);
    }
    try {
      return quantity(v);
    } catch (err) {
      throw located(err, ctx);
    }
  },
  intOrString: (m) => {
    const int = SCALARS.int32("int32", m);
    return (v, ctx) => (typeof v === "string" ? v : int(v, ctx));
  },
  raw: () => opaque,
  list: (m) => listDecoder(SCALARS.string("string", m), () => "", "[]string", m),
  schemaOrArray: (m) => {
    const schema = memberType(m, "schema");
    const one: Decode = (v, ctx) => planOf(schema).decode(v, ctx);
    const list = listDecoder(one, zero(schema), "[]" + goName(schema), m);
    // What is neither has always been read as nothing.
    return muted((v, ctx) => (Array.isArray(v) ? (v.length ? list(v, ctx) : null) : isMap(v) ? one(v, ctx) : null));
  },
  schemaOrBool: (m) => {
    const schema = memberType(m, "schema");
    return muted((v, ctx) => (typeof v === "boolean" ? v : planOf(schema).decode(v, ctx)));
  },
  schemaOrStringArray: (m) => {
    const schema = memberType(m, "schema");
    const list = listDecoder(SCALARS.string("string", m), () => "", "[]string", m);
    return muted((v, ctx) => (Array.isArray(v) ? list(v, ctx) : isMap(v) ? planOf(schema).decode(v, ctx) : null));
  },
};

/** JSON that nobody looks into, held within the depth limit. */
function opaque(value: Json, ctx: Context): Json {
  if (typeof value === "object" && value !== null) checkDepth(value, MAX_DEPTH - ctx.depth);
  return value;
}

/** Bytes may be written as a list of numbers too. */
function byteList(list: readonly Json[], ctx: Context, owner: Message): string {
  let binary = "";
  for (const item of list) {
    const n = item ?? 0;
    if (typeof n !== "number" || !Number.isInteger(n) || n < 0 || n > 255) throw mismatch(item, "uint8", ctx, owner);
    binary += String.fromCharCode(n);
  }
  return btoa(binary);
}

function base64(text: string, ctx: Context): string {
  const body = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, "") : text;
  const pad = body.endsWith("==") ? 2 : body.endsWith("=") ? 1 : 0;
  const bad = /[^A-Za-z0-9+/]/.exec(pad ? body.slice(0, -pad) : body);
  if (bad || body.length % 4 !== 0) {
    const at = bad ? bad.index : body.length - pad;
    throw new DecodeError(`${ctx.path(true)}: illegal base64 data at input byte ${at}`);
  }
  // Bits that no byte takes are dropped, as a decoder of bytes would.
  return pad && !/[AQgw]==$|[AEIMQUYcgkosw048]=$/.test(body) ? btoa(atob(body)) : body;
}

// ---- error texts ---------------------------------------------------------------------------------------------------------

const GO_SCALARS: Readonly<Partial<Record<Scalar, string>>> = {
  bytes: "[]uint8",
  double: "float64",
  float: "float32",
  any: "interface {}",
};
const PACKAGES: Readonly<Record<string, string>> = { quantity: "resource", intstr: "intstr", runtime: "runtime" };

/** `v1.PodSpec`: package and name of a type, as the public messages have it. */
function goName(m: Message): string {
  const parts = m.id.split(".");
  const home = parts.length > 2 ? parts[parts.length - 2]! : parts[0]!;
  return `${PACKAGES[home] ?? home}.${parts[parts.length - 1]}`;
}

function elementName(f: Field, owner: Message): string {
  if (typeof f.type === "object") return goName(f.type);
  if (f.alias && !f.map) {
    const parts = f.alias.split(".");
    if (parts.length > 1) return parts.slice(-2).join(".");
    return `${owner.id.split(".").slice(-2)[0]}.${f.alias}`;
  }
  return GO_SCALARS[f.type] ?? f.type;
}

const describe = (v: Json): string =>
  v === null
    ? "null"
    : Array.isArray(v)
    ? "array"
    : typeof v === "boolean"
    ? "bool"
    : typeof v === "bigint"
    ? "number"
    : typeof v;

function mismatch(value: Json, goType: string, ctx: Context, owner?: Message, what = describe(value)): DecodeError {
  const path = ctx.path(false);
  const struct = owner ? owner.id.slice(owner.id.lastIndexOf(".") + 1) : "";
  const where = path
    ? `Go struct field ${struct ? struct + "." : ""}${path} of type ${goType}`
    : `Go value of type ${goType}`;
  return new DecodeError(`json: cannot unmarshal ${what} into ${where}`);
}
