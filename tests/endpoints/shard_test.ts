/** Expressions that choose a shard. */
import assert from "node:assert/strict";
import { parseShard, shardMatches } from "../../server/endpoints/shard.ts";

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

Deno.test("a shard holds what has the hash of its field in one of its ranges", () => {
  const range = (field: string, start: string, end: string) =>
    `shardRange(object.metadata.${field}, '${start}', '${end}')`;
  // FNV-1a of "a" is af63dc4c8601ec8c, of no text cbf29ce484222325.
  const a = ["0xaf63dc4c8601ec8c", "0xaf63dc4c8601ec8d"] as const;
  const none = ["0xcbf29ce484222325", "0xcbf29ce484222326"] as const;
  const rows: [string, { uid: string; namespace: string }, boolean][] = [
    [range("uid", ...a), { uid: "a", namespace: "b" }, true],
    [range("uid", ...a), { uid: "b", namespace: "a" }, false],
    [range("namespace", ...a), { uid: "b", namespace: "a" }, true],
    [range("namespace", ...a), { uid: "a", namespace: "b" }, false],
    [range("namespace", ...none), { uid: "a", namespace: "" }, true],
    [`${range("uid", ...none)} || ${range("uid", ...a)}`, { uid: "a", namespace: "" }, true],
  ];
  for (const [text, object, held] of rows) assert.equal(shardMatches(parseShard(text), object), held, text);
});

Deno.test("a range that has nothing between its start and its end is refused", () => {
  const [low, high] = ["0x8000000000000000", "0x8000000000000001"];
  for (const [start, end] of [[low, low], [high, low]]) {
    assert.throws(() => parseShard(`shardRange(object.metadata.uid, '${start}', '${end}')`), { code: 400 });
  }
});
