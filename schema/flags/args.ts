/** The syntax of a command line: from words to the texts given for each option. */
import type { OptionRow } from "./types.ts";

/** What a command line says, before any value is read. */
export interface Args {
  /** Texts by option name, in the order given. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly help: boolean;
  /** Text of `--version`, `true` when it stands alone. */
  readonly version: string | undefined;
  readonly errors: readonly string[];
}

const HELP: OptionRow = { name: "help", type: "bool", help: "", short: "h" };
const VERSION: OptionRow = { name: "version", type: "bool", help: "" };

/** The rows by what names them on a command line. */
interface Known {
  readonly byName: ReadonlyMap<string, OptionRow>;
  readonly byShort: ReadonlyMap<string, OptionRow>;
}

function known(rows: readonly OptionRow[]): Known {
  const all = [...rows, HELP, VERSION];
  return {
    byName: new Map(all.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => [name, row]))),
    byShort: new Map(all.flatMap((row) => (row.short ? [[row.short, row]] : []))),
  };
}

/** Edit distance, given up past `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

function suggestion(name: string, names: Iterable<string>): string {
  // A name with more than half of its letters changed is not like another one.
  let best = "", least = Math.min(4, Math.ceil(name.length / 2) + 1);
  for (const other of names) {
    const d = distance(name, other, least);
    if (d < least) [best, least] = [other, d];
  }
  return best ? `; did you mean --${best}?` : "";
}

/** Reads the words after the program's name; `rows` are the options that there are. Faults are collected, not thrown. */
export function readArgs(rows: readonly OptionRow[], argv: readonly string[]): Args {
  const options = known(rows);
  const texts = new Map<string, string[]>(), errors: string[] = [];
  const words = [...argv];
  const put = (row: OptionRow, text: string) => {
    const list = texts.get(row.name);
    if (list) list.push(text);
    else texts.set(row.name, [text]);
  };
  const take = (row: OptionRow, shown: string, attached: string | undefined) => {
    if (attached !== undefined) put(row, attached);
    else if (row.type === "bool") put(row, "true");
    else if (words.length) put(row, words.shift()!);
    else errors.push(`${shown}: needs a value`);
  };
  while (words.length) {
    const word = words.shift()!;
    if (word === "--") {
      for (const rest of words.splice(0)) errors.push(`argument ${JSON.stringify(rest)} is no option`);
    } else if (word.startsWith("--")) readLong(word.slice(2), options, take, errors);
    else if (word.startsWith("-") && word.length > 1) readShort(word.slice(1), options, take, errors);
    else errors.push(`argument ${JSON.stringify(word)} is no option`);
  }
  const help = texts.get("help")?.at(-1);
  const version = texts.get("version")?.at(-1);
  for (const name of ["help", "version"]) texts.delete(name);
  return { texts, help: help !== undefined && help !== "false", version, errors };
}

type Take = (row: OptionRow, shown: string, attached: string | undefined) => void;

function readLong(text: string, { byName }: Known, take: Take, errors: string[]): void {
  const at = text.indexOf("=");
  const name = (at < 0 ? text : text.slice(0, at)).replaceAll("_", "-");
  const row = byName.get(name);
  if (!row) errors.push(`--${name}: unknown option${suggestion(name, byName.keys())}`);
  else take(row, `--${name}`, at < 0 ? undefined : text.slice(at + 1));
}

/** `-v=2`, `-v2`, `-v 2`, `-hv2`. */
function readShort(text: string, { byShort }: Known, take: Take, errors: string[]): void {
  for (let i = 0; i < text.length; i++) {
    const row = byShort.get(text[i]!);
    if (!row) {
      errors.push(`-${text[i]}: unknown option in ${JSON.stringify("-" + text)}`);
      return;
    }
    const rest = text.slice(i + 1);
    if (rest.startsWith("=")) return take(row, `-${text[i]}`, rest.slice(1));
    if (row.type !== "bool") return take(row, `-${text[i]}`, rest === "" ? undefined : rest);
    take(row, `-${text[i]}`, undefined);
  }
}
