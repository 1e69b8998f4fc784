/**
 * Expressions as the language's core has them: macros are written out as folds, operators are calls, every node has its
 * type. Costs are told of this form.
 */
import { dotted, type Literal, type Loop, type Node } from "./ast.ts";
import { type Findings, TYPE_NAMES } from "./check.ts";
import { type Meaning, meaningOf } from "./meaning.ts";
import { BOOL, DYN, INT, listOf, optionalOf, type Type } from "./types.ts";

/** One node. */
export type Core =
  | { readonly k: "const"; readonly type: Type; readonly value: Literal }
  | { readonly k: "name"; readonly type: Type; readonly name: string }
  | { readonly k: "select"; readonly type: Type; readonly on: Core; readonly name: string; readonly test: boolean }
  | CoreCall
  | { readonly k: "list"; readonly type: Type; readonly items: readonly Core[] }
  | { readonly k: "map"; readonly type: Type; readonly entries: readonly (readonly [key: Core, value: Core])[] }
  | { readonly k: "make"; readonly type: Type; readonly values: readonly Core[] }
  | Fold;

/** A call; `on` is what a member function is called on. */
export interface CoreCall {
  readonly k: "call";
  readonly type: Type;
  readonly name: string;
  readonly on?: Core;
  readonly args: readonly Core[];
  /** What may be meant, in the order of declaration. */
  readonly meanings: readonly Meaning[];
}

/** A loop over the items of a list or map with an accumulator, or the binding of the accumulator to a value (`bind`). */
export interface Fold {
  readonly k: "fold";
  readonly type: Type;
  readonly on: Core;
  readonly names: readonly string[];
  readonly accumulator: string;
  readonly bind: boolean;
  readonly start: Core;
  readonly condition: Core;
  readonly step: Core;
  readonly result: Core;
}

const ACCUMULATOR = "@result", SORTED = "@sorted";

/** The core form of a checked expression. */
export function coreOf(node: Node, findings: Findings): Core {
  return new Writer(findings).of(node);
}

const constant = (value: Literal, type: Type): Core => ({ k: "const", type, value });
const accumulator = (type: Type): Core => ({ k: "name", type, name: ACCUMULATOR });
const call = (name: string, type: Type, args: readonly Core[], meaning: Meaning = "plain"): CoreCall => ({
  k: "call",
  type,
  name,
  args,
  meanings: [meaning],
});
const either = (test: Core, then: Core, otherwise: Core): Core =>
  call("_?_:_", then.type, [test, then, otherwise], "choice");

class Writer {
  constructor(readonly findings: Findings) {}

  #type(node: Node): Type {
    return this.findings.types.get(node) ?? DYN;
  }

  of(node: Node): Core {
    const type = this.#type(node);
    switch (node.t) {
      case "literal":
        return constant(node.value, type);
      case "name":
        return { k: "name", type, name: node.name };
      case "select":
        return this.#select(node, type);
      case "index":
        return this.#index(node, type);
      case "call":
        return this.#call(node, type);
      case "list":
        return { k: "list", type, items: node.items.map((i) => this.of(i.value)) };
      case "map":
        return { k: "map", type, entries: node.entries.map((e) => [this.of(e.key), this.of(e.value)]) };
      case "make":
        return { k: "make", type, values: node.fields.map((f) => this.of(f.value)) };
      case "bind":
        return this.#binding(node.name, this.of(node.value), this.of(node.body));
      case "and":
      case "or":
        return call(node.t, BOOL, [this.of(node.left), this.of(node.right)], "logic");
      case "if":
        return { ...either(this.of(node.test), this.of(node.then), this.of(node.else)), type };
      case "loop":
        return this.#loop(node, type);
    }
  }

  #select(node: Node & { t: "select" }, type: Type): Core {
    const whole = dotted(node);
    if (whole && type.k === "type" && Object.hasOwn(TYPE_NAMES, whole)) return { k: "name", type, name: whole };
    const on = this.of(node.on);
    if (node.optional && !node.test) return call("_?._", type, [on, constant(node.name, { k: "string" })]);
    return { k: "select", type, on, name: node.name, test: node.test === true };
  }

  #index(node: Node & { t: "index" }, type: Type): Core {
    const on = this.of(node.on), key = this.of(node.key);
    if (node.optional) return call("_[?_]", type, [on, key]);
    return { ...call("_[_]", type, [on, key]), meanings: indexMeanings(on.type, key.type) };
  }

  #call(node: Node & { t: "call" }, type: Type): Core {
    const overloads = this.findings.overloads.get(node) ?? [];
    const meanings = overloads.map((o) => meaningOf(fullName(node, overloads.some((x) => x.member)), o));
    const args = node.args.map((a) => this.of(a));
    if (!overloads[0]?.member) return { k: "call", type, name: fullName(node, false), args, meanings };
    return { k: "call", type, name: node.name, on: this.of(node.on!), args, meanings };
  }

  #binding(name: string, value: Core, body: Core): Core {
    return {
      k: "fold",
      type: body.type,
      on: { k: "list", type: listOf(DYN), items: [] },
      names: ["#unused"],
      accumulator: name,
      bind: true,
      start: value,
      condition: constant(false, BOOL),
      step: { k: "name", type: value.type, name },
      result: body,
    };
  }

  #loop(node: Loop, type: Type): Core {
    if (node.kind === "optMap" || node.kind === "optFlatMap") return this.#optional(node, type);
    if (node.kind === "sortBy") return this.#sorted(node, type);
    const body = this.of(node.body), made = LOOPS[node.kind](node, body, type, () => this.of(node.test!));
    const { start, condition = constant(true, BOOL), step, result = accumulator(start.type) } = made;
    return {
      k: "fold",
      type,
      on: this.of(node.on),
      names: node.names,
      accumulator: ACCUMULATOR,
      bind: false,
      start,
      condition,
      step,
      result,
    };
  }

  #optional(node: Loop, type: Type): Core {
    const on = this.of(node.on);
    const inner = on.type.k === "optional" ? on.type.of : DYN;
    const value: Core = { ...call("value", inner, []), on };
    const bound = this.#binding(node.names[0]!, value, this.of(node.body));
    const some = node.kind === "optMap" ? call("optional.of", optionalOf(bound.type), [bound]) : bound;
    return { ...either({ ...call("hasValue", BOOL, []), on }, some, call("optional.none", type, [])), type };
  }

  #sorted(node: Loop, type: Type): Core {
    const on = this.of(node.on), body = this.of(node.body), keys = listOf(body.type);
    const input = (): Core => ({ k: "name", type: on.type, name: SORTED });
    const step = call("+", keys, [accumulator(keys), { k: "list", type: keys, items: [body] }], "joinLists");
    const mapped: Core = {
      k: "fold",
      type: keys,
      on: input(),
      names: node.names,
      accumulator: ACCUMULATOR,
      bind: false,
      start: { k: "list", type: keys, items: [] },
      condition: constant(true, BOOL),
      step,
      result: accumulator(keys),
    };
    const meaning = body.type.k === "string" || body.type.k === "bytes" || body.type.k === "dyn"
      ? "sortTextsBy"
      : "sortBy";
    return this.#binding(SORTED, on, { ...call("@sortByAssociatedKeys", type, [mapped], meaning), on: input() });
  }
}

function fullName(node: Node & { t: "call" }, member: boolean): string {
  const prefix = member ? undefined : node.on && dotted(node.on);
  return prefix ? `${prefix}.${node.name}` : node.name;
}

/** Which of the ways to index are meant, as far as types tell. */
function indexMeanings(on: Type, key: Type): Meaning[] {
  if (on.k === "list") return ["indexList"];
  if (on.k === "map") return ["indexMap"];
  if (on.k !== "dyn") return ["plain"];
  const lists = key.k === "int" || key.k === "dyn";
  return lists ? ["indexList", "indexMap", "plain"] : ["indexMap", "plain"];
}

/** Parts of a fold; no condition is always true, no result is the accumulator. */
interface Made {
  readonly start: Core;
  readonly condition?: Core;
  readonly step: Core;
  readonly result?: Core;
}
type Make = (node: Loop, body: Core, type: Type, test: () => Core) => Made;

const goesOn = (c: Core): Core => call("@not_strictly_false", BOOL, [c]);

/** Adds to the accumulator, where the condition of the loop holds. */
function adding(node: Loop, start: Core, step: Core, test: () => Core): Made {
  return { start, step: node.test ? either(test(), step, accumulator(start.type)) : step };
}

const appended = (type: Type, item: Core): Core =>
  call("+", type, [accumulator(type), { k: "list", type, items: [item] }], "joinLists");
const listing: Make = (node, body, type, test) =>
  adding(node, { k: "list", type, items: [] }, appended(type, body), test);
const inserting = (entry: (node: Loop, body: Core, type: Type) => readonly Core[]): Make => (node, body, type, test) =>
  adding(
    node,
    { k: "map", type, entries: [] },
    call("cel.@mapInsert", type, [accumulator(type), ...entry(node, body, type)]),
    test,
  );
const counted = (): Core => call("+", INT, [accumulator(INT), constant(1n, INT)]);

const LOOPS: Readonly<Record<Exclude<Loop["kind"], "optMap" | "optFlatMap" | "sortBy">, Make>> = {
  all: (_, body) => ({
    start: constant(true, BOOL),
    condition: goesOn(accumulator(BOOL)),
    step: call("and", BOOL, [accumulator(BOOL), body], "logic"),
  }),
  exists: (_, body) => ({
    start: constant(false, BOOL),
    condition: goesOn(call("!", BOOL, [accumulator(BOOL)])),
    step: call("or", BOOL, [accumulator(BOOL), body], "logic"),
  }),
  existsOne: (_, body) => ({
    start: constant(0n, INT),
    step: either(body, counted(), accumulator(INT)),
    result: call("==", BOOL, [accumulator(INT), constant(1n, INT)], "equal"),
  }),
  map: listing,
  transformList: listing,
  filter: (node, body, type) => {
    const item: Core = { k: "name", type: type.k === "list" ? type.of : DYN, name: node.names[0]! };
    return { start: { k: "list", type, items: [] }, step: either(body, appended(type, item), accumulator(type)) };
  },
  transformMap: inserting((node, body, type) => [
    { k: "name", type: type.k === "map" ? type.key : DYN, name: node.names[0]! },
    body,
  ]),
  transformMapEntry: inserting((_, body) => [body]),
};
