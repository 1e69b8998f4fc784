/**
 * Lists options that the tables call effective but that nothing in server/ or main.ts reads by name:
 * `deno run --allow-read scripts/options_in_use.ts`. Exit 1 when there is one. To be empty before a release: then the table tells the truth.
 */
import { camel, ROWS } from "../server/options/table.ts";
import { statusOf } from "../server/options/types.ts";

/** Every TypeScript text below a directory but the option tables' own. */
function* sources(dir: URL): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(dir)) {
    if (isDirectory && name !== "tables") yield* sources(new URL(`${name}/`, dir));
    else if (name.endsWith(".ts") && !/(checks|help|table)\.ts$/.test(name)) {
      yield Deno.readTextFileSync(new URL(name, dir));
    }
  }
}

const root = new URL("../", import.meta.url);
const text = [...sources(new URL("server/", root)), Deno.readTextFileSync(new URL("main.ts", root))].join("\n");
const unused = ROWS.filter((row) => statusOf(row) === "effective").filter((row) =>
  !new RegExp(`\\b${camel(row.name)}\\b|"${row.name}"`).test(text)
);
for (const row of unused) console.log(`--${row.name}`);
console.log(`${unused.length} effective options are read by nothing`);
if (unused.length) Deno.exit(1);
