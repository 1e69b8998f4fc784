/** References `$(NAME)` in commands, arguments, values and paths. `$$` stands for `$`. */
import type { EnvVariable } from "../types.ts";

const REFERENCE = /\$(?:\$|\(([^)]*)\))/g;

/** @param lookup undefined: the reference stays as it is written */
export function expand(text: string, lookup: (name: string) => string | undefined): string {
  return text.replace(REFERENCE, (whole, name: string | undefined) => name === undefined ? "$" : lookup(name) ?? whole);
}

/** Values by name; of two with one name the later. */
export function lookupIn(variables: readonly EnvVariable[]): (name: string) => string | undefined {
  const values = new Map(variables.map(({ key, value }) => [key, value]));
  return (name) => values.get(name);
}

/** The path of a volume mount's `subPathExpr`. @throws Error: a variable of it has no value */
export function expandSubPath(text: string, variables: readonly EnvVariable[]): string {
  const lookup = lookupIn(variables);
  const missing = new Set<string>();
  const expanded = expand(text, (name) => {
    const value = lookup(name);
    if (!value) missing.add(name);
    return value ?? "";
  });
  if (missing.size) throw new Error(`missing value for ${[...missing].sort().join(", ")}`);
  return expanded;
}
