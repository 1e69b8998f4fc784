/** References `$(NAME)` in commands, arguments, values and paths. `$$` stands for `$`. */
import type { EnvVariable } from "../types.ts";

const REFERENCE = /\$(?:\$|\(([^)]*)\))/g;

/** What a container's variables, or the values of references in a command, may come to, characters: the runtime takes no longer requests. */
export const MOST = 16 * 1024 * 1024;

/**
 * Replaces references in texts that go together. What that returns throws an Error when their values come to too much: each of a few
 * variables may be twice the one before it.
 * @param lookup undefined: the reference stays as it is written
 */
export function expanding(lookup: (name: string) => string | undefined, most = MOST): (text: string) => string {
  let room = most;
  const counted = (value: string): string => {
    room -= value.length;
    if (room < 0) throw new Error(`cannot expand references: their values come to more than ${most} characters`);
    return value;
  };
  return (text) => {
    // Behind the last bracket none closes: it would be looked for from each reference that begins there.
    const end = text.lastIndexOf(")") + 1;
    const whole = text.slice(0, end).replace(
      REFERENCE,
      (reference, name: string | undefined) => name === undefined ? "$" : counted(lookup(name) ?? reference),
    );
    return whole + text.slice(end).replaceAll("$$", () => "$");
  };
}

/** The same of one text. @throws Error */
export const expand = (text: string, lookup: (name: string) => string | undefined): string => expanding(lookup)(text);

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
