/** The type of an expression, or why it has none. */
import { CelError, ConstantError, dotted, type Loop, type Node, RESERVED } from "./ast.ts";
import { checkFormat } from "./format_text.ts";
import { checkConstants } from "./constants.ts";
import type { Functions, Overload } from "./table.ts";
import {
  alike,
  type Bindings,
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  either,
  ERROR,
  fits,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  partsOf,
  resolve,
  sameType,
  STRING,
  TYPE,
  type Type,
  typeText,
  UINT,
  UNKNOWN,
  widest,
} from "./types.ts";
import { wellKnown } from "./well_known.ts";

/** What names mean where an expression stands. */
export interface Env {
  /** A name may have dots. */
  readonly variables: ReadonlyMap<string, Type>;
  readonly functions: Functions;
  /** Types of which expressions may make objects, by name. Absent: none. */
  readonly objects?: (name: string) => Type | undefined;
  readonly faults: Faults;
  /** Lists and maps may hold values of several types here. */
  readonly mixed?: boolean;
  /** Is told what is found out. */
  readonly findings?: Findings;
}

/** What is wrong with an expression, as it is found. */
export interface Faults {
  /** Names and types. */
  readonly types: CelError[];
  /** What stands there as it is and is no good: faults only where all the types are right. */
  readonly literals: CelError[];
  /** Constants that cannot be had: said when all else is right. */
  readonly late: ConstantError[];
}

/** What was found out of the nodes of an expression. */
export interface Findings {
  readonly types: Map<Node, Type>;
  /** Of calls: the overloads that may be meant, several where types show only later. */
  readonly overloads: Map<Node, readonly Overload[]>;
}

/** Where this name is among the variables, `cel.bind(name, value, expression)` may be used. */
export const BIND = "cel.bind";

/** Names that are types. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: "int",
  uint: "uint",
  double: "double",
  bool: "bool",
  string: "string",
  bytes: "bytes",
  list: "list",
  map: "map",
  null_type: "null_type",
  type: "type",
  "google.protobuf.Timestamp": "google.protobuf.Timestamp",
  "google.protobuf.Duration": "google.protobuf.Duration",
  optional_type: "optional_type",
  "net.IP": "net.IP",
  "net.CIDR": "net.CIDR",
};

/** Most parts of a type: one of maps to themselves has twice as many for each map around it. */
const MAX_PARTS = 500;

/** Most faults that are told of one expression. */
const MAX_FAULTS = 100;

/** The type of an expression. Its faults are noted: unknown names and functions, and values that do not fit. */
export function typeOfNode(node: Node, env: Env): Type {
  let type: Type;
  try {
    type = foundType(node, env);
    if (partsOf(type) > MAX_PARTS) throw new CelError("expression has a type of too many parts", node.at);
  } catch (e) {
    type = noted(e, env.faults.types);
  }
  env.findings?.types.set(node, type);
  return type;
}

/** Notes a fault. What it is of has no type. @throws what is no CelError */
function noted(e: unknown, among: CelError[]): Type {
  if (!(e instanceof CelError)) throw e;
  if (among.length < MAX_FAULTS) among.push(e);
  return ERROR;
}

function foundType(node: Node, env: Env): Type {
  switch (node.t) {
    case "literal":
      return literalType(node.value);
    case "name":
      return nameType(node.name, node.at, env);
    case "select":
      return selectType(node, env);
    case "index":
      return indexType(node, env);
    case "call":
      return callType(node, env);
    case "list":
      return listOf(joined(node.items.map((i) => i.value), node.items.map((i) => itemType(i, env)), env, 1));
    case "map":
      return mapOf(
        joined(node.entries.map((e) => e.key), node.entries.map((e) => typeOfNode(e.key, env)), env),
        joined(node.entries.map((e) => e.value), node.entries.map((e) => itemType(e, env)), env),
      );
    case "make":
      return madeType(node, env);
    case "bind":
      if (!env.variables.has(BIND)) throw new CelError("undeclared reference to 'cel' (in container '')", node.at);
      return typeOfNode(node.body, withVariable(env, node.name, typeOfNode(node.value, env)));
    case "and":
    case "or":
      for (const side of [node.left, node.right]) mustHold(typeOfNode(side, env), side.at, env);
      return BOOL;
    case "if":
      return branches(typeOfNode(node.test, env), typeOfNode(node.then, env), typeOfNode(node.else, env), node.at);
    case "loop":
      return loopType(node, env);
  }
}

function literalType(v: unknown): Type {
  if (v === null) return NULL;
  if (v instanceof Uint8Array) return BYTES;
  switch (typeof v) {
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "number":
      return DOUBLE;
    case "string":
      return STRING;
  }
  return UINT;
}

/** What lists and maps that are written out hold is of one type. `most`: how many others are told. */
function joined(nodes: readonly Node[], types: readonly Type[], env: Env, most = Infinity): Type {
  const [first] = types;
  if (!first) return UNKNOWN;
  const others = env.mixed
    ? []
    : nodes.flatMap((n, i) => alike(types[i]!, first) ? [] : [{ at: n.at, type: types[i]! }]);
  for (const { at, type } of others.slice(0, most)) noted(otherType(first, type, at), env.faults.literals);
  return others.length > 0 ? DYN : types.reduce(either);
}

const otherType = (wanted: Type, found: Type, at: number): CelError =>
  new CelError(`expected type '${typeText(wanted)}' but found '${typeText(found)}'`, at);

function branches(test: Type, a: Type, b: Type, at: number): Type {
  if (!fits(BOOL, test, new Map()) || (!fits(a, b, new Map()) && !fits(b, a, new Map()))) {
    noOverload("_?_:_", [test, a, b], at);
  }
  return widest(a, b);
}

/** The type of an item; an optional one is of the type that it may hold. */
const itemType = (item: { value: Node; optional: boolean }, env: Env): Type =>
  unwrapped(typeOfNode(item.value, env), item.optional, item.value.at, env);

function unwrapped(t: Type, optional: boolean, at: number, env: Env): Type {
  if (!optional || t.k === "dyn") return t;
  if (t.k === "optional") return t.of;
  noted(otherType(optionalOf(t), t, at), env.faults.types);
  return t;
}

function mustHold(is: Type, at: number, env: Env): void {
  if (!fits(BOOL, is, new Map())) noted(otherType(BOOL, is, at), env.faults.types);
}

/** `on`: what a function is called on. */
function noOverload(name: string, args: readonly Type[], at: number, on?: Type): never {
  const given = `${on ? `${typeText(on)}.` : ""}(${args.map(typeText).join(", ")})`;
  throw new CelError(`found no matching overload for '${name}' applied to '${given}'`, at);
}

function nameType(name: string, at: number, env: Env): Type {
  const found = env.variables.get(name);
  if (found) return found;
  if (Object.hasOwn(TYPE_NAMES, name)) return TYPE;
  throw new CelError(`undeclared reference to '${name}' (in container '')`, at);
}

function selectType(node: Node & { t: "select" }, env: Env): Type {
  const whole = dotted(node);
  if (whole && Object.hasOwn(TYPE_NAMES, whole) && !env.variables.has(whole.split(".")[0]!)) return TYPE;
  const declared = whole === undefined ? undefined : env.variables.get(whole);
  if (declared) return declared;
  const on = typeOfNode(node.on, env);
  const inner = on.k === "optional" ? on.of : on;
  const found = memberType(inner, node.name, node.at, env);
  if (node.test) return BOOL;
  return node.optional || on.k === "optional" ? optionalOf(found.k === "optional" ? found.of : found) : found;
}

function madeType(node: Node & { t: "make" }, env: Env): Type {
  const known = wellKnown(node.type), type = known?.type ?? env.objects?.(node.type);
  if (!type) throw new CelError(`undeclared reference to '${node.type}' (in container '')`, node.at);
  for (const f of node.fields) {
    const want = memberType(type, f.name, f.at, env), is = unwrapped(typeOfNode(f.value, env), f.optional, f.at, env);
    if (!fits(want, is, new Map())) {
      const types = `is '${typeText(want)}' but provided type is '${typeText(is)}'`;
      noted(new CelError(`expected type of field '${f.name}' ${types}`, f.at), env.faults.types);
    }
  }
  return known?.gives ?? type;
}

function memberType(t: Type, name: string, at: number, env: Env): Type {
  if (t.k === "dyn") return DYN;
  if (t.k === "map") return t.value;
  if (t.k !== "object") throw new CelError(`type '${typeText(t)}' does not support field selection`, at);
  // A field that is named like a keyword is found under the keyword too.
  const found = t.fields.get(name) ?? (RESERVED.has(name) ? t.fields.get(`__${name}__`) : undefined) ??
    (t.open ? DYN : undefined);
  return found ?? noted(new CelError(`undefined field '${name}'`, at), env.faults.types);
}

function indexType(node: Node & { t: "index" }, env: Env): Type {
  const on = typeOfNode(node.on, env), key = typeOfNode(node.key, env);
  const inner = on.k === "optional" ? on.of : on;
  // What is asked may be a list or a map, optional or not: then it is not known either whether what comes of it is optional.
  if (inner.k === "dyn") return on.k === "optional" && key.k !== "int" && key.k !== "dyn" ? on : DYN;
  if (inner.k !== "list" && inner.k !== "map") noOverload("_[_]", [on, key], node.at);
  if (!fits(inner.k === "map" ? inner.key : INT, key, new Map())) noOverload("_[_]", [on, key], node.at);
  const found = inner.k === "map" ? inner.value : inner.of;
  return node.optional || on.k === "optional" ? optionalOf(found) : found;
}

/** The name under which a call on a name is a function of a library (`sets.contains`). */
export function qualified(
  node: Node & { t: "call" },
  declared: (name: string) => boolean,
  functions: Functions,
): string | undefined {
  const prefix = node.on && dotted(node.on);
  if (!prefix || declared(prefix.split(".")[0]!)) return undefined;
  const name = `${prefix}.${node.name}`;
  return functions.has(name) ? name : undefined;
}

function callType(node: Node & { t: "call" }, env: Env): Type {
  const full = qualified(node, (n) => env.variables.has(n), env.functions);
  const member = node.on !== undefined && !full;
  const named = env.functions.get(full ?? node.name), overloads = (named ?? []).filter((o) => o.member === member);
  const inner = member && node.name === "format" ? { ...env, mixed: true } : env;
  const given = [...member ? [node.on!] : [], ...node.args];
  const args = given.map((a) => typeOfNode(a, inner));
  if (!named) throw new CelError(`undeclared reference to '${full ?? node.name}' (in container '')`, node.at);
  if (member && node.name === "format") formatCall(node, inner);
  const fitting = fittingOverloads(overloads, args);
  if (fitting.length === 0) {
    const [on, ...rest] = args;
    if (member) noOverload(node.name, rest, node.at, on);
    noOverload(shownName(full ?? node.name), args, node.at);
  }
  env.findings?.overloads.set(node, fitting.map((f) => f.overload));
  const result = fitting.map((f) => f.result).reduce((a, b) => sameType(a, b) ? a : DYN);
  try {
    checkConstants(node.name, overloads, member, given, env.functions);
  } catch (e) {
    if (e instanceof ConstantError) env.faults.late.push(e);
    else noted(e, env.faults.literals);
  }
  return result;
}

/** A text that stands there as it is, and a list of what it shows, can be looked at before they are used. */
function formatCall(node: Node & { t: "call" }, env: Env): void {
  const [list] = node.args, text = node.on?.t === "literal" ? node.on.value : undefined;
  if (typeof text !== "string" || list?.t !== "list" || list.items.some((i) => i.optional)) return;
  try {
    // The list was looked at before: of what is nested, each level would be looked at twice as often as the one around it.
    const typeOf = (item: Node) => env.findings?.types.get(item) ?? typeOfNode(item, env);
    checkFormat(text, list.items.map(({ value }) => ({ type: typeOf(value), at: value.at })));
  } catch (e) {
    noted(e instanceof CelError ? new CelError(e.message, e.at ?? node.at) : e, env.faults.literals);
  }
}

const SHOWN: Readonly<Record<string, string>> = { "in": "@in", "!": "!_", "-_": "-_" };
const shownName = (name: string): string => SHOWN[name] ?? (/^\w/.test(name) ? name : `_${name}_`);

/** Overloads that the arguments fit: all, where of one of them any type shows only when it is there; else the first. */
function fittingOverloads(
  overloads: readonly Overload[],
  args: readonly Type[],
): { overload: Overload; result: Type }[] {
  const open = args.some(holdsAny), out: { overload: Overload; result: Type }[] = [];
  for (const overload of overloads) {
    if (overload.params.length !== args.length) continue;
    const bound: Bindings = new Map();
    if (!overload.params.every((p, i) => fits(p, args[i]!, bound))) continue;
    out.push({ overload, result: resolve(overload.result, bound) });
    if (!open) break;
  }
  return out;
}

function holdsAny(t: Type): boolean {
  if (t.k === "list" || t.k === "optional") return holdsAny(t.of);
  return (t.k === "dyn" && t !== UNKNOWN) || (t.k === "map" && (holdsAny(t.key) || holdsAny(t.value)));
}

function withVariable(env: Env, name: string, type: Type): Env {
  return { ...env, variables: new Map(env.variables).set(name, type) };
}

/** Types of a loop's one variable, or of its two. */
function loopVariables(on: Type, node: Loop): readonly Type[] {
  if (node.kind === "optMap" || node.kind === "optFlatMap") {
    if (on.k !== "optional" && on.k !== "dyn") noOverload(node.kind, [on], node.at);
    return [on.k === "optional" ? on.of : DYN];
  }
  const two = node.names.length === 2;
  if (on.k === "list") return two ? [INT, on.of] : [on.of];
  if (on.k === "map") return two ? [on.key, on.value] : [on.key];
  if (on.k === "dyn") return two ? [DYN, DYN] : [DYN];
  throw new CelError(
    `expression of type '${typeText(on)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    node.on.at,
  );
}

const COMPARABLE: ReadonlySet<string> = new Set(
  ["dyn", "int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"],
);

/** A loop that goes on with what it has, or with one more, as the test says. */
function chosen(test: Type, has: Type, at: number): void {
  if (!fits(BOOL, test, new Map())) noOverload("_?_:_", [test, has, has], at);
}

function loopType(node: Loop, env: Env): Type {
  const on = typeOfNode(node.on, env);
  const types = loopVariables(on, node);
  const inner = node.names.reduce((e, name, i) => withVariable(e, name, types[i]!), env);
  const test = node.test && typeOfNode(node.test, inner);
  const body = typeOfNode(node.body, inner);
  if (test) chosen(test, listOf(body), node.at);
  switch (node.kind) {
    case "all":
    case "exists":
      mustHold(body, node.body.at, env);
      return BOOL;
    case "existsOne":
      chosen(body, INT, node.at);
      return BOOL;
    case "filter":
      chosen(body, listOf(types[0]!), node.at);
      return listOf(types[0]!);
    case "transformMap":
      return mapOf(types[0]!, body);
    case "transformMapEntry":
      if (body.k !== "map" && body.k !== "dyn") noOverload("cel.@mapInsert", [mapOf(DYN, DYN), body], node.at);
      return body.k === "map" ? body : mapOf(DYN, DYN);
    case "sortBy":
      if (on.k !== "list" && on.k !== "dyn") noOverload("@sortByAssociatedKeys", [on, listOf(body)], node.at);
      if (!COMPARABLE.has(body.k)) noOverload("@sortByAssociatedKeys", [on, listOf(body)], node.at);
      return listOf(types[0]!);
    case "optMap":
      return optionalOf(body);
    case "optFlatMap":
      if (body.k !== "optional" && body.k !== "dyn") noOverload("_?_:_", [BOOL, body, optionalOf(DYN)], node.at);
      return body;
    default:
      return listOf(body);
  }
}
