/** Memory that is given back when nothing is going on. */
import assert from "node:assert/strict";
import { Stillness } from "../../server/listen/idle_memory.ts";

const MB = 1 << 20;

/** Each row: what a look finds, in MB, and whether to collect then; a collection leaves 20 of 24 MB. */
const STORIES: Readonly<Record<string, readonly (readonly [used: number, total: number, collects: boolean])[]>> = {
  "after the start, once it is still": [[20, 40, false], [20.1, 40, false], [20.2, 40, true]],
  "not while it works": [[20, 40, false], [24, 40, false], [30, 44, false], [25, 44, false], [21, 44, false]],
  "once after a burst": [
    [60, 200, false],
    [60, 200, false],
    [60, 200, true],
    [20, 24, false],
    [20, 24, false],
    [20, 25, false],
  ],
  "again after another burst": [
    [20, 40, false],
    [20, 40, false],
    [20, 40, true],
    [90, 150, false],
    [90, 150, false],
    [90, 150, true],
  ],
  "not for a little": [[20, 11, false], [20, 11, false], [20, 11, false], [20, 11, false]],
  "not of a large heap": [[300, 400, false], [300, 400, false], [300, 400, false]],
};

for (const [name, looks] of Object.entries(STORIES)) {
  Deno.test(`idle memory: ${name}`, () => {
    const stillness = new Stillness();
    looks.forEach(([used, total, collects], i) => {
      assert.equal(stillness.look(used * MB, total * MB), collects, `look ${i}`);
      if (collects) stillness.collected(20 * MB, 24 * MB);
    });
  });
}
