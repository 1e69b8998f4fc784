/** Texts in quotes as messages show them: what cannot be seen is told by its number. */

const PLAIN = /^[ !#-[\]-~]*$/;
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
/** The backslash first: the others are told by one. */
const SHORT: readonly (readonly [char: string, told: string])[] = [
  ["\\", "\\\\"],
  ['"', '\\"'],
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
];

function numbered(char: string): string {
  const code = char.codePointAt(0)!;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code < 0x20 || code === 0x7f) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

function told(text: string): string {
  // Split and joined it takes a fraction of the time of replacing, of which a client may ask for a million.
  const short = SHORT.reduce((out, [char, as]) => out.includes(char) ? out.split(char).join(as) : out, text);
  return short.replace(UNSEEN, numbered);
}

/** The text in quotes, as Go's `%q` writes it. */
export const quote = (text: string): string => PLAIN.test(text) ? `"${text}"` : `"${told(text)}"`;

/** Texts in quotes and brackets, as Go's `%q` writes a list of them. */
export const quoteAll = (texts: readonly string[]): string => `[${texts.map(quote).join(" ")}]`;
