/**
 * The specification's headings, table rows and numbered rules against the tests: every row has a test in tests/spec, or a
 * line in tests/spec/missing.txt that says why not.
 *
 *     deno run -A scripts/spec_rows.ts            lists rows that have neither, and exits with 1 when there are any
 *     deno run -A scripts/spec_rows.ts --write    makes tests/spec/rows.json anew from ../shared/spec
 *     deno run -A scripts/spec_rows.ts --list     prints all rows
 */

/** One thing that the specification says. */
export interface SpecRow {
  /** The heading that it stands under; with the heading above where two are named alike. */
  readonly heading: string;
  /** `rule 3`, `point 1`, or what tells a table's row from the others below the heading. */
  readonly row: string;
  /** Of an option: its type and default as they stand there. */
  readonly type?: string;
}

const HERE = new URL("../", import.meta.url);
const ROWS = new URL("tests/spec/rows.json", HERE);
const MISSING = new URL("tests/spec/missing.txt", HERE);
const TESTS = new URL("tests/spec/", HERE);
const SPEC = new URL("../shared/spec/", HERE);

/** The heading whose tables are told cell by cell, and how many cells of a row say where it stands. */
const CELL_TABLES: Readonly<Record<string, number>> = { get: 0, list: 2, watch: 0 };

interface Section {
  heading: string;
  parent: string;
  rows: { row: string; text: string[]; type?: string }[];
}

const plain = (cell: string): string => cell.replaceAll("`", "").replaceAll("\\|", "|").trim();
const cellsOf = (line: string): string[] => line.replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((c) => c.trim());

/** Reads the rows of the specification's text. */
export function parseSpec(text: string): SpecRow[] {
  const sections: Section[] = [];
  let top = "", label = "";
  let header: string[] | undefined;
  for (const line of text.split("\n")) {
    const heading = /^(##+) (.*)$/.exec(line);
    if (heading) {
      const name = plain(heading[2]!);
      if (heading[1] === "##") top = name;
      sections.push({ heading: name, parent: heading[1] === "##" ? "" : top, rows: [] });
      header = undefined;
    } else if (line.startsWith("|")) {
      const cells = cellsOf(line);
      if (!header) header = cells;
      else if (!/^[-| ]+$/.test(line)) sections.at(-1)?.rows.push(...tableRows(label, header, cells));
    } else {
      header = undefined;
      if (/^[a-z]+:$/.test(line)) label = line.slice(0, -1);
      else if (line !== "") label = "";
      const rule = /^(?:(\d+)\.|-) (.*)$/.exec(line);
      const section = sections.at(-1);
      if (!rule || !section) continue;
      const n = rule[1] ?? String(section.rows.filter((r) => r.row.startsWith("point")).length + 1);
      section.rows.push({ row: `${rule[1] ? "rule" : "point"} ${n}`, text: [rule[2]!] });
    }
  }
  return sections.flatMap((s) => named(s, sections));
}

function tableRows(label: string, header: string[], cells: string[]): Section["rows"] {
  const fixed = CELL_TABLES[label];
  const option = /^Type \/ default$/.test(header[1] ?? "");
  if (fixed === undefined) return [{ row: "", text: cells, ...(option ? { type: cells[1] ?? "" } : {}) }];
  const where = cells.slice(0, fixed).map((c, i) => `${plain(header[i]!)} ${plain(c)}`);
  return cells.slice(fixed).map((cell, i) => ({
    row: [label, ...where, plain(header[fixed + i]!)].join(", "),
    text: [...cells.slice(0, fixed), header[fixed + i]!, cell],
  }));
}

/** Gives each row the shortest name that no other of its section has. */
function named(section: Section, all: readonly Section[]): SpecRow[] {
  const alike = all.filter((s) => s.heading === section.heading).length > 1;
  const heading = alike ? `${section.parent}, ${section.heading}` : section.heading;
  const key = (text: readonly string[], n: number) => text.slice(0, n).map(plain).join(" | ");
  return section.rows.map(({ row, text, type }) => {
    if (row !== "") return { heading, row };
    let n = 1;
    const others = section.rows.filter((r) => r.row === "" && r.text !== text);
    while (n < text.length && others.some((o) => key(o.text, n) === key(text, n))) n++;
    return { heading, row: key(text, n), ...(type === undefined ? {} : { type }) };
  });
}

/** The specification's text, when it is next to the project. */
export function readSpec(): string | undefined {
  try {
    const names = [...Deno.readDirSync(SPEC)].map((f) => f.name).filter((n) => n.endsWith(".txt")).sort();
    return names.map((n) => Deno.readTextFileSync(new URL(n, SPEC))).join("\n");
  } catch {
    return undefined; // the specification is not part of the project
  }
}

/** The project's own copy of the rows. */
export const readRows = (): SpecRow[] => JSON.parse(Deno.readTextFileSync(ROWS));

/** The copy as it is written. */
export const rowsText = (rows: readonly SpecRow[]): string => JSON.stringify(rows, null, 2) + "\n";

/** Lines of missing.txt: `<heading>: <row> => <reason>`; a row `*` is every row of the heading that has no test. */
export function readMissing(text: string): Map<string, string> {
  const out = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, reason] = line.split(" => ");
    if (!name || !reason) throw new Error(`missing.txt: ${line}: should be <heading>: <row> => <reason>`);
    out.set(name, reason);
  }
  return out;
}

/** Names of the tests in tests/spec; `Deno.test` does nothing outside of a test run. */
async function testedNames(): Promise<Set<string>> {
  const { TESTED } = await import("../tests/spec/_spec.ts");
  for (const { name } of Deno.readDirSync(TESTS)) {
    if (name.endsWith("_test.ts") && name !== "rows_test.ts") await import(new URL(name, TESTS).href);
  }
  return TESTED;
}

/** What is wrong: rows without a test or a reason, tests of no row, reasons of no row. */
export function faults(rows: readonly SpecRow[], tested: ReadonlySet<string>, missing: ReadonlyMap<string, string>) {
  const names = new Set(rows.map((r) => `${r.heading}: ${r.row}`));
  const excused = (r: SpecRow) => missing.has(`${r.heading}: ${r.row}`) || missing.has(`${r.heading}: *`);
  return [
    ...rows.filter((r) => !tested.has(`${r.heading}: ${r.row}`) && !excused(r)).map((r) =>
      `no test: ${r.heading}: ${r.row}`
    ),
    ...[...tested].filter((t) => !names.has(t)).map((t) => `no row: ${t}`),
    ...[...missing.keys()].filter((m) => !m.endsWith(": *") && !names.has(m)).map((m) => `missing.txt: no row: ${m}`),
    ...[...missing.keys()].filter((m) => tested.has(m)).map((m) => `missing.txt: has a test: ${m}`),
  ];
}

// Not awaited: test modules that are imported import this one.
if (import.meta.main) main(Deno.args);

async function main(args: readonly string[]): Promise<void> {
  if (args.includes("--write")) {
    const spec = readSpec();
    if (spec === undefined) throw new Error("there is no specification next to the project");
    Deno.writeTextFileSync(ROWS, rowsText(parseSpec(spec)));
    return;
  }
  const rows = readRows();
  if (args.includes("--list")) return rows.forEach((r) => console.log(`${r.heading}: ${r.row}`));
  const tested = await testedNames();
  const missing = readMissing(Deno.readTextFileSync(MISSING));
  const found = faults(rows, tested, missing);
  for (const line of found) console.log(line);
  const done = rows.filter((r) => tested.has(`${r.heading}: ${r.row}`)).length;
  console.log(`${rows.length} rows, ${done} with a test, ${rows.length - done} without`);
  Deno.exit(found.length === 0 ? 0 : 1);
}
