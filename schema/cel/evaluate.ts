/** Evaluation of checked expressions. */
import { CelError, dotted, type Literal, type Loop, type LoopKind, type Node } from "./ast.ts";
import { madeBy, spentOn } from "./call_spend.ts";
import { qualified, TYPE_NAMES } from "./check.ts";
import { MAKING } from "./cost_size.ts";
import { meaningOf } from "./meaning.ts";
import { isConstant, isMembership, isPlace, ROUNDS } from "./plan.ts";
import { madeOf } from "./patch.ts";
import { mustFit } from "./room.ts";
import { call, fitting, type Functions, type Overload } from "./table.ts";
import { compare, EntryMap, isCelMap, isList, Made, Optional, TypeValue, Uint, type Value } from "./values.ts";
import { wellKnown } from "./well_known.ts";

/** Most that one evaluation may cost. */
const LIMIT = 1_000_000;

/** Values of what is always the same, once they were made. */
const CONSTANTS = new WeakMap<Node, Value>();

/** What evaluations have cost so far, in units that the language counts in. */
export interface Spent {
  cost: number;
}

/** Variables, innermost first. */
interface Scope {
  readonly name: string;
  /** The value, once it is asked for. */
  readonly get: () => Value;
  readonly outer: Scope | undefined;
}

/** What is to be evaluated, and what its calls can mean. */
export interface Evaluable {
  readonly node: Node;
  readonly functions: Functions;
  readonly overloads: ReadonlyMap<Node, readonly Overload[]>;
}

/** The value of an expression; adds to `spent` what it cost. @throws CelError when it has none, or costs too much */
export function evaluate(of: Evaluable, variables: Readonly<Record<string, Value>>, spent?: Spent): Value {
  let scope: Scope | undefined;
  for (const [name, value] of Object.entries(variables)) scope = { name, get: () => value, outer: scope };
  const evaluation = new Evaluation(of);
  try {
    return evaluation.of(of.node, scope);
  } finally {
    if (spent) spent.cost += evaluation.cost;
  }
}

class Evaluation {
  cost = 0;
  /** Items and characters that calls have made of what cost little. */
  #made = 0;
  constructor(readonly whole: Evaluable) {}

  #spend(units: number): void {
    this.cost += units;
    if (this.cost > LIMIT) throw new CelError("operation cancelled: actual cost limit exceeded");
  }

  of(node: Node, scope: Scope | undefined): Value {
    if (node.t === "literal") return literal(node.value);
    if ((node.t !== "list" && node.t !== "map" && node.t !== "call") || !isConstant(node)) {
      return this.#valueOf(node, scope);
    }
    let known = CONSTANTS.get(node);
    if (known === undefined) CONSTANTS.set(node, known = this.#valueOf(node, scope));
    return known;
  }

  #valueOf(node: Node, scope: Scope | undefined): Value {
    switch (node.t) {
      case "literal":
        return literal(node.value);
      case "name":
      case "select":
      case "index":
      case "if":
        return this.#place(node, scope);
      case "call":
        return this.#call(node, scope);
      case "list":
        return this.#list(node, scope);
      case "map":
        return this.#map(node, scope);
      case "make":
        return this.#make(node, scope);
      case "and":
      case "or":
        return this.#logic(node, scope);
      case "bind":
        return this.of(node.body, { name: node.name, get: once(() => this.of(node.value, scope)), outer: scope });
      case "loop":
        return this.#loop(node, scope);
    }
  }

  /** Looking up costs, whether something is there or not. */
  #place(node: Node, scope: Scope | undefined): Value {
    try {
      return this.#found(node, scope);
    } finally {
      if (isPlace(node)) this.#spend(1);
    }
  }

  /** A variable or what stands below one, without what looking it up costs. */
  #found(node: Node, scope: Scope | undefined): Value {
    switch (node.t) {
      case "name":
        return this.#name(node.name, scope);
      case "select":
        return this.#select(node, scope);
      case "index":
        return this.#index(node, scope);
      case "if":
        return this.#found(this.#truth(node.test, scope) ? node.then : node.else, scope);
      default:
        return this.of(node, scope);
    }
  }

  #name(name: string, scope: Scope | undefined): Value {
    const found = lookUp(name, scope);
    if (found) return found.get();
    if (Object.hasOwn(TYPE_NAMES, name)) return new TypeValue(TYPE_NAMES[name]!);
    throw new CelError(`no such attribute(s): ${name}`);
  }

  #truth(node: Node, scope: Scope | undefined): boolean {
    const v = this.of(node, scope);
    if (typeof v !== "boolean") throw new CelError("no such overload");
    return v;
  }

  #select(node: Node & { t: "select" }, scope: Scope | undefined): Value {
    const whole = dotted(node);
    if (whole && Object.hasOwn(TYPE_NAMES, whole) && !lookUp(whole.split(".")[0]!, scope)) return new TypeValue(whole);
    const declared = whole === undefined ? undefined : lookUp(whole, scope);
    if (declared) return declared.get();
    const on = this.#found(node.on, scope), through = on instanceof Optional;
    const target = through ? on.value : on;
    if (target === undefined) return node.test ? false : new Optional(undefined);
    const loose = node.optional || through, found = isCelMap(target) ? target.get(node.name) : undefined;
    if (!loose || found !== undefined) this.#spend(1);
    if (!isCelMap(target)) {
      if (isBare(target) && node.test) return false;
      if (isBare(target) && loose) return new Optional(undefined);
      throw new CelError(isList(target) ? `a list has no member ${node.name}` : `no such key: ${node.name}`);
    }
    if (node.test) return target instanceof Made ? target.has(node.name) : found !== undefined;
    if (loose) return found instanceof Optional ? found : new Optional(found);
    if (found === undefined) throw new CelError(`no such key: ${node.name}`);
    return found;
  }

  #index(node: Node & { t: "index" }, scope: Scope | undefined): Value {
    const on = this.#found(node.on, scope), through = on instanceof Optional;
    const target = through ? on.value : on;
    if (target === undefined) return new Optional(undefined);
    const key = this.#found(node.key, scope), loose = node.optional || through;
    if (loose && isBare(target)) return new Optional(undefined);
    const found = itemOf(target, key);
    if (!loose || found !== undefined) this.#spend(1);
    if (loose) return new Optional(found);
    if (found !== undefined) return found;
    throw new CelError(isList(target) ? `index out of bounds: ${plain(key)}` : `no such key: ${plain(key)}`);
  }

  #call(node: Node & { t: "call" }, scope: Scope | undefined): Value {
    const { functions, overloads } = this.whole;
    const full = qualified(node, (n) => lookUp(n, scope) !== undefined, functions);
    const member = node.on !== undefined && !full;
    if (member && (node.name === "or" || node.name === "orValue")) return this.#otherwise(node, scope);
    if (isMembership(node, overloads)) return this.#among(node, scope);
    const name = full ?? node.name, { args, failure } = this.#all(member ? [node.on!, ...node.args] : node.args, scope);
    const meant = overloads.get(node) ?? [], meanings = meant.map((o) => meaningOf(name, o));
    // What is too dear is not begun.
    if (!isConstant(node)) this.#spend(spentOn(name, meanings, args));
    if (failure) throw failure;
    // Where types tell which one is meant, values do not: an empty list is one of any type. But what came of what was not
    // known may be of another type than it was taken for.
    const known = meant.length === 1 ? fitting(meant, member, args) : undefined;
    const result = known ? known.work(...args) : call(functions.get(name) ?? [], member, args);
    mustFit(this.#made += madeBy(name, result));
    return result;
  }

  /** Whether one value is among some that are always the same. */
  #among(node: Node & { t: "call" }, scope: Scope | undefined): Value {
    const [value, list] = node.args;
    if (list?.t === "list" && list.items.length === 0) return false;
    return call(this.whole.functions.get("in")!, false, [this.of(value!, scope), this.of(list!, scope)]);
  }

  /** Arguments; of one or two, the other is looked at even if one has no value. */
  #all(nodes: readonly Node[], scope: Scope | undefined): { args: Value[]; failure: CelError | undefined } {
    const args: Value[] = [];
    let failure: CelError | undefined;
    for (const n of nodes) {
      try {
        args.push(this.of(n, scope));
      } catch (e) {
        failure ??= this.#forgiven(e);
        if (nodes.length > 2) throw failure;
        args.push(null);
      }
    }
    return { args, failure };
  }

  /** What is there, else the other. */
  #otherwise(node: Node & { t: "call" }, scope: Scope | undefined): Value {
    const found = this.of(node.on!, scope);
    if (!(found instanceof Optional)) throw new CelError("no such overload");
    if (found.value === undefined) return this.of(node.args[0]!, scope);
    return node.name === "or" ? found : found.value;
  }

  #list(node: Node & { t: "list" }, scope: Scope | undefined): Value {
    const items = node.items.flatMap((item) => {
      const v = this.of(item.value, scope);
      if (!item.optional) return [v];
      return v instanceof Optional && v.value !== undefined ? [v.value] : [];
    });
    if (!isConstant(node)) this.#spend(MAKING.list);
    return items;
  }

  #map(node: Node & { t: "map" }, scope: Scope | undefined): Value {
    const out = new EntryMap();
    for (const entry of node.entries) {
      const key = this.of(entry.key, scope), v = this.of(entry.value, scope);
      if (!entry.optional) out.set(key, v);
      else if (v instanceof Optional && v.value !== undefined) out.set(key, v.value);
    }
    if (!isConstant(node)) this.#spend(MAKING.map);
    return out;
  }

  #make(node: Node & { t: "make" }, scope: Scope | undefined): Value {
    const fields: [string, Value][] = [], known = wellKnown(node.type);
    for (const f of node.fields) {
      const v = this.of(f.value, scope);
      if (!f.optional) fields.push([f.name, v]);
      else if (v instanceof Optional && v.value !== undefined) fields.push([f.name, v.value]);
    }
    this.#spend(MAKING.make);
    return known ? known.make(new Map(fields)) : madeOf(node.type, fields);
  }

  /** One side that decides is enough, whatever is wrong with the other. */
  #logic(node: Node & { t: "and" | "or" }, scope: Scope | undefined): Value {
    const decides = node.t === "or";
    let failure: unknown;
    for (const side of [node.left, node.right]) {
      try {
        if (this.#truth(side, scope) === decides) return decides;
      } catch (e) {
        failure ??= this.#forgiven(e);
      }
    }
    if (failure) throw failure;
    return !decides;
  }

  /** What another side may make good. */
  #forgiven(e: unknown): CelError {
    if (!(e instanceof CelError) || this.cost > LIMIT) throw e;
    return e;
  }

  #loop(node: Loop, scope: Scope | undefined): Value {
    if (node.kind === "optMap" || node.kind === "optFlatMap") return this.#optional(node, scope);
    const on = this.of(node.on, scope), rounds = roundsOf(on, node.names.length === 2);
    const inner = (round: readonly Value[]): Scope | undefined =>
      node.names.reduce<Scope | undefined>((outer, name, i) => ({ name, get: () => round[i]!, outer }), scope);
    const result = LOOPS[node.kind](this, node, rounds, inner);
    this.#spend(ROUNDS[node.kind].after);
    return result;
  }

  /** Whether a round of a loop has a condition that does not hold. */
  passes(node: Loop, scope: Scope | undefined): boolean {
    return !node.test || this.#truth(node.test, scope);
  }

  /** The truth of a round's body. */
  holds(node: Loop, scope: Scope | undefined): boolean {
    const held = this.#truth(node.body, scope);
    if (held) this.#spend(ROUNDS[node.kind].round);
    return held;
  }

  /** The value of a round's body, which is put to the others. */
  add(node: Loop, scope: Scope | undefined): Value {
    const v = this.of(node.body, scope);
    this.#spend(ROUNDS[node.kind].round - (isConstant(node.body) ? ROUNDS[node.kind].constant ?? 0 : 0));
    return v;
  }

  quantified(node: Loop, rounds: Rounds, inner: Inner): Value {
    const decides = node.kind === "exists", { round } = ROUNDS[node.kind];
    let failure: unknown;
    for (let i = 0; i < rounds.count; i++) {
      this.#spend(round + 1);
      try {
        if (this.#truth(node.body, inner(rounds.at(i))) !== decides) continue;
      } catch (e) {
        failure ??= this.#forgiven(e);
        continue;
      }
      // That it is decided shows when the next round begins.
      if (i + 1 < rounds.count) this.#spend(round);
      return decides;
    }
    if (failure) throw failure;
    return !decides;
  }

  sorted(items: readonly Value[], keys: readonly Value[]): Value {
    this.#spend(spentOn("@sortByAssociatedKeys", ["sortBy"], [items, keys]));
    return items.map((item, i) => [item, keys[i]!] as const).sort((a, b) => compare(a[1], b[1])).map((r) => r[0]);
  }

  /** The value is looked up again where the body asks for it. */
  #optional(node: Loop, scope: Scope | undefined): Value {
    const before = this.cost, on = this.of(node.on, scope), again = this.cost - before + 1;
    this.#spend(1);
    if (!(on instanceof Optional)) throw new CelError("no such overload");
    if (node.kind === "optMap" || on.value === undefined) this.#spend(1);
    if (on.value === undefined) return on;
    const get = once(() => {
      this.#spend(again);
      return on.value!;
    });
    const v = this.of(node.body, { name: node.names[0]!, get, outer: scope });
    return node.kind === "optMap" ? new Optional(v) : v;
  }
}

type Inner = (round: readonly Value[]) => Scope | undefined;
type Run = (e: Evaluation, node: Loop, rounds: Rounds, inner: Inner) => Value;

/** Rounds of a loop, each made when its turn comes: most loops over what is long end before. */
interface Rounds {
  readonly count: number;
  /** Values of the loop's variables. */
  readonly at: (round: number) => readonly Value[];
}

function* each({ count, at }: Rounds): Generator<readonly Value[]> {
  for (let i = 0; i < count; i++) yield at(i);
}

const listing: Run = (e, node, rounds, inner) => {
  const out: Value[] = [];
  for (const r of each(rounds)) if (e.passes(node, inner(r))) out.push(e.add(node, inner(r)));
  return out;
};
const held = (e: Evaluation, node: Loop, rounds: Rounds, inner: Inner): Value[] => {
  const out: Value[] = [];
  for (const r of each(rounds)) if (e.holds(node, inner(r))) out.push(r[0]!);
  return out;
};
const quantified: Run = (e, node, rounds, inner) => e.quantified(node, rounds, inner);

const LOOPS: Readonly<Record<Exclude<LoopKind, "optMap" | "optFlatMap">, Run>> = {
  all: quantified,
  exists: quantified,
  existsOne: (...loop) => held(...loop).length === 1,
  filter: held,
  map: listing,
  transformList: listing,
  transformMap: (e, node, rounds, inner) => {
    const out = new EntryMap();
    for (const r of each(rounds)) if (e.passes(node, inner(r))) out.set(r[0]!, e.add(node, inner(r)));
    return out;
  },
  transformMapEntry: (e, node, rounds, inner) => {
    const out = new EntryMap();
    for (const r of each(rounds)) if (e.passes(node, inner(r))) insert(out, e.add(node, inner(r)));
    return out;
  },
  sortBy: (e, node, rounds, inner) => {
    const items: Value[] = [], keys: Value[] = [];
    for (const r of each(rounds)) {
      items.push(r[0]!);
      keys.push(e.add(node, inner(r)));
    }
    return e.sorted(items, keys);
  },
};

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function insert(into: EntryMap, entries: Value): void {
  if (!isCelMap(entries)) throw new CelError("no such overload");
  for (const key of entries.keys()) {
    if (into.get(key) !== undefined) throw new CelError(`insert failed: key ${plain(key)} already exists`);
    into.set(key, entries.get(key)!);
  }
}

function literal(v: Literal): Value {
  return typeof v === "object" && v !== null && "uint" in v ? new Uint(v.uint) : v;
}

function lookUp(name: string, scope: Scope | undefined): Scope | undefined {
  for (let s = scope; s; s = s.outer) if (s.name === name) return s;
  return undefined;
}

/** Whether a value has no parts: to ask for one is no fault, there is just none. */
const isBare = (v: Value): boolean => v === null || typeof v !== "object";

function itemOf(on: Value, key: Value): Value | undefined {
  if (isCelMap(on)) return on.get(key);
  if (!isList(on)) return undefined;
  const index = key instanceof Uint ? key.value : key;
  if (typeof index !== "bigint" && !(typeof index === "number" && Number.isInteger(index))) {
    throw new CelError("no such overload");
  }
  return index < 0 ? undefined : on[Number(index)];
}

const plain = (v: Value): string => v instanceof Uint ? String(v.value) : String(v);

/** A loop's variables are items; keys; indices or keys, and what stands there. */
function roundsOf(on: Value, two: boolean): Rounds {
  if (isList(on)) return { count: on.length, at: (i) => two ? [BigInt(i), on[i]!] : [on[i]!] };
  if (!isCelMap(on)) throw new CelError("no such overload");
  const keys = on.keys();
  return { count: keys.length, at: (i) => two ? [keys[i]!, on.get(keys[i]!)!] : [keys[i]!] };
}
