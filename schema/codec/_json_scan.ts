/** Scanners over JSON text for what `JSON.parse` does not tell: where duplicates are, and what is wrong, in the public words. */

/** As the public server: more of them help nobody. */
const MAX_REPORTS = 100;
/** Characters of places that are looked at: a deep one may stand there again and again, and is one report. */
const MAX_PLACES = 1 << 24;
const QUOTE = 34, COMMA = 44, OPEN_LIST = 91, BACKSLASH = 92, CLOSE_LIST = 93, OPEN_MAP = 123, CLOSE_MAP = 125;

interface Frame {
  /** Keys seen, while they are few; undefined in a list. */
  readonly keys: string[] | undefined;
  /** Keys seen, once they are many. */
  seen: Set<string> | undefined;
  key: string;
  index: number;
  /** It lies within an unknown field; what stands under its present key is unknown. Only told when unknown fields are. */
  readonly within: boolean;
  unknown: boolean;
}

/** So many are looked through faster than a set is made. */
const FEW = 12;

/** Notes the frame's key; true when it was there before. */
function repeated(frame: Frame): boolean {
  const { key, seen } = frame, keys = frame.keys!;
  if (seen) return seen.size === seen.add(key).size;
  if (keys.includes(key)) return true;
  if (keys.push(key) > FEW) frame.seen = new Set(keys);
  return false;
}

/** Duplicate fields of a valid text: `duplicate field "a.b[0].c"`, each place once, at most 100. */
export function duplicateFields(text: string): string[] {
  const found = new Set<string>();
  let left = MAX_PLACES;
  eachField(text, (stack, _, twice) => {
    if (!twice || found.size >= MAX_REPORTS || left < 0) return;
    const place = placeOf(stack);
    left -= place.length;
    found.add(place);
  });
  return [...found].map((place) => `duplicate field ${JSON.stringify(place)}`);
}

/**
 * Duplicate fields and these unknown ones (`unknown field "a.b"`), in the order in which a reader that fills one object
 * comes to them; it does not look at what is in an unknown field. At most 100.
 */
export function fieldReports(text: string, unknown: readonly string[]): string[] {
  const places = new Set(unknown.map(placeIn));
  const lasts = new Set([...places].map((p) => p.slice(p.lastIndexOf(".") + 1)));
  const found = new Set<string>();
  let left = MAX_PLACES;
  const add = (what: string, place: string) => found.add(`${what} field ${JSON.stringify(place)}`);
  eachField(text, (stack, top, twice) => {
    top.unknown = false;
    if (top.within || found.size >= MAX_REPORTS || left < 0) return;
    const { key } = top;
    const maybe = lasts.has(key.slice(key.lastIndexOf(".") + 1));
    if (!maybe && !twice) return;
    const place = placeOf(stack);
    left -= place.length;
    if (maybe && places.has(place)) {
      top.unknown = true;
      add("unknown", place);
    } else if (twice) add("duplicate", place);
  });
  return [...found];
}

type Visit = (stack: readonly Frame[], top: Frame, twice: boolean) => void;

/** Visits every key of a valid text in its order. */
function eachField(text: string, visit: Visit): void {
  const stack: Frame[] = [];
  let top: Frame | undefined;
  let wantKey = false;
  const open = (keys: string[] | undefined) => {
    stack.push(
      top = { keys, seen: undefined, key: "", index: 0, within: !!top && (top.within || top.unknown), unknown: false },
    );
  };
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = stringEnd(text, i);
        if (wantKey && top) {
          wantKey = false;
          top.key = unquote(text, i, end);
          visit(stack, top, repeated(top));
        }
        i = end;
        break;
      }
      case COMMA:
        if (top?.keys) wantKey = true;
        else if (top) top.index++;
        break;
      case OPEN_MAP:
        open([]);
        wantKey = true;
        break;
      case OPEN_LIST:
        open(undefined);
        break;
      case CLOSE_MAP:
      case CLOSE_LIST:
        stack.pop();
        top = stack[stack.length - 1];
        wantKey = false;
        break;
    }
  }
}

/** The place that a report names. */
function placeIn(report: string): string {
  return JSON.parse(report.slice(report.indexOf('"')));
}

/** Puts reports in the order of their places, as a reader comes to them in a text whose keys are sorted. */
export function byPlace(reports: readonly string[]): string[] {
  const rows = reports.map((report) => ({ report, steps: placeIn(report).split(/[.[]/) }));
  return rows.sort((a, b) => compareSteps(a.steps, b.steps)).map((r) => r.report);
}

function compareSteps(a: readonly string[], b: readonly string[]): number {
  for (const [i, step] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (step === other) continue;
    const [m, n] = [parseInt(step), parseInt(other)];
    return step.endsWith("]") && other.endsWith("]") ? m - n : step < other ? -1 : 1;
  }
  return a.length - b.length;
}

function placeOf(stack: readonly Frame[]): string {
  let out = "";
  for (const f of stack) out += f.keys ? (out ? "." : "") + f.key : `[${f.index}]`;
  return out;
}

/** Index of the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function unquote(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end + 1)) as string).toWellFormed() : inner;
}

const SPACE = /[ \t\r\n]*/y;
/** Of a string: up to its end, an escape or what JSON forbids (below U+0020). */
const PLAIN_STRING = /[ !#-[\]-\uffff]*/y;
const ENDED = "unexpected end of JSON input";

/**
 * Says what is wrong with a text that `JSON.parse` refused: `invalid character 'x' looking for beginning of value`. Slow
 * path only. Own stack of containers: depth costs memory in proportion to the text, never the call stack.
 */
export function jsonProblem(text: string): string {
  const p = new Problem(text);
  try {
    p.document();
  } catch (e) {
    if (e instanceof Found) return e.text;
    throw e;
  }
  return "invalid JSON";
}

/** Carries the finding out of the walk. */
class Found {
  constructor(readonly text: string) {}
}

class Problem {
  #at = 0;
  readonly #text: string;
  readonly #open: ("{" | "[")[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    while (this.#open.length) this.#afterValue();
    this.#space();
    if (this.#at < this.#text.length) this.#fail("after top-level value");
  }

  /** One value, or the opening of a container up to its first scalar or its immediate end. */
  #value(): void {
    for (;;) {
      this.#space();
      const c = this.#text[this.#at];
      if (c !== "{" && c !== "[") return this.#scalar();
      this.#at++;
      this.#space();
      if (this.#text[this.#at] === (c === "{" ? "}" : "]")) return void this.#at++;
      this.#open.push(c);
      if (c === "{") this.#key("looking for beginning of object key string");
    }
  }
  #afterValue(): void {
    this.#space();
    const map = this.#open[this.#open.length - 1] === "{";
    const c = this.#text[this.#at];
    if (c === (map ? "}" : "]")) {
      this.#at++;
      this.#open.pop();
      return;
    }
    if (c !== ",") this.#fail(map ? "after object key:value pair" : "after array element");
    this.#at++;
    if (map) this.#key("looking for beginning of object key string");
    this.#value();
  }
  #key(where: string): void {
    this.#space();
    if (this.#text[this.#at] !== '"') this.#fail(where);
    this.#string();
    this.#space();
    if (this.#text[this.#at] !== ":") this.#fail("after object key");
    this.#at++;
  }
  #scalar(): void {
    const c = this.#text[this.#at];
    if (c === '"') return this.#string();
    if (c === "t") return this.#literal("true");
    if (c === "f") return this.#literal("false");
    if (c === "n") return this.#literal("null");
    if (c === "-" || (c !== undefined && c >= "0" && c <= "9")) return this.#number();
    this.#fail("looking for beginning of value");
  }
  #literal(word: string): void {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#text[this.#at] !== word[i]) this.#fail(`in literal ${word} (expecting '${word[i]}')`);
    }
  }
  #number(): void {
    if (this.#text[this.#at] === "-") this.#at++;
    if (this.#text[this.#at] === "0") this.#at++;
    else this.#digits("in numeric literal");
    if (this.#text[this.#at] === ".") {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (/[eE]/.test(this.#text[this.#at] ?? "")) {
      this.#at++;
      if (/[-+]/.test(this.#text[this.#at] ?? "")) this.#at++;
      this.#digits("in exponent of numeric literal");
    }
  }
  #digits(where: string): void {
    const start = this.#at;
    this.#skip(/[0-9]*/y);
    if (this.#at === start) this.#fail(where);
  }
  #string(): void {
    this.#at++;
    for (;;) {
      this.#skip(PLAIN_STRING);
      const c = this.#text[this.#at];
      if (c === '"') return void this.#at++;
      if (c !== "\\") this.#fail("in string literal");
      this.#at++;
      this.#escape();
    }
  }
  #escape(): void {
    const c = this.#text[this.#at];
    if (c === undefined || !'"\\/bfnrtu'.includes(c)) this.#fail("in string escape code");
    this.#at++;
    for (let i = 0; c === "u" && i < 4; i++, this.#at++) {
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? "")) this.#fail("in \\u hexadecimal character escape");
    }
  }
  #space(): void {
    this.#skip(SPACE);
  }
  #skip(what: RegExp): void {
    what.lastIndex = this.#at;
    what.test(this.#text);
    this.#at = what.lastIndex;
  }
  #fail(where: string): never {
    const code = this.#text.codePointAt(this.#at);
    throw new Found(code === undefined ? ENDED : `invalid character ${quoteChar(code)} ${where}`);
  }
}

const NAMED: Record<string, string> = {
  "'": "'\\''",
  '"': "'\"'",
  "\n": "'\\n'",
  "\r": "'\\r'",
  "\t": "'\\t'",
  "\\": "'\\\\'",
};
function quoteChar(code: number): string {
  const c = String.fromCodePoint(code);
  return NAMED[c] ?? (code < 32 || code === 127 ? `'\\x${code.toString(16).padStart(2, "0")}'` : `'${c}'`);
}
