/**
 * Writes YAML in the manner of the public API: block style, keys in natural order, lists not indented below their key, plain
 * scalars where they read back as themselves, lines folded past 80 columns. A writer of our own, as no library of this
 * runtime makes the same choices.
 */
import type { Json, JsonMap } from "../model/types.ts";
import { longer } from "../values/utf8.ts";
import { formatFloat, resolvePlain } from "./_yaml_scalar.ts";

const WIDTH = 80;
const INDENT = 2;
/** Longer keys are written with `? `. Bytes. */
const MAX_SIMPLE_KEY = 128;

/** The text of one document, with a line feed at the end. Members that are undefined are left out. */
export function stringifyYaml(value: Json): string {
  const w = new Writer();
  w.node(value, { indent: -INDENT, inMap: false, key: false });
  return w.text + "\n";
}

/** Where a node stands. `indent` is the column of the collection around it; `key` forbids line breaks. */
interface Place {
  readonly indent: number;
  /** It is the value of a simple key: then a list stands at the key's own column. */
  readonly inMap: boolean;
  readonly key: boolean;
}

class Writer {
  text = "";
  /** Characters since the last line feed. */
  #column = 0;

  node(value: Json, place: Place): void {
    if (Array.isArray(value)) return value.length ? this.#list(value, place) : this.#scalar("[]", place);
    if (value !== null && typeof value === "object") {
      const keys = Object.keys(value).filter((k) => value[k] !== undefined);
      return keys.length ? this.#map(value, keys.sort(natural), place) : this.#scalar("{}", place);
    }
    if (typeof value === "string") return this.#string(value, place);
    this.#scalar(
      typeof value === "number" && !Number.isInteger(value) ? formatFloat(value) : plainNumber(value),
      place,
    );
  }

  #map(map: JsonMap, keys: readonly string[], place: Place): void {
    const indent = place.indent + INDENT;
    keys.forEach((key, i) => {
      // Below a key a map starts a line; behind `- ` its first key follows at once.
      if (i > 0 || place.inMap) this.#newLine(indent);
      const simple = this.#key(key, indent);
      this.#put(simple ? ":" : ": ");
      this.node(map[key]!, { indent, inMap: simple, key: false });
    });
  }

  /** Tells whether the key is a simple one: what comes below others begins in the line of their colon. */
  #key(key: string, indent: number): boolean {
    const simple = !longer(key, MAX_SIMPLE_KEY) && !hasBreak(key);
    if (!simple) this.#put("?");
    this.#string(key, { indent, inMap: !simple, key: simple });
    if (!simple) this.#newLine(indent);
    return simple;
  }

  #list(list: readonly Json[], place: Place): void {
    const indent = place.inMap ? Math.max(place.indent, 0) : place.indent + INDENT;
    list.forEach((item, i) => {
      if (i > 0 || place.inMap) this.#newLine(indent);
      this.#put("- ");
      this.node(item, { indent, inMap: false, key: false });
    });
  }

  #scalar(text: string, place: Place): void {
    this.#gap(place);
    this.#put(text);
  }

  #string(value: string, place: Place): void {
    this.#gap(place);
    const a = analyze(value);
    const resolved = resolvePlain(value).kind === "string" && !BASE60.test(value);
    if (value.includes("\n") && a.block) return this.#literal(value, inner(place));
    if (!resolved || !a.single) return this.#doubleQuoted(value, place);
    if (a.plain) return this.#folded(value, place, (part) => part);
    this.#put("'");
    this.#folded(value, place, (part) => part.replaceAll("'", "''"));
    this.#put("'");
  }

  /** A value is set off from its key. */
  #gap(place: Place): void {
    if (place.inMap) this.#put(" ");
  }

  /** Writes a text; past the width a lone space within becomes a line break. */
  #folded(value: string, place: Place, escape: (part: string) => string): void {
    if (place.key || this.#column + value.length <= WIDTH) return this.#put(escape(value));
    let from = 0;
    for (let i = value.indexOf(" ", 1); i > 0 && i < value.length - 1; i = value.indexOf(" ", i + 1)) {
      if (value[i - 1] === " " || value[i + 1] === " ") continue;
      const part = escape(value.slice(from, i));
      if (this.#column + width(part) <= WIDTH) continue;
      this.#put(part);
      this.#newLine(inner(place));
      from = i + 1;
    }
    this.#put(escape(value.slice(from)));
  }

  #doubleQuoted(value: string, place: Place): void {
    this.#put('"');
    let spaces = false;
    const chars = [...value];
    for (const [i, c] of chars.entries()) {
      if (c === " ") {
        const inside = i > 0 && i < chars.length - 1;
        if (!place.key && !spaces && this.#column > WIDTH && inside) {
          this.#newLine(inner(place));
          if (chars[i + 1] === " ") this.#put("\\");
        } else this.#put(c);
        spaces = true;
      } else {
        this.#put(escapeChar(c));
        spaces = false;
      }
    }
    this.#put('"');
  }

  #literal(value: string, indent: number): void {
    const hint = /^[ \n]/.test(value) ? String(INDENT) : "";
    const chomp = !value.endsWith("\n") ? "-" : value === "\n" || value.endsWith("\n\n") ? "+" : "";
    this.#put(`|${hint}${chomp}`);
    // The break that ends the last line is the one that begins the next, or ends the document.
    const body = value.endsWith("\n") ? value.slice(0, -1) : value;
    for (const line of body.split("\n")) {
      if (line === "") this.text += "\n";
      else {
        this.#newLine(indent);
        this.#put(line);
      }
    }
  }

  #newLine(indent: number): void {
    this.text += "\n" + " ".repeat(indent);
    this.#column = indent;
  }
  #put(text: string): void {
    this.text += text;
    this.#column += width(text);
  }
}

/** Column of a scalar's further lines. */
const inner = (place: Place) => Math.max(place.indent, 0) + INDENT;

const plainNumber = (value: Json) => typeof value === "bigint" ? String(value) : JSON.stringify(value);

/** Characters, not code units. */
function width(text: string): number {
  let n = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) n--;
  return n;
}

const BASE60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const UNPRINTABLE = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const hasBreak = (text: string) => /[\n\r\u0085\u2028\u2029]/.test(text);

/** Which styles can hold a text: plain, single quotes, a literal block. */
function analyze(value: string): { plain: boolean; single: boolean; block: boolean } {
  if (value === "") return { plain: true, single: true, block: false };
  const special = UNPRINTABLE.test(value) || /[ ][\n\u2028\u2029]/.test(value);
  const breaks = /[\n\u2028\u2029]/.test(value);
  const indicators = /^(?:---|\.\.\.)/.test(value) || /^[#,[\]{}&*!|>'"%@`]/.test(value) ||
    /^[?:-](?:[ \t]|$)/.test(value) ||
    /:(?:[ \t]|$)/.test(value) || /[ \t\n]#/.test(value);
  const spaced = /^[ \n]|[ \n]$/.test(value);
  const breakSpace = /[\n\u2028\u2029][ ]/.test(value);
  return {
    plain: !special && !breaks && !indicators && !spaced && !breakSpace,
    single: !special && !breaks && !breakSpace,
    block: !special && !value.endsWith(" "),
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\u0085": "\\N",
  "\u00a0": "\u00a0",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function escapeChar(c: string): string {
  const known = ESCAPES[c];
  if (known !== undefined) return known;
  if (!UNPRINTABLE.test(c)) return c;
  const code = c.codePointAt(0)!;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

const LETTER = /\p{L}/u, DIGIT = /[0-9]/;

/** Natural order: `a2` before `a10`; letters after all else. */
function natural(a: string, b: string): number {
  const x = [...a], y = [...b];
  const length = Math.min(x.length, y.length);
  let i = 0;
  while (i < length && x[i] === y[i]) i++;
  if (i === length) return x.length - y.length;
  const c = x[i]!, d = y[i]!;
  const letters = Number(LETTER.test(c)) - Number(LETTER.test(d));
  if (letters !== 0) return letters;
  if (LETTER.test(c)) return c.codePointAt(0)! - d.codePointAt(0)!;
  const [p, q] = [digits(x, i), digits(y, i)];
  // A zero within a number counts as the digit it is, not as a number's beginning.
  const lead = (c === "0" || d === "0") && endsInNumber(x, i) ? "1" : "";
  const [m, n] = [Number(lead + p), Number(lead + q)];
  return m - n || p.length - q.length || c.codePointAt(0)! - d.codePointAt(0)!;
}

/** Whether the digits right before a place hold one that is not zero. */
function endsInNumber(chars: readonly string[], end: number): boolean {
  let at = end - 1;
  while (chars[at] === "0") at--;
  return at >= 0 && DIGIT.test(chars[at]!);
}

function digits(chars: readonly string[], from: number): string {
  let to = from;
  while (to < chars.length && DIGIT.test(chars[to]!)) to++;
  return chars.slice(from, to).join("");
}
