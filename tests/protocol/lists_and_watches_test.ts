/**
 * What lists and watches promise, on random histories. `HISTORIES=10000` runs as many; a failure tells the `SEED=…` that
 * shows it again.
 */
import assert from "node:assert/strict";
import { forAll, type Story } from "./_histories.ts";

/** A list in pages of any size, while others write, is the list of its version. */
async function pagedIsWhole(story: Story): Promise<void> {
  await story.writes(6 + story.below(8));
  const limit = 1 + story.below(5), selector = story.selector();
  const paged = await story.pages(limit, selector, () => story.writes(story.below(3)));
  const whole = await story.list(`resourceVersion=${paged.version}&resourceVersionMatch=Exact&${selector}`);
  assert.deepEqual(paged.items, whole.items);
}

/** The list at a version and what a watch tells from there are the list of now. */
async function watchedIsListed(story: Story): Promise<void> {
  await story.writes(2 + story.below(8));
  // A write that surely gives a version, also where all others were refused.
  await story.t.fetch(story.path(), { body: { metadata: { name: "first" } } });
  const now = (await story.list("")).version;
  const version = story.pick([...story.versions, now]);
  await story.writes(story.below(4));
  const selector = story.selector();
  const start = await story.list(`resourceVersion=${version}&resourceVersionMatch=Exact&${selector}`);
  assert.equal(start.version, version);
  const end = { metadata: { name: "last", labels: labelsOf(selector) } };
  const state = await story.replay(start, selector, "last", async () => {
    await story.writes(story.below(6));
    assert.equal((await story.t.fetch(story.path(), { body: end })).status, 201);
  });
  const list = await story.list(selector);
  const names = [...state.keys()].sort();
  assert.deepEqual(names, list.items.map((i) => i.metadata.name));
  assert.deepEqual(names.map((n) => state.get(n)), list.items);
}

/** Labels that every selector in use matches but that for no label. */
const labelsOf = (selector: string) => selector.includes("!l") && !selector.includes("%3D") ? {} : { l: "x" };

const unchecked = { sanitizeOps: false, sanitizeResources: false }; // watches that were left end a moment later

for (const [backend, count] of [["memory", 300], ["denokv", 25]] as const) {
  Deno.test({
    name: `a list in pages is the list of its version, on ${backend}`,
    fn: () => forAll(backend, count, pagedIsWhole),
    ...unchecked,
  });
  Deno.test({
    name: `a list and a watch from its version are the list of now, on ${backend}`,
    fn: () => forAll(backend, count, watchedIsListed),
    ...unchecked,
  });
}
