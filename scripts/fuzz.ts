/**
 * Fuzz targets, each for some time or some inputs.
 *
 * `deno run -A scripts/fuzz.ts [--seconds=60 | --inputs=100000] [--runs=2] [--seed=1] [--target=part of a name]`
 *
 * Run n of a target takes seed + n - 1. Exits with 1 when one found something; the failure names the seed and the input.
 */
import { runTarget, TARGETS } from "../tests/fuzz/targets/mod.ts";

if (import.meta.main) Deno.exit(await fuzz(Deno.args));

async function fuzz(args: readonly string[]): Promise<number> {
  const flag = (name: string) => args.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3);
  const seconds = Number(flag("seconds") ?? 60), inputs = Number(flag("inputs") ?? 0);
  const runs = Number(flag("runs") ?? 2), seed = Number(flag("seed") ?? 1), part = flag("target") ?? "";
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
