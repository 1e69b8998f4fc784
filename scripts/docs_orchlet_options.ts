/** Writes docs/orchlet-options.md from the tables of the agent: `deno run --allow-write=docs scripts/docs_orchlet_options.ts`. */
import { FIELD_ROWS, GROUPS } from "../agent/options/table.ts";
import type { SettingRow } from "../agent/options/types.ts";
import { cell, code, flagNames, section, type ShownRow, statusText } from "./_option_tables.ts";

const file = (row: SettingRow): string =>
  code(row.field) + (row.fileDefault === undefined ? "" : `, default ${code(row.fileDefault)}`);

const FLAGS = {
  names: flagNames as (row: SettingRow & ShownRow) => string,
  more: { title: "in the file", cell: file },
  status: statusText,
};
const FIELDS = { names: (row: SettingRow) => cell(code(row.field)), status: statusText };

/** The whole page. */
export function orchletOptionsPage(): string {
  const groups = Object.entries(GROUPS).map(([title, rows]) =>
    section(title, rows.map((row) => ({ ...row, deprecated: "" })), FLAGS)
  );
  return `# Options of the node agent

Written by scripts/docs_orchlet_options.ts from the tables in agent/options/tables. Do not edit.

\`--x=v\`, \`--x v\`; \`--bool\` and \`--bool=false\`; \`_\` and \`-\` are equal in names. Lists are parted by commas and may be repeated;
type \`array\` is repeated only. Durations are written as \`1h30m\`, \`500ms\`. Defaults that hold a product name are shown in public
names and take those of the dialect. *Accepted* options are read and checked, change nothing, and say so once at start.
Beside these: \`-h\`, \`--help\`, \`--version\`, \`--version=raw\`, \`--version=vX.Y.Z\`.

## The configuration file

\`--config\` names a file, YAML or JSON, of kind \`OrchletConfiguration\` in \`orchlet.config.orch.io/v1beta1\`, or with its public names
\`KubeletConfiguration\` in \`kubelet.config.k8s.io/v1beta1\`. Fields that are not known are passed over with a warning. Relative paths
begin where the file is. Files ending \`.conf\` below \`--config-dir\` are merged over it in the order of their names: maps are merged, lists
replaced, null takes a field away. An option on the command line goes before the files; of \`--feature-gates\` each gate for itself.
Where \`--config\` is given the defaults of some options are others; they stand in the column of the file.

${groups.join("\n")}
${section("Fields that only the file has", FIELD_ROWS, FIELDS)}`;
}

if (import.meta.main) {
  Deno.writeTextFileSync(new URL("../docs/orchlet-options.md", import.meta.url), orchletOptionsPage());
}
