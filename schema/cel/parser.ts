/** From text to syntax tree; macros are expanded on the way. */
import { CelError, dotted, type Entry, type FieldValue, type Item, type LoopKind, type Node, RESERVED } from "./ast.ts";
import { isInt64, type Token, tokensOf } from "./lexer.ts";

const RELATIONS = new Set(["==", "!=", "<", "<=", ">", ">=", "in"]);
/** Literals and an operator that are written like names. */
const NO_NAMES = new Set(["true", "false", "null", "in"]);
/** Deepest nesting. */
const MAX_DEPTH = 250;

/** Said of what nests deeper, and of chains (`a.b.c`, `1 + 1 + 1`) of as many links: each is the inside of the next. */
export const TOO_DEEP = "expression recursion limit exceeded";

/** Parses an expression. @throws CelError */
export function parse(text: string): Node {
  return new Parser(tokensOf(text)).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    const node = this.#expression();
    if (this.#token.kind !== "end") this.#unexpected();
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }
  #is(sign: string): boolean {
    return this.#token.kind === "sign" && this.#token.text === sign;
  }
  #eat(sign: string): boolean {
    if (!this.#is(sign)) return false;
    this.#next++;
    return true;
  }
  #expect(sign: string): void {
    if (!this.#eat(sign)) this.#unexpected(sign);
  }
  #unexpected(wanted?: string): never {
    const { text, at } = this.#token;
    throw new CelError(`Syntax error: mismatched input '${text}'${wanted ? ` expecting '${wanted}'` : ""}`, at);
  }

  #mustEnd(depth: number): void {
    if (depth > MAX_DEPTH) throw new CelError(TOO_DEEP, this.#token.at);
  }

  #expression(): Node {
    this.#mustEnd(++this.#depth);
    const test = this.#or();
    let node = test;
    if (this.#is("?")) {
      const at = this.#token.at;
      this.#next++;
      const then = this.#or();
      this.#expect(":");
      node = { t: "if", at, test, then, else: this.#expression() };
    }
    this.#depth--;
    return node;
  }

  #or(): Node {
    let left = this.#and();
    while (this.#is("||")) {
      const at = this.#tokens[this.#next++]!.at;
      left = { t: "or", at, left, right: this.#and() };
    }
    return left;
  }

  #and(): Node {
    let left = this.#relation();
    while (this.#is("&&")) {
      const at = this.#tokens[this.#next++]!.at;
      left = { t: "and", at, left, right: this.#relation() };
    }
    return left;
  }

  #relation(): Node {
    let left = this.#sum();
    for (let links = 1;; links++) {
      const { kind, text, at } = this.#token;
      if ((kind !== "sign" && !(kind === "name" && text === "in")) || !RELATIONS.has(text)) return left;
      this.#mustEnd(this.#depth + links);
      this.#next++;
      left = { t: "call", at, name: text, args: [left, this.#sum()] };
    }
  }

  #sum(): Node {
    return this.#binary(["+", "-"], () => this.#product());
  }
  #product(): Node {
    return this.#binary(["*", "/", "%"], () => this.#unary());
  }
  #binary(signs: readonly string[], operand: () => Node): Node {
    let left = operand();
    for (let links = 1;; links++) {
      const { kind, text, at } = this.#token;
      if (kind !== "sign" || !signs.includes(text)) return left;
      this.#mustEnd(this.#depth + links);
      this.#next++;
      left = { t: "call", at, name: text, args: [left, operand()] };
    }
  }

  #unary(): Node {
    const { at } = this.#token;
    if (this.#is("!") || this.#is("-")) {
      this.#mustEnd(++this.#depth);
      const sign = this.#tokens[this.#next++]!.text;
      const operand = sign === "-" && this.#token.kind === "literal" ? this.#negative(at) : this.#unary();
      this.#depth--;
      if (operand.t === "literal" && sign === "-" && operand.at === at) return operand;
      return { t: "call", at, name: sign === "-" ? "-_" : "!", args: [operand] };
    }
    return this.#members(this.#primary());
  }

  /** A number with a sign is one literal, so that the smallest integer can be written. */
  #negative(at: number): Node {
    const { value } = this.#token;
    if (typeof value !== "bigint" && typeof value !== "number") return this.#unary();
    this.#next++;
    return this.#members({ t: "literal", at, value: -value as bigint });
  }

  #members(start: Node): Node {
    let node = start;
    for (let links = 0;; links++) {
      const { at } = this.#token;
      this.#mustEnd(this.#depth + links);
      if (this.#eat(".?")) node = { t: "select", at, on: node, name: this.#member(), optional: true };
      else if (this.#eat(".")) node = this.#dot(node, at);
      else if (this.#is("[") || this.#is("[?")) {
        const optional = this.#tokens[this.#next++]!.text === "[?";
        const key = this.#expression();
        this.#expect("]");
        node = { t: "index", at, on: node, key, ...(optional ? { optional } : {}) };
      } else if (this.#is("{") && dotted(node)) node = { t: "make", at, type: dotted(node)!, fields: this.#fields() };
      else return node;
    }
  }

  #member(): string {
    const { kind, text } = this.#token;
    if (kind === "escaped") throw new CelError("unsupported syntax: '`'", this.#token.at);
    // Reserved words may be members, as long as they are names: only variables cannot be called so.
    if (kind !== "name" || NO_NAMES.has(text)) this.#unexpected();
    this.#next++;
    return text;
  }

  #dot(on: Node, at: number): Node {
    const name = this.#member();
    const { at: open } = this.#token;
    if (!this.#eat("(")) return { t: "select", at, on, name };
    return this.#macro(on, name, this.#arguments(), open) ?? { t: "call", at: open, name, on, args: this.#last };
  }
  #last: readonly Node[] = [];

  #arguments(): readonly Node[] {
    const args: Node[] = [];
    while (!this.#eat(")")) {
      if (args.length > 0) this.#expect(",");
      args.push(this.#expression());
    }
    return this.#last = args;
  }

  #macro(on: Node, name: string, args: readonly Node[], at: number): Node | undefined {
    if (on.t === "name" && on.name === "cel" && name === "bind" && args.length === 3) {
      return { t: "bind", at, name: variable(args[0]!), value: args[1]!, body: args[2]! };
    }
    const row = Object.hasOwn(LOOPS, name) ? LOOPS[name] : undefined;
    if (!row?.counts.includes(args.length)) return undefined;
    const body = args[args.length - 1]!;
    const two = row.two && args.length >= 3 && (name !== "map");
    const names = args.slice(0, two ? 2 : 1).map(variable);
    if (two && names[0] === names[1]) throw new CelError(`duplicate variable name: ${names[0]}`, args[1]!.at);
    const rest = args.slice(names.length, -1);
    return { t: "loop", at, kind: row.kind, on, names, ...(rest[0] ? { test: rest[0] } : {}), body };
  }

  #primary(): Node {
    const { kind, text, at, value } = this.#token;
    if (kind === "literal") {
      this.#next++;
      if (typeof value === "bigint" && !isInt64(value)) throw new CelError("invalid int literal", at);
      return { t: "literal", at, value: value! };
    }
    if (kind === "name") return this.#named(text, at);
    if (this.#eat("(")) {
      const inner = this.#expression();
      this.#expect(")");
      return inner;
    }
    if (this.#is("[") || this.#is("[?")) return this.#list(at);
    if (this.#is("{")) return this.#map(at);
    if (this.#eat(".") && this.#token.kind === "name" && !NO_NAMES.has(this.#token.text)) return this.#primary();
    this.#unexpected();
  }

  #named(text: string, at: number): Node {
    if (text === "true" || text === "false" || text === "null") {
      this.#next++;
      return { t: "literal", at, value: text === "null" ? null : text === "true" };
    }
    if (RESERVED.has(text)) throw new CelError(`reserved identifier: ${text}`, at);
    if (text === "in") this.#unexpected();
    this.#next++;
    const { at: open } = this.#token;
    if (!this.#eat("(")) return { t: "name", at, name: text };
    const args = this.#arguments(), [arg] = args;
    if (text !== "has" || !arg || args.length > 1) return { t: "call", at: open, name: text, args };
    if (arg.t !== "select" || arg.optional || arg.test) throw new CelError("invalid argument to has() macro", arg.at);
    return { ...arg, at: open, test: true };
  }

  /** The begin of something that holds nothing or more; a comma alone is nothing. */
  #open(sign: string, close: string): void {
    this.#expect(sign);
    if (this.#is(",") && this.#tokens[this.#next + 1]?.text === close) this.#next++;
  }

  #list(at: number): Node {
    let first = this.#eat("[?");
    if (!first) this.#open("[", "]");
    const items: Item[] = [];
    while (first || !this.#eat("]")) {
      if (items.length > 0) this.#expect(",");
      if (!first && this.#eat("]")) break;
      const optional = first || this.#eat("?");
      first = false;
      items.push({ value: this.#expression(), optional });
    }
    return { t: "list", at, items };
  }

  #fields(): FieldValue[] {
    const fields: FieldValue[] = [];
    this.#open("{", "}");
    while (!this.#eat("}")) {
      if (fields.length > 0) this.#expect(",");
      if (this.#eat("}")) break;
      const optional = this.#eat("?"), name = this.#member();
      const { at } = this.#token;
      this.#expect(":");
      fields.push({ at, name, value: this.#expression(), optional });
    }
    return fields;
  }

  #map(at: number): Node {
    this.#open("{", "}");
    const entries: Entry[] = [];
    while (!this.#eat("}")) {
      if (entries.length > 0) this.#expect(",");
      if (this.#eat("}")) break;
      const optional = this.#eat("?");
      const key = this.#expression();
      this.#expect(":");
      entries.push({ key, value: this.#expression(), optional });
    }
    return { t: "map", at, entries };
  }
}

function variable(node: Node): string {
  if (node.t !== "name") throw new CelError("argument must be a simple name", node.at);
  return node.name;
}

/** Macros that loop: how many arguments they take, and whether two variables are possible. */
const LOOPS: Readonly<Record<string, { kind: LoopKind; counts: readonly number[]; two: boolean }>> = {
  all: { kind: "all", counts: [2, 3], two: true },
  exists: { kind: "exists", counts: [2, 3], two: true },
  exists_one: { kind: "existsOne", counts: [2, 3], two: true },
  existsOne: { kind: "existsOne", counts: [3], two: true },
  map: { kind: "map", counts: [2, 3], two: false },
  filter: { kind: "filter", counts: [2], two: false },
  transformList: { kind: "transformList", counts: [3, 4], two: true },
  transformMap: { kind: "transformMap", counts: [3, 4], two: true },
  transformMapEntry: { kind: "transformMapEntry", counts: [3, 4], two: true },
  sortBy: { kind: "sortBy", counts: [2], two: false },
  optMap: { kind: "optMap", counts: [2], two: false },
  optFlatMap: { kind: "optFlatMap", counts: [2], two: false },
};
