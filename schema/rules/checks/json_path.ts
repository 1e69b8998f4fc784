/** The syntax of JSONPath templates, as far as a place in an object is written in it. */

/** What may be within a name, after its first letter. */
const NAME = "(?:[^\\s.,\\[\\]$@{}\\\\]|\\\\.)*";
/** What stands between brackets: a filter, a quoted name, an index, a slice, or several of the latter two. */
const ITEM = "(?:'[^']*'|-?\\d*(?::-?\\d*){0,2}|\\*)";
const BRACKETS = new RegExp(`^\\[(?:\\?\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)|${ITEM}(?:,${ITEM})*)\\]`, "su");
const PARTS: readonly RegExp[] = [
  /^[ @$]/,
  BRACKETS,
  /^"(?:[^"\\\n]|\\.)*"/s,
  /^'(?:[^'\\\n]|\\.)*'/s,
  /^[+-]?\d+(?:\.\d*)?(?![.\d])/,
  new RegExp(`^[\\p{L}_]${NAME}`, "su"),
  new RegExp(`^\\.\\.?${NAME}`, "su"),
];

/** Whether a text is a JSONPath template when it stands in braces. What follows a closing brace of its own is text. */
export function isJsonPath(text: string): boolean {
  for (let rest = text; rest !== "";) {
    if (rest.startsWith("}")) {
      const again = rest.indexOf("{");
      if (again < 0) return true;
      rest = rest.slice(again + 1);
      continue;
    }
    const part = PARTS.values().map((p) => p.exec(rest)?.[0]).find((found) => found);
    if (!part) return false;
    rest = rest.slice(part.length);
  }
  return true;
}
