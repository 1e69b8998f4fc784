/** Figures of the node, by what the kernel says. */
import assert from "node:assert/strict";
import { memoryFigures } from "../../../agent/http/stats/node.ts";

Deno.test("agent statistics: memory set aside for huge pages is neither used nor available", () => {
  const info = (free: number, huge: number) =>
    `MemTotal: 1000 kB\nMemFree: ${free} kB\nInactive(file): 100 kB\nHugetlb: ${huge} kB\n`;
  const of = (free: number, huge: number) => {
    const { usageBytes, workingSetBytes, availableBytes } = memoryFigures("", info(free, huge), "");
    return [usageBytes, workingSetBytes, availableBytes].map((bytes) => Number(bytes) / 1024);
  };
  assert.deepEqual(of(600, 0), [400, 300, 700]);
  assert.deepEqual(of(300, 300), [400, 300, 400]);
});
