/** What an expression costs at most, told before it is evaluated, from bounds of what its variables hold. */
import type { Core, CoreCall, Fold } from "./core.ts";
import type { CallCost, Operand } from "./cost_called.ts";
import { callCost } from "./cost_calls.ts";
import { CostPath } from "./cost_path.ts";
import { MAKING, plus, type Size, sizeOf, times, union, UNKNOWN } from "./cost_size.ts";
import type { Type } from "./types.ts";

/**
 * The size of what is found below a variable, where anything is known of it. See {@linkcode CostPath} for the steps. `root`
 * is the variable's name, or that of a type, or a step where a loop is over what was made by the expression.
 */
export type SizeAt = (steps: readonly string[], root: string) => Size | undefined;

/** Sizes of what a list or map holds. */
interface Held {
  readonly of: "list" | "map";
  readonly key: Size;
  readonly value: Size;
}

interface Local {
  readonly path: CostPath | undefined;
  readonly size: Size | undefined;
  readonly held: Held | undefined;
}

/** Most that an expression costs. `BOUNDLESS` and above: it has no bound. */
export function estimate(expression: Core, sizeAt: SizeAt): number {
  return new Estimation(sizeAt).cost(expression);
}

class Estimation {
  readonly #costs = new Map<Core, number>();
  readonly #paths = new Map<Core, CostPath | undefined>();
  readonly #sizes = new Map<Core, Size>();
  readonly #held = new Map<Core, Held>();
  readonly #locals = new Map<string, Local[]>();

  constructor(readonly sizeAt: SizeAt) {}

  /** What stands in two places at once, as what `optMap` is called on, is looked at once. */
  cost(e: Core): number {
    let known = this.#costs.get(e);
    if (known === undefined) this.#costs.set(e, known = this.#costOf(e));
    return known;
  }

  #costOf(e: Core): number {
    switch (e.k) {
      case "const":
        return 0;
      case "name":
        this.#paths.set(e, this.#local(e.name) ? this.#local(e.name)!.path : CostPath.of(e.name));
        return 1;
      case "select":
        return this.#select(e);
      case "call":
        return e.name === "dyn" ? this.#dyn(e) : this.#call(e);
      case "list":
        return this.#list(e);
      case "map":
        return this.#map(e);
      case "make":
        return e.values.reduce<number>((n, v) => plus(n, this.cost(v)), MAKING.make);
      case "fold":
        return e.bind ? this.#bind(e) : this.#fold(e);
    }
  }

  #select(e: Core & { k: "select" }): number {
    const cost = this.cost(e.on);
    if (e.test) return cost;
    this.#paths.set(e, CostPath.extend(this.#path(e.on), e.name));
    const { k } = e.on.type;
    return k === "map" || k === "object" || STRUCTS.has(k) ? plus(cost, 1) : cost;
  }

  /** Says only that types are not to be looked at. */
  #dyn(e: CoreCall): number {
    const [value] = e.args, cost = this.cost(value!);
    this.#copy(e, value!);
    return plus(cost, 1);
  }

  #call(e: CoreCall): number {
    const costs: number[] = [], args: Operand[] = [];
    for (const a of e.args) {
      costs.push(this.cost(a));
      args.push(this.#operand(a));
    }
    if (e.meanings.length === 0) return 0;
    const own = e.on ? this.cost(e.on) : 0, on = e.on && this.#operand(e.on);
    const sum = costs.reduce(plus, 0);
    let most = 0, size: Size | undefined;
    for (const meaning of e.meanings) {
      const found: CallCost = SHAPES[meaning]?.(this, e, costs, args) ??
        added(callCost({ call: e, meaning, on, args, items: () => this.#items(e.on) }), sum);
      most = Math.max(most, found.cost);
      if (found.size) size = size ? union(size, found.size) : found.size;
      if (meaning === "indexList" || meaning === "indexMap") {
        size = this.held(e.args[0]!)?.value;
        this.#paths.set(e, CostPath.extend(this.#path(e.args[0]!), meaning === "indexList" ? "@items" : "@values"));
      }
      if (meaning === "joinLists" || meaning === "joinTexts") this.#join(e);
      size ??= this.size(e);
    }
    if (size) this.#sizes.set(e, size);
    return plus(own, most);
  }

  /** What two lists hold together. */
  #join(e: CoreCall): void {
    const a = this.held(e.args[0]!), b = this.held(e.args[1]!);
    if (a && b) this.#held.set(e, covering(a, b));
  }

  /** The items of a list, for their type and size. */
  #items(list: Core | undefined): Operand | undefined {
    const type = list && parameter(list.type);
    if (!type) return undefined;
    const path = CostPath.apart(this.#path(list), "@items");
    return { node: undefined, type, size: (path && this.sizeAt(path.steps(), path.root)) ?? UNKNOWN };
  }

  #operand(node: Core): Operand {
    return { node, type: node.type, size: this.size(node) ?? UNKNOWN };
  }

  #list(e: Core & { k: "list" }): number {
    let cost: number = MAKING.list, value: Size | undefined;
    for (const item of e.items) {
      cost = plus(cost, this.cost(item));
      const size = this.size(item) ?? UNKNOWN;
      value = value ? union(value, size) : size;
    }
    this.#held.set(e, { of: "list", key: sizeOf(1), value: value ?? sizeOf(0) });
    return cost;
  }

  #map(e: Core & { k: "map" }): number {
    let cost: number = MAKING.map, held: Held | undefined;
    for (const [k, v] of e.entries) {
      cost = plus(plus(cost, this.cost(k)), this.cost(v));
      const own: Held = { of: "map", key: this.size(k) ?? UNKNOWN, value: this.size(v) ?? UNKNOWN };
      held = held ? covering(held, own) : own;
    }
    this.#held.set(e, held ?? { of: "map", key: sizeOf(0), value: sizeOf(0) });
    return cost;
  }

  #bind(e: Fold): number {
    const cost = plus(this.cost(e.on), this.cost(e.start));
    this.#push(e.accumulator, this.#localOf(e.start));
    const result = this.cost(e.result);
    this.#locals.get(e.accumulator)!.pop();
    this.#copy(e, e.result);
    return plus(cost, result);
  }

  #fold(e: Fold): number {
    const before = plus(this.cost(e.on), this.cost(e.start));
    this.#push(e.accumulator, this.#localOf(e.start));
    e.names.forEach((name, i) => this.#push(name, this.#iterated(e, i)));
    const round = plus(this.cost(e.condition), this.cost(e.step));
    for (const name of e.names) this.#locals.get(name)!.pop();
    const result = this.cost(e.result);
    this.#locals.get(e.accumulator)!.pop();
    const rounds = this.size(e.on) ?? UNKNOWN;
    if (e.start.k === "const") this.#sizes.set(e, this.size(e.start)!);
    else {
      this.#sizes.set(e, rounds);
      const held = this.held(e.step);
      if (held) this.#held.set(e, held);
    }
    return plus(plus(before, result), times(rounds.most, round));
  }

  #localOf(e: Core): Local {
    return { path: this.#path(e), size: this.size(e), held: this.held(e) };
  }

  /** The first or only variable of a loop, or the second. */
  #iterated(e: Fold, index: number): Local {
    const held = this.held(e.on), list = (held?.of ?? e.on.type.k) === "list", two = e.names.length === 2;
    const value = two ? index === 1 : list;
    const step = value ? (list ? "@items" : "@values") : list ? "@indices" : "@keys";
    const size = value ? held?.value : held?.key;
    return { path: CostPath.extend(this.#path(e.on), step), size, held: undefined };
  }

  #push(name: string, local: Local): void {
    const list = this.#locals.get(name);
    if (list) list.push(local);
    else this.#locals.set(name, [local]);
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #path(e: Core): CostPath | undefined {
    const local = e.k === "name" ? this.#local(e.name) : undefined;
    return local ? local.path : this.#paths.get(e);
  }

  #copy(to: Core, from: Core): void {
    const size = this.size(from), held = this.held(from);
    if (size) this.#sizes.set(to, size);
    if (held) this.#held.set(to, held);
  }

  /** The size of a node, where anything tells it. */
  size(e: Core): Size | undefined {
    const known = this.#sizes.get(e) ?? writtenSize(e);
    if (known) return known;
    const path = this.#path(e), found = path && this.sizeAt(path.steps(), path.root);
    if (found) {
      this.#sizes.set(e, found);
      return found;
    }
    return isSingle(e.type) ? sizeOf(1) : e.k === "name" ? this.#local(e.name)?.size : undefined;
  }

  /** What a list or map holds, where anything tells it. */
  held(e: Core): Held | undefined {
    return this.#held.get(e) ?? (e.k === "name" ? this.#local(e.name)?.held : undefined);
  }

  /** A choice holds what either branch does. */
  choose(e: CoreCall): void {
    const a = this.held(e.args[1]!), b = this.held(e.args[2]!);
    if (a && b) this.#held.set(e, covering(a, b));
  }
}

type Shape = (of: Estimation, e: CoreCall, costs: readonly number[], args: readonly Operand[]) => CallCost;

/** Calls whose arguments are not all evaluated. */
const SHAPES: { readonly [meaning: string]: Shape } = {
  logic: (_of, _e, [a, b]) => ({ cost: plus(a!, b!) }),
  choice: (of, e, [test, then, otherwise], args) => {
    of.choose(e);
    return { cost: plus(test!, Math.max(then!, otherwise!)), size: union(args[1]!.size, args[2]!.size) };
  },
};

const added = (c: CallCost, more: number): CallCost => ({ ...c, cost: plus(c.cost, more) });
const covering = (a: Held, b: Held): Held => ({ of: a.of, key: union(a.key, b.key), value: union(a.value, b.value) });

/** Types that are structures where the language is at home. */
const STRUCTS: ReadonlySet<string> = new Set(
  ["quantity", "url", "semver", "format", "authorizer", "pathcheck", "groupcheck", "resourcecheck", "decision"],
);
const SINGLE: ReadonlySet<string> = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);
const isSingle = (t: Type): boolean => t.k === "optional" ? isSingle(t.of) : SINGLE.has(t.k);

/** The first parameter of a type. */
function parameter(t: Type): Type | undefined {
  return t.k === "list" || t.k === "optional" ? t.of : t.k === "map" ? t.key : undefined;
}

/** The size of what stands there as it is. */
function writtenSize(e: Core): Size | undefined {
  switch (e.k) {
    case "const":
      return sizeOf(
        typeof e.value === "string" ? [...e.value].length : e.value instanceof Uint8Array ? e.value.length : 1,
      );
    case "list":
      return sizeOf(e.items.length);
    case "map":
      return sizeOf(e.entries.length);
    default:
      return undefined;
  }
}
