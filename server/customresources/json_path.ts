/**
 * The JSONPath of printer columns, as the public server reads it: members, indices, slices, lists of these, `*`, `..`, and
 * filters with one comparison. What cannot be read is known when a definition is served; a path that does not fit an object,
 * or finds too much on its way, finds nothing in it.
 */
import { isMap } from "../../schema/model/members.ts";
import type { Json } from "../../schema/model/types.ts";
import { withoutEnd } from "../../schema/values/ends.ts";

type Step = (values: readonly Json[]) => readonly Json[];

/** Finds values in an object; none where the path leads nowhere. */
export type JsonPath = (root: Json) => readonly Json[];

/** The path is none. */
class Unreadable extends Error {}
/** The path does not fit the object. */
class Unfit extends Error {}

/** Reads a path; undefined for one that cannot be read. */
export function jsonPath(text: string): JsonPath | undefined {
  try {
    const path = through(stepsOf(text));
    return (root) => foundBy(path, root);
  } catch (e) {
    if (e instanceof Unreadable) return undefined;
    throw e;
  }
}

function foundBy(path: Step, root: Json): readonly Json[] {
  try {
    return path([root]);
  } catch (e) {
    if (e instanceof Unfit) return [];
    throw e;
  }
}

/** One step after another. */
const through = (steps: readonly Step[]): Step => (values) =>
  steps.reduce<readonly Json[]>((found, step) => step(found), values);

// ---- steps --------------------------------------------------------------------------------------------------------------

/** Most values that one step may find: of nested members each `..` finds as many times more as there are levels. */
const MOST_VALUES = 100_000;

/** All that is found. @throws Unfit where that is too much */
function gathered(parts: Iterable<readonly Json[]>): Json[] {
  const found: Json[] = [];
  for (const part of parts) {
    for (const one of part) found.push(one);
    if (found.length > MOST_VALUES) throw new Unfit("too many values");
  }
  return found;
}

const each = (of: (v: Json) => readonly Json[]): Step => (values) => gathered(values.values().map(of));
const member = (name: string): Step => each((v) => isMap(v) && Object.hasOwn(v, name) ? [v[name]!] : []);
const children = (v: Json): readonly Json[] => Array.isArray(v) ? v : isMap(v) ? Object.values(v) : [];
const ANY = each(children);
/** Whatever holds something, at any depth. */
const DEEP = each((v) => {
  const found: Json[] = [];
  const look = (at: Json): void => {
    const below = children(at);
    if (below.length > 0) found.push(at);
    below.forEach(look);
  };
  look(v);
  return found;
});
const constant = (value: Json): Step => (values) => values.map(() => value);

/** Where a slice begins and ends, and every how manyth item it takes; `single`: the end follows from the beginning. */
interface Slice {
  readonly from: number;
  readonly to: number | undefined;
  readonly by: number;
  readonly single: boolean;
}

const slice = ({ from, to, by, single }: Slice): Step =>
  each((v) => {
    if (v === null) return [];
    if (!Array.isArray(v)) throw new Unfit("no list");
    const { length } = v, start = from < 0 ? from + length : from;
    const end = to === undefined ? length : to < 0 || (to === 0 && single) ? to + length : to;
    if (start === end) return [];
    if (start < 0 || start >= length || end < start || end > length || by <= 0) throw new Unfit("beyond the list");
    return v.slice(start, end).filter((_, i) => i % by === 0);
  });

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  "==": (o) => o === 0,
  "!=": (o) => o !== 0,
  "<": (o) => o < 0,
  "<=": (o) => o <= 0,
  ">": (o) => o > 0,
  ">=": (o) => o >= 0,
};

function filter(left: Step, operator?: string, right?: Step): Step {
  const passes = (item: Json): boolean => {
    if (!right) return has(left, item);
    const [value, ...more] = left([item]);
    if (value === undefined) return false;
    const [wanted, ...others] = right([item]), holds = ORDERS[operator!];
    if (more.length || others.length || !holds) throw new Unfit("no comparison");
    if (wanted === undefined) return false;
    return holds(ordered(value, wanted, operator!));
  };
  return each((v) => {
    if (!Array.isArray(v)) throw new Unfit("no list");
    return v.filter(passes);
  });
}

function has(path: Step, item: Json): boolean {
  try {
    return path([item]).length > 0;
  } catch (e) {
    if (e instanceof Unfit) return true; // the values so far are what an unfit step gives
    throw e;
  }
}

/** Values of one type alone are compared: texts, whole numbers, other numbers; whether booleans are the same. */
function ordered(a: Json, b: Json, operator: string): number {
  const type = typeOf(a), equality = operator === "==" || operator === "!=";
  if (type === undefined || type !== typeOf(b) || (type === "boolean" && !equality)) throw new Unfit("types differ");
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

function typeOf(v: Json): string | undefined {
  if (typeof v === "bigint" || Number.isInteger(v)) return "whole";
  return typeof v === "object" ? undefined : typeof v;
}

// ---- reading ------------------------------------------------------------------------------------------------------------

const KEY = /^'([^']*)'$/, SLICE = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/, COMPARED = /^([^!<>=]+)([!<>=]+)(.+?)$/;
const NAME = /(?:\\[^]|[^\\ \t\r\n.,[\]$@{}])*/y, WORD = /[\p{L}\p{Nd}_]/uy, NUMBER = /[+-]?[\d.]*/y, END = /[\r\n]|$/y;
const QUOTED = /(['"])((?:(?!\1)[^\n]|(?<=\\)\1)*)\1/y;

/** A closing brace ends a path; what stands behind is text. */
const stepsOf = (text: string): Step[] => new Reader(`${text}}`).steps();

class Reader {
  #at = 0;
  readonly #steps: Step[] = [];

  constructor(readonly text: string) {}

  steps(): Step[] {
    while (!this.#starts("}")) this.#step();
    return this.#steps;
  }

  #starts(text: string): boolean {
    return this.text.startsWith(text, this.#at);
  }

  /** What an expression finds here; the reader goes on behind it. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }

  #sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.text);
  }

  #step(): void {
    if (this.#starts("[?(")) return this.#filter();
    if (this.#starts("..")) return this.#deep();
    if (this.#sees(END)) throw new Unreadable("no end");
    const c = this.text[this.#at]!;
    if (" @$".includes(c)) this.#at++;
    else if (c === "[") this.#list();
    else if (c === ".") this.#name(1);
    else if (c === "'" || c === '"') this.#quoted();
    else if (/[+\-\d]/.test(c)) this.#number();
    else if (this.#sees(WORD)) this.#word();
    else throw new Unreadable(`no ${c} here`);
  }

  /** `past`: how much of what is before the name is passed over. */
  #name(past = 0): void {
    this.#at += past;
    const name = this.#take(NAME)![0];
    this.#steps.push(name === "*" ? ANY : member(name.replaceAll("\\", "")));
  }

  #deep(): void {
    if (this.#steps.at(-1) === DEEP) throw new Unreadable("twice to any depth");
    this.#at += 2;
    this.#steps.push(DEEP);
    if (this.#sees(WORD)) this.#name();
  }

  #quoted(): void {
    const found = this.#take(QUOTED);
    if (!found) throw new Unreadable("no end of a text");
    this.#steps.push(constant(found[2]!.replace(/\\(.)/g, "$1")));
  }

  #number(): void {
    const value = Number(this.#take(NUMBER)![0] || "x");
    if (Number.isNaN(value)) throw new Unreadable("no number");
    this.#steps.push(constant(value));
  }

  #word(): void {
    const word = this.#take(NAME)![0];
    this.#steps.push(
      word === "true" || word === "false" ? constant(word === "true") : () => {
        throw new Unfit(`what is ${word}?`);
      },
    );
  }

  #list(): void {
    const end = this.text.indexOf("]", this.#at);
    if (end < 0) throw new Unreadable("no end of an index");
    const text = this.text.slice(this.#at + 1, end), parts = text.split(",");
    this.#at = end + 1;
    if (parts.length === 1) return void this.#steps.push(...indexed(text));
    const paths = parts.map((part) => through(stepsOf(`[${withoutEnd(part.replace(/^ +/, ""), " ")}]`)));
    this.#steps.push((values) => gathered(paths.values().map((path) => path(values))));
  }

  #filter(): void {
    const from = this.#at + 3;
    let quote = "", closed = false, at = from;
    for (;; at++) {
      const c = this.text[at];
      if (c === undefined || c === "\n") throw new Unreadable("no end of a filter");
      if (c === ")" && (quote !== "") === closed) break;
      if (c !== "'" && c !== '"') continue;
      if (quote === "") quote = c;
      else closed ||= c === quote && this.text[at - 1] !== "\\";
    }
    if (this.text[at + 1] !== "]") throw new Unreadable("no end of a filter");
    this.#at = at + 2;
    const text = this.text.slice(from, at), [, left, operator, right] = COMPARED.exec(text) ?? [];
    this.#steps.push(
      left === undefined
        ? filter(through(stepsOf(text)))
        : filter(through(stepsOf(left)), operator, through(stepsOf(right!))),
    );
  }
}

/** What stands between brackets. */
function indexed(text: string): readonly Step[] {
  const key = KEY.exec(text);
  if (key) return stepsOf(`.${key[1]}`);
  const [found, first = "", second, third] = SLICE.exec(text === "*" ? ":" : text) ?? [];
  if (found === undefined || [first, second, third].includes("-")) throw new Unreadable("no index");
  const from = Number(first), single = second === undefined;
  return [
    slice({ from, to: single ? from + 1 : second === "" ? undefined : Number(second), by: Number(third || 1), single }),
  ];
}
