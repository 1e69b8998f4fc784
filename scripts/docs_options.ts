/** Writes docs/options.md from the option tables: `deno run --allow-write=docs scripts/docs_options.ts`. */
import { FeatureGates } from "../schema/flags/gates/feature_gates.ts";
import { HELD } from "../schema/flags/gates/gate_table.ts";
import { GROUPS } from "../server/options/table.ts";
import type { OptionRow } from "../schema/flags/types.ts";
import { flagNames, section, statusText } from "./_option_tables.ts";

function gates(): string {
  const rows = [...new FeatureGates(new Map()).entries()].filter((g) => g.stage !== "GA" || !g.locked);
  const held = [...HELD].map((name) => `\`${name}\``).join(", ");
  return `## Feature gates\n\n| gate | stage | default |\n|---|---|---|\n` +
    rows.map((g) => `| ${g.name} | ${g.stage} | ${g.enabled ? "on" : "off"} |`).join("\n") +
    "\n\nOther stable gates are known too; they are on and cannot be turned off. " +
    `Off here, but on in the public server of 1.37, because they change what clients of 1.36 are answered: ${held}.\n`;
}

const FORM = { names: flagNames, status: statusText };

/** The whole page. */
export function optionsPage(): string {
  return `# Options of the server

Written by scripts/docs_options.ts from the tables in server/options/tables. Do not edit.

\`--x=v\`, \`--x v\`; \`--bool\` and \`--bool=false\`; \`_\` and \`-\` are equal in names. Lists are parted by commas and may be repeated;
types \`array\` and \`certKeys\` are repeated only. Durations are written as \`1h30m\`, \`500ms\`. Defaults that hold a product name are
shown in public names and take those of the dialect. *Accepted* options are read and checked, change nothing, and say so once at start.
Beside these: \`-h\`, \`--help\`, \`--version\`, \`--version=raw\`, \`--version=vX.Y.Z\`.

${
    (Object.entries(GROUPS) as [string, readonly OptionRow[]][]).map(([title, rows]) => section(title, rows, FORM))
      .join("\n")
  }
${gates()}`;
}

if (import.meta.main) Deno.writeTextFileSync(new URL("../docs/options.md", import.meta.url), optionsPage());
