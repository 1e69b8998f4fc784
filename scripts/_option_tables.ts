/** Tables of options as pages of docs show them. */
import { durationText } from "../schema/flags/duration.ts";
import type { OptionRow } from "../schema/flags/types.ts";

/** What a line needs of a row. */
export interface ShownRow extends Omit<OptionRow, "type"> {
  readonly type: string;
}

/** A cell of a table. */
export const cell = (text: string): string => text.replaceAll("|", "\\|");
/** A cell in the face of code. */
export const code = (text: string | undefined): string => text === undefined || text === "" ? "" : `\`${cell(text)}\``;

/** Which values a rule lets through. */
function bounds({ rule, type }: ShownRow): string {
  if (!rule) return "";
  if (rule.oneOf) return rule.oneOf.filter((v) => v !== "").map((v) => `\`${v}\``).join(", ");
  if (rule.maxItems !== undefined) return `at most ${rule.maxItems}`;
  const shown = (n: number | undefined) => type === "duration" && n !== undefined && n !== 0 ? durationText(n) : n;
  return rule.max === undefined ? `≥ ${shown(rule.min)}` : `${shown(rule.min)} to ${shown(rule.max)}`;
}

/** How a row is named: as flags. */
export function flagNames(row: ShownRow): string {
  const names = [`--${row.name}`, ...(row.short ? [`-${row.short}`] : []), ...(row.aliases ?? []).map((a) => `--${a}`)];
  return names.map(code).join(", ");
}

function line<R extends ShownRow>(row: R, { names, more, status }: TableForm<R>): string {
  const notes = row.deprecated ? ` Deprecated: use ${row.deprecated}.` : "";
  const cells = [
    names(row),
    row.type,
    code(row.default),
    bounds(row),
    cell(row.help) + notes,
    ...(more ? [more.cell(row)] : []),
    cell(status(row)),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** What differs between pages. */
export interface TableForm<R> {
  names(row: R): string;
  /** A column before the last. */
  readonly more?: { readonly title: string; cell(row: R): string };
  status(row: R): string;
}

/** A heading and the table below it. */
export function section<R extends ShownRow>(title: string, rows: readonly R[], form: TableForm<R>): string {
  const titles = ["option", "type", "default", "values", "meaning", ...(form.more ? [form.more.title] : []), "status"];
  const head = `| ${titles.join(" | ")} |\n|${"---|".repeat(titles.length)}`;
  return `## ${title}\n\n${head}\n${rows.map((row) => line(row, form)).join("\n")}\n`;
}

/** Whether an option changes anything, and if not why. */
export const statusText = ({ accepted }: ShownRow): string =>
  accepted === undefined ? "effective" : `accepted: ${accepted}`;
