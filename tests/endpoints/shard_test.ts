/** Expressions that choose a shard. */
import assert from "node:assert/strict";
import { parseShard } from "../../server/endpoints/shard.ts";

const half = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
const within = (times: number): string => "(".repeat(times) + half + ")".repeat(times);

Deno.test("parentheses around ranges that are joined say nothing", () => {
  for (const text of [`${half} || (${half} || ${half})`, `((${half}||${half}) || ${half})`]) {
    assert.equal(parseShard(text).text, [half, half, half].join(" || "), text);
  }
  for (const text of [`(${half} || ${half}`, `(${half}))||((${half})`, `(${half})(${half})`, `${half} || ()`]) {
    assert.throws(() => parseShard(text), { code: 400 }, text);
  }
});

Deno.test("parentheses around a shard say nothing, and are not read without end", () => {
  for (const text of [half, ` ( ${half} ) `, within(100), `(${half})||((${half}))`]) {
    assert.equal(parseShard(text).ranges.length, text.split("||").length, text);
  }
  assert.throws(() => parseShard(within(30_000)), { code: 400 });
});
