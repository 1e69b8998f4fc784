import assert from "node:assert/strict";
import { FormPool } from "../../server/cache/form_pool.ts";
import { bytesOf, Slabs, type Tenant } from "../../server/cache/slabs.ts";
import { Random } from "../fixture/random.ts";

type Lodger = Tenant & { freed: boolean; readonly text: Uint8Array };

function lodge(slabs: Slabs, text: Uint8Array): Lodger {
  const lodger = { ...slabs.place(text), length: text.length, freed: false, text };
  slabs.settle(lodger);
  return lodger;
}

function filled(random: Random): Uint8Array {
  return new Uint8Array(random.below(random.below(20) === 0 ? 20_000 : 3000)).fill(random.below(256));
}

Deno.test("bytes survive while slabs are emptied, and little more than the live ones is kept", () => {
  const random = new Random(7);
  const slabs = new Slabs();
  let lodgers: Lodger[] = [];
  for (let step = 0; step < 20_000; step++) {
    lodgers.push(lodge(slabs, filled(random)));
    if (lodgers.length < 500) continue;
    const at = random.below(lodgers.length);
    const [gone] = lodgers.splice(at, 1);
    gone!.freed = true;
    slabs.free(gone!);
  }
  for (const lodger of lodgers) assert.deepEqual(bytesOf(lodger), lodger.text);
  const live = lodgers.reduce((sum, { length }) => sum + length, 0);
  assert.equal(slabs.bytes, live);
  const held = new Set(lodgers.map(({ slab }) => slab.bytes));
  const kept = [...held].reduce((sum, { length }) => sum + length, 0);
  assert.ok(kept < 2 * live + 2 * 65536, `${kept} bytes kept for ${live}`);
  for (const lodger of lodgers) {
    lodger.freed = true;
    slabs.free(lodger);
  }
  lodgers = [];
  assert.equal(slabs.bytes, 0);
});

Deno.test("forms past the budget are dropped, those asked for last", () => {
  const slabs = new Slabs();
  const pool = new FormPool(5000, slabs);
  const forgotten: string[] = [];
  const owner = { forget: ({ form }: { form: string }) => void forgotten.push(form) };
  const keep = (form: string) => {
    const kept = pool.keep(owner, form, new Uint8Array(880), undefined);
    pool.shrink();
    return kept;
  };
  const first = keep("a");
  keep("b");
  keep("c");
  first.used = true;
  for (const form of ["d", "e", "f", "g"]) keep(form);
  assert.ok(pool.bytes <= 5000);
  assert.equal(pool.count + forgotten.length, 7);
  assert.ok(forgotten.includes("b") && !forgotten.includes("a"));
  assert.equal(pool.dropped, forgotten.length);
});
