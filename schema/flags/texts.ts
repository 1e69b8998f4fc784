/** Options and their values as text, for a page that shows how a server was started. */
import { durationText } from "./duration.ts";
import { camel } from "./names.ts";
import type { OptionRow } from "./types.ts";

/** Name and value of every option, by name. */
export function* flagTexts(
  rows: readonly OptionRow[],
  values: object,
): Generator<readonly [name: string, value: string]> {
  const byName = values as Readonly<Record<string, unknown>>;
  for (const { name, type } of rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const value = byName[camel(name)];
    if (value === undefined) continue;
    if (type === "duration") yield [name, durationText(value as number)];
    else yield [name, typeof value === "object" ? JSON.stringify(value) : `${value}`];
  }
}
