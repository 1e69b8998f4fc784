/**
 * Plain JSON trees → canonical objects of a kind (facts README, "JSON facts"). A message is compiled on first use to a plan
 * of closures, one a field; decoding walks the plan, so the result has the declared order whatever the order of the input.
 */
import type { Field, Json, JsonMap, Kind, Message, Obj } from "../model/types.ts";
import { isMap } from "../model/members.ts";
import { Context, type Decode, elementName, goName, mismatch, type TypedOptions } from "./_typed_context.ts";
import { listDecoder, mapDecoder, SCALARS, type SchemaWrapper, WRAPPERS } from "./_typed_values.ts";
import { noteUnshown } from "./emptied.ts";
import { bounded, DecodeError } from "./error.ts";
import { isNull, type Presence, presenceOf, zeroMaker } from "./presence.ts";

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
  const object = bounded(() => planOf(kind.message).decode(tree, ctx, head)) as Obj;
  if (ctx.emptied || ctx.recast) noteUnshown(object, { emptied: ctx.emptied ?? [], recast: ctx.recast ?? [] });
  return { object, unknown };
}

/** One member of a plan. */
interface Member extends Presence {
  readonly name: string;
  readonly decode: Decode;
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
      const value = tree[m.name];
      if (value !== undefined) seen++;
      if (value === undefined || value === null) {
        if (m.absent) out[m.name] = m.absent();
        continue;
      }
      ctx.stack[at] = m.name;
      const result = m.decode(value, ctx);
      if (!m.dropped?.(result)) out[m.name] = result;
      else if (typeof result === "object" && result !== null) ctx.emptiedHere();
    }
    ctx.depth = at;
    if (ctx.strict) this.#others(tree, seen, named, ctx);
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

  /** Reports members that the message does not have. */
  #others(tree: JsonMap, seen: number, named: boolean, ctx: Context): void {
    let count = 0;
    for (const _ in tree) count++;
    if (count === seen) return;
    for (const name of Object.keys(tree)) {
      if (!this.#message.byName.has(name) && !(named && TYPE_META.includes(name))) ctx.unknown(name);
    }
  }

  #compile(): Member[] {
    return this.#message.json.map((f) => ({
      name: f.name,
      decode: fieldDecoder(f, this.#message),
      ...presenceOf(f),
      ...(KEPT_EMPTY.has(`${this.#message.id}.${f.name}`) ? { dropped: isNull } : {}),
    }));
  }
}

/** Lists and maps that are there though empty: defaults fill them only where they are absent, and validation tells of empty ones. */
const KEPT_EMPTY: ReadonlySet<string> = new Set([
  "apiextensions.v1.JSONSchemaProps.dependencies",
  "autoscaling.v2.HPAScalingRules.policies",
]);

const TYPE_META: readonly string[] = ["kind", "apiVersion"];

function fieldDecoder(f: Field, owner: Message): Decode {
  const one = valueDecoder(f, owner);
  if (f.map) {
    return mapDecoder(
      one,
      f.type === "bytes" ? () => "" : zeroMaker(f.type),
      `map[string]${elementName(f, owner)}`,
      owner,
    );
  }
  if (f.repeated) return listDecoder(one, zeroMaker(f.type), `[]${elementName(f, owner)}`, owner);
  return one;
}

function valueDecoder(f: Field, owner: Message): Decode {
  const type = f.type;
  if (typeof type === "string") return SCALARS[type](elementName(f, owner), owner);
  if (type.wrapper) return ALL_WRAPPERS[type.wrapper](type);
  const plan = planOf(type);
  return (v, ctx) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) throw mismatch(v, goName(type), ctx, owner);
    return plan.decode(v, ctx);
  };
}

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

const SCHEMA_WRAPPERS: Readonly<Record<SchemaWrapper, (m: Message) => Decode>> = {
  schemaOrArray: (m) => {
    const schema = memberType(m, "schema");
    const one: Decode = (v, ctx) => planOf(schema).decode(v, ctx);
    const list = listDecoder(one, zeroMaker(schema), "[]" + goName(schema), m);
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

const ALL_WRAPPERS = { ...WRAPPERS, ...SCHEMA_WRAPPERS };
