/** Tables of functions: a signature in text, and what it does. */
import type { Untyped } from "../model/types.ts";
import { CelError } from "./ast.ts";
import { readType, type Type } from "./types.ts";
import { isCelMap, isList, Opaque, Optional, Span, Time, TypeValue, Uint, type Value } from "./values.ts";

/** What a function does with values of its signature's types. */
export type Work = (...args: Untyped[]) => Value;

/**
 * Rows: signature and work. `name(type, …) type` is called with all arguments, `type.name(type, …) type` on a value.
 * Names with a prefix are written `sets::contains`.
 */
export type Rows = Readonly<Record<string, Work>>;

/** One overload. The receiver is the first parameter. */
export interface Overload {
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly work: Work;
}

/** Overloads by name. */
export type Functions = ReadonlyMap<string, readonly Overload[]>;

/** Reads tables. */
export function functionsOf(...tables: readonly Rows[]): Functions {
  const out = new Map<string, Overload[]>();
  for (const rows of tables) {
    for (const [signature, work] of Object.entries(rows)) {
      const { name, ...overload } = readSignature(signature, work);
      const list = out.get(name);
      if (list) list.push(overload);
      else out.set(name, [overload]);
    }
  }
  return out;
}

const SIGNATURE = /^(?:([a-zA-Z<>, ]+)\.)?((?:\w+::)?[^\s.(]+)\((.*)\) (.+)$/;

function readSignature(text: string, work: Work): Overload & { name: string } {
  const found = SIGNATURE.exec(text);
  if (!found) throw new Error(`not a signature: ${text}`);
  const [, on, name, args, result] = found;
  const params = [...on ? [on] : [], ...split(args!)].map(readType);
  return { name: name!.replace("::", "."), member: on !== undefined, params, result: readType(result!), work };
}

/** Splits at commas outside of brackets. */
function split(args: string): string[] {
  const out: string[] = [];
  let depth = 0, last = 0;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "<") depth++;
    else if (args[i] === ">") depth--;
    else if (args[i] === "," && depth === 0) {
      out.push(args.slice(last, i).trim());
      last = i + 1;
    }
  }
  if (args.trim() !== "") out.push(args.slice(last).trim());
  return out;
}

/** Whether a value is of a type, as far as can be seen from outside: of parts a list's first alone is looked at. */
function isOf(v: Value, t: Type): boolean {
  // Lists are of one type, which their first item shows. Lists of lists are taken as they are: what is in them need be none.
  if (t.k === "list") return isList(v) && (v.length === 0 || t.of.k === "list" || isOf(v[0]!, t.of));
  return TESTS[t.k]?.(v) ?? false;
}

const opaque = (type: string) => (v: Value) => v instanceof Opaque && v.type === type;
const TESTS: Readonly<Record<string, (v: Value) => boolean>> = {
  dyn: () => true,
  var: () => true,
  null: (v) => v === null,
  bool: (v) => typeof v === "boolean",
  int: (v) => typeof v === "bigint",
  uint: (v) => v instanceof Uint,
  double: (v) => typeof v === "number",
  string: (v) => typeof v === "string",
  bytes: (v) => v instanceof Uint8Array,
  timestamp: (v) => v instanceof Time,
  duration: (v) => v instanceof Span,
  type: (v) => v instanceof TypeValue,
  optional: (v) => v instanceof Optional,
  map: isCelMap,
  object: isCelMap,
  quantity: opaque("quantity"),
  ip: opaque("ip"),
  cidr: opaque("cidr"),
  url: opaque("url"),
  semver: opaque("semver"),
  format: opaque("format"),
  authorizer: opaque("authorizer"),
  pathcheck: opaque("pathcheck"),
  groupcheck: opaque("groupcheck"),
  resourcecheck: opaque("resourcecheck"),
  decision: opaque("decision"),
};

/** The first overload that fits the values. */
export function fitting(overloads: readonly Overload[], member: boolean, args: readonly Value[]): Overload | undefined {
  return overloads.find((o) =>
    o.member === member && o.params.length === args.length && o.params.every((t, i) => isOf(args[i]!, t))
  );
}

/** Calls the overload that fits the values. @throws CelError when none does */
export function call(overloads: readonly Overload[], member: boolean, args: readonly Value[]): Value {
  const found = fitting(overloads, member, args);
  if (!found) throw new CelError("no such overload");
  return found.work(...args);
}
