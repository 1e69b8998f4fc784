/** The text of `--help`. */
import { type OptionRow, statusOf } from "./types.ts";

const WIDTH = 100;

function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.length + word.length >= WIDTH && line !== indent) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += word + " ";
  }
  return [...lines, line.trimEnd()].join("\n");
}

function entry(row: OptionRow, local: (text: string) => string): string {
  const names = [row.name, ...row.aliases ?? []].map((name) => `--${name}`).join(", ");
  const name = `  ${row.short ? `-${row.short}, ` : "    "}${names}${row.type === "bool" ? "" : ` ${row.type}`}`;
  const values = (row.rule?.oneOf ?? []).filter((value) => value !== "");
  const notes = [
    row.default === undefined ? "" : `(default ${local(row.default)})`,
    values.every((value) => row.help.includes(value)) ? "" : `(values: ${[...new Set(values.map(local))].join(", ")})`,
    row.deprecated ? `(deprecated: use ${row.deprecated})` : "",
    statusOf(row) === "accepted" ? `(no effect: ${row.accepted})` : "",
  ];
  return `${name}\n${wrap([row.help, ...notes].filter(Boolean).join(" "), " ".repeat(10))}`;
}

/** What a program is, for its `--help`. */
export interface Program {
  /** One sentence. */
  readonly about: string;
  /** How it is called: `orch [options]`. */
  readonly usage: string;
  /** Options by the title of their group. */
  readonly groups: Readonly<Record<string, readonly OptionRow[]>>;
}

/** All options by group, defaults in the names of the dialect. */
export function helpText({ about, usage, groups }: Program, local: (text: string) => string): string {
  const shown = Object.entries(groups).map(([title, rows]) =>
    `${title}:\n\n${rows.map((row) => entry(row, local)).join("\n")}\n`
  );
  const global = "Global:\n\n  -h, --help\n          This text\n      --version[=raw|vX.Y.Z]\n" +
    "          Print the version and exit; raw: as JSON; vX.Y.Z: report that version instead\n";
  return `${about}\n\nUsage:\n  ${usage}\n\n${shown.join("\n")}\n${global}`;
}
