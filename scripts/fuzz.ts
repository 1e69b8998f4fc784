/**
 * Fuzz targets, each for some time or some inputs.
 *
 * `deno run -A scripts/fuzz.ts [--seconds=60 | --inputs=100000] [--runs=2] [--seed=1] [--target=part of a name]`
 *
 * Run n of a target takes seed + n - 1. Exits with 1 when one found something; the failure names the seed and the input.
 */
import { runTarget, TARGETS } from "../tests/fuzz/targets/mod.ts";
import { numberOption, textOption } from "./option.ts";

if (import.meta.main) Deno.exit(await fuzz());

async function fuzz(): Promise<number> {
  const seconds = numberOption("seconds", 60), inputs = numberOption("inputs", 0);
  const runs = numberOption("runs", 2), seed = numberOption("seed", 1), part = textOption("target", "");
  let found = 0;
  console.log("| target | seed | inputs | accepted | found |\n|---|---|---|---|---|");
  for (const [name, target] of Object.entries(TARGETS)) {
    if (!name.includes(part)) continue;
    for (let run = 0; run < runs; run++) {
      const end = performance.now() + seconds * 1000;
      const more = (n: number) => inputs > 0 ? n < inputs : n % 16 !== 0 || performance.now() < end;
      try {
        const tally = await runTarget(target, seed + run, more);
        console.log(`| ${name} | ${seed + run} | ${tally.inputs} | ${tally.accepted} | nothing |`);
      } catch (e) {
        found++;
        console.log(`| ${name} | ${seed + run} | | | ${e instanceof Error ? e.message : e} |`);
      }
    }
  }
  return found > 0 ? 1 : 0;
}
