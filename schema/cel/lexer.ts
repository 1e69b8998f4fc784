/** Tokens of CEL expressions. */
import { CelError, type Literal } from "./ast.ts";
import { ESCAPES as PLAIN } from "../values/escapes.ts";

/** A token. Literals have a value. */
export interface Token {
  /** An `escaped` name stands between backticks: what the language has, and nobody here takes. */
  readonly kind: "name" | "escaped" | "literal" | "sign" | "end";
  readonly text: string;
  readonly at: number;
  readonly value?: Literal;
}

const SPACE = /(?:\s|\/\/[^\n]*)+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED = /`[A-Za-z0-9_.\-/ ]+`/y;
const NUMBER =
  /(?:0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|\d+[uU]?)/y;
const TEXT = /([bB]?)("""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/y;
const RAW = /([bB]?[rR])("""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')/y;
const SIGN = /(?:&&|\|\||==|!=|<=|>=|\[\?|\.\?|[-+*/%<>!?:.,()[\]{}])/y;

const MIN_INT = -(2n ** 63n), MAX_INT = 2n ** 63n - 1n, MAX_UINT = 2n ** 64n - 1n;

/** All tokens of a text, an `end` last. @throws CelError */
export function tokensOf(text: string): Token[] {
  const out: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const start = at;
    let found: RegExpExecArray | null;
    if ((found = take(SPACE))) {
      at += found[0].length;
      continue;
    }
    if ((found = take(RAW))) out.push({ kind: "literal", text: found[0], at: start, value: rawText(found) });
    else if ((found = take(TEXT))) {
      out.push({ kind: "literal", text: found[0], at: start, value: textOf(found, start) });
    } else if ((found = take(NUMBER))) {
      out.push({ kind: "literal", text: found[0], at: start, value: numberOf(found[0], start) });
    } else if ((found = take(NAME))) out.push({ kind: "name", text: found[0], at: start });
    else if ((found = take(ESCAPED))) out.push({ kind: "escaped", text: found[0].slice(1, -1), at: start });
    else if ((found = take(SIGN))) out.push({ kind: "sign", text: found[0], at: start });
    else throw new CelError(`Syntax error: token recognition error at: ${JSON.stringify(text[at])}`, at);
    at += found[0].length;
  }
  out.push({ kind: "end", text: "<EOF>", at });
  return out;
}

/** @throws CelError for what is too large */
function double(v: number, at: number): number {
  if (!Number.isFinite(v)) throw new CelError("invalid double literal", at);
  return v;
}

function numberOf(text: string, at: number): Literal {
  const hex = /^0[xX]/.test(text);
  if (!hex && /[.eE]/.test(text)) return double(Number(text), at);
  const unsigned = /[uU]$/.test(text);
  const value = BigInt(unsigned ? text.slice(0, -1) : text);
  if (value > (unsigned ? MAX_UINT : MAX_INT + 1n)) {
    throw new CelError(`invalid ${unsigned ? "uint" : "int"} literal`, at);
  }
  return unsigned ? { uint: value } : value;
}

/** Whether an integer is one of 64 bits. */
export const isInt64 = (v: bigint): boolean => v >= MIN_INT && v <= MAX_INT;
/** Whether an integer is an unsigned one of 64 bits. */
export const isUint64 = (v: bigint): boolean => v >= 0n && v <= MAX_UINT;

const unquote = (text: string): string => /^("""|''')/.test(text) ? text.slice(3, -3) : text.slice(1, -1);

function rawText(found: RegExpExecArray): Literal {
  const body = unquote(found[2]!);
  return /[bB]/.test(found[1]!) ? new TextEncoder().encode(body) : body;
}

const ESCAPES: typeof PLAIN = { ...PLAIN, '"': '"', "`": "`", "?": "?" };
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/g;

/** A character told by its number, which bytes do not take. @throws CelError */
function character(point: number, bytes: boolean, at: number): string {
  if (bytes) throw new CelError("unable to unescape string", at);
  if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) throw new CelError("invalid unicode code point", at);
  return String.fromCodePoint(point);
}

function textOf(found: RegExpExecArray, at: number): Literal {
  const body = unquote(found[2]!);
  const bytes = /[bB]/.test(found[1]!);
  const out: number[] = [];
  let last = 0, text = "";
  const plain = (s: string) => {
    if (!bytes) text += s;
    else for (const byte of new TextEncoder().encode(s)) out.push(byte);
  };
  for (const m of body.matchAll(ESCAPE)) {
    plain(body.slice(last, m.index));
    last = m.index + m[0].length;
    const code = m[1] ?? m[2], point = m[3] ?? m[4];
    if (code || m[5]) {
      const value = code ? parseInt(code, 16) : parseInt(m[5]!, 8);
      if (bytes) out.push(value);
      else text += String.fromCodePoint(value);
    } else if (point) plain(character(parseInt(point, 16), bytes, at));
    else if (Object.hasOwn(ESCAPES, m[6]!)) plain(ESCAPES[m[6]!]!);
    else throw new CelError(`Syntax error: unknown escape sequence: \\${m[6]}`, at);
  }
  plain(body.slice(last));
  return bytes ? new Uint8Array(out) : text;
}
