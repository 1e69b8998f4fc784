/** State of decoding a tree to a typed object, and the errors that say where a value does not fit its type. */
import type { Field, Json, Message, Scalar } from "../model/types.ts";
import type { Steps } from "./emptied.ts";
import { DecodeError } from "./error.ts";
import { MAX_DEPTH } from "./json.ts";

/** How to decode. */
export interface TypedOptions {
  /** Collect unknown members. Without it they are dropped unseen, which is faster. */
  readonly strict?: boolean;
  /** Where the tree stands in its object, before every path told (`spec.template`). */
  readonly path?: string;
  /** Most messages within the value, so that few bytes cannot ask for much memory. Default: no bound. */
  readonly maxMessages?: number;
  /** Whole numbers that their type cannot hold lose the bits that it has no room for; without it they are refused. */
  readonly wrap?: boolean;
}

/** Most unknown members that are told, and most characters of their places: a body may have a hundred thousand, each deep. */
const MAX_REPORTS = 1000, MAX_PLACES = 1 << 20;
/** Most steps of places that are noted, of which a body may have a hundred thousand, each a thousand steps deep. */
const MAX_STEPS = 1 << 20;

/** State of one decoding: where it is, and what it found. */
export class Context {
  readonly strict: boolean;
  readonly wrap: boolean;
  readonly prefix: string;
  /** Field names, map keys, and indices as numbers, from the root. */
  readonly stack: (string | number)[] = [];
  depth = 0;
  /** Messages that may still come. */
  left: number;
  /** Empty lists and maps that were left out. */
  emptied: Steps[] | undefined;
  /** Quantities within lists in another notation than the canonical one. */
  recast: Steps[] | undefined;
  /** Above zero inside a value whose unknown members are nobody's business. */
  muted = 0;
  readonly #unknown: string[];
  #told = 0;
  #noted = 0;

  constructor(opts: TypedOptions, unknown: string[]) {
    this.strict = opts.strict === true;
    this.wrap = opts.wrap === true;
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
  /** Notes the current place as that of an empty list or map that was left out. */
  emptiedHere(): void {
    if (this.#noteable()) (this.emptied ??= []).push(this.stack.slice(0, this.depth));
  }
  /** Notes the current place as one in another notation, if it is in a list. */
  recastHere(): void {
    const path = this.stack.slice(0, this.depth);
    if (path.some((step) => typeof step === "number") && this.#noteable()) (this.recast ??= []).push(path);
  }
  #noteable(): boolean {
    return (this.#noted += this.depth) <= MAX_STEPS;
  }
  unknown(member: string): void {
    if (this.muted || this.#unknown.length >= MAX_REPORTS || this.#told > MAX_PLACES) return;
    const text = `unknown field ${JSON.stringify(this.path(true, member))}`;
    this.#told += text.length;
    if (!this.#unknown.includes(text)) this.#unknown.push(text);
  }
}

/** Decodes a value that is there and not null. @throws DecodeError when it does not fit */
export type Decode = (value: Json, ctx: Context) => Json;

const GO_SCALARS: Readonly<Partial<Record<Scalar, string>>> = {
  bytes: "[]uint8",
  double: "float64",
  float: "float32",
  any: "interface {}",
};
const PACKAGES: Readonly<Record<string, string>> = { quantity: "resource", intstr: "intstr", runtime: "runtime" };

/** `v1.PodSpec`: package and name of a type, as the public messages have it. */
export function goName(m: Message): string {
  const parts = m.id.split(".");
  const home = parts.length > 2 ? parts[parts.length - 2]! : parts[0]!;
  return `${PACKAGES[home] ?? home}.${parts[parts.length - 1]}`;
}

/** The type of a field, or of its items or values, as the public messages have it. */
export function elementName(f: Field, owner: Message): string {
  if (typeof f.type === "object") return goName(f.type);
  if (f.alias && !f.map) {
    const parts = f.alias.split(".");
    if (parts.length > 1) return parts.slice(-2).join(".");
    return `${owner.id.split(".").slice(-2)[0]}.${f.alias}`;
  }
  return GO_SCALARS[f.type] ?? f.type;
}

/** What a JSON value is, as the public messages have it. */
export const jsonTypeOf = (v: Json): string =>
  v === null
    ? "null"
    : Array.isArray(v)
    ? "array"
    : typeof v === "boolean"
    ? "bool"
    : typeof v === "bigint"
    ? "number"
    : typeof v;

/** The error of a value that is not of its type. `owner`: the message that holds the field. */
export function mismatch(
  value: Json,
  goType: string,
  ctx: Context,
  owner?: Message,
  what = jsonTypeOf(value),
): DecodeError {
  const path = ctx.path(false);
  const struct = owner ? owner.id.slice(owner.id.lastIndexOf(".") + 1) : "";
  const where = path
    ? `Go struct field ${struct ? struct + "." : ""}${path} of type ${goType}`
    : `Go value of type ${goType}`;
  return new DecodeError(`json: cannot unmarshal ${what} into ${where}`, {
    mismatch: { path, found: jsonTypeOf(value), wanted: goType },
  });
}
