/** A watch from any retained version, plus the list at that version, equals the list now: random histories, each on its own objects. */
import assert from "node:assert/strict";
import { eventsOf } from "../../scripts/soak/load.ts";
import type { TestServer } from "../fixture/server.ts";
import { Model, type Selector, SELECTORS, type Shown, textOf } from "./_model.ts";
import { forServers, type Random, STORES } from "./_runs.ts";

const SEEDS = 60, WATCHES = 8, STREAMS = 3;

for (const store of STORES) {
  Deno.test(`properties: list at a version and watch from it are the list now, on ${store}`, async () => {
    await forServers(store, SEEDS, history);
  });
}

async function history(server: TestServer, random: Random, seed: number): Promise<void> {
  const model = await Model.start(server, random, `watches-${seed}`);
  const streams: Promise<void>[] = [], steps = 5 + random.below(25);
  const done = Promise.withResolvers<void>();
  for (let i = 0; i < steps; i++) {
    await model.step();
    if (streams.length < STREAMS && random.below(6) === 0) streams.push(stream(model, random, done.promise));
  }
  await model.finish();
  done.resolve();
  let kept = model.start;
  if (seed % 4 === 0) {
    kept = random.pick(model.changes).rv;
    await server.backend.compact(Number(kept));
  }
  const checks = Array.from({ length: WATCHES }, async () => {
    const selector = random.pick(SELECTORS), rv = random.pick([model.start, ...model.changes.map((c) => c.rv)]);
    const gone = await listed(model, rv, selector, 1 + random.below(5));
    assert.ok(!gone || rv < kept, `version ${rv} is gone, ${kept} and later are kept`);
    await watched(model, rv, selector, rv < kept);
  });
  await Promise.all([...checks, ...streams]);
}

/** Compares a list at exactly a version, in pages. True when the version is gone. */
async function listed(model: Model, rv: bigint, selector: Selector, limit: number): Promise<boolean> {
  const items: string[] = [];
  let query = `&resourceVersion=${rv}&resourceVersionMatch=Exact`;
  while (query) {
    const { status, body, text } = await model.server.fetch(`${model.path}?limit=${limit}${selector.query}${query}`);
    if (status === 410) return true;
    assert.equal(status, 200, text);
    assert.equal(body.metadata.resourceVersion, String(rv));
    items.push(...body.items.map(textOf));
    const token = body.metadata.continue;
    query = token ? `&continue=${encodeURIComponent(token)}` : "";
  }
  assert.deepEqual(items, model.at(rv, selector).map(textOf), `list at ${rv}${selector.query}`);
  return false;
}

/** Compares the events after a version. */
async function watched(model: Model, rv: bigint, selector: Selector, mayBeGone: boolean): Promise<void> {
  const expected = model.after(rv, selector);
  if (expected.length === 0) return;
  const response = await model.server.open(`${model.path}?watch=1&resourceVersion=${rv}${selector.query}`);
  if (response.status === 410 && mayBeGone) return void await response.body?.cancel();
  assert.equal(response.status, 200);
  const shown: Shown[] = [];
  for await (const event of eventsOf(response)) {
    if (event.type === "ERROR" && mayBeGone) return;
    shown.push(shownOf(event));
    if (shown.at(-1)!.rv >= expected.at(-1)!.rv) break;
  }
  assert.deepEqual(shown, expected, `watch from ${rv}${selector.query}`);
}

/** Compares a stream that begins with what stands, opened in the middle of the history. */
async function stream(model: Model, random: Random, done: Promise<void>): Promise<void> {
  const selector = random.pick(SELECTORS), from = random.pick(["", "0", String(model.newest)]);
  const query =
    `watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=${from}`;
  const response = await model.server.open(`${model.path}?${query}${selector.query}`);
  assert.equal(response.status, 200);
  await done;
  const initial: string[] = [], shown: Shown[] = [];
  let expected: Shown[] | undefined;
  for await (const event of eventsOf(response)) {
    if (event.type === "BOOKMARK") {
      const { annotations, resourceVersion } = event.object.metadata as {
        annotations?: Record<string, string>;
        resourceVersion: string;
      };
      if (annotations?.["k8s.io/initial-events-end"] !== "true") continue;
      assert.ok(!expected, "the initial events end once");
      const rv = BigInt(resourceVersion);
      assert.deepEqual(initial, model.at(rv, selector).map(textOf), `initial events at ${rv}${selector.query}`);
      expected = model.after(rv, selector);
    } else if (expected) shown.push(shownOf(event));
    else {
      assert.equal(event.type, "ADDED");
      initial.push(textOf(event.object));
    }
    if (expected && (expected.length === 0 || shown.at(-1)?.rv === expected.at(-1)!.rv)) break;
  }
  assert.deepEqual(shown, expected, `stream ${selector.query}`);
}

function shownOf({ type, object }: { type: string; object: { metadata: { resourceVersion?: string } } }): Shown {
  return { type, rv: BigInt(object.metadata.resourceVersion!), object: textOf(object) };
}
