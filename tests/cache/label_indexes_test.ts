/** Indexes by label: wanted by asking again, kept with writes, right at past revisions, forgotten when nobody asks. */
import assert from "node:assert/strict";
import type { Snapshot } from "../../server/cache/mod.ts";
import { LabelIndexes } from "../../server/cache/label_indexes.ts";
import { Fixture } from "./_fixture.ts";

const COUNT = 600;
const label = { name: "rare", value: "yes" };
const names = (snapshot: Snapshot, namespace?: string) =>
  Array.from(snapshot.range({ label, ...(namespace === undefined ? {} : { namespace }) }), (entry) => entry.name);
const selected = (snapshot: Snapshot) =>
  Array.from(snapshot.range()).filter((entry) => entry.labels["rare"] === "yes").map((entry) => entry.name);

async function filled(): Promise<Fixture> {
  const f = await new Fixture().start();
  for (let i = 0; i < COUNT; i++) {
    const rare = i % 100 === 0 ? { rare: "yes" } : i % 3 === 0 ? { rare: "no" } : undefined;
    await f.put({ namespace: i % 2 ? "b" : "a", name: `p${i}`, ...(rare && { labels: rare }) });
  }
  await f.pods.waitFor(await f.backend.revision(), 60_000);
  return f;
}

/** A snapshot after the label was asked for twice. */
async function indexed(): Promise<Fixture> {
  const f = await filled();
  for (let i = 0; i < 2; i++) assert.equal(names(f.pods.snapshot()).length, COUNT, "all are looked at");
  return f;
}

Deno.test("label index: from the third time on only what carries the label is looked at, in key order", async () => {
  await using f = await indexed();
  const snapshot = f.pods.snapshot();
  assert.deepEqual(names(snapshot), selected(snapshot));
  assert.deepEqual(names(snapshot), ["p0", "p100", "p200", "p300", "p400", "p500"]);
  assert.deepEqual(names(snapshot, "b"), []);
});

Deno.test("label index: it follows writes, and older snapshots keep what they had", async () => {
  await using f = await indexed();
  const before = f.pods.snapshot();
  await f.put({ namespace: "a", name: "p0", labels: { rare: "no" } });
  await f.put({ namespace: "b", name: "p1", labels: { rare: "yes" } });
  await f.remove({ namespace: "a", name: "p100" });
  const at = await f.put({ namespace: "a", name: "p200", labels: { rare: "yes" }, value: 2 });
  await f.pods.waitFor(at, 60_000);
  const after = f.pods.snapshot();
  assert.deepEqual(names(after), ["p200", "p300", "p400", "p500", "p1"]);
  assert.deepEqual(names(after), selected(after));
  assert.equal([...after.range({ label })][0]!.revision, at);
  assert.deepEqual(names(before), ["p0", "p100", "p200", "p300", "p400", "p500"]);
  assert.deepEqual(selected(f.pods.snapshotAt(before.revision)!), names(before));
});

Deno.test("label index: forgotten five minutes after it was last asked for", async () => {
  await using f = await indexed();
  assert.equal(names(f.pods.snapshot()).length, 6);
  f.now += 5 * 60_000 + 1;
  f.pods.tick(f.now);
  await f.pods.waitFor(await f.put({ namespace: "a", name: "new" }), 60_000);
  assert.equal(names(f.pods.snapshot()).length, COUNT + 1);
});

Deno.test("label index: no more than two at once, the first asked for again, until one is forgotten", () => {
  const labels = new LabelIndexes();
  for (const name of ["a", "b", "c"]) assert.equal(labels.ask(name, 0), false);
  assert.deepEqual(["a", "b", "c"].map((name) => labels.ask(name, 1_000)), [true, true, false]);
  assert.deepEqual(labels.idle(2_000), []);
  assert.equal(labels.ask("a", 200_000), false, "it has one");
  assert.deepEqual(labels.idle(302_000), ["b"]);
  assert.equal(labels.ask("c", 302_000), false, "not asked for within a minute");
  assert.equal(labels.ask("c", 303_000), true);
});
