import assert from "node:assert/strict";
import { humanDuration } from "../../schema/values/age.ts";

const S = 1000, M = 60 * S, H = 60 * M, D = 24 * H, Y = 365 * D;

Deno.test("age: as tables print it", () => {
  const table: [number, string][] = [
    [-2 * S, "<invalid>"],
    [-1 * S, "0s"],
    [-1, "0s"],
    [0, "0s"],
    [999, "0s"],
    [S, "1s"],
    [70 * S, "70s"],
    [2 * M - S, "119s"],
    [2 * M, "2m"],
    [3 * M + 20 * S, "3m20s"],
    [9 * M + 59 * S, "9m59s"],
    [10 * M + 1 * S, "10m"],
    [179 * M, "179m"],
    [3 * H, "3h"],
    [3 * H + 5 * M, "3h5m"],
    [8 * H + 5 * M, "8h"],
    [47 * H, "47h"],
    [48 * H, "2d"],
    [2 * D + 3 * H, "2d3h"],
    [8 * D + 3 * H, "8d"],
    [729 * D, "729d"],
    [2 * Y, "2y"],
    [2 * Y + 11 * D, "2y11d"],
    [8 * Y + 11 * D, "8y"],
  ];
  for (const [ms, long] of table) {
    assert.equal(humanDuration(ms), long, String(ms));
  }
});
