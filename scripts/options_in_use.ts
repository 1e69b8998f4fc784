/**
 * Lists options that the tables call effective but that nothing in server/, schema/log/ or main.ts reads by name:
 * `deno run --allow-read scripts/options_in_use.ts`. Exit 1 when there is one.
 */
import { camel } from "../schema/flags/names.ts";
import { ROWS } from "../server/options/table.ts";
import { statusOf } from "../schema/flags/types.ts";

/** Every TypeScript text below a directory but the option tables' own. */
function* sources(dir: URL): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(dir)) {
    if (isDirectory && name !== "tables") yield* sources(new URL(`${name}/`, dir));
    else if (name.endsWith(".ts") && !/(checks|help|table)\.ts$/.test(name)) {
      yield Deno.readTextFileSync(new URL(name, dir));
    }
  }
}

/** Names of options that the tables call effective and that nothing reads: by name, or by a name put together as `${"begin"}End`. */
export function unread(): string[] {
  const root = new URL("../", import.meta.url);
  const rooms = ["server/", "schema/log/"].flatMap((room) => [...sources(new URL(room, root))]);
  const text = [...rooms, Deno.readTextFileSync(new URL("main.ts", root))].join("\n");
  const ends = new Set([...text.matchAll(/\[`\$\{\w+\}([A-Z]\w*)`\]/g)].map((m) => m[1]!));
  const joined = (name: string) =>
    [...ends].some((end) => name.endsWith(end) && text.includes(`"${name.slice(0, -end.length)}"`));
  return ROWS.filter((row) => statusOf(row) === "effective").map(({ name }) => name).filter((name) =>
    !new RegExp(`\\b${camel(name)}\\b|"${name}"`).test(text) && !joined(camel(name))
  );
}

if (import.meta.main) {
  const names = unread();
  for (const name of names) console.log(`--${name}`);
  console.log(`${names.length} effective options are read by nothing`);
  if (names.length) Deno.exit(1);
}
