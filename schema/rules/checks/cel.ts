/** Expressions in CEL as fields: that they are there, how long they are, and that they compile. */
import { BOOL, CelError, compile, compileFault, compilePatch, ConstantError, type Type } from "../../cel/mod.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import type { Environment } from "./cel_environments.ts";

/** That an expression compiles to a value of one of the types; none: of any. Returns its type, undefined without. */
export function compiles(
  text: string,
  path: Path,
  errors: ErrorList,
  environment: Environment,
  wanted: readonly Type[] = [BOOL],
): Type | undefined {
  try {
    return compile(text, environment, ...wanted).type;
  } catch (e) {
    wrong(e, text, path, errors);
  }
  return undefined;
}

/** Tells what is wrong with an expression. @throws what is no CelError */
export function wrong(e: unknown, text: string, path: Path, errors: ErrorList): void {
  if (!(e instanceof CelError)) throw e;
  const said = errors.full ? "" : compileFault(text, e);
  if (e instanceof ConstantError) errors.internal(path, said);
  else errors.invalid(path, text, said);
}

/** That an expression that changes objects is there and compiles to a value of that type. */
export function requiredPatch(
  text: string | undefined,
  path: Path,
  errors: ErrorList,
  environment: Environment,
  wanted: Type,
): void {
  if (!requiredExpression(text, path, errors)) return;
  try {
    compilePatch(text!, environment, wanted);
  } catch (e) {
    wrong(e, text!, path, errors);
  }
}

/** A condition that must be there and compile. Returns whether it is there. */
export function requiredCondition(
  text: string | undefined,
  path: Path,
  errors: ErrorList,
  environment: Environment,
): boolean {
  if (!requiredExpression(text, path, errors)) return false;
  compiles(text!, path, errors, environment);
  return true;
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
