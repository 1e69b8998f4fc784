/** Regular expressions of schemas: RE2's syntax, linear time. */
import { RE2JS } from "re2js";

const PATTERNS = new Map<string, RE2JS | undefined>();
const MAX_PATTERNS = 1000;

/** Whether a text has a match of a pattern; a pattern that cannot be read matches nothing. */
export function matches(pattern: string, text: string): boolean {
  let compiled = PATTERNS.get(pattern);
  if (!PATTERNS.has(pattern)) {
    if (PATTERNS.size >= MAX_PATTERNS) PATTERNS.clear();
    PATTERNS.set(pattern, compiled = compilePattern(pattern));
  }
  return compiled?.matcher(text).find() ?? false;
}

/** A pattern ready for use; undefined when it cannot be read. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
