/** Calls whose outcome does not depend on anything: what must fail is said when the expression is compiled. */
import { CelError, ConstantError, type Node } from "./ast.ts";
import { call, type Overload } from "./table.ts";
import type { Value } from "./values.ts";

const CONVERSIONS: ReadonlySet<string> = new Set(["bool", "bytes", "double", "int", "string", "uint"]);
/** Functions that take a text of a fixed syntax; of those with a name, a wrong one is a fault of the expression. */
const LITERALS: Readonly<Record<string, string>> = {
  duration: "invalid duration argument",
  timestamp: "invalid timestamp argument",
  matches: "invalid matches argument",
};
const PATTERNS: ReadonlySet<string> = new Set(["find", "findAll"]);

const literal = (n: Node | undefined): Value | undefined => n?.t === "literal" ? n.value as Value : undefined;

/** @throws CelError for a call on constants that cannot have a value */
export function checkConstants(
  name: string,
  overloads: readonly Overload[],
  member: boolean,
  args: readonly Node[],
): void {
  const text = literal(args.at(member ? 1 : 0)), wrong = Object.hasOwn(LITERALS, name) ? LITERALS[name] : undefined;
  const isPattern = name === "matches" || PATTERNS.has(name);
  if (text === undefined || !(wrong || isPattern || CONVERSIONS.has(name))) return;
  try {
    call(overloads, member, isPattern ? ["", text, ...args.slice(2).map(() => 0n)] : [text]);
  } catch (e) {
    if (!(e instanceof CelError)) throw e;
    throw wrong ? new CelError(wrong, args[0]!.at) : new ConstantError(e.message, args[0]!.at);
  }
}
