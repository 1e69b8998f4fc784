/** Decoders of what is no message of its own: scalars, wrapped values, lists and maps. */
import type { Int64, Json, JsonMap, Message, Scalar, Wrapper } from "../model/types.ts";
import { setMember, sortedKeys } from "../model/members.ts";
import { canonicalDuration } from "../values/duration.ts";
import { ValueError } from "../values/error.ts";
import { canonicalQuantity } from "../values/quantity.ts";
import { canonicalMicroTime, canonicalTime, ZERO_TIME } from "../values/time.ts";
import { type Context, type Decode, mismatch } from "./_typed_context.ts";
import { DecodeError } from "./error.ts";
import { checkDepth, MAX_DEPTH } from "./json.ts";

/** Decodes lists of a value; null items become zero. `type` names the list in errors. */
export function listDecoder(one: Decode, zeroItem: () => Json, type: string, owner: Message): Decode {
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

/** Decodes maps of a value, keys in order; null values become zero. `type` names the map in errors. */
export function mapDecoder(one: Decode, zeroItem: () => Json, type: string, owner: Message): Decode {
  return (v, ctx) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) throw mismatch(v, type, ctx, owner);
    const at = ctx.depth;
    ctx.enter();
    const out: JsonMap = {};
    for (const key of sortedKeys(v)) {
      ctx.stack[at] = key;
      const item = v[key]!;
      setMember(out, key, item === null ? zeroItem() : one(item, ctx));
    }
    ctx.depth = at;
    return out;
  };
}

type ScalarDecoder = (goType: string, owner: Message) => Decode;

const integer = (min: Int64, max: Int64, wraps = true): ScalarDecoder => (goType, owner) => (v, ctx) => {
  if (
    typeof v === "number" && Number.isInteger(v) && v >= min && v <= max &&
    (max <= 0xffffffff || Number.isSafeInteger(v))
  ) {
    return v + 0;
  }
  if (typeof v === "bigint" && v >= min && v <= max) return Number.isSafeInteger(Number(v)) ? Number(v) : v;
  if (typeof v !== "number" && typeof v !== "bigint") throw mismatch(v, goType, ctx, owner);
  if (wraps && ctx.wrap && (typeof v === "bigint" || Number.isInteger(v))) return wrapped(BigInt(v), min, max);
  throw mismatch(v, goType, ctx, owner, `number ${v}`);
};

/** Of a value that reads itself as JSON, however the fields around it are set: it keeps no part of a number. */
const UNWRAPPED_INT32 = integer(-0x80000000, 0x7fffffff, false);

/** A number that went through 64 bits, of which its type keeps the lower ones; beyond those it is a float, and least. */
function wrapped(v: bigint, min: Int64, max: Int64): Int64 {
  const whole = BigInt.asIntN(64, v) === v ? v : -(2n ** 63n);
  const kept = max > 0xffffffff ? whole : min === 0 ? BigInt.asUintN(32, whole) : BigInt.asIntN(32, whole);
  return Number.isSafeInteger(Number(kept)) ? Number(kept) : kept;
}

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

/** Decoders of scalars, by the name of the type in errors and the message that holds the field. */
export const SCALARS: Readonly<Record<Scalar, ScalarDecoder>> = {
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

/** Wrappers that hold a schema: their values are messages, or stand beside one. */
export type SchemaWrapper = "schemaOrArray" | "schemaOrBool" | "schemaOrStringArray";

/** Decoders of wrapped values that hold no message. */
export const WRAPPERS: Readonly<Record<Exclude<Wrapper, SchemaWrapper>, (m: Message) => Decode>> = {
  time: textual("v1.Time", instant(canonicalTime)),
  microTime: textual("v1.MicroTime", instant(canonicalMicroTime)),
  duration: textual("v1.Duration", canonicalDuration),
  quantity: () => (v, ctx) => {
    if (typeof v !== "string" && typeof v !== "number" && typeof v !== "bigint") {
      throw mismatch(v, "resource.Quantity", ctx);
    }
    try {
      const canonical = quantity(v);
      if (v !== canonical && String(v) !== canonical) ctx.recastHere();
      return canonical;
    } catch (err) {
      throw located(err, ctx);
    }
  },
  intOrString: (m) => {
    const int = UNWRAPPED_INT32("int32", m);
    return (v, ctx) => (typeof v === "string" ? v : int(v, ctx));
  },
  raw: () => opaque,
  list: (m) => listDecoder(SCALARS.string("string", m), () => "", "[]string", m),
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
