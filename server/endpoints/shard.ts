/** Sharded list and watch (specification, "Sharded list and watch"): gate `ShardedListAndWatch`. */
import { fnv64a } from "../../schema/values/fnv.ts";
import { badRequest } from "../../schema/status.ts";
import type { Entry } from "../cache/mod.ts";

interface Range {
  readonly start: bigint;
  readonly end: bigint;
}

/** One range, and how it is written. */
interface Term {
  readonly text: string;
  readonly field: Shard["field"];
  readonly range: Range;
}

/** Ranges of the hash of one field. */
export interface Shard {
  /** The expression, written in one way. */
  readonly text: string;
  readonly field: "uid" | "namespace";
  readonly ranges: readonly Range[];
}

const TERM =
  /^\s*shardRange\s*\(\s*object\.metadata\.(uid|namespace)\s*,\s*(['"])([^'"]*)\2\s*,\s*(['"])([^'"]*)\4\s*\)\s*$/;
const START = /^0x[0-9a-f]{16}$/;
const END = /^0x(?:[0-9a-f]{16}|10000000000000000)$/;

/** @throws StatusError 400 for an expression that breaks a rule */
export function parseShard(text: string): Shard {
  const terms = termsOf(text, MOST_PARENTHESES);
  const field = terms[0]!.field;
  if (terms.some((t) => t.field !== field)) throw badRequest("shardSelector: all ranges must use the same field");
  return { text: terms.map((t) => t.text).join(" || "), field, ranges: terms.map((t) => t.range) };
}

/** Most parentheses around a part: each is looked for in all of it. */
const MOST_PARENTHESES = 100;

/** The ranges that are joined, whatever parentheses are around some of them. */
function termsOf(text: string, most: number): Term[] {
  const parts = alternatives(text);
  if (parts.length > 1) return parts.flatMap((part) => termsOf(part, most));
  const inner = most > 0 ? /^\s*\((.*)\)\s*$/s.exec(text)?.[1] : undefined;
  return inner === undefined ? [parseTerm(text)] : termsOf(inner, most - 1);
}

/** What stands between the bars that are within no parentheses. */
function alternatives(text: string): string[] {
  const parts: string[] = [];
  let depth = 0, from = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")") depth--;
    else if (depth === 0 && text.startsWith("||", i)) {
      parts.push(text.slice(from, i));
      from = i + 2;
      i++;
    }
  }
  return [...parts, text.slice(from)];
}

function parseTerm(text: string): Term {
  const [, field, , start = "", , end = ""] = TERM.exec(text) ?? [];
  if (!field) {
    throw badRequest(`shardSelector: ${JSON.stringify(text.trim())} is no shardRange(<field>, '<start>', '<end>')`);
  }
  if (!START.test(start) || !END.test(end)) {
    throw badRequest("shardSelector: bounds must be 0x and 16 lower-case hexadecimal digits, the end at most 2^64");
  }
  const range = { start: BigInt(start), end: BigInt(end) };
  if (range.start >= range.end) throw badRequest("shardSelector: the start of a range must be below its end");
  const written = `shardRange(object.metadata.${field}, '${start}', '${end}')`;
  return { text: written, field: field as Shard["field"], range };
}

/** Whether the entry's hash lies in a range. */
export function shardMatches(shard: Shard, entry: Pick<Entry, "uid" | "namespace">): boolean {
  const hash = fnv64a(shard.field === "uid" ? entry.uid : entry.namespace);
  return shard.ranges.some((r) => hash >= r.start && hash < r.end);
}
