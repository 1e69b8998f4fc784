/** Field selectors: `metadata.name=a,spec.nodeName!=b`, with `\,`, `\=` and `\\` in values (specification, "Field selectors"). */
import { ValueError } from "./error.ts";

/** One condition on a field. */
export interface FieldRequirement {
  readonly field: string;
  readonly op: "=" | "!=";
  readonly value: string;
}

/**
 * Reads a field selector; terms come sorted as text. An empty text has no term, and a term of neither field nor value
 * (`=`) says nothing. Throws {@linkcode ValueError}.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const terms = splitTerms(text).sort().filter((term) => term !== "").map((term): FieldRequirement => {
    const found = /^([^!=]*(?:!(?!=)[^!=]*)*)(!=|==|=)(.*)$/s.exec(term);
    if (!found) throw new ValueError(`invalid selector: '${text}'; can't understand '${term}'`);
    return { field: found[1]!, op: found[2] === "!=" ? "!=" : "=", value: unescape(found[3]!) };
  });
  return terms.filter((t) => t.field !== "" || t.value !== "");
}

/** Canonical text; {@linkcode parseFieldSelector} of it gives the same terms. */
export function formatFieldSelector(terms: readonly FieldRequirement[]): string {
  return terms.map((t) => `${t.field}${t.op}${t.value.replace(/[\\,=]/g, "\\$&")}`).join(",");
}

/** At commas without a backslash before them. */
function splitTerms(text: string): string[] {
  const out: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === ",") {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  }
  out.push(text.slice(start));
  return out;
}

function unescape(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (all, escaped: string | undefined) => {
    if (escaped === undefined) throw new ValueError(`invalid field selector: unescaped character in value: ${all}`);
    if (escaped !== "\\" && escaped !== "," && escaped !== "=") {
      throw new ValueError(`invalid field selector: invalid escape sequence: ${all}`);
    }
    return escaped;
  });
}
