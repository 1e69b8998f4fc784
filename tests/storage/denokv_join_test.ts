/** Readers of the log that join while a change is on its way to those that are there. */
import assert from "node:assert/strict";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { bytes, Follower, put } from "./tools.ts";

const LONG = new Uint8Array(100_000);

Deno.test("denokv: who joins while long values of another process are read gets them once, and no progress before", async () => {
  const dir = await Deno.makeTempDir({ prefix: "denokv-" }), path = `${dir}/store.db`;
  const writer = await openDenoKv(path, { sharing: "leases" }), reader = await openDenoKv(path, { sharing: "leases" });
  const begun = Promise.withResolvers<void>(), held = Promise.withResolvers<void>();
  try {
    const since = await reader.revision();
    const { store } = reader.core, read = store.bytes;
    store.bytes = async (keys) => {
      if (keys[0]?.[0] === "blob") {
        begun.resolve();
        await held.promise;
      }
      return await read.call(store, keys);
    };
    const changes = [{ key: "k/1", value: bytes("1") }, { key: "k/2", value: LONG }, { key: "k/3", value: bytes("3") }];
    const revisions = await put(writer, ...changes), newest = revisions.at(-1)!;
    await begun.promise;
    await using before = new Follower(reader, "k/", since);
    await using after = new Follower(reader, "k/", newest);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual([before.revision < newest, before.changes.length], [true, 0]);
    held.resolve();
    const [last] = await put(reader, { key: "k/4", value: bytes("4") });
    await Promise.all([before.until(last!), after.until(last!)]);
    assert.deepEqual(before.changes.map((c) => c.revision), [...revisions, last]);
    assert.deepEqual(after.changes.map((c) => c.revision), [last]);
  } finally {
    held.resolve();
    await reader.close();
    await writer.close();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("denokv: who joins as a commit of this process is made gets its changes once", async () => {
  const backend = await openDenoKv(":memory:");
  try {
    const { store } = backend.core, atomic = store.atomic;
    for (let turns = 0; turns < 20; turns++) {
      const since = await backend.revision();
      const joined = Promise.withResolvers<Follower>();
      store.atomic = async (build) => {
        const result = await atomic.call(store, build);
        void Array.from({ length: turns }).reduce<Promise<void>>((p) => p.then(), Promise.resolve()).then(() =>
          joined.resolve(new Follower(backend, "k/", since))
        );
        return result;
      };
      const [one] = await put(backend, { key: "k/1", value: bytes("1") });
      store.atomic = atomic;
      await using follower = await joined.promise;
      const [two] = await put(backend, { key: "k/2", value: bytes("2") });
      await follower.until(two!);
      assert.deepEqual(follower.changes.map((c) => c.revision), [one, two], `joined ${turns} turns after`);
    }
  } finally {
    await backend.close();
  }
});

Deno.test("denokv: who follows misses nothing when a log value of another process is read wrong once", async () => {
  const dir = await Deno.makeTempDir({ prefix: "denokv-" }), path = `${dir}/store.db`;
  const writer = await openDenoKv(path, { sharing: "leases" }), reader = await openDenoKv(path, { sharing: "leases" });
  try {
    const since = await reader.revision(), { kv } = reader.core.store, { list } = kv;
    let wrong = 1;
    kv.list = <T>(...asked: Parameters<typeof list>) => {
      const rows = list.call(kv, ...asked) as Deno.KvListIterator<T>, next = rows.next.bind(rows);
      let n = 0;
      rows.next = async () => {
        const row = await next();
        if (row.done || row.value.key[0] !== "log" || n++ < 1 || wrong < 1) return row;
        wrong--;
        return { ...row, value: { ...row.value, value: (row.value.value as Uint8Array).with(30, 77) as T } };
      };
      return rows;
    };
    await using follower = new Follower(reader, "k/", since);
    const held = Promise.withResolvers<void>(), holding = reader.core.lane.run(() => held.promise);
    const [one] = await put(writer, { key: "k/1", value: bytes("1") });
    const [two] = await put(writer, { key: "k/2", value: bytes("2") });
    held.resolve();
    await holding;
    const changes = await follower.until(two!).then(() => follower.changes, async () => {
      await using again = new Follower(reader, "k/", Math.max(since, follower.revision));
      await again.until(two!);
      return [...follower.changes, ...again.changes];
    });
    assert.deepEqual([wrong, changes.map((c) => c.revision)], [0, [one, two]]);
  } finally {
    await reader.close();
    await writer.close();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("denokv: who follows starts again when a long value of another process is gone before it could be read", async () => {
  const dir = await Deno.makeTempDir({ prefix: "denokv-" }), path = `${dir}/store.db`;
  const writer = await openDenoKv(path, { sharing: "leases" }), reader = await openDenoKv(path, { sharing: "leases" });
  const begun = Promise.withResolvers<void>(), held = Promise.withResolvers<void>();
  try {
    await using follower = new Follower(reader, "k/", await reader.revision());
    const { store } = reader.core, read = store.bytes;
    store.bytes = async (keys) => {
      if (keys[0]?.[0] === "blob") {
        begun.resolve();
        await held.promise;
      }
      return await read.call(store, keys);
    };
    await put(writer, { key: "k/1", value: LONG });
    await begun.promise;
    const [newest] = await put(writer, { key: "k/1", value: bytes("1") });
    await writer.compact(newest!);
    // As a cleaner does it, in whatever process it is.
    const { kv } = writer.core.store;
    for (const { key } of await Array.fromAsync(kv.list({ prefix: ["blob"] }))) await kv.delete(key);
    held.resolve();
    await follower.ended();
    assert.deepEqual([`${follower.error}`.split(":")[0], follower.changes], ["RevisionError", []]);
    assert.equal((await reader.get("k/1"))?.revision, newest);
  } finally {
    held.resolve();
    await reader.close();
    await writer.close();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("denokv: what another process has just given more time does not expire by what was known before", async () => {
  const dir = await Deno.makeTempDir({ prefix: "denokv-" }), path = `${dir}/store.db`;
  let clock = 500;
  const one = await openDenoKv(path, { sharing: "leases", now: () => clock });
  const other = await openDenoKv(path, { sharing: "leases", now: () => 0 });
  const held = Promise.withResolvers<void>();
  try {
    await put(one, { key: "k/1", value: bytes("1"), expiresAt: 1_000 });
    const holding = one.core.lane.run(() => held.promise);
    const [renewed] = await put(other, { key: "k/1", value: bytes("2"), expiresAt: 5_000 });
    clock = 2_000;
    const sweeping = one.sweep();
    held.resolve();
    await holding;
    assert.equal(await sweeping, 0);
    assert.equal((await one.get("k/1"))?.revision, renewed);
  } finally {
    held.resolve();
    await one.close();
    await other.close();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("denokv: who reads on from disk is not led past a long value that is gone", async () => {
  const dir = await Deno.makeTempDir({ prefix: "denokv-" }), path = `${dir}/store.db`;
  const first = await openDenoKv(path), since = await first.revision();
  await put(first, { key: "k/1", value: LONG });
  await put(first, { key: "k/2", value: bytes("2") });
  await first.close();
  const backend = await openDenoKv(path), { kv } = backend.core.store;
  try {
    for (const { key } of await Array.fromAsync(kv.list({ prefix: ["blob"] }))) await kv.delete(key);
    await using follower = new Follower(backend, "k/", since);
    await follower.ended();
    assert.deepEqual([`${follower.error}`.split(":")[0], follower.changes], ["RevisionError", []]);
  } finally {
    await backend.close();
    await Deno.remove(dir, { recursive: true });
  }
});
