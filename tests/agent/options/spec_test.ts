/** Every option of the specification's tables for the node agent is known, of the type and with the default that they say. */
import assert from "node:assert/strict";
import { ROWS } from "../../../agent/options/mod.ts";
import { defaultOf, valueOf } from "../../../schema/flags/values.ts";
import type { OptionType } from "../../../schema/flags/types.ts";
import { productOf } from "../../../schema/product.ts";
import { readRows } from "../../../scripts/spec_rows.ts";

const { local } = productOf("orch");
const BY_NAME = new Map(ROWS.flatMap((r) => [r.name, ...(r.aliases ?? [])].map((n) => [n, r] as const)));

/** Types that a word of the second column stands for. */
const TYPES: readonly (readonly [RegExp, readonly OptionType[]])[] = [
  [/^path, bool/, ["path", "bool"]],
  [/NUMA/, ["numaMemory"]],
  [/effect/, ["taints"]],
  [/name:value/, ["headers"]],
  // The public agent takes keys alone as labels, cores as one text, gates again and again.
  [/list/, ["strings", "map", "pairs", "thresholds", "switches", "string", "array"]],
  [/^bool|^flag/, ["bool"]],
  [/^int/, ["int"]],
  [/^duration/, ["duration"]],
  [/^IP/, ["ip"]],
  [/^path/, ["path"]],
  [/^URL/, ["url"]],
  [/^CIDR/, ["string"]],
  [/^string/, ["string", "quantity"]],
];

for (const { row, type } of readRows().filter((r) => r.heading === "Node agent options" && r.type)) {
  Deno.test(`option ${row}`, () => {
    const wanted = /^[^,]+, `?([^`]+)`?$/.exec(type!)?.[1];
    for (const name of row.split(", ").map((n) => n.replace("--", ""))) {
      const known = BY_NAME.get(name);
      assert.ok(known, name);
      assert.ok(TYPES.find(([words]) => words.test(type!))![1].includes(known.type), `${name} is ${known.type}`);
      if (wanted === undefined || /^bool$|repeatable/.test(wanted)) continue;
      assert.deepEqual(defaultOf(known, local), valueOf(known, [wanted]), name);
    }
  });
}

const ACCESS: Readonly<Record<string, unknown>> = {
  "anonymous-auth": true,
  "authentication-token-webhook": false,
  "authentication-token-webhook-cache-ttl": 120_000,
  "authorization-mode": "AlwaysAllow",
  "authorization-webhook-cache-authorized-ttl": 300_000,
  "authorization-webhook-cache-unauthorized-ttl": 30_000,
  "rotate-certificates": false,
  "rotate-server-certificates": false,
};
Deno.test("options of who may call the agent, and of the log", () => {
  const rows = readRows().filter((r) => r.heading === "Authentication, Node agent").flatMap((r) => r.row.split(", "));
  for (const name of [...rows, "--v", "--vmodule"].map((n) => n.slice(2))) {
    const known = BY_NAME.get(name);
    assert.ok(known, name);
    if (name in ACCESS) assert.deepEqual(defaultOf(known, local), ACCESS[name], name);
  }
});
