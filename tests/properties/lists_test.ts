/** A list paged at any limit equals the list unpaged at its version, while others write. */
import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import { Model, type Selector, SELECTORS, textOf } from "./_model.ts";
import { forSeeds, ok, type Random, STORES, withServer } from "./_runs.ts";

const SEEDS = 8, WRITES = 30;

for (const store of STORES) {
  Deno.test(`properties: a list in pages is the list at its version under writers, on ${store}`, async () => {
    await withServer(store, (server) => forSeeds(SEEDS, (random, seed) => paged(server, random, seed)));
  });
}

async function paged(server: TestServer, random: Random, seed: number): Promise<void> {
  const model = await Model.start(server, random, `lists-${seed}`);
  const fill = Array.from({ length: 4 + random.below(20) }, (_, i) => ({
    metadata: { name: `f${i}`, labels: i % 3 ? { t: random.pick(["a", "b"]) } : {} },
    data: { n: String(i) },
  }));
  for (const body of fill) await ok(server, "POST", model.path, body);
  const writing = (async () => {
    for (let i = 0; i < WRITES; i++) {
      await model.step();
      if (random.below(3) === 0) await disturb(server, model.path, `f${random.below(fill.length)}`, String(i));
    }
  })();
  const lists = Array.from({ length: 4 }, () => inPages(model, random.pick(SELECTORS), 1 + random.below(9)));
  await Promise.all([writing, ...lists]);
}

async function disturb(server: TestServer, path: string, name: string, n: string): Promise<void> {
  const { status } = await server.fetch(`${path}/${name}`, { method: "DELETE" });
  if (status === 404) await ok(server, "POST", path, { metadata: { name, labels: { t: "a" } }, data: { n } });
}

async function inPages(model: Model, selector: Selector, limit: number): Promise<void> {
  const items: string[] = [];
  let rv: string | undefined, token = "", remaining: number | undefined;
  do {
    const path = `${model.path}?limit=${limit}${selector.query}${token && `&continue=${encodeURIComponent(token)}`}`;
    const page = await ok(model.server, "GET", path);
    rv ??= page.metadata.resourceVersion;
    assert.equal(page.metadata.resourceVersion, rv, "one version over all pages");
    const found = page.items.map(textOf);
    token = page.metadata.continue ?? "";
    assert.ok(token ? found.length === limit : found.length <= limit, `a page of ${found.length}, limit ${limit}`);
    if (remaining !== undefined) {
      assert.equal(found.length + (page.metadata.remainingItemCount ?? 0), remaining, "what remains");
    }
    remaining = page.metadata.remainingItemCount;
    items.push(...found);
    // Lets the writer in between pages.
    await new Promise((done) => setTimeout(done, 0));
  } while (token);
  const whole = await ok(
    model.server,
    "GET",
    `${model.path}?resourceVersion=${rv}&resourceVersionMatch=Exact${selector.query}`,
  );
  assert.deepEqual(items, whole.items.map(textOf), `pages of ${limit} at ${rv}${selector.query}`);
}
