/** The JSONPath of printer columns: members, indices, slices, lists of these, `*`, `..`, and filters with one comparison. */
import { isMap } from "../../schema/model/members.ts";
import type { Json } from "../../schema/model/types.ts";

type Step = (values: readonly Json[]) => Json[];

/** Finds values in an object; none where the path leads nowhere. */
export type JsonPath = (root: Json) => Json[];

/** A path that cannot be read finds nothing. */
export function jsonPath(text: string): JsonPath {
  if (text.trim() === ".") return () => []; // the whole object is no cell
  const steps = stepsOf(text.trim().replace(/^\{(.*)\}$/s, "$1").replace(/^\$/, ""));
  return steps ? through(steps) : () => [];
}

/** One step after another. */
const through = (steps: readonly Step[]): JsonPath => (root) =>
  steps.reduce<Json[]>((values, step) => step(values), [root]);

const MEMBER = /^\.?((?:[^.[\]\\'"*?()]|\\.)+)/;
const ANY = /^(?:\.\*|\[\*\])/;
const QUOTED = /^\[(['"])((?:\\.|(?!\1).)*)\1\]/;
const INDEX = /^\[(-?\d+)\]/;
const SLICE = /^\[(-?\d*):(-?\d*)(?::(\d*))?\]/;
const UNION = /^\[((?:-?\d+|'[^']*'|"[^"]*")(?:\s*,\s*(?:-?\d+|'[^']*'|"[^"]*"))+)\]/;
const FILTER =
  /^\[\?\(\s*@((?:[^\]()'"]|'[^']*'|"[^"]*")*?)\s*(?:(==|!=|<=|>=|<|>)\s*('[^']*'|"[^"]*"|[^\s)]+)\s*)?\)\]/;
const DEEP = /^\.\.(?=[^.])/;

function stepsOf(text: string): Step[] | undefined {
  const steps: Step[] = [];
  for (let rest = text; rest !== "" && rest !== ".";) {
    const read = READERS.map(([pattern, make]) => ({ found: pattern.exec(rest), make })).find((r) => r.found);
    if (!read) return undefined;
    const step = read.make(read.found!);
    if (!step) return undefined;
    steps.push(step);
    rest = rest.slice(read.found![0].length);
  }
  return steps;
}

const READERS: readonly (readonly [RegExp, (m: RegExpExecArray) => Step | undefined])[] = [
  [DEEP, () => each(deep)],
  [ANY, () => each(children)],
  [QUOTED, (m) => named(m[2]!)],
  [INDEX, (m) => each((v) => at(v, Number(m[1])))],
  [SLICE, (m) => each((v) => slice(v, bound(m[1]!), bound(m[2]!), bound(m[3] ?? "")))],
  [UNION, (m) => union(m[1]!.match(/-?\d+|'[^']*'|"[^"]*"/g)!)],
  [FILTER, (m) => filter(m[1]!, m[2], m[3])],
  [MEMBER, (m) => member(m[1]!.replace(/\\(.)/g, "$1"))],
];

const each = (of: (v: Json) => Json[]): Step => (values) => values.flatMap(of);
const bound = (text: string): number | undefined => text === "" ? undefined : Number(text);
const member = (name: string): Step => each((v) => isMap(v) && Object.hasOwn(v, name) ? [v[name]!] : []);

/** A quoted name is read as a path is: dots in it divide, unless escaped. */
function named(text: string): Step {
  const names = text.match(/(?:[^.\\]|\\.)+/g) ?? [];
  return (values) => names.reduce<readonly Json[]>((vs, n) => member(n.replace(/\\(.)/g, "$1"))(vs), values) as Json[];
}

function union(parts: readonly string[]): Step {
  const steps = parts.map((p) => /^['"]/.test(p) ? named(p.slice(1, -1)) : each((v) => at(v, Number(p))));
  return (values) => steps.flatMap((step) => step(values));
}

function slice(v: Json, from = 0, to: number | undefined, by = 1): Json[] {
  if (!Array.isArray(v)) return [];
  return v.slice(from, to).filter((_x, i) => i % Math.max(1, by) === 0);
}

const children = (v: Json): Json[] => Array.isArray(v) ? v : isMap(v) ? Object.values(v) : [];
const deep = (v: Json): Json[] => [v, ...children(v).flatMap(deep)];

function at(v: Json, index: number): Json[] {
  if (!Array.isArray(v)) return [];
  const found = v.at(index);
  return found === undefined ? [] : [found];
}

function filter(path: string, operator: string | undefined, literal: string | undefined): Step | undefined {
  const steps = stepsOf(path);
  if (!steps) return undefined;
  const find = through(steps);
  if (operator === undefined) return each((v) => children(v).filter((item) => find(item).length > 0));
  const wanted = literalOf(literal!);
  return each((v) => children(v).filter((item) => find(item).some((found) => compare(found, operator, wanted))));
}

function literalOf(text: string): Json {
  if (/^['"]/.test(text)) return text.slice(1, -1);
  if (text === "true" || text === "false") return text === "true";
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function compare(a: Json, operator: string, b: Json): boolean {
  if (operator === "==") return a === b;
  if (operator === "!=") return a !== b;
  if (typeof a !== typeof b || (typeof a !== "number" && typeof a !== "string")) return false;
  const x = a as number, y = b as number;
  return operator === "<" ? x < y : operator === ">" ? x > y : operator === "<=" ? x <= y : x >= y;
}
