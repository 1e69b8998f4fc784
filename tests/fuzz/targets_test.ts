/** Each fuzz target for about a second; `scripts/fuzz.ts` runs them for longer, with other seeds. */
import assert from "node:assert/strict";
import { runTarget, TARGETS } from "./targets/mod.ts";

/** Of these every input is good. */
const ALL_GOOD = new Set(["YAML of texts", "merge patches"]);

for (const [name, target] of Object.entries(TARGETS)) {
  Deno.test(`fuzz: ${target.count} inputs, ${name}`, async () => {
    const { inputs, accepted } = await runTarget(target, 1, (n) => n < target.count);
    assert.equal(inputs, target.count);
    assert.ok(accepted > 0.005 * inputs, `both ways are tried: ${accepted} of ${inputs} were accepted`);
    assert.ok(accepted < 0.98 * inputs || ALL_GOOD.has(name), `both ways are tried: ${accepted} of ${inputs}`);
  });
}
