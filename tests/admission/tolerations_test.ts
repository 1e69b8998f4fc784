/** Lists of tolerations that plugins join. */
import assert from "node:assert/strict";
import { mergeTolerations } from "../../server/admission/plugins/_tolerations.ts";

Deno.test("A long list of a pod is joined without each of its tolerations being held against each other", () => {
  const many = 4000;
  let reads = 0;
  const own = Array.from({ length: many }, (_, i) => ({
    operator: "Exists",
    get key() {
      reads++;
      return `k${i}`;
    },
  }));
  const more = [{ key: "k7", operator: "Exists" }, { key: "more", operator: "Exists" }];
  const joined = mergeTolerations(own, more);
  assert.deepEqual([joined.length, joined.at(-1)], [many + 1, more[1]]);
  assert.ok(reads < 20 * many, `${reads} looks at keys`);
});
