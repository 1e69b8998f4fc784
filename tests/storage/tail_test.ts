/** What a reader that lags a little starts from. */
import assert from "node:assert/strict";
import type { Committed } from "../../server/storage/backend.ts";
import { Hub } from "../../server/storage/hub.ts";
import { Tail } from "../../server/storage/tail.ts";
import { heap } from "../fixture/heap.ts";

const change = (revision: number, value: Uint8Array | null = null): Committed => ({
  key: `k/${revision}`,
  revision,
  value,
});

Deno.test("tail: after any revision since its start come all changes, each once", () => {
  // Revisions of a store that does not count changes have gaps and doubles.
  const all = Array.from({ length: 60_000 }, (_, i) => change(10 + (i >> 1) * 3)), tail = new Tail(5);
  for (let at = 0; at < all.length; at += 700) {
    tail.push(all.slice(at, at + 700));
    const told = all.slice(0, at + 700), kept = Math.min(told.length, 20_000);
    const start = kept === told.length ? 5 : told.at(-1 - kept)!.revision;
    assert.equal(tail.start, start);
    const newest = told.at(-1)!.revision;
    for (const since of [start, start + 1, start + 3, start + 1_000, newest - 1, newest, newest + 1]) {
      const after = tail.after(since);
      const expected = told.slice(told.findIndex((c) => c.revision > since));
      assert.deepEqual([after.length, after[0]], since < newest ? [expected.length, expected[0]] : [0, undefined]);
    }
  }
});

Deno.test("tail: it holds so many bytes of values, and values that went make room", () => {
  const tail = new Tail(1), half = new Uint8Array((4 << 20) - 200);
  for (let revision = 2; revision <= 40; revision++) {
    tail.push([change(revision, half)]);
    assert.deepEqual(tail.after(tail.start).map((c) => c.revision), revision === 2 ? [2] : [revision - 1, revision]);
    assert.equal(tail.start, Math.max(1, revision - 2));
  }
});

Deno.test("tail: what left it takes no memory", () => {
  const tail = new Tail(1), before = heap();
  for (let revision = 2; revision <= 1_000_000; revision++) tail.push([change(revision)]);
  assert(heap() - before < 8 << 20);
  assert.equal(tail.after(999_000).length, 1_000);
});

Deno.test("hub: who knows more than what is published hears of nothing before that, and of nothing twice", async () => {
  const hub = new Hub(), told: number[][] = [], abort = new AbortController();
  const following = hub.follow(
    "k/",
    9,
    ({ changes, revision }) => void told.push([revision, ...changes.map((c) => c.revision)]),
    abort.signal,
    () => ({ changes: [change(8)], revision: 8 }),
  );
  hub.publish([change(7)], 7);
  hub.publish([change(9), change(10)], 10);
  assert.deepEqual(told, [[9], [10, 10]]);
  abort.abort();
  await following;
  hub.publish([change(11)], 11);
  assert.equal(told.length, 2);
});

Deno.test("hub: what is published within a delivery comes after it, be it a reader's first", async () => {
  const hub = new Hub(), stop = new AbortController();
  const heard: string[] = [];
  const following = hub.follow(
    "",
    0,
    ({ revision }) => {
      heard.push(`${revision} begins`);
      if (revision < 4) hub.publish([change(revision + 1)], revision + 1);
      heard.push(`${revision} ends`);
    },
    stop.signal,
    () => ({ changes: [change(1)], revision: 1 }),
  );
  stop.abort();
  await following;
  assert.deepEqual(heard, [1, 2, 3, 4].flatMap((n) => [`${n} begins`, `${n} ends`]));
});

Deno.test("hub: who stops hears of nothing more, though more waits already", async () => {
  const hub = new Hub(), stop = new AbortController();
  const heard: number[] = [];
  const following = hub.follow(
    "",
    0,
    ({ revision }) => {
      heard.push(revision);
      if (revision !== 1) return;
      hub.publish([], 2);
      stop.abort();
    },
    stop.signal,
    () => ({ changes: [], revision: 0 }),
  );
  hub.publish([], 1);
  await following;
  assert.deepEqual(heard, [0, 1]);
});

Deno.test("hub: who comes after the end is told of it", async () => {
  const hub = new Hub();
  hub.close();
  const first = () => ({ changes: [], revision: 1 });
  await assert.rejects(hub.follow("", 0, () => {}, new AbortController().signal, first), { kind: "closed" });
});
