/** Regular expressions of users: RE2's syntax, linear time. */
import { type Matcher, MatcherInput, RE2JS } from "re2js";

/** Schemas and expressions use few; emptied when full. */
const PATTERNS = new Map<string, RE2JS>();
const MAX_PATTERNS = 1000;
/** So many instructions are kept of all patterns, some 100 bytes each: nine characters (`(a{1000})`) can stand for a thousand. */
const MAX_INSTRUCTIONS = 250_000;
/** So many bytes are kept of the tables that matching fills, as the library counts them; one pattern has 8 MiB at most. */
const MAX_TABLES = 32 << 20;

/** The longest that a search takes, characters times instructions: some seconds where no table helps, as with `(a|b)*a(a|b){900}`. */
const MOST_STEPS = 2 ** 28;
/** So often one search reads each character at most, for each step of a pattern at once: itself, and as the neighbour of places. */
const READS = 4;

let instructions = 0, tables = 0;

/** A pattern, compiled once. @throws Error that says what is wrong with a pattern that cannot be read */
export function patternOf(source: string): RE2JS {
  let found = PATTERNS.get(source);
  if (!found) {
    found = RE2JS.compile(source);
    if (PATTERNS.size >= MAX_PATTERNS || instructions > MAX_INSTRUCTIONS) forget();
    PATTERNS.set(source, found);
    instructions += found.programSize();
  }
  return found;
}

/** Whether a search may take longer than anybody is held back for. */
export const isCostly = (pattern: RE2JS, text: string): boolean => text.length * pattern.programSize() > MOST_STEPS;

/** A text that ends who reads more of it than is left. */
class CountedText extends String {
  constructor(readonly text: string, private left: number, readonly ended: () => never) {
    super(text);
  }
  override charCodeAt(at: number): number {
    if (this.left-- <= 0) this.ended();
    return this.text.charCodeAt(at);
  }
}

/**
 * Finds one match after another. Where a pattern may go on after a match (`a(.*b)?`), each search reads to the end of the text:
 * calls `ended` where all together take longer than the longest one may.
 */
export function matcherOf(pattern: RE2JS, text: string, ended: () => never): Matcher {
  const reads = READS * MOST_STEPS / pattern.programSize();
  return pattern.matcher(MatcherInput.utf16(new CountedText(text, reads, ended)));
}

/** Whether a text has a match of a pattern. Where it is does not matter: that is found by tables, in a tenth of the time. */
export function hasMatch(pattern: RE2JS, text: string): boolean {
  const { dfa } = pattern.re2Input, before = dfa.memBudget;
  const found = pattern.test(text);
  tables += before - dfa.memBudget;
  if (tables > MAX_TABLES) forget();
  return found;
}

function forget(): void {
  PATTERNS.clear();
  instructions = tables = 0;
}
