/** Sharded list and watch (specification, "Sharded list and watch"): gate `ShardedListAndWatch`. */
import { fnv64a } from "../../schema/values/fnv.ts";
import { badRequest } from "../../schema/status.ts";
import type { Entry } from "../cache/mod.ts";

interface Range {
  readonly start: bigint;
  readonly end: bigint;
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
  const terms = unwrapped(text).split("||").map((t) => parseTerm(unwrapped(t)));
  const field = terms[0]!.field;
  if (terms.some((t) => t.field !== field)) throw badRequest("shardSelector: all ranges must use the same field");
  return { text: terms.map((t) => t.text).join(" || "), field, ranges: terms.map((t) => t.range) };
}

/** Most parentheses around a part: each is looked for in all of it. */
const MOST_PARENTHESES = 100;

/** Without parentheses around the whole. */
function unwrapped(text: string, most = MOST_PARENTHESES): string {
  const inner = most > 0 ? /^\s*\((.*)\)\s*$/s.exec(text)?.[1] : undefined;
  if (inner === undefined) return text;
  let depth = 0;
  for (const c of inner) {
    if (c === "(") depth++;
    else if (c === ")" && --depth < 0) return text;
  }
  return depth === 0 ? unwrapped(inner, most - 1) : text;
}

function parseTerm(text: string): { text: string; field: Shard["field"]; range: Range } {
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
