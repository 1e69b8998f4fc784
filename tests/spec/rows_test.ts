import assert from "node:assert/strict";
import { faults, parseSpec, readMissing, readRows, readSpec, rowsText } from "../../scripts/spec_rows.ts";
import { LOCK } from "../libraries/lock.ts";

const SCRIPT = new URL("../../scripts/spec_rows.ts", import.meta.url).pathname;

const text = readSpec();

Deno.test({
  name: "rows.json is the specification's",
  ignore: text === undefined, // only where the specification lies beside the project
}, () => {
  assert.ok(
    rowsText(parseSpec(text!)) === rowsText(readRows()),
    "make it anew: deno run -A scripts/spec_rows.ts --write",
  );
});

Deno.test("rows have names of their own", () => {
  const names = readRows().map((r) => `${r.heading}: ${r.row}`);
  assert.equal(new Set(names).size, names.length);
});

Deno.test("every row has a test, or a reason", async () => {
  const run = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--unstable-kv", LOCK, SCRIPT],
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await run.output();
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stdout) + decoder.decode(stderr));
});

const SPEC = `# Title

## One

Text.

1. First.
2. Second.

| Name | Type |
|---|---|
| \`a\` | int |
| \`a\` | bool |
| \`b\` | \`x\\|y\` |

### Same

- A point.

## Two

### Same

list:

| match | paging | unset version | other |
|---|---|---|---|
| Exact | none | Invalid | Exact |
`;

Deno.test("rules, points, rows and cells are read", () => {
  const names = parseSpec(SPEC).map((r) => `${r.heading}: ${r.row}`);
  assert.deepEqual(names, [
    "One: rule 1",
    "One: rule 2",
    "One: a | int",
    "One: a | bool",
    "One: b",
    "One, Same: point 1",
    "Two, Same: list, match Exact, paging none, unset version",
    "Two, Same: list, match Exact, paging none, other",
  ]);
});

Deno.test("what is wrong is told", () => {
  const rows = parseSpec(SPEC).slice(0, 4);
  const missing = readMissing("# why\nOne: rule 2 => later\nOne: gone => later\n");
  assert.deepEqual(faults(rows, new Set(["One: rule 1", "One: other"]), missing), [
    "no test: One: a | int",
    "no test: One: a | bool",
    "no row: One: other",
    "missing.txt: no row: One: gone",
  ]);
  assert.throws(() => readMissing("One: rule 2"));
});
