/** Lists of tolerations that plugins join. */
import assert from "node:assert/strict";
import { mergeTolerations, withinTolerations } from "../../server/admission/plugins/_tolerations.ts";

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

const EXISTS = { operator: "Exists" }, A = { key: "a", ...EXISTS }, X = { key: "a", operator: "Equal", value: "x" };
const EVICTED = { ...A, effect: "NoExecute", tolerationSeconds: 10 };

Deno.test("a toleration is within another one that tolerates all of it", () => {
  const rows: [by: object, t: object, within: boolean][] = [
    [EXISTS, A, true],
    [EXISTS, { ...X, effect: "NoExecute" }, true],
    [{}, { operator: "Equal", value: "" }, true],
    [{}, X, false],
    [{ value: "x" }, X, false],
    [A, X, true],
    [A, { ...A, key: "b" }, false],
    [X, A, false],
    [X, X, true],
    [{ key: "a", value: "x" }, X, true],
    [{ key: "a", value: "y" }, X, false],
    [X, { key: "a", value: "x" }, false],
    [{ ...A, effect: "NoSchedule" }, { ...X, effect: "NoSchedule" }, true],
    [{ ...A, effect: "NoSchedule" }, { ...X, effect: "NoExecute" }, false],
    [{ ...A, effect: "NoSchedule" }, X, false],
    [EVICTED, { ...EVICTED, tolerationSeconds: 9 }, true],
    [EVICTED, { ...EVICTED, tolerationSeconds: 11 }, false],
    [EVICTED, { ...A, effect: "NoExecute" }, false],
  ];
  for (const [by, t, within] of rows) {
    assert.equal(withinTolerations([t], [by]), within, JSON.stringify([by, t]));
  }
  assert.equal(withinTolerations([X], []), true, "no bounds");
  assert.equal(withinTolerations([X], [{ ...A, key: "b" }, A]), true, "one of several");
});

Deno.test("of joined lists stays what no other tolerates, in order, each once", () => {
  const B = { key: "b", ...EXISTS };
  assert.deepEqual(mergeTolerations([B, A], [X]), [B, A]);
  assert.deepEqual(mergeTolerations([X, B], [A]), [B, A]);
  assert.deepEqual(mergeTolerations([A], [A, B]), [A, B]);
});
