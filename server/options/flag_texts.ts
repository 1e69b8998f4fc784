/** Options and their values as text, for a page that shows how a server was started. */
import { durationText } from "../../schema/flags/duration.ts";
import { camel } from "../../schema/flags/names.ts";
import { ROWS } from "./table.ts";

/** Name and value of every option, by name. */
export function* flagTexts(values: object): Generator<readonly [name: string, value: string]> {
  const byName = values as Readonly<Record<string, unknown>>;
  for (const { name, type } of ROWS.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const value = byName[camel(name)];
    if (value === undefined) continue;
    if (type === "duration") yield [name, durationText(value as number)];
    else yield [name, typeof value === "object" ? JSON.stringify(value) : `${value}`];
  }
}
