/** From the texts of a command line to values, and what is said of the options given. */
import { camel } from "./names.ts";
import { type OptionRow, statusOf } from "./types.ts";
import { defaultOf, valueFault, valueOf } from "./values.ts";

/** A value for every row, by its name in camel case; those that are not given have their default. Faults go to `errors`. */
export function readValues(
  rows: readonly OptionRow[],
  texts: ReadonlyMap<string, readonly string[]>,
  local: (text: string) => string,
  errors: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const row of rows) {
    const given = texts.get(row.name);
    values[camel(row.name)] = defaultOf(row, local);
    if (!given) continue;
    try {
      values[camel(row.name)] = valueOf(row, given);
    } catch (e) {
      const texts = given.map((t) => JSON.stringify(t)).join(", ");
      errors.push(`--${row.name}: ${valueFault(texts, (e as Error).message)}`);
    }
  }
  return values;
}

/** What is said at start of options that were given: which are deprecated, and which change nothing. */
export function warningsOf(rows: readonly OptionRow[], given: ReadonlySet<string>): string[] {
  const said = rows.filter((row) => given.has(row.name));
  return [
    ...said.filter((r) => r.deprecated).map((r) => `--${r.name} is deprecated: use ${r.deprecated}`),
    ...said.filter((r) => statusOf(r) === "accepted").map((r) => `--${r.name} has no effect: ${r.accepted}`),
  ];
}
