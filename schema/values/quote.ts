/** Texts in quotes as messages show them: what cannot be seen is told by its number. */

const PLAIN = /^[ !#-[\]-~]*$/;
const TOLD = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

function told(char: string): string {
  const short = SHORT[char], code = char.codePointAt(0)!;
  if (short) return short;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code < 0x20 || code === 0x7f) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

/** The text in quotes, as Go's `%q` writes it. */
export const quote = (text: string): string => PLAIN.test(text) ? `"${text}"` : `"${text.replace(TOLD, told)}"`;

/** Texts in quotes and brackets, as Go's `%q` writes a list of them. */
export const quoteAll = (texts: readonly string[]): string => `[${texts.map(quote).join(" ")}]`;
