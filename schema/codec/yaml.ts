/**
 * YAML ↔ tree, as the public API's library reads and writes it: YAML 1.1 scalars, the first document only, keys made
 * strings. The syntax is read by the npm library `yaml`; what scalars mean, merges, aliases and limits are here.
 * Stricter than the public reader in one place: lines within brackets or quotes must stand deeper than their key.
 */
import {
  Composer,
  CST,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLParseError,
} from "yaml";
import { setMember } from "../model/members.ts";
import type { Json, JsonMap } from "../model/types.ts";
import { ValueError } from "../values/error.ts";
export { stringifyYaml } from "./_yaml_write.ts";
import { formatFloat, type Plain, resolvePlain, resolveTagged } from "./_yaml_scalar.ts";
import { MAX_DEPTH, type Parsed, parseJson, type ParseOptions } from "./json.ts";

/** So many tokens of a document are read: two megabytes of a manifest, and the most that a body can cost in time. */
const MAX_TOKENS = 750_000;
/** The library takes long over each. */
const MAX_DIRECTIVES = 100;
/** So many nodes may come out of aliases: enough for honest sharing, too few for a bomb. */
const MAX_ALIASED = 100_000;
/** So many duplicate keys are told, as of JSON, and so many characters of them: an alias tells of those in it again. */
const MAX_REPORTS = 100, MAX_TOLD = 1 << 20;

/**
 * Parses the first document; what follows it is not read. Duplicate keys are told as `line 5: key "a" already set in map`,
 * at most 100; the last one wins. Throws {@linkcode ValueError} on bad syntax, bytes that are no text, control
 * characters, NaN and infinities, keys that are null or collections, excessive aliases, nesting beyond
 * {@linkcode MAX_DEPTH}.
 */
export function parseYaml(input: Uint8Array | string, opts?: ParseOptions): Parsed {
  const text = plainBreaks(typeof input === "string" ? input : decode(input));
  if (CONTROL.test(text)) throw new ValueError("yaml: control characters are not allowed");
  const asJson = /^\s*[{[]/.test(text) ? tryJson(text, opts) : undefined;
  if (asJson) return asJson;
  const lines = new LineCounter();
  const contents = firstDocument(text, lines);
  const duplicates: string[] = [];
  const tree = contents
    ? new Reader(lines, opts?.duplicates ? duplicates : undefined).value(contents, MAX_DEPTH)
    : null;
  return { tree, duplicates };
}

/** What YAML does not take as text: anything but white space, what prints, and U+0085. */
const CONTROL = /[^\t\n\r -~\u0085\u00a0-\ufffd]/;
const DECODERS = {
  "UTF-8": new TextDecoder("utf-8", { fatal: true }),
  "UTF-16LE": new TextDecoder("utf-16le", { fatal: true }),
  "UTF-16BE": new TextDecoder("utf-16be", { fatal: true }),
};

/** UTF-8, or UTF-16 where the text begins with the mark of its order. */
function decode(bytes: Uint8Array): string {
  const mark = bytes.length > 1 ? bytes[0]! << 8 | bytes[1]! : 0;
  const encoding = mark === 0xfffe ? "UTF-16LE" : mark === 0xfeff ? "UTF-16BE" : "UTF-8";
  try {
    return DECODERS[encoding].decode(bytes);
  } catch {
    throw new ValueError(`yaml: invalid ${encoding}`);
  }
}

/** A lone carriage return and U+0085 end a line; the library knows only line feeds and pairs. */
function plainBreaks(text: string): string {
  return /\r(?!\n)|\u0085/.test(text) ? text.replace(/\r\n?|\u0085/g, "\n") : text;
}

/** JSON is YAML, and a hundred times as fast to read. Left to the YAML reader when there is anything to say about it. */
function tryJson(text: string, opts: ParseOptions | undefined): Parsed | undefined {
  try {
    const parsed = parseJson(text, opts);
    return parsed.duplicates.length ? undefined : parsed;
  } catch (e) {
    if (e instanceof ValueError) return undefined;
    throw e;
  }
}

function firstDocument(text: string, lines: LineCounter): Node | null {
  // `failsafe` leaves every scalar a text.
  const composer = new Composer({
    schema: "failsafe",
    version: "1.1",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    lineCounter: lines,
  });
  // The library makes an error object for each mistake, thousands in a hostile text: their stacks would cost seconds.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    for (const doc of composer.compose(tokens(text, lines), true, text.length)) {
      const [problem] = doc.errors;
      if (problem) throw syntaxError(problem, lines);
      return doc.contents as Node | null;
    }
  } catch (e) {
    if (e instanceof RangeError) throw new ValueError("yaml: exceeded max depth");
    throw e;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return null;
}

/**
 * The first document's tokens: the composer looks past a document before it hands it out, and what stands there is not to
 * be read. Ends at the first mistake; what ends the document may be one, such as a bracket too many.
 */
function* tokens(text: string, lines: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  // As the parser's own loop does, which is not used here.
  lines.addNewLine(0);
  let count = 0, ended = false;
  const directives: string[] = [];
  for (const lexeme of lexemes(text)) {
    if (++count > MAX_TOKENS) throw new ValueError("yaml: document is too large");
    for (const token of parser.next(lexeme)) {
      if (token.type === "directive") directive(token.source, directives);
      yield checked(token, lines);
      ended ||= token.type === "document";
    }
    if (ended) return;
  }
  for (const token of parser.end()) {
    yield checked(token, lines);
    if (token.type === "document") return;
  }
}

/** `%TAG` any, `%YAML` once, of 1.1. @throws ValueError for others */
function directive(source: string, before: string[]): void {
  if (before.length === MAX_DIRECTIVES) throw new ValueError("yaml: too many directives");
  const [name, version] = source.split(/[ \t]+/);
  if (name !== "%TAG" && name !== "%YAML") throw new ValueError("yaml: found unknown directive name");
  if (name === "%YAML" && version !== "1.1") throw new ValueError("yaml: found incompatible YAML document");
  if (name === "%YAML" && before.includes(name)) throw new ValueError("yaml: found duplicate %YAML directive");
  before.push(name);
}

/** Those of the library, but a lone `-` at a bracket's end is a text: `[apply, -f, -]`. */
function* lexemes(text: string): Generator<string, void> {
  let dash = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (dash && (lexeme === "]" || lexeme === "}")) yield CST.SCALAR;
    if (dash) yield "-";
    dash = lexeme === "-";
    if (!dash) yield lexeme;
  }
  if (dash) yield "-";
}

function checked(token: CST.Token, lines: LineCounter): CST.Token {
  if (token.type !== "error") return token;
  throw new ValueError(`yaml: line ${lines.linePos(token.offset).line}: ${token.message}`);
}

function syntaxError(problem: YAMLParseError, lines: LineCounter): ValueError {
  // The library reports its own stack overflow as an error of the document.
  if (problem.message.includes("call stack")) return new ValueError("yaml: exceeded max depth");
  return new ValueError(`yaml: line ${lines.linePos(problem.pos[0]).line}: ${problem.message}`);
}

/** Makes the tree. Aliases are made anew at each use: a tree may be changed in place. */
class Reader {
  readonly #anchors = new Map<string, Node>();
  /** Anchors being made: an alias to one of these is a circle. */
  readonly #open = new Set<Node>();
  #aliased = 0;
  #inAlias = 0;
  #told = 0;

  constructor(readonly lines: LineCounter, readonly duplicates: string[] | undefined) {}

  value(node: Node | null, depth: number): Json {
    if (!node) return null;
    if (depth < 0) throw new ValueError("yaml: exceeded max depth");
    this.#count();
    if (isAlias(node)) return this.#alias(node.source, (to) => this.value(to, depth));
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor && !this.#inAlias) this.#anchors.set(anchor, node);
    if (isScalar(node)) return json(scalar(node as Scalar<string>));
    this.#open.add(node);
    try {
      if (isMap(node)) return this.#map(node, depth - 1);
      if (isSeq(node)) return node.items.map((item) => this.#item(item, depth - 1));
    } finally {
      this.#open.delete(node);
    }
    throw new ValueError("yaml: unknown node");
  }

  #count(): void {
    if (this.#inAlias && ++this.#aliased > MAX_ALIASED) {
      throw new ValueError("yaml: document contains excessive aliasing");
    }
  }

  /** `- a: b` in a flow list may be a pair on its own. */
  #item(item: unknown, depth: number): Json {
    if (!isPair(item)) return this.value(item as Node | null, depth);
    const out: JsonMap = {};
    setMember(out, this.#key(item.key as Node | null), this.value(item.value as Node | null, depth));
    return out;
  }

  #map(node: YAMLMap, depth: number): JsonMap {
    const out: JsonMap = {};
    const merges: Node[] = [];
    for (const { key, value } of node.items as { key: Node | null; value: Node | null }[]) {
      if (isScalar(key) && isMerge(key as Scalar<string>)) {
        if (value) merges.push(value);
        continue;
      }
      const name = this.#key(key);
      if (this.duplicates && Object.hasOwn(out, name)) this.#duplicate(this.duplicates, key, name);
      setMember(out, name, this.value(value, depth));
    }
    for (const from of merges) this.#merge(out, from, depth);
    return out;
  }

  #key(node: Node | null): string {
    if (isAlias(node)) return this.#alias(node.source, (to) => this.#key(to));
    if (node && (node as { anchor?: string }).anchor && !this.#inAlias) {
      this.#anchors.set((node as { anchor: string }).anchor, node);
    }
    if (!isScalar(node)) throw new ValueError("yaml: unsupported map key: not a scalar");
    const plain = scalar(node as Scalar<string>);
    if (plain.kind === "null") throw new ValueError("yaml: unsupported map key: null");
    return plain.kind === "float" ? floatKey(plain.value) : String(plain.value);
  }

  #duplicate(found: string[], key: Node | null, name: string): void {
    if (found.length >= MAX_REPORTS || this.#told > MAX_TOLD) return;
    this.#told += name.length;
    const { line } = this.lines.linePos(key?.range?.[0] ?? 0);
    found.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
  }

  /** What the map has already wins; of several, the earlier. */
  #merge(out: JsonMap, from: Node, depth: number): void {
    // Lists of aliases to lists cost time even where all of them are empty.
    this.#count();
    if (isAlias(from)) return this.#alias(from.source, (to) => this.#merge(out, to, depth));
    if (isSeq(from)) {
      for (const item of from.items) {
        if (!isMap(item) && !isAlias(item)) throw notMap();
        this.#merge(out, item, depth);
      }
      return;
    }
    if (!isMap(from)) throw notMap();
    const map = this.value(from, depth) as JsonMap;
    for (const key of Object.keys(map)) if (!Object.hasOwn(out, key)) setMember(out, key, map[key]!);
  }

  #alias<T>(name: string, make: (to: Node) => T): T {
    const to = this.#anchors.get(name);
    if (!to) throw new ValueError(`yaml: unknown anchor '${name}' referenced`);
    if (this.#open.has(to)) throw new ValueError(`yaml: anchor '${name}' value contains itself`);
    this.#inAlias++;
    try {
      return make(to);
    } finally {
      this.#inAlias--;
    }
  }
}

const notMap = () => new ValueError("yaml: map merge requires map or sequence of maps as the value");

const isMerge = (key: Scalar<string>) =>
  key.type === "PLAIN" && key.value === "<<" && (!key.tag || key.tag.endsWith(":merge"));

function scalar(node: Scalar<string>): Plain {
  const text = typeof node.value === "string" ? node.value : "";
  if (!text.isWellFormed()) throw new ValueError("yaml: found half of a Unicode character");
  if (node.tag) return resolveTagged(node.tag, text);
  // A node without text is an absent value, of no type.
  return node.type && node.type !== "PLAIN" ? { kind: "string", value: text } : resolvePlain(text);
}

function json(plain: Plain): Json {
  if (plain.kind === "float" && !Number.isFinite(plain.value)) {
    throw new ValueError("yaml: NaN and infinities are not accepted");
  }
  // JSON text has no negative zero worth keeping, nor tells a whole float from an integer.
  const { value } = plain;
  if (value === 0) return 0;
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) < 2 ** 63
    ? BigInt(value as number)
    : value;
}

/** Floats as keys are written in 32 bits' shortest form. */
function floatKey(n: number): string {
  if (Number.isNaN(n)) return ".nan";
  const short = Math.fround(n);
  if (!Number.isFinite(short)) return n < 0 ? "-.inf" : ".inf";
  let digits = 1;
  while (Math.fround(Number(short.toPrecision(digits))) !== short) digits++;
  return formatFloat(Number(short.toPrecision(digits)));
}
