import assert from "node:assert/strict";
import { optionsPage } from "../../scripts/docs_options.ts";
import { FeatureGates } from "../../schema/flags/gates/feature_gates.ts";
import { ROWS } from "../../server/options/table.ts";
import { defaultOf } from "../../schema/flags/values.ts";

const FACTS = new URL("../../../shared/facts/", import.meta.url);

function read(name: string): unknown {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL(name, FACTS)));
  } catch {
    return undefined;
  }
}

Deno.test("docs/options.md is current", () => {
  assert.equal(Deno.readTextFileSync(new URL("../../docs/options.md", import.meta.url)), optionsPage());
});

Deno.test("names are unique and defaults satisfy their own type", () => {
  const names = ROWS.flatMap((r) => [r.name, ...(r.aliases ?? [])]);
  assert.equal(new Set(names).size, names.length);
  for (const row of ROWS) assert.notEqual(defaultOf(row, (s) => s), undefined, row.name);
});

// Only where the facts lie beside the project.
const options = read("options.json") as { options: { option: string; default?: string }[] } | undefined;
const publicGates = read("gates.json") as { gates: { gate: string; default: boolean }[] } | undefined;

// The next two only where the facts lie beside the project.
Deno.test({
  name: "every option of the public server is known, with its default",
  ignore: !options, // only where the recorded options lie beside the project
}, () => {
  const byName = new Map(ROWS.flatMap((r) => [r.name, ...(r.aliases ?? [])].map((n) => [n, r] as const)));
  for (const { option, default: wanted } of options!.options) {
    if (option === "help") continue;
    const row = byName.get(option);
    assert.ok(row, option);
    const theirs = wanted?.replace(/^\[(.*)\]$/, "$1") || undefined;
    if (option !== "cert-dir") assert.equal(row.default, theirs ?? row.default, option);
  }
});

Deno.test({
  name: "every gate of the public server, and of the API's fields, is known",
  ignore: !publicGates, // only where the recorded options lie beside the project
}, () => {
  const gates = new FeatureGates(new Map(), 36); // of which version the facts are
  for (const { gate, default: on } of publicGates!.gates) {
    assert.ok(gates.knows(gate), gate);
    assert.equal(gates.enabled(gate), on, gate);
  }
  const named = new Set<string>();
  for (const { name } of Deno.readDirSync(new URL("api", FACTS))) {
    const text = Deno.readTextFileSync(new URL(`api/${name}`, FACTS));
    for (const m of text.matchAll(/"featureGate":\s*(\[[^\]]*\]|"[^"]*")/g)) {
      for (const gate of [JSON.parse(m[1]!)].flat()) named.add(gate);
    }
  }
  assert.deepEqual([...named].filter((n) => !gates.knows(n)), []);
});
