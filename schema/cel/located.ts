/** What is wrong with an expression, and where: the line and a mark below it, as the public server shows it. */
import { type CelError, CelErrors, ConstantError, ResultError } from "./ast.ts";

/** Characters of several that are told: each shows the whole line that it stands in. The first is told in any case. */
const MOST_TOLD = 1 << 19;

/** Text of an error, or of several. What is said of the whole expression is told without a place. */
export function located(expression: string, e: CelError): string {
  if (e instanceof CelErrors) return severally(expression, e.all);
  const { message, at } = e;
  if (at === undefined) return message;
  const before = expression.slice(0, at).split("\n"), column = [...before.at(-1)!];
  const line = expression.split("\n")[before.length - 1]!.replaceAll("\t", " ");
  const marks = column.map((c) => c < "\x80" ? "." : "．").join("");
  return `ERROR: <input>:${before.length}:${column.length + 1}: ${message}\n | ${line}\n | ${marks}^`;
}

function severally(expression: string, all: readonly CelError[]): string {
  const told: string[] = [];
  let left = MOST_TOLD;
  for (const one of all) {
    const text = located(expression, one);
    left -= text.length;
    if (left < 0 && told.length > 0) break;
    told.push(text);
  }
  return told.join("\n");
}

/** What is said of an expression that does not compile, or whose constants cannot have a value. */
export function compileFault(expression: string, e: CelError): string {
  if (e instanceof ResultError) return e.message;
  return e instanceof ConstantError
    ? `program instantiation failed: ${e.message}`
    : `compilation failed: ${located(expression, e)}`;
}
