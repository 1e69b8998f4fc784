/** Calls whose outcome does not depend on anything: what must fail is said when the expression is compiled. */
import { CelError, ConstantError, type Node } from "./ast.ts";
import { call, type Functions, type Overload } from "./table.ts";
import { Uint, type Value } from "./values.ts";

const CONVERSIONS: ReadonlySet<string> = new Set(["bool", "bytes", "double", "int", "string", "uint"]);
/** Calls whose value is as constant as what they are given. */
const CONSTANT: ReadonlySet<string> = new Set([...CONVERSIONS, "dyn"]);
/** Functions that take a text of a fixed syntax; of those with a name, a wrong one is a fault of the expression. */
const LITERALS: Readonly<Record<string, string>> = {
  duration: "invalid duration argument",
  timestamp: "invalid timestamp argument",
  matches: "invalid matches argument",
};
const PATTERNS: ReadonlySet<string> = new Set(["find", "findAll"]);

/** The value of a literal, or of a conversion of one; undefined: it is not always the same. */
function constant(n: Node | undefined, functions: Functions): Value | undefined {
  if (n?.t === "call" && !n.on && n.args.length === 1 && CONSTANT.has(n.name)) {
    const inner = constant(n.args[0], functions);
    return inner === undefined ? undefined : call(functions.get(n.name) ?? [], false, [inner]);
  }
  if (n?.t !== "literal") return undefined;
  const { value } = n;
  return typeof value === "object" && value !== null && "uint" in value ? new Uint(value.uint) : value;
}

/** @throws CelError for a call on constants that cannot have a value */
export function checkConstants(
  name: string,
  overloads: readonly Overload[],
  member: boolean,
  args: readonly Node[],
  functions: Functions,
): void {
  const wrong = Object.hasOwn(LITERALS, name) ? LITERALS[name] : undefined;
  const isPattern = name === "matches" || PATTERNS.has(name);
  if (!(wrong || isPattern || CONVERSIONS.has(name))) return;
  const given = args.at(member ? 1 : 0);
  try {
    const text = constant(given, functions);
    if (text !== undefined) call(overloads, member, isPattern ? ["", text, ...args.slice(2).map(() => 0n)] : [text]);
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    throw wrong ? new CelError(wrong, given!.at) : new ConstantError(e.message, given!.at);
  }
  // As a function of two texts its pattern is the second, which is looked at when all else is right.
  if (name === "matches" && !member) checkPattern(overloads, args[1], functions);
}

function checkPattern(overloads: readonly Overload[], at: Node | undefined, functions: Functions): void {
  try {
    const text = constant(at, functions);
    if (text !== undefined) call(overloads, false, ["", text]);
  } catch (e) {
    throw e instanceof CelError ? new ConstantError(e.message, at!.at) : e;
  }
}
