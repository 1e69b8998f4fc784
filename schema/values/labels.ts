/**
 * Label selectors: the text form (`a=b,c in (d,e),!f`), the object form (`matchLabels`, `matchExpressions`), and matching
 * (specification, "Label selectors").
 */
import { aggregateText } from "./aggregate_text.ts";
import { ValueError } from "./error.ts";
import { parseInt64 } from "./int64.ts";
import { labelValue, qualifiedName } from "./names.ts";
import { quote } from "./quote.ts";

/** Operators of a requirement. `=` and `==` mean the same and are written as they came. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

/** One condition. `values` is sorted and without doubles; empty for `exists` and `!`. */
export interface Requirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** LabelSelector as JSON holds it. */
export interface LabelSelector {
  matchLabels?: Readonly<Record<string, string>> | null;
  matchExpressions?: readonly LabelSelectorRequirement[] | null;
}
/** One expression of a LabelSelector. */
export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: readonly string[] | null;
}

/** Labels of an object; absent means none. */
export type Labels = Readonly<Record<string, string>> | undefined | null;

/** Whether an object with these labels meets all requirements. No requirement is met by every object. */
export function matches(requirements: readonly Requirement[], labels: Labels): boolean {
  for (const r of requirements) if (!meets(r, labels)) return false;
  return true;
}

/** The same as one test, for many objects: what the usual selector, one label's value, looks at is looked at once. */
export function labelTest(requirements: readonly Requirement[]): (labels: Readonly<Record<string, string>>) => boolean {
  const [first] = requirements;
  const single = requirements.length === 1 && (first!.operator === "=" || first!.operator === "==");
  if (!single) return (labels) => matches(requirements, labels);
  const { key, values: [value] } = first!;
  // What an object inherits is no text: it equals no value.
  return (labels) => labels[key] === value;
}

function meets(r: Requirement, labels: Labels): boolean {
  const value = labels && Object.hasOwn(labels, r.key) ? labels[r.key] : undefined;
  switch (r.operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && r.values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !r.values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    default:
      return value !== undefined && compareIntegers(value, r.operator, r.values[0]!);
  }
}

function compareIntegers(a: string, operator: ">" | "<", b: string): boolean {
  const x = parseInt64(a), y = parseInt64(b);
  if (x === undefined || y === undefined) return false;
  return operator === ">" ? x > y : x < y;
}

/** Canonical text: requirements by key, values sorted, as `Scale.status.selector` prints. */
export function formatSelector(requirements: readonly Requirement[]): string {
  return sorted(requirements).map(formatOne).join(",");
}

function formatOne(r: Requirement): string {
  if (r.operator === "exists") return r.key;
  if (r.operator === "!") return `!${r.key}`;
  const values = [...r.values].sort(byBytes).join(",");
  return r.operator === "in" || r.operator === "notin"
    ? `${r.key} ${r.operator} (${values})`
    : `${r.key}${r.operator}${values}`;
}

/** Code units order UTF-16, not UTF-8; keys and values are ASCII once validated, so that both agree. */
const byBytes = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;
const sorted = (rs: readonly Requirement[]) => [...rs].sort((a, b) => byBytes(a.key, b.key));

const EXPRESSIONS: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

/**
 * Requirements of a LabelSelector, by key. An absent selector matches nothing, an empty one everything: so the result is
 * `undefined` for the first and `[]` for the second. Throws {@linkcode ValueError} on a bad key, value or operator.
 */
export function selectorFromLabelSelector(selector: LabelSelector | undefined | null): Requirement[] | undefined {
  if (!selector) return undefined;
  const out: Requirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) out.push(requirement(key, "=", [value]));
  for (const e of selector.matchExpressions ?? []) {
    const operator = Object.hasOwn(EXPRESSIONS, e.operator) ? EXPRESSIONS[e.operator] : undefined;
    if (!operator) throw new ValueError(`${JSON.stringify(e.operator)} is not a valid label selector operator`);
    out.push(requirement(e.key, operator, e.values ?? []));
  }
  return sorted(out);
}

/** Requirements that a set of labels be there (Service, ReplicationController selectors). No checks of syntax. */
export function selectorFromSet(set: Labels): Requirement[] {
  return sorted(Object.entries(set ?? {}).map(([key, value]) => ({ key, operator: "=", values: [value] })));
}

/** A checked requirement. Throws {@linkcode ValueError}. */
export function requirement(key: string, operator: LabelOperator, values: readonly string[]): Requirement {
  const problems = [...keyProblem("key", key), ...arityProblems(operator, values)];
  values.forEach((v, i) => {
    const errors = labelValue(v);
    if (errors.length) problems.push(`values[${i}][${key}]: Invalid value: ${quote(v)}: ${errors.join("; ")}`);
  });
  if (problems.length) throw new ValueError(aggregateText(problems));
  return { key, operator, values };
}

function keyProblem(place: string, key: string): string[] {
  const errors = qualifiedName(key);
  return errors.length ? [`${place}: Invalid value: ${quote(key)}: ${errors.join("; ")}`] : [];
}

function arityProblems(operator: LabelOperator, values: readonly string[]): string[] {
  const bad = (words: string) => [`values: Invalid value: ${JSON.stringify(values)}: ${words}`];
  switch (operator) {
    case "in":
    case "notin":
      return values.length ? [] : bad("for 'in', 'notin' operators, values set can't be empty");
    case "exists":
    case "!":
      return values.length ? bad("values set must be empty for exists and does not exist") : [];
    case ">":
    case "<":
      if (values.length !== 1) return bad("for 'Gt', 'Lt' operators, exactly one value is required");
      if (parseInt64(values[0]!) !== undefined) return [];
      return [
        `values[0]: Invalid value: ${quote(values[0]!)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      ];
    default:
      return values.length === 1 ? [] : bad("exact-match compatibility requires one single value");
  }
}

/** Reads the text form; the result is ordered by key. An empty text has no requirement. Throws {@linkcode ValueError}. */
export function parseSelector(text: string): Requirement[] {
  return sorted(new Parser(tokens(text)).selector());
}

/** Tokens: `word` is an identifier, `end` the end of the text, all others stand for themselves. */
interface Token {
  readonly kind: string;
  readonly text: string;
}
const KEYWORDS = new Set(["in", "notin"]);
const TOKEN = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^=!(),<> \t\r\n]+)|$)/y;
const END: Token = { kind: "end", text: "" };

function tokens(text: string): Token[] {
  if (text.includes("\0")) throw new ValueError("unable to parse requirement: found a NUL character");
  const out: Token[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [, symbol, word] = TOKEN.exec(text)!;
    if (symbol !== undefined) out.push({ kind: symbol, text: symbol });
    else if (word !== undefined) out.push({ kind: KEYWORDS.has(word) ? word : "word", text: word });
    else break;
  }
  out.push(END);
  return out;
}

class Parser {
  #at = 0;
  constructor(readonly tokens: readonly Token[]) {}

  selector(): Requirement[] {
    const out: Requirement[] = [];
    for (;;) {
      const first = this.#peek();
      if (first.kind === "end") return out;
      if (first.kind !== "word" && first.kind !== "!") {
        this.#fail(first, ", expected: !, identifier, or 'end of string'");
      }
      try {
        out.push(this.#requirement());
      } catch (e) {
        throw e instanceof ValueError ? new ValueError(`unable to parse requirement: ${e.message}`) : e;
      }
      const next = this.#take();
      if (next.kind === "end") return out;
      if (next.kind !== ",") this.#fail(next, ", expected: ',' or 'end of string'");
      const after = this.#peek();
      if (after.kind !== "word" && after.kind !== "!") this.#fail(after, ", expected: identifier after ','");
    }
  }

  #requirement(): Requirement {
    let token = this.#take();
    const not = token.kind === "!";
    if (not) token = this.#take();
    if (token.kind !== "word") this.#fail(token, ", expected: identifier");
    const key = token.text;
    const problem = keyProblem("<nil>", key);
    if (problem.length) throw new ValueError(problem[0]!);
    const next = this.#peek();
    if (next.kind === "end" || next.kind === ",") return requirement(key, not ? "!" : "exists", []);
    if (not) return requirement(key, "!", []);
    const operator = this.#operator();
    return requirement(key, operator, operator === "in" || operator === "notin" ? this.#values() : [this.#value()]);
  }

  #operator(): LabelOperator {
    const token = this.#take(true);
    switch (token.kind) {
      case "in":
      case "notin":
      case "=":
      case "==":
      case "!=":
      case ">":
      case "<":
        return token.kind;
    }
    return this.#fail(token, ", expected: in, notin, =, ==, !=, gt, lt");
  }

  #value(): string {
    const next = this.#peek();
    if (next.kind === "end" || next.kind === ",") return "";
    const token = this.#take();
    return token.kind === "word" ? token.text : this.#fail(token, ", expected: identifier");
  }

  /** `(a,b)`; a missing value is the empty one. */
  #values(): string[] {
    const open = this.#take();
    if (open.kind !== "(") this.#fail(open, " expected: '('");
    const out = new Set<string>();
    for (let separated = true, first = true;; first = false) {
      const token = this.#take();
      if (token.kind === "word") {
        out.add(token.text);
        const next = this.#peek();
        if (next.kind !== "," && next.kind !== ")") this.#fail(next, ", expected: ',' or ')'");
        separated = false;
      } else if (token.kind === ",") {
        if (separated) out.add("");
        separated = true;
      } else if (token.kind === ")") {
        if (separated) out.add("");
        return [...out].sort(byBytes);
      } else {
        this.#fail(token, first ? ", expected: ',', ')' or identifier" : ", expected: ',', or identifier");
      }
    }
  }

  /** Words that are operators elsewhere are plain where a key or value stands. */
  #peek(operators = false): Token {
    const token = this.tokens[Math.min(this.#at, this.tokens.length - 1)]!;
    return !operators && KEYWORDS.has(token.kind) ? { kind: "word", text: token.text } : token;
  }
  #take(operators = false): Token {
    const token = this.#peek(operators);
    this.#at++;
    return token;
  }
  #fail(token: Token, expected: string): never {
    throw new ValueError(`found '${token.text}'${expected}`);
  }
}
