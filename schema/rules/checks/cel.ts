/** What can be told of a CEL expression without an engine: whether there is one, and how long it is. */
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { longer } from "../tree.ts";

/** An expression of at most `max` bytes. An empty one does not compile. */
export function celExpression(text: string | undefined, path: Path, errors: ErrorList, max = Infinity): void {
  const expression = text ?? "";
  if (longer(expression, max)) errors.tooLong(path, max);
  else if (!expression.trim()) errors.invalid(path, expression, "must be an expression");
}

/** An expression that must be there. Returns whether it is. */
export function requiredExpression(text: string | undefined, path: Path, errors: ErrorList): boolean {
  if (text?.trim()) return true;
  errors.required(path, "expression is not specified");
  return false;
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED = new Set(
  ("true false null in as break const continue else for function if import let loop package namespace return var " +
    "void while").split(" "),
);

/** Whether a text can name a variable of an expression. */
export const isCelIdentifier = (name: string): boolean => IDENTIFIER.test(name) && !RESERVED.has(name);
