import assert from "node:assert/strict";
import { type FormLimits, FormPool } from "../../server/cache/form_pool.ts";
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

/** A pool, and the names of the forms that it let go. */
function pooled(limits: FormLimits) {
  const pool = new FormPool(limits, new Slabs());
  const forgotten: string[] = [];
  const owner = { forget: ({ form }: { form: string }) => void forgotten.push(form) };
  const keep = (form: string, passing = false) => {
    const kept = pool.keep(owner, form, new Uint8Array(872), undefined, passing);
    pool.shrink();
    return kept;
  };
  return { pool, forgotten, keep };
}

Deno.test("forms past the budget are dropped, those asked for last", () => {
  const { pool, forgotten, keep } = pooled({ all: 5000, passing: 5000 });
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

Deno.test("forms that nobody asked for have a smaller budget, and stay when they are asked for", () => {
  const { pool, forgotten, keep } = pooled({ all: 100_000, passing: 3000 });
  const asked = keep("asked", true);
  asked.used = true;
  for (let i = 0; i < 20; i++) keep(`written ${i}`, true);
  assert.equal(pool.count, 4);
  assert.deepEqual(forgotten, Array.from({ length: 17 }, (_, i) => `written ${i}`));
  for (let i = 0; i < 20; i++) keep(`made ${i}`);
  assert.equal(pool.count, 24);
});

Deno.test("forms that nobody asks for while a hand goes round are dropped", () => {
  const { pool, forgotten, keep } = pooled({ all: 1 << 20, passing: 1 << 20 });
  const kept = Array.from({ length: 300 }, (_, i) => keep(`${i}`, i % 2 === 0));
  const wanted = kept[7]!;
  const seconds = (n: number) => {
    for (let second = 0; second < n; second++) {
      wanted.used = true;
      pool.tick();
    }
  };
  seconds(5);
  assert.equal(pool.count, 300, "each has its time");
  seconds(1);
  assert.ok(pool.count >= 150 && pool.count < 300, "what came in passing goes first");
  seconds(180);
  assert.ok(!forgotten.includes("7"));
  assert.equal(pool.count, 1);
  pool.remove(wanted);
  for (let second = 0; second < 300; second++) pool.tick();
  assert.deepEqual([pool.count, pool.bytes], [0, 0]);
});
