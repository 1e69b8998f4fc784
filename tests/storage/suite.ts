/** What every backend does, by name. `memory_test.ts`, `denokv_test.ts` and `etcd_test.ts` run it. */
import assert from "node:assert/strict";
import { StorageError } from "../../server/storage/backend.ts";
import { againstModel } from "./model.ts";
import { bytes, Follower, put, refusal, revisionError, type Site, storageError, text } from "./tools.ts";

/** A kind of backend under test. */
export interface Subject {
  readonly name: string;
  /** Revisions grow by one with each change; otherwise a commit has one revision. */
  readonly dense: boolean;
  /** A fresh, empty store. */
  create(): Promise<Site>;
}

/** Registers all tests of a backend. */
export function suite(subject: Subject): void {
  for (const [name, run] of Object.entries(TESTS)) {
    Deno.test(`${subject.name}: ${name}`, async () => {
      await using site = await subject.create();
      await run(site, subject);
    });
  }
  for (const seed of [1, 2, 3]) {
    Deno.test(`${subject.name}: a random history agrees with the model (seed ${seed})`, async () => {
      await using site = await subject.create();
      await againstModel(site, seed, subject.dense ? 400 : 150);
    });
  }
}

type Test = (site: Site, subject: Subject) => Promise<void>;

const TESTS: Record<string, Test> = {
  async "revisions are ordered, and dense where the store counts changes"({ backend }, { dense }) {
    const start = await backend.revision();
    assert(start > 0);
    const [a, b] = await put(backend, { key: "k/a", value: bytes("1") }, { key: "k/b", value: bytes("1") });
    const [c] = await put(backend, { key: "k/a", value: bytes("2") });
    const [d] = await put(backend, { key: "k/b", value: null });
    const expected = dense
      ? [start + 1, start + 2, start + 3, start + 4]
      : [start + 1, start + 1, start + 2, start + 3];
    assert.deepEqual([a, b, c, d], expected);
    assert.equal(await backend.revision(), d);
  },

  async "an empty store counts on from a revision, where it counts by itself"({ backend }) {
    if (!backend.countFrom) return assert.equal(backend.name, "etcd3");
    await using follower = new Follower(backend, "k/", await backend.revision());
    await backend.countFrom(1_000);
    await backend.countFrom(500); // it has come further
    assert.deepEqual([await backend.revision(), backend.compacted()], [1_000, 1_000]);
    await revisionError(backend.range("", { at: 999 }), "compacted");
    assert.deepEqual(await put(backend, { key: "k/a", value: bytes("1"), expect: 0 }), [1_001]);
    assert.equal((await backend.range("")).revision, 1_001);
    await follower.until(1_001);
    assert.deepEqual(follower.told(), ["k/a=1"]);
  },

  async "a commit is all or nothing over several keys"({ backend }) {
    const [a] = await put(backend, { key: "k/a", value: bytes("1"), expect: 0 });
    const before = await backend.revision();
    const result = await backend.commit([
      { key: "k/new", value: bytes("x"), expect: 0 },
      { key: "k/a", value: bytes("2"), expect: a! + 1000 },
      { key: "k/b", value: bytes("y") },
    ]);
    assert.deepEqual(result, { ok: false, index: 1, current: { key: "k/a", value: bytes("1"), revision: a } });
    assert.equal(await backend.revision(), before);
    assert.equal(await backend.get("k/new"), undefined);
    assert.equal(await backend.get("k/b"), undefined);
    assert.equal(text((await backend.get("k/a"))!.value), "1");
  },

  async "a refused commit says what stands, or that nothing does"({ backend }) {
    assert.deepEqual(await backend.commit([{ key: "k/a", value: bytes("1"), expect: 7 }]), {
      ok: false,
      index: 0,
      current: undefined,
    });
    const [a] = await put(backend, { key: "k/a", value: bytes("1"), expect: 0 });
    assert.deepEqual(await backend.commit([{ key: "k/a", value: null, expect: 0 }]), {
      ok: false,
      index: 0,
      current: { key: "k/a", value: bytes("1"), revision: a },
    });
    await put(backend, { key: "k/a", value: null, expect: a! });
    assert.deepEqual(await backend.commit([{ key: "k/a", value: bytes("2"), expect: a! }]), {
      ok: false,
      index: 0,
      current: undefined,
    });
    await put(backend, { key: "k/a", value: bytes("3"), expect: 0 });
  },

  async "deleting what is absent makes no change"({ backend }) {
    const [last] = await put(backend, { key: "k/a", value: bytes("1") });
    await using follower = new Follower(backend, "k/", last!);
    await put(backend, { key: "k/none", value: null });
    await put(backend, { key: "k/none", value: null, expect: 0 });
    const [after] = await put(backend, { key: "k/b", value: bytes("1") });
    await follower.until(after!);
    assert.deepEqual(follower.told(), ["k/b=1"]);
  },

  async "an empty value is a value"({ backend }) {
    await put(backend, { key: "k/a", value: new Uint8Array(0) });
    assert.equal((await backend.get("k/a"))!.value.length, 0);
    assert.equal((await backend.range("k/")).items.length, 1);
  },

  async "a key that comes twice, or is no text, is refused"({ backend }) {
    const twice = [{ key: "k/a", value: bytes("1") }, { key: "k/a", value: null }];
    assert((await refusal(backend.commit(twice))) instanceof TypeError);
    assert((await refusal(backend.commit([{ key: "k/\ud800", value: null }]))) instanceof TypeError);
    assert((await refusal(backend.commit([{ key: "", value: null }]))) instanceof TypeError);
  },

  async "reads at a past revision see what stood then"({ backend }) {
    const [r1] = await put(backend, { key: "k/a", value: bytes("1") });
    const [r2] = await put(backend, { key: "k/b", value: bytes("1") });
    const [r3] = await put(backend, { key: "k/a", value: bytes("2") });
    const [r4] = await put(backend, { key: "k/a", value: null });
    const [r5] = await put(backend, { key: "k/a", value: bytes("3") });
    const at = async (r: number | undefined) =>
      (await backend.range("k/", { at: r! })).items.map((i) => `${i.key}=${text(i.value)}@${i.revision}`);
    assert.deepEqual(await at(r1), [`k/a=1@${r1}`]);
    assert.deepEqual(await at(r2), [`k/a=1@${r1}`, `k/b=1@${r2}`]);
    assert.deepEqual(await at(r3), [`k/a=2@${r3}`, `k/b=1@${r2}`]);
    assert.deepEqual(await at(r4), [`k/b=1@${r2}`]);
    assert.deepEqual(await at(r5), [`k/a=3@${r5}`, `k/b=1@${r2}`]);
    assert.equal(text((await backend.get("k/a", r3))!.value), "2");
    assert.equal(await backend.get("k/a", r4), undefined);
  },

  async "pages come in byte order, of one revision, whatever is written between"({ backend }) {
    const keys = ["p/\u{1f600}", "p/\uffee", "p/a", "p/a/b", "p/a0", "p/b", "p/ä", "p", "p0", "o/z"];
    await put(backend, ...keys.map((key) => ({ key, value: bytes(key) })));
    const order = (a: string, b: string) => Buffer.compare(bytes(a), bytes(b));
    const expected = keys.filter((k) => k.startsWith("p/")).sort(order);
    const seen: string[] = [];
    let page = await backend.range("p/", { limit: 3, count: true });
    const at = page.revision;
    for (;; page = await backend.range("p/", { limit: 3, after: seen.at(-1)!, at, count: true })) {
      assert.equal(page.revision, at);
      assert.equal(page.items.length, Math.min(3, expected.length - seen.length));
      seen.push(...page.items.map((i) => i.key));
      assert.equal(page.left, expected.length - seen.length);
      if (!page.more) break;
      await put(backend, { key: "p/aa", value: bytes("late") }, { key: "p/b", value: null });
    }
    assert.deepEqual(seen, expected);
    assert.equal((await backend.range("p/", { limit: expected.length, at })).more, false);
    assert.equal((await backend.range("p/", { limit: 3, at })).left, undefined);
    assert.deepEqual((await backend.range("none/")).items, []);
    assert.equal((await backend.range("none/", { count: true })).left, 0);
    const past = { revision: await backend.revision(), items: [], more: false };
    assert.deepEqual(await backend.range("p/", { after: "q" }), past);
    assert.deepEqual((await backend.range("p/", { after: "o", at })).items.map((i) => i.key), expected);
  },

  async "a scan has every key of its revision once"({ backend }) {
    if (!backend.scan) return;
    const keys = Array.from({ length: 300 }, (_, i) => `s/${(i * 7919) % 300}`);
    for (let i = 0; i < keys.length; i += 50) {
      await put(backend, ...keys.slice(i, i + 50).map((key) => ({ key, value: bytes(key) })));
    }
    const at = await backend.revision();
    await put(backend, { key: "s/1", value: null }, { key: "s/new", value: bytes("x") }, {
      key: "t/1",
      value: bytes("x"),
    });
    for (const revision of [at, undefined]) {
      const seen: string[] = [];
      const of = await backend.scan("s/", (items) => {
        for (const { key, value } of items) if (key !== "s/new") assert.equal(text(value), key);
        seen.push(...items.map((item) => item.key));
      }, revision);
      const { items } = await backend.range("s/", { at: of });
      assert.deepEqual(seen.sort(), items.map((item) => item.key).sort());
    }
  },

  async "changes since a revision come in order, with progress for other keys"({ backend }, { dense }) {
    const start = await backend.revision();
    const [first] = await put(backend, { key: "k/a", value: bytes("1") });
    await using all = new Follower(backend, "", start);
    await using later = new Follower(backend, "k/", first!);
    await put(backend, { key: "k/a", value: bytes("2") }, { key: "k/b", value: bytes("1") });
    const [last] = await put(backend, { key: "other/x", value: bytes("1") });
    await later.until(last!);
    await all.until(last!);
    assert.deepEqual(later.told(), ["k/a=2", "k/b=1"]);
    assert.deepEqual(all.told(), ["k/a=1", "k/a=2", "k/b=1", "other/x=1"]);
    const revisions = all.changes.map((c) => c.revision);
    assert.deepEqual(revisions, revisions.toSorted((a, b) => a - b));
    if (dense) assert.equal(new Set(revisions).size, 4);
    const [gone] = await put(backend, { key: "k/a", value: null });
    await later.until(gone!);
    assert.equal(later.told().at(-1), "-k/a");
    await using again = new Follower(backend, "k/", first!);
    await again.until(gone!);
    assert.deepEqual(again.told(), ["k/a=2", "k/b=1", "-k/a"]);
  },

  async "own changes reach readers before the commit resolves, with their notes"({ backend }) {
    await using follower = new Follower(backend, "k/", await backend.revision());
    await follower.until(1);
    const note = { about: "this" };
    const [revision] = await put(backend, { key: "k/a", value: bytes("1"), note });
    assert.equal(follower.revision >= revision!, true);
    assert.equal(follower.changes[0]!.note, note);
  },

  async "a commit from within a delivery comes after it"({ backend }) {
    const seen: string[] = [];
    const abort = new AbortController();
    const second = Promise.withResolvers<void>();
    let inside = false;
    const reading = backend.changes("k/", await backend.revision(), ({ changes }) => {
      assert(!inside, "delivery within a delivery");
      inside = true;
      for (const { key } of changes) {
        seen.push(key);
        if (key === "k/1") backend.commit([{ key: "k/2", value: bytes("2") }]).catch(second.reject);
        if (key === "k/2") second.resolve();
      }
      inside = false;
    }, abort.signal);
    await put(backend, { key: "k/1", value: bytes("1") });
    await second.promise;
    assert.deepEqual(seen, ["k/1", "k/2"]);
    abort.abort();
    await reading;
  },

  async "a reader that throws ends with its error and harms nobody"({ backend }) {
    const start = await backend.revision();
    let batches = 0;
    const failing = backend.changes("k/", start, ({ changes }) => {
      if (changes.length === 0) return;
      batches++;
      throw new RangeError("mine");
    }, new AbortController().signal);
    const ended = refusal(failing);
    await using follower = new Follower(backend, "k/", start);
    const made = put(backend, { key: "k/a", value: bytes("1") });
    // It may be told of the second before anybody hears that it has ended.
    await put(backend, { key: "k/b", value: bytes("1") });
    const [revision] = await made;
    await follower.until(revision!);
    assert((await ended) instanceof RangeError);
    assert.equal(batches, 1);
    assert(follower.told().includes("k/a=1"));
  },

  async "compaction forgets history and keeps what stands"({ backend }) {
    const [r1] = await put(backend, { key: "k/a", value: bytes("1") });
    const [r2] = await put(backend, { key: "k/a", value: bytes("2") });
    await put(backend, { key: "k/b", value: bytes("1") });
    const [r4] = await put(backend, { key: "k/b", value: null });
    const [r5] = await put(backend, { key: "k/c", value: bytes("1") });
    await backend.compact(r4!);
    assert.equal(backend.compacted(), r4);
    await revisionError(backend.get("k/a", r1), "compacted");
    await revisionError(backend.range("k/", { at: r2! }), "compacted");
    if (backend.expiresAt) await revisionError(backend.expiresAt("k/a", r1), "compacted");
    await revisionError(backend.changes("k/", r2!, () => {}, new AbortController().signal), "compacted");
    assert.deepEqual((await backend.range("k/", { at: r4! })).items.map((i) => i.key), ["k/a"]);
    assert.deepEqual((await backend.range("k/")).items.map((i) => `${i.key}@${i.revision}`), [
      `k/a@${r2}`,
      `k/c@${r5}`,
    ]);
    await using follower = new Follower(backend, "k/", r4!);
    await follower.until(r5!);
    assert.deepEqual(follower.told(), ["k/c=1"]);
    await backend.compact(r1!);
    assert.equal(backend.compacted(), r4);
  },

  async "a revision to come is refused"({ backend }) {
    const future = (await backend.revision()) + 1000;
    await revisionError(backend.get("k/a", future), "future");
    await revisionError(backend.range("k/", { at: future }), "future");
    await revisionError(backend.changes("k/", future, () => {}, new AbortController().signal), "future");
    await revisionError(backend.compact(future), "future");
  },

  async "a cancelled reader is let go, before and after it started"({ backend }) {
    await backend.changes("k/", await backend.revision(), () => assert.fail("delivered"), AbortSignal.abort());
    const abort = new AbortController();
    let batches = 0;
    const reading = backend.changes("k/", await backend.revision(), () => batches++, abort.signal);
    await put(backend, { key: "k/a", value: bytes("1") });
    abort.abort();
    await reading;
    const before = batches;
    await put(backend, { key: "k/a", value: bytes("2") });
    assert.equal(batches, before);
  },

  async "expiry deletes as a change like any other, and a write without it takes it back"({ backend }) {
    await using follower = new Follower(backend, "e/", await backend.revision());
    // It is taken back before it is due, however long these writes take on this machine.
    for (let ms = 300;; ms *= 4) {
      const [gone, kept, late, stays] = ["gone", "kept", "late", "stays"].map((name) => `e/${ms}/${name}`) as [
        string,
        string,
        string,
        string,
      ];
      const soon = Date.now() + ms;
      await put(
        backend,
        { key: gone, value: bytes("1"), expiresAt: soon },
        { key: kept, value: bytes("1"), expiresAt: soon },
        { key: late, value: bytes("1"), expiresAt: soon + 3_600_000 },
        { key: stays, value: bytes("1") },
      );
      const at = await backend.revision();
      await put(backend, { key: kept, value: bytes("2") });
      if (Date.now() >= soon) continue;
      await follower.when(() => follower.told().includes(`-${gone}`));
      assert.deepEqual((await backend.range(`e/${ms}/`)).items.map((i) => i.key), [kept, late, stays]);
      assert.deepEqual(follower.told().filter((t) => t.startsWith(`-e/${ms}/`)), [`-${gone}`]);
      // As of then all of them were to go.
      for (const key of [gone, kept, late]) assert(await backend.expiresAt?.(key, at), key);
      for (const key of [gone, kept, stays]) assert.equal(await backend.expiresAt?.(key), undefined);
      return;
    }
  },

  async "64 writers with expectations lose no update"({ backend }) {
    await put(backend, { key: "n/counter", value: bytes("0") });
    const add = async (writer: number) => {
      for (let i = 0; i < 4;) {
        const { value, revision } = (await backend.get("n/counter"))!;
        const result = await backend.commit([
          { key: "n/counter", value: bytes(String(Number(text(value)) + 1)), expect: revision },
          { key: `n/by/${writer}/${i}`, value: bytes("x"), expect: 0 },
        ]);
        if (result.ok) i++;
        else assert.equal(result.index, 0);
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, i) => add(i)));
    assert.equal(text((await backend.get("n/counter"))!.value), "256");
    assert.equal((await backend.range("n/by/")).items.length, 256);
  },

  async "two servers see each other's changes in one order"({ backend, second }) {
    const other = await second?.();
    if (!other) return;
    const start = await other.revision();
    await using left = new Follower(backend, "k/", start);
    await using right = new Follower(other, "k/", start);
    const write = async (to: typeof other, who: string) => {
      for (let i = 0; i < 30; i++) await put(to, { key: `k/${who}/${i}`, value: bytes(`${i}`), expect: 0 });
    };
    await Promise.all([write(backend, "l"), write(other, "r")]);
    const end = await other.revision();
    await left.until(end);
    await right.until(end);
    assert.equal(left.changes.length, 60);
    assert.deepEqual(left.told(), right.told());
    assert.deepEqual(left.changes.map((c) => c.revision), right.changes.map((c) => c.revision));
    await right[Symbol.asyncDispose]();
    await other.close();
  },

  async "facts about the store are kept beside the keys"({ backend }) {
    const before = await backend.revision();
    assert.equal(await backend.readMeta("dialect"), undefined);
    await backend.writeMeta("dialect", bytes("orch"));
    assert.equal(text(await backend.readMeta("dialect")), "orch");
    await backend.writeMeta("dialect", bytes("other"));
    assert.equal(text(await backend.readMeta("dialect")), "other");
    await backend.writeMeta("dialect", bytes("late"), { first: true });
    assert.equal(text(await backend.readMeta("dialect")), "other");
    await backend.writeMeta("dialect", null);
    assert.equal(await backend.readMeta("dialect"), undefined);
    assert.deepEqual((await backend.range("")).items, []);
    assert((await backend.revision()) >= before);
  },

  async "it is healthy, tells its size, and is closed for good"({ backend }) {
    await backend.health(AbortSignal.timeout(60_000));
    const size = await backend.size();
    assert(size === undefined || size >= 0);
    const follower = new Follower(backend, "k/", await backend.revision());
    await backend.close();
    await follower.ended();
    assert(follower.error instanceof StorageError && follower.error.kind === "closed");
    await storageError(backend.commit([{ key: "k/a", value: bytes("1") }]), "closed");
    await storageError(backend.get("k/a"), "closed");
    await storageError(backend.range("k/"), "closed");
    await storageError(backend.changes("k/", 1, () => {}, new AbortController().signal), "closed");
    await storageError(backend.compact(1), "closed");
    await storageError(backend.health(AbortSignal.timeout(60_000)), "closed");
    await storageError(backend.readMeta("dialect"), "closed");
    await storageError(backend.writeMeta("dialect", bytes("orch")), "closed");
  },
};
