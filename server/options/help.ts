/** The text of `--help`. */
import { GROUPS } from "./table.ts";
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
  const name = `  ${row.short ? `-${row.short}, ` : "    "}--${row.name}${row.type === "bool" ? "" : ` ${row.type}`}`;
  const notes = [
    row.default === undefined ? "" : `(default ${local(row.default)})`,
    row.deprecated ? `(deprecated: use ${row.deprecated})` : "",
    statusOf(row) === "accepted" ? `(no effect: ${row.accepted})` : "",
  ];
  return `${name}\n${wrap([row.help, ...notes].filter(Boolean).join(" "), " ".repeat(10))}`;
}

/** All options by group, defaults in the names of the dialect. */
export function helpText(local: (text: string) => string): string {
  const groups = Object.entries(GROUPS).map(([title, rows]) =>
    `${title}:\n\n${(rows as readonly OptionRow[]).map((row) => entry(row, local)).join("\n")}\n`
  );
  const global = "Global:\n\n  -h, --help\n          This text\n      --version [raw|vX.Y.Z]\n" +
    "          Print the version and exit; raw: as JSON; vX.Y.Z: report that version instead\n";
  return `Serves the resource API of a cluster.\n\nUsage:\n  orch [options]\n\n${groups.join("\n")}\n${global}`;
}
