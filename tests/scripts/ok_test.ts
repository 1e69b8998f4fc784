import assert from "node:assert/strict";
import { stageCounts, testCounts } from "../../scripts/ok.ts";

Deno.test("gate: counts are read from every summary line, coloured or not", () => {
  const output = [
    "running 3 tests from ./a_test.ts",
    "ok | 3 passed (2 steps) | 0 failed | 1 ignored (12ms)",
    "\x1b[0m\x1b[31mFAILED\x1b[0m | 4 passed | 2 failed \x1b[38;5;245m(28ms)\x1b[0m",
    "a test that prints ok | 9 passed | 9 failed in a line",
  ].join("\n");
  assert.deepEqual(testCounts(output), { passed: 7, failed: 2 });
});

Deno.test("gate: a stage that fails without a failed test counts as one failure", () => {
  assert.deepEqual(stageCounts("error: type", 1), { passed: 0, failed: 1 });
  assert.deepEqual(stageCounts("ok | 5 passed | 0 failed (1s)", 1), { passed: 5, failed: 1 });
  assert.deepEqual(stageCounts("FAILED | 5 passed | 3 failed (1s)", 1), { passed: 5, failed: 3 });
  assert.deepEqual(stageCounts("Checked 3 files", 0), { passed: 0, failed: 0 });
});
