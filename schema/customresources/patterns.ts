/** Patterns of schemas. */
import type { RE2JS } from "re2js";
import { tooLarge } from "../status.ts";
import { hasMatch, isCostly, patternOf } from "../values/pattern.ts";

/**
 * Whether a text has a match of a pattern; a pattern that cannot be read matches nothing.
 * @throws StatusError 413 where the text is too long to be looked through
 */
export function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (compiled === undefined) return false;
  if (isCostly(compiled, text)) {
    throw tooLarge(`a text of ${text.length} characters is too long for a pattern of ${compiled.programSize()} steps`);
  }
  return hasMatch(compiled, text);
}

/** A pattern ready for use; undefined when it cannot be read. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return patternOf(pattern);
  } catch {
    return undefined;
  }
}
