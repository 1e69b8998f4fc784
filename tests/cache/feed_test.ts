/** What a feed keeps for those who read slowly. */
import assert from "node:assert/strict";
import type { CachedEntry } from "../../server/cache/entry.ts";
import { Feed, type FeedReader, type Selection } from "../../server/cache/feed.ts";
import { FeedIndex } from "../../server/cache/feed_index.ts";
import { HistoryEvent } from "../../server/cache/history.ts";
import { heap } from "../fixture/heap.ts";

const SIZE = 100, ON_THE_WIRE = SIZE * 1.5 + 64;

function event(revision: number): HistoryEvent {
  const entry = { revision, size: SIZE } as CachedEntry;
  return new HistoryEvent({ type: "ADDED", revision, entry }, entry, undefined, 0, undefined);
}

interface Reader extends FeedReader {
  out: boolean;
}

function reading(feed: Feed, position: number): Reader {
  const fallOut = () => {
    reader.out = true;
    feed.remove(reader);
  };
  const reader: Reader = { position, seat: 0, out: false, wake: () => {}, fallOut };
  feed.add(reader);
  return reader;
}

/** Events of revisions 11 to 15 at the positions 0 to 4. */
function filled(): Feed {
  const feed = new Feed(undefined, { namespace: undefined, name: undefined, field: undefined, matches: undefined });
  for (let revision = 11; revision <= 15; revision++) feed.offer(event(revision));
  return feed;
}

function revisions(feed: Feed, position: number, limit = Infinity): number[] {
  return feed.window(position, limit).batch.events.map((e) => e.revision);
}

Deno.test("feed: a window has as many events as fit, and one at least", () => {
  const feed = filled();
  for (const [limit, count] of [[0, 1], [ON_THE_WIRE, 1], [2 * ON_THE_WIRE - 1, 1], [2 * ON_THE_WIRE, 2]] as const) {
    assert.deepEqual(revisions(feed, 1, limit), [12, 13].slice(0, count));
    const { end, bytes } = feed.window(1, limit);
    assert.deepEqual([end, bytes], [1 + count, count * ON_THE_WIRE]);
  }
  assert.equal(feed.window(1, 1), feed.window(1, 1));
  assert.deepEqual(revisions(feed, 4), [15]);
  feed.offer(event(16));
  assert.deepEqual(revisions(feed, 4), [15, 16]);
});

Deno.test("feed: what every reader has taken is forgotten, and no more", () => {
  const feed = filled(), [slow, quick] = [reading(feed, 2), reading(feed, 5)];
  feed.trim();
  assert.deepEqual([feed.oldest, feed.end], [13, 5]);
  assert.deepEqual(revisions(feed, 2), [13, 14, 15]);
  slow.position = 4;
  feed.trim();
  assert.deepEqual(revisions(feed, 4), [15]);
  feed.remove(slow);
  feed.trim();
  assert.deepEqual([feed.oldest, feed.end, quick.out], [undefined, 5, false]);
  feed.offer(event(16));
  assert.deepEqual(revisions(feed, 5), [16]);
});

Deno.test("feed: whoever leaves, and be it twice, takes no other reader along", () => {
  const feed = filled(), [a, b, c] = [1, 2, 3].map((position) => reading(feed, position)) as [Reader, Reader, Reader];
  feed.remove(a);
  feed.remove(a);
  feed.trim();
  assert.deepEqual([feed.oldest, feed.readers.length], [13, 2]);
  feed.remove(c);
  assert.deepEqual(feed.readers, [b]);
  feed.remove(b);
  feed.trim();
  assert.equal(feed.oldest, undefined);
});

Deno.test("feed: with the history it forgets what lies before, and only who needed that falls out", () => {
  const feed = filled(), readers = [1, 2, 3, 5].map((position) => reading(feed, position));
  feed.forget(12);
  assert.deepEqual(readers.map(({ out }) => out), [true, false, false, false]);
  assert.deepEqual(revisions(feed, 2), [13, 14, 15]);
  feed.forget(20);
  assert.deepEqual(readers.map(({ out }) => out), [true, true, true, false]);
  assert.deepEqual([feed.oldest, feed.end], [undefined, 5]);
});

Deno.test("feeds that are closed leave nothing of what they were found by", () => {
  const index = new FeedIndex(), before = heap();
  for (let i = 0; i < 50_000; i++) {
    const field = i % 2 === 0 ? { name: `spec.f${i}`, value: "a" } : undefined;
    const name = field ? undefined : `p${i}`;
    index.close(index.open({ namespace: "a", name, field, matches: undefined }, undefined));
  }
  assert(heap() - before < 1 << 20);
  assert.equal(index.size, 0);
});

Deno.test("a feed is shared by those who select the same, by the name of what they match or by what it is", () => {
  const index = new FeedIndex();
  const open = (matches: Selection["matches"], group?: string, namespace = "a", value?: string, name?: string) =>
    index.open({ namespace, name, field: value === undefined ? undefined : { name: "f", value }, matches }, group);
  const matching = () => () => true, one = matching();
  const feeds = [
    open(undefined),
    open(undefined, undefined, "b"),
    open(one),
    open(matching()),
    open(matching(), "l=1"),
    open(matching(), "l=2"),
    open(matching(), "l=1", "b"),
    open(undefined, undefined, "a", "1"),
    open(undefined, undefined, "a", "2"),
    open(undefined, undefined, "b", "1"),
    open(undefined, undefined, "a", undefined, "x"),
    open(undefined, undefined, "a", "1", "x"),
    open(undefined, undefined, "a", "2", "x"),
  ];
  assert.equal(new Set(feeds).size, feeds.length);
  assert.deepEqual([open(undefined), open(one), open(matching(), "l=1")], [feeds[0], feeds[2], feeds[4]]);
  assert.equal(index.size, feeds.length);
});

Deno.test("a feed that is closed takes no other along, be it while an event is handed out", () => {
  const index = new FeedIndex();
  const feeds = [1, 2, 3, 4].map(() =>
    index.open({ namespace: undefined, name: undefined, field: undefined, matches: () => true }, undefined)
  );
  index.close(feeds[0]!);
  index.close(feeds[0]!);
  const visited = (then: (feed: Feed) => void = () => {}) => {
    const out: Feed[] = [];
    index.visit(event(11), (feed) => {
      out.push(feed);
      then(feed);
    });
    return out;
  };
  assert.deepEqual([new Set(visited()), index.size], [new Set(feeds.slice(1)), 3]);
  assert.deepEqual(new Set(visited((feed) => index.close(feed))), new Set(feeds.slice(1)));
  assert.deepEqual([visited(), index.size], [[], 0]);
});
