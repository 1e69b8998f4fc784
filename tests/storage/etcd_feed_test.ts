/** The one watch that a store on etcd follows, with a member that says what the test has it say. */
import assert from "node:assert/strict";
import { GrpcError } from "../../schema/grpc/status.ts";
import { Cluster } from "../../server/storage/etcd/cluster.ts";
import { Feed } from "../../server/storage/etcd/feed.ts";
import type { WatchRequest, WatchResponse } from "../../server/storage/etcd/messages.ts";
import { Notes } from "../../server/storage/etcd/notes.ts";
import type { Transport, WatchHandlers } from "../../server/storage/etcd/transport.ts";
import { bytes, text } from "./tools.ts";

/** The member beside the one that is in use, which stays in use. */
function other(cluster: Cluster): Transport {
  cluster.leave(cluster.transport);
  const { transport } = cluster;
  cluster.leave(transport);
  return transport;
}

/** What is told, in words, and what the member was asked. */
class Talk implements AsyncDisposable {
  readonly told: string[] = [];
  readonly starts: (number | undefined)[] = [];
  readonly members: string[] = [];
  cancelled = 0;
  readonly asks: string[] = [];
  feed!: Feed;
  #handlers!: WatchHandlers;

  private constructor(readonly cluster: Cluster) {}

  /** A feed from after revision 5, and a member of the version. */
  static async begin(version = "3.6.0"): Promise<Talk> {
    const cluster = await Cluster.open(["127.0.0.1:1", "127.0.0.1:2"], {}, Math.random), talk = new Talk(cluster);
    for (const transport of [cluster.transport, other(cluster)]) {
      transport.call = () => Promise.resolve({ version } as never);
      transport.watch = ({ create }: WatchRequest, handlers) => {
        talk.starts.push(create?.startRevision);
        talk.members.push(transport.address);
        talk.#handlers = handlers;
        return { progress: () => void talk.asks.push("progress"), cancel: () => talk.cancelled++ };
      };
    }
    talk.feed = new Feed(cluster, [bytes("a"), bytes("b")], 5, {
      events: (events, revision) =>
        void talk.told.push([revision, ...events.map(({ kv }) => `${text(kv.key)}@${kv.modRevision}`)].join(" ")),
      compacted: (revision) => void talk.told.push(`compacted ${revision}`),
      behind: () => void talk.told.push("behind"),
    }, async () => void talk.asks.push("mark"));
    return talk;
  }

  /** The member says something of these changes; what it tells of comes since. */
  says(revision: number, events: readonly (readonly [string, number])[], more: Partial<WatchResponse> = {}): string[] {
    const before = this.told.length;
    const told = events.map(([key, modRevision]) => ({ kv: { key: bytes(key), modRevision } }));
    this.#handlers.message({ header: { revision }, events: told, ...more } as WatchResponse);
    return this.told.slice(before);
  }

  breaks(): void {
    this.#handlers.end(new GrpcError("Unavailable", "the connection is gone"));
  }

  async opened(times: number): Promise<void> {
    while (this.starts.length < times) await new Promise((done) => setTimeout(done, 1));
  }

  /** How the member is asked to show that it has come to a revision, which it then does. */
  async proves(revision: number): Promise<string> {
    this.asks.length = 0;
    this.feed.prove(revision);
    while (this.asks.length === 0) await new Promise((done) => setTimeout(done, 1));
    this.says(revision, []);
    return this.asks[0]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.feed.stop();
    this.cluster.close();
  }
}

Deno.test("etcd: each change is told once and whole, in order, however often the watch breaks", async () => {
  await using talk = await Talk.begin();
  const reached = talk.feed.reached(9);
  let further = false;
  talk.feed.reached(13).then(() => further = true);
  assert.deepEqual(talk.says(5, [], { created: true }), []);
  assert.deepEqual(talk.says(9, [["a", 6], ["b", 7]]), ["7 a@6 b@7"], "a member may know more than it has told");
  assert.deepEqual(talk.says(9, [["a", 8]], { fragment: true }), []);
  talk.breaks();
  await talk.opened(2);
  assert.deepEqual(talk.says(9, [], { created: true }), []);
  assert.deepEqual(talk.says(9, [["b", 7], ["a", 8], ["b", 8]]), ["8 a@8 b@8"]);
  assert.deepEqual(talk.says(9, [["a", 9]], { fragment: true }), []);
  assert.deepEqual(talk.says(9, [["b", 9]]), ["9 a@9 b@9"]);
  await reached;
  await undefined;
  assert.equal(further, false, "who waits for more waits on");
  assert.deepEqual(talk.says(12, []), ["12"]);
  assert.deepEqual(talk.says(11, []), []);
  talk.says(12, [], { canceled: true });
  await talk.opened(3);
  assert.deepEqual(talk.says(10, [], { created: true }), ["behind"]);
  assert.deepEqual(talk.says(30, [], { canceled: true, compactRevision: 20 }), ["compacted 20"]);
  assert.deepEqual(talk.says(31, [["a", 31]]), []);
  assert.deepEqual(talk.starts, [6, 8, 13]);
  talk.breaks();
  await new Promise((done) => setTimeout(done, 10));
  assert.equal(talk.starts.length, 3, "what is compacted is not followed any more");
});

Deno.test("etcd: a watch that breaks again and again is opened in growing intervals, one that was open at once", async () => {
  await using talk = await Talk.begin();
  const pauses: number[] = [];
  talk.cluster.pause = async (ms) => void pauses.push(ms);
  const breaks = async () => {
    talk.breaks();
    await talk.opened(talk.starts.length + 1);
  };
  for (let i = 0; i < 9; i++) await breaks();
  talk.says(5, [], { created: true });
  for (let i = 0; i < 2; i++) await breaks();
  assert.deepEqual(pauses, [0, 50, 100, 200, 400, 800, 1600, 2000, 2000, 0, 50]);
});

/** Time that passes when it is told to, and timers by it. */
class Time implements Disposable {
  #now = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  readonly #real = [performance.now, setTimeout, clearTimeout] as const;

  constructor() {
    let last = 0;
    performance.now = () => this.#now;
    globalThis.setTimeout = ((run: () => void, ms = 0) => {
      this.#timers.set(++last, { at: this.#now + ms, run });
      return last;
    }) as unknown as typeof setTimeout;
    globalThis.clearTimeout = (id) => void this.#timers.delete(id as number);
  }

  /** Comes to a moment by way of all timers before it, and lets what these begin go on. */
  async to(moment: number): Promise<void> {
    for (;;) {
      const [next] = [...this.#timers].sort(([, a], [, b]) => a.at - b.at);
      if (!next || next[1].at > moment) break;
      this.#timers.delete(next[0]);
      this.#now = Math.max(this.#now, next[1].at);
      next[1].run();
      await new Promise((done) => setImmediate(done));
    }
    this.#now = moment;
  }

  [Symbol.dispose](): void {
    [performance.now, globalThis.setTimeout, globalThis.clearTimeout] = this.#real;
  }
}

Deno.test("etcd: who waits for what does not come is told so, each after its own time", async () => {
  using time = new Time();
  await using talk = await Talk.begin();
  talk.cluster.pause = () => Promise.resolve();
  talk.says(5, [], { created: true });
  const ends: string[] = [];
  const wait = (name: string, revision: number) => void talk.feed.reached(revision).then(() => ends.push(name));
  wait("first", 9);
  await time.to(2_000);
  wait("second", 9);
  await time.to(4_999);
  assert.deepEqual(ends, []);
  await time.to(5_000);
  assert.deepEqual(ends, ["first"]);
  assert.equal(talk.members.length, 2, "what does not come may come from the next member");
  wait("third", 9);
  wait("known", 5);
  await time.to(7_000);
  assert.deepEqual(ends, ["first", "known", "second"]);
  wait("last", 9);
  await time.to(10_000);
  assert.deepEqual(ends.slice(3), ["third"]);
  talk.feed.stop();
  wait("after the end", 9);
  await undefined;
  assert.deepEqual(ends.slice(4), ["last", "after the end"]);
  assert.deepEqual([talk.cancelled, talk.cluster.left.size], [talk.starts.length, 0]);
});

Deno.test("etcd: a watch that is silent is opened at the next member, later each time that this is of no use", async () => {
  using time = new Time();
  await using talk = await Talk.begin();
  talk.cluster.pause = () => Promise.resolve();
  const [one, two] = ["127.0.0.1:1", "127.0.0.1:2"];
  await time.to(4_999);
  assert.deepEqual(talk.members, [one]);
  await time.to(5_000);
  assert.deepEqual(talk.members.splice(0), [one, two], "it was not even opened");
  talk.says(5, [], { created: true });
  await time.to(30_000);
  assert.deepEqual(talk.members, [], "nothing is owed");
  talk.feed.prove(9);
  await time.to(34_999);
  assert.deepEqual(talk.members, []);
  // The new one has time of its own to be opened in.
  for (const [moment, member] of [[36_000, one], [47_000, two], [68_000, one]] as const) {
    await time.to(moment);
    assert.deepEqual(talk.members.splice(0), [member]);
    talk.says(5, [], { created: true });
  }
  talk.says(8, [["a", 8]]);
  await time.to(74_000);
  assert.deepEqual(talk.members.splice(0), [two], "after a sign of life it has the first time again");
  talk.says(9, [["a", 9]]);
  await time.to(200_000);
  talk.asks.length = 0;
  talk.feed.prove(12);
  await time.to(204_000);
  assert.equal(talk.asks[0], "progress", "it is asked again");
  assert.deepEqual(talk.members, [], "what is owed is so since it was asked for");
  talk.cluster.leave(talk.cluster.transport);
  await time.to(204_001);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(talk.members, [one], "calls have found no answer there");
  assert.equal(talk.cancelled, talk.starts.length - 1, "one watch at a time");
});

const ASKED = {
  "3.3.99": "mark",
  "3.4.30": "mark",
  "3.4.31": "progress",
  "3.5.12": "mark",
  "3.5.13": "progress",
  "3.6.0-rc.1": "progress",
  "4.0.0": "progress",
  "": "mark",
};
for (const [version, how] of Object.entries(ASKED)) {
  Deno.test(`etcd: a member of version ${version || "unknown"} shows how far it is by ${how}`, async () => {
    await using talk = await Talk.begin(version);
    talk.says(5, [], { created: true });
    for (const revision of [9, 12]) assert.equal(await talk.proves(revision), how);
  });
}

Deno.test("etcd feed: a note goes with the change that it was made for, not with another server's of the same key", () => {
  const notes = new Notes(), [own, other] = [bytes("own"), bytes("other")];
  const told = (value: Uint8Array | null) => notes.put([{ key: "a", revision: 9, value }])[0]!.note;
  const release = notes.expect([{ key: "a", value: own, note: "note" }, { key: "a", value: null, note: "end" }]);
  assert.deepEqual([other, own, own, null, null].map(told), [undefined, "note", undefined, "end", undefined]);
  notes.expect([{ key: "a", value: own, note: "never came" }])();
  release();
  assert.equal(told(own), undefined);
});
