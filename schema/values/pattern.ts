/** Regular expressions of users: RE2's syntax, linear time. */
import { RE2JS } from "re2js";

/** Schemas and expressions use few; emptied when full. */
const PATTERNS = new Map<string, RE2JS>();
const MAX_PATTERNS = 1000;

/** A pattern, compiled once. @throws Error that says what is wrong with a pattern that cannot be read */
export function patternOf(source: string): RE2JS {
  let found = PATTERNS.get(source);
  if (!found) {
    found = RE2JS.compile(source);
    if (PATTERNS.size >= MAX_PATTERNS) PATTERNS.clear();
    PATTERNS.set(source, found);
  }
  return found;
}
