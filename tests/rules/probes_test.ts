/** Plays the recorded validation probes. `PROBES=<kind>` in the environment prints that kind's failures. */
import assert from "node:assert/strict";
import process from "node:process";
import { HAVE_FACTS, play, probeKinds, resourceOf, samples } from "./_facts.ts";
import floor from "./probe_floor.json" with { type: "json" };

const FLOOR: Readonly<Record<string, number>> = floor;

Deno.test({
  name: "probes: each kind passes at least as many as its floor",
  ignore: !HAVE_FACTS, // the recorded facts are not part of the project
  fn() {
    const bases = new Map(samples().map((s) => [s.id, s]));
    const shown = process.env["PROBES"]?.split(",");
    const rows: Record<string, number> = {}, table: string[] = [], skipped: Record<string, number> = {};
    for (const k of probeKinds()) {
      const id = `${k.group ? `${k.group}/` : ""}${k.version}/${k.kind}`;
      const r = resourceOf(k);
      let passed = 0, failed = 0;
      for (const p of k.probes) {
        const base = bases.get(p.base);
        const o = r && base ? play(k, r, p, base) : { skip: "not in this version" };
        if ("skip" in o) skipped[o.skip] = (skipped[o.skip] ?? 0) + 1;
        else if (o.pass) passed++;
        else {
          failed++;
          if (shown?.some((s) => s === k.kind || s === id)) {
            const value = p.value === undefined ? "" : ` = ${JSON.stringify(p.value).slice(0, 120)}`;
            console.log(
              `${id} ${p.base} ${p.verb} ${p.op} ${p.path ?? ""}${value}\n  wanted ${o.wanted}\n  found  ${o.found}`,
            );
          }
        }
      }
      rows[id] = passed;
      table.push(`${id.padEnd(64)} ${String(passed).padStart(5)} passed ${String(failed).padStart(5)} failed`);
    }
    if (shown) console.log([...table, JSON.stringify(skipped)].join("\n"));
    if (process.env["PROBE_FLOOR"] === "print") console.log(JSON.stringify(rows, null, 2));
    for (const [id, least] of Object.entries(FLOOR)) {
      assert.ok((rows[id] ?? 0) >= least, `${id}: ${rows[id]} probes pass, ${least} did before`);
    }
  },
});
