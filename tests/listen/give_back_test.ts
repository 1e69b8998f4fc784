/** When freed memory is given back. */
import assert from "node:assert/strict";
import { QuietTimes } from "../../host/give_back.ts";

Deno.test("memory is given back after work, while there is little to do, and no more when it was quiet for long", () => {
  const quiet = new QuietTimes();
  assert.equal(quiet.look(0.01), true, "starting is work");
  assert.equal(quiet.look(0.9), false, "not while there is work");
  assert.deepEqual([quiet.look(0.01), quiet.look(0.05)], [true, true]);
  assert.equal(quiet.look(0.5), false);
  const looks = Array.from({ length: 30 }, () => quiet.look(0.01));
  assert.deepEqual([looks.indexOf(false), looks.lastIndexOf(true)], [20, 19]);
});

/** Tells what the collector is asked for, the second time after an end that came before, and ends when it was. */
const PROGRAM = `
  import { giveBackMemory } from ${JSON.stringify(import.meta.resolve("../../host/give_back.ts"))};
  const [early, late] = [new AbortController(), new AbortController()];
  const hold = setTimeout(() => {}, 60_000);
  globalThis.gc = (options) => {
    console.log(JSON.stringify(options));
    // Whoever else waits for the same time has its turn before.
    setTimeout(() => (late.abort(), clearTimeout(hold)));
  };
  giveBackMemory(early.signal);
  early.abort();
  giveBackMemory(late.signal);
`;

Deno.test("the engine collects once after the start, unless the end comes before", async () => {
  // A process of its own: the heap of one that runs tests is not small.
  const args = ["eval", "--no-lock", "--no-check", PROGRAM];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).output();
  assert.equal(new TextDecoder().decode(stdout), '{"type":"major","flavor":"last-resort"}\n');
});
