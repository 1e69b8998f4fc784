/** Texts as the public agent writes them. */
const SHORT: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};
const UNPRINTABLE = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0");

function escape(c: string): string {
  const code = c.codePointAt(0)!;
  return SHORT[c] ??
    (code < 0x80 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`);
}

/** A text between double quotes, what cannot be printed escaped. */
const quoted = (text: string): string => `"${text.replace(UNPRINTABLE, escape)}"`;

/** `key="value"` lines, by key. */
export function mapLines(map: Readonly<Record<string, string>> | undefined): string {
  return Object.keys(map ?? {}).sort().map((key) => `${key}=${quoted(map![key]!)}`).join("\n");
}
