/** Evaluation of checked expressions. */
import { CelError, dotted, type Literal, type Loop, type Node } from "./ast.ts";
import { qualified, TYPE_NAMES } from "./check.ts";
import { madeOf } from "./patch.ts";
import { call, type Functions } from "./table.ts";
import { EntryMap, isCelMap, isList, Made, Opaque, Optional, TypeValue, Uint, type Value } from "./values.ts";
import { wellKnown } from "./well_known.ts";

/** Most steps of one evaluation: what takes longer is stopped. */
const MAX_STEPS = 1_000_000;
/** Steps of one question of access. */
const ACCESS_STEPS = 350_000;

/** Variables, innermost first. */
interface Scope {
  readonly name: string;
  readonly value: Value;
  readonly outer: Scope | undefined;
}

/** The value of an expression. @throws CelError when it has none, or takes too long */
export function evaluate(node: Node, variables: Readonly<Record<string, Value>>, functions: Functions): Value {
  let scope: Scope | undefined;
  for (const [name, value] of Object.entries(variables)) scope = { name, value, outer: scope };
  return new Evaluation(functions).of(node, scope);
}

class Evaluation {
  #steps = 0;
  constructor(readonly functions: Functions) {}

  of(node: Node, scope: Scope | undefined): Value {
    if (++this.#steps > MAX_STEPS) throw new CelError("operation cancelled: actual cost limit exceeded");
    switch (node.t) {
      case "literal":
        return literal(node.value);
      case "name":
        return this.#name(node.name, scope);
      case "select":
        return this.#select(node, scope);
      case "index":
        return this.#index(node, scope);
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
      case "if":
        return this.of(this.#truth(node.test, scope) ? node.then : node.else, scope);
      case "bind":
        return this.of(node.body, { name: node.name, value: this.of(node.value, scope), outer: scope });
      case "loop":
        return this.#loop(node, scope);
    }
  }

  #name(name: string, scope: Scope | undefined): Value {
    const found = lookUp(name, scope);
    if (found) return found.value;
    if (Object.hasOwn(TYPE_NAMES, name)) return new TypeValue(TYPE_NAMES[name]!);
    throw new CelError(`no such attribute: ${name}`);
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
    if (declared) return declared.value;
    const on = this.of(node.on, scope);
    const through = on instanceof Optional;
    const target = through ? on.value : on;
    if (target === undefined) return node.test ? false : new Optional(undefined);
    if (!isCelMap(target)) {
      if (node.test && target === null) return false;
      throw new CelError("no such overload");
    }
    if (node.test && target instanceof Made) return target.has(node.name);
    const found = target.get(node.name);
    if (node.test) return found !== undefined;
    if (node.optional || through) return found instanceof Optional ? found : new Optional(found);
    if (found === undefined) throw new CelError(`no such key: ${node.name}`);
    return found;
  }

  #index(node: Node & { t: "index" }, scope: Scope | undefined): Value {
    const on = this.of(node.on, scope), key = this.of(node.key, scope);
    const through = on instanceof Optional;
    const target = through ? on.value : on;
    if (target === undefined) return new Optional(undefined);
    const found = itemOf(target, key);
    if (node.optional || through) return new Optional(found);
    if (found !== undefined) return found;
    throw new CelError(isList(target) ? `index out of bounds: ${plain(key)}` : `no such key: ${plain(key)}`);
  }

  #call(node: Node & { t: "call" }, scope: Scope | undefined): Value {
    const full = qualified(node, (n) => lookUp(n, scope) !== undefined, this.functions);
    const member = node.on !== undefined && !full;
    const args = [...member ? [node.on!] : [], ...node.args].map((a) => this.of(a, scope));
    // Long texts and lists cost as much as they hold.
    for (const a of args) this.#steps += typeof a === "string" ? a.length >> 3 : isList(a) ? a.length : 0;
    if (node.name === "check" && args[0] instanceof Opaque) this.#steps += ACCESS_STEPS;
    return call(this.functions.get(full ?? node.name) ?? [], member, args);
  }

  #list(node: Node & { t: "list" }, scope: Scope | undefined): Value {
    return node.items.flatMap((item) => {
      const v = this.of(item.value, scope);
      if (!item.optional) return [v];
      return v instanceof Optional && v.value !== undefined ? [v.value] : [];
    });
  }

  #map(node: Node & { t: "map" }, scope: Scope | undefined): Value {
    const out = new EntryMap();
    for (const entry of node.entries) {
      const key = this.of(entry.key, scope), v = this.of(entry.value, scope);
      if (!entry.optional) out.set(key, v);
      else if (v instanceof Optional && v.value !== undefined) out.set(key, v.value);
    }
    return out;
  }

  #make(node: Node & { t: "make" }, scope: Scope | undefined): Value {
    const fields: [string, Value][] = [], known = wellKnown(node.type);
    for (const f of node.fields) {
      const v = this.of(f.value, scope);
      if (!f.optional) fields.push([f.name, v]);
      else if (v instanceof Optional && v.value !== undefined) fields.push([f.name, v.value]);
    }
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
        if (!(e instanceof CelError) || this.#steps > MAX_STEPS) throw e;
        failure ??= e;
      }
    }
    if (failure) throw failure;
    return !decides;
  }

  #loop(node: Loop, scope: Scope | undefined): Value {
    const on = this.of(node.on, scope);
    if (node.kind === "optMap" || node.kind === "optFlatMap") return this.#optional(node, on, scope);
    const rounds = roundsOf(on, node.names.length === 2);
    const inner = (round: readonly Value[]): Scope | undefined =>
      node.names.reduce<Scope | undefined>((outer, name, i) => ({ name, value: round[i]!, outer }), scope);
    switch (node.kind) {
      case "all":
      case "exists":
        return this.#quantified(node, rounds.map(inner));
      case "existsOne":
        return rounds.filter((r) => this.#truth(node.body, inner(r))).length === 1;
      case "filter":
        return rounds.filter((r) => this.#truth(node.body, inner(r))).map((r) => r[0]!);
      case "transformMap": {
        const out = new EntryMap();
        for (const r of rounds) if (this.#passes(node, inner(r))) out.set(r[0]!, this.of(node.body, inner(r)));
        return out;
      }
      default:
        return rounds.filter((r) => this.#passes(node, inner(r))).map((r) => this.of(node.body, inner(r)));
    }
  }

  #passes(node: Loop, scope: Scope | undefined): boolean {
    return !node.test || this.#truth(node.test, scope);
  }

  #quantified(node: Loop, rounds: readonly (Scope | undefined)[]): Value {
    const decides = node.kind === "exists";
    let failure: unknown;
    for (const scope of rounds) {
      try {
        if (this.#truth(node.body, scope) === decides) return decides;
      } catch (e) {
        if (!(e instanceof CelError) || this.#steps > MAX_STEPS) throw e;
        failure ??= e;
      }
    }
    if (failure) throw failure;
    return !decides;
  }

  #optional(node: Loop, on: Value, scope: Scope | undefined): Value {
    if (!(on instanceof Optional)) throw new CelError("no such overload");
    if (on.value === undefined) return on;
    const v = this.of(node.body, { name: node.names[0]!, value: on.value, outer: scope });
    return node.kind === "optMap" ? new Optional(v) : v;
  }
}

function literal(v: Literal): Value {
  return typeof v === "object" && v !== null && "uint" in v ? new Uint(v.uint) : v;
}

function lookUp(name: string, scope: Scope | undefined): Scope | undefined {
  for (let s = scope; s; s = s.outer) if (s.name === name) return s;
  return undefined;
}

function itemOf(on: Value, key: Value): Value | undefined {
  if (isCelMap(on)) return on.get(key);
  if (!isList(on)) throw new CelError("no such overload");
  const index = key instanceof Uint ? key.value : key;
  if (typeof index !== "bigint" && !(typeof index === "number" && Number.isInteger(index))) {
    throw new CelError("no such overload");
  }
  return index < 0 ? undefined : on[Number(index)];
}

const plain = (v: Value): string => v instanceof Uint ? String(v.value) : String(v);

/** Values of a loop's variables, round by round: items; keys; indices or keys, and what stands there. */
function roundsOf(on: Value, two: boolean): (readonly Value[])[] {
  if (isList(on)) return on.map((v, i) => two ? [BigInt(i), v] : [v]);
  if (isCelMap(on)) return on.keys().map((k) => two ? [k, on.get(k)!] : [k]);
  throw new CelError("no such overload");
}
