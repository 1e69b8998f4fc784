/** Patterns of schemas. */
import type { RE2JS } from "re2js";
import { hasMatch, patternOf } from "../values/pattern.ts";

/** Whether a text has a match of a pattern; a pattern that cannot be read matches nothing. */
export function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  return compiled !== undefined && hasMatch(compiled, text);
}

/** A pattern ready for use; undefined when it cannot be read. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return patternOf(pattern);
  } catch {
    return undefined;
  }
}
