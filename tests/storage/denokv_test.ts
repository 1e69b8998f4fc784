import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type Backend, StorageError } from "../../server/storage/backend.ts";
import { Cleaner } from "../../server/storage/denokv/clean.ts";
import { type DenoKvBackend, type DenoKvOptions, openDenoKv, verifyDenoKv } from "../../server/storage/denokv/mod.ts";
import { seeded } from "../fixture/random.ts";
import { suite } from "./suite.ts";
import { bytes, Follower, put, revisionError, type Site, storageError, text } from "./tools.ts";

interface KvSite extends Site {
  readonly backend: DenoKvBackend;
  readonly path: string;
  reopen(): Promise<DenoKvBackend>;
  second(): Promise<DenoKvBackend>;
}

/** A store in a directory of its own. */
async function create(options: DenoKvOptions = {}): Promise<KvSite> {
  const dir = await Deno.makeTempDir({ prefix: "denokv-" });
  const path = `${dir}/store.db`;
  let backend = await openDenoKv(path, options);
  return {
    path,
    get backend() {
      return backend;
    },
    async reopen() {
      await backend.close();
      return backend = await openDenoKv(path, options);
    },
    second: () => openDenoKv(path, options),
    async [Symbol.asyncDispose]() {
      await backend.close();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

suite({ name: "denokv", dense: true, create: () => create() });
suite({ name: "denokv, shared by leases", dense: true, create: () => create({ sharing: "leases" }) });

function noise(length: number, seed: number): Uint8Array {
  const next = seeded(seed);
  return Uint8Array.from({ length }, () => next() * 256);
}

Deno.test("denokv: values to 3 MiB come back whole, alone, together and after a restart", async () => {
  await using site = await create();
  const sizes = [0, 1, 32_768, 32_769, 60_000, 60_001, 65_536, 400_000, 700_000, 1 << 20, 3 << 20];
  const values = sizes.map((n, i) => noise(n, i));
  for (const [i, value] of values.entries()) await put(site.backend, { key: `v/${i}`, value });
  await put(site.backend, ...values.map((value, i) => ({ key: `w/${i}`, value })));
  const small = Array.from({ length: 900 }, (_, i) => ({ key: `s/${i}`, value: noise(1500, i) }));
  await put(site.backend, ...small);
  for (const open of [() => site.backend, () => site.reopen()]) {
    const backend = await open();
    for (const [i, value] of values.entries()) {
      assert.deepEqual((await backend.get(`v/${i}`))!.value, value);
      assert.deepEqual((await backend.get(`w/${i}`))!.value, value);
    }
    assert.equal((await backend.range("s/")).items.length, 900);
  }
  await storageError(
    site.backend.commit([{ key: "v/long", value: new Uint8Array((3 << 20) + 1) }]),
    "too-large",
  );
});

Deno.test("denokv: a long value of which a byte or a piece's end is not as it was is damaged", async () => {
  const backend = await openDenoKv(":memory:"), { kv } = backend.core.store;
  await put(backend, { key: "k/long", value: new Uint8Array(70_000).fill(3) });
  const [{ key, value }] = await Array.fromAsync(kv.list<Uint8Array>({ prefix: ["blob"] })) as [
    Deno.KvEntry<Uint8Array>,
  ];
  const flipped = value.slice();
  flipped[9]! ^= 1;
  for (const bad of [flipped, value.subarray(1)]) {
    await kv.set(key, bad);
    await storageError(backend.get("k/long"), "corrupt");
  }
  await backend.close();
});

Deno.test("denokv: a long value is never half seen while it is replaced", async () => {
  await using site = await create();
  const backend = site.backend;
  const second = await site.second();
  const fill = (n: number) => new Uint8Array(1_500_000).fill(n);
  await put(backend, { key: "k/long", value: fill(0) });
  let writing = true;
  const read = async (from: Backend) => {
    while (writing) {
      const { value } = (await from.get("k/long"))!;
      assert(value.every((b) => b === value[0]), "mixed");
    }
  };
  const reading = [read(backend), read(second)];
  for (let i = 1; i <= 8; i++) {
    await put(backend, { key: "k/long", value: fill(i) });
    await backend.compact(await backend.revision());
  }
  writing = false;
  await Promise.all(reading);
  await second.close();
});

Deno.test("denokv: a refused commit of long values leaves nothing on disk", async () => {
  await using site = await create();
  await put(site.backend, { key: "k/a", value: bytes("1") });
  const result = await site.backend.commit([{ key: "k/a", value: noise(2 << 20, 1), expect: 0 }]);
  assert.equal(result.ok, false);
  const kv = site.backend.core.store.kv;
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["blob"] })), []);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["intent"] })), []);
});

Deno.test("denokv: a long commit that fails half written ahead leaves nothing on disk", async () => {
  await using site = await create();
  const { store } = site.backend.core, atomic = store.atomic;
  let left = 2;
  store.atomic = (build) => {
    if (left-- > 0) return atomic.call(store, build);
    store.atomic = atomic;
    return Promise.reject(new StorageError("full", "write: the disk is full"));
  };
  await storageError(site.backend.commit([{ key: "k/long", value: noise(3 << 20, 1) }]), "full");
  assert.equal((await Array.fromAsync(store.kv.list({ prefix: ["blob"] }))).length, 0);
  assert.equal((await Array.fromAsync(store.kv.list({ prefix: ["intent"] }))).length, 0);
});

Deno.test("denokv: what was written ahead of a commit that never came is removed at the next start", async () => {
  await using site = await create();
  const { kv } = site.backend.core.store;
  const { makeBlob, writeAhead } = await import("../../server/storage/denokv/blob.ts");
  await writeAhead(site.backend.core.store, [makeBlob("lost.1", noise(200_000, 1))]);
  assert.equal((await Array.fromAsync(kv.list({ prefix: ["blob"] }))).length, 4);
  const again = (await site.reopen()).core.store.kv;
  assert.deepEqual(await Array.fromAsync(again.list({ prefix: ["blob"] })), []);
});

Deno.test("denokv: a restart keeps values, revisions, history, expiry and facts", async () => {
  await using site = await create();
  const [r1] = await put(site.backend, { key: "k/a", value: bytes("1") });
  const [r2] = await put(site.backend, { key: "k/a", value: bytes("2") });
  await put(site.backend, { key: "k/b", value: null }, {
    key: "k/e",
    value: bytes("1"),
    expiresAt: Date.now() + 3_600_000,
  });
  await site.backend.writeMeta("dialect", bytes("orch"));
  const end = await site.backend.revision();
  const backend = await site.reopen();
  assert.equal(backend.revision(), end);
  assert.equal(text((await backend.get("k/a", r1))!.value), "1");
  assert.equal((await backend.get("k/a"))!.revision, r2);
  assert.equal(text(await backend.readMeta("dialect")), "orch");
  assert.equal(backend.core.state.expiry.size, 1);
  await using follower = new Follower(backend, "k/", r1!);
  await follower.until(end);
  assert.deepEqual(follower.told(), ["k/a=2", "k/e=1"]);
});

Deno.test("denokv: what was compacted is so after a restart, though a compaction to before it came later", async () => {
  await using site = await create();
  const revisions = [];
  for (let i = 0; i < 4; i++) revisions.push(...await put(site.backend, { key: "k/a", value: bytes(`${i}`) }));
  const [, early, late] = revisions;
  await site.backend.compact(late!);
  await site.backend.compact(early!);
  const backend = await site.reopen();
  assert.equal(backend.compacted(), late);
  await revisionError(backend.get("k/a", early), "compacted");
  assert.equal(text((await backend.get("k/a", late))!.value), "2");
});

Deno.test("denokv: one process alone knows the newest revision without asking; two ask", async () => {
  await using site = await create();
  assert.equal(typeof site.backend.revision(), "number");
  const second = await site.second();
  const asked = site.backend.revision();
  assert(asked instanceof Promise);
  await asked;
  await second.close();
});

for (const sharing of ["files", "leases"] as const) {
  Deno.test(`denokv: two on one file see each other's changes in order, and lose none (${sharing})`, async () => {
    await using site = await create({ sharing });
    const second = await site.second();
    const start = await second.revision();
    await using left = new Follower(site.backend, "", start);
    await using right = new Follower(second, "", start);
    const write = async (backend: Backend, who: string) => {
      for (let i = 0; i < 60; i++) await put(backend, { key: `k/${who}/${i}`, value: bytes(`${i}`), expect: 0 });
    };
    const add = async (backend: Backend) => {
      for (let i = 0; i < 40;) {
        const now = await backend.get("n");
        const value = bytes(String(Number(text(now?.value) ?? 0) + 1));
        if ((await backend.commit([{ key: "n", value, expect: now?.revision ?? 0 }])).ok) i++;
      }
    };
    await Promise.all([write(site.backend, "l"), write(second, "r"), add(site.backend), add(second)]);
    const end = await second.revision();
    assert.equal(end, start + 200);
    await left.until(end);
    await right.until(end);
    assert.equal(text((await site.backend.get("n"))!.value), "80");
    assert.deepEqual(left.changes.map((c) => c.revision), Array.from({ length: 200 }, (_, i) => start + 1 + i));
    assert.deepEqual(left.told(), right.told());
    await second.close();
  });
}

for (const sharing of ["files", "leases"] as const) {
  Deno.test(`denokv: a read sees what another process had committed before (${sharing})`, async () => {
    await using site = await create({ sharing });
    const second = await site.second();
    for (let i = 0; i < 50; i++) {
      const [writer, reader] = i % 2 ? [site.backend, second] : [second, site.backend];
      const [revision] = await put(writer, { key: "k/a", value: bytes(`${i}`) });
      assert.equal((await reader.get("k/a"))!.revision, revision);
      assert((await reader.revision()) >= revision!);
    }
    await second.close();
  });
}

for (const sharing of ["files", "leases"] as const) {
  Deno.test(`denokv: a commit is judged by what another process has just done (${sharing})`, async () => {
    await using site = await create({ sharing });
    const second = await site.second();
    await put(site.backend, { key: "k/a", value: bytes("1") });
    for (let i = 0; i < 10; i++) {
      await put(second, { key: "k/a", value: null });
      await put(site.backend, { key: "k/a", value: bytes("1"), expect: 0 });
    }
    await second.close();
  });
}

for (const sharing of ["files", "leases"] as const) {
  Deno.test(`denokv: compaction and expiry beside another process keep both right (${sharing})`, async () => {
    await using site = await create({ sharing });
    const second = await site.second();
    for (let round = 0; round < 6; round++) {
      const writes = Array.from({ length: 40 }, (_, i) => ({ key: `k/${i}`, value: noise(3000, i + round) }));
      for (const change of writes) await put(round % 2 ? second : site.backend, change);
      await put(site.backend, { key: `k/${round}`, value: null });
      await site.backend.compact(await site.backend.revision());
      await site.backend.settled();
      assert.deepEqual((await second.range("k/")).items, (await site.backend.range("k/")).items);
    }
    const expected = (await site.backend.range("k/")).items;
    await second.close();
    assert.deepEqual((await (await site.reopen()).range("k/")).items, expected);
  });
}

Deno.test("denokv: space is given back, nothing comes back, history after the point stays", async () => {
  await using site = await create();
  const next = seeded(7);
  const model = new Map<string, string>();
  let backend = site.backend;
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 150; i++) {
      const changes = Array.from({ length: 1 + Math.floor(next() * 8) }, () => `k/${Math.floor(next() * 400)}`);
      const keys = [...new Set(changes)];
      const made = keys.map((key) => ({ key, value: next() < 0.4 ? null : bytes(`${next()}`.padEnd(900, "x")) }));
      await put(backend, ...made);
      for (const { key, value } of made) {
        if (value) model.set(key, text(value)!);
        else model.delete(key);
      }
    }
    const end = backend.revision() as number;
    const below = Math.max(backend.compacted(), end - Math.floor(next() * 300));
    const then = (await backend.range("", { at: below })).items;
    await backend.compact(below);
    await backend.settled();
    assert.deepEqual((await backend.range("", { at: below })).items, then);
    if (round % 2) backend = await site.reopen();
    assert.deepEqual((await backend.range("", { at: below })).items, then);
    assert.deepEqual(
      new Map((await backend.range("k/")).items.map((i) => [i.key, text(i.value)!])),
      new Map([...model].sort(([a], [b]) => (a < b ? -1 : 1))),
    );
    await using follower = new Follower(backend, "", below);
    await follower.until(end);
    assert.equal(follower.changes.length, end - below);
  }
  await backend.compact(backend.revision() as number);
  await backend.settled();
  const { disk, live } = backend.core.state.segments;
  assert(disk <= live * 1.5 + (512 << 10), `${disk} on disk for ${live}`);
  const rows = await Array.fromAsync(backend.core.store.kv.list<Uint8Array>({ prefix: ["log"] }));
  assert.equal(rows.length, backend.core.state.segments.count);
});

Deno.test("denokv: a reader that starts far back reads on from disk", async () => {
  await using site = await create();
  const start = site.backend.revision() as number;
  for (let i = 0; i < 60; i++) {
    await put(site.backend, ...Array.from({ length: 100 }, (_, j) => ({ key: `k/${j}`, value: noise(2_000, j) })));
  }
  await put(site.backend, { key: "k/long", value: noise(100_000, 5) });
  assert(site.backend.core.state.tail.start > start, "all of it is in memory still");
  await using follower = new Follower(site.backend, "k/", start);
  await follower.until(start + 6_001);
  assert.deepEqual(follower.changes.map((c) => c.revision), Array.from({ length: 6_001 }, (_, i) => start + 1 + i));
  assert.deepEqual(follower.changes.at(-1)!.value, noise(100_000, 5));
});

for (const sharing of ["files", "leases"] as const) {
  Deno.test(`denokv: one that was away too long starts again (${sharing})`, async () => {
    await using site = await create({ sharing });
    const second = await site.second();
    // Either may have come to be the one that cleans.
    const first = await site.backend.sharing.keeper();
    const [writer, away] = first ? [site.backend, second] : [second, site.backend];
    const follower = new Follower(away, "k/", await away.revision());
    // Keeps the other from looking while the one writes, compacts and cleans.
    const held = Promise.withResolvers<void>();
    const holding = away.core.lane.run(() => held.promise);
    for (let i = 0; i < 40; i++) await put(writer, { key: `k/${i % 5}`, value: noise(20_000, i) });
    await writer.compact(await writer.revision());
    await writer.settled();
    held.resolve();
    await holding;
    await follower.ended();
    await revisionError(Promise.reject(follower.error), "compacted");
    assert.deepEqual((await away.range("k/")).items, (await writer.range("k/")).items);
    await follower[Symbol.asyncDispose]();
    await second.close();
  });
}

Deno.test("denokv: a watch beside another process misses nothing when a long value cannot be read once", async () => {
  await using site = await create();
  const writer = site.backend, reader = await site.second();
  try {
    await using follower = new Follower(reader, "k/", await writer.revision());
    const { store } = reader.core, read = store.bytes;
    let failures = 1;
    store.bytes = (keys) => {
      if (keys[0]?.[0] !== "blob" || failures-- < 1) return read.call(store, keys);
      return Promise.reject(new StorageError("unavailable", "read: the disk failed"));
    };
    const since = await writer.revision();
    await put(writer, { key: "k/before", value: bytes("1") }, { key: "k/long", value: noise(100_000, 1) });
    while (failures > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await put(writer, { key: "k/after", value: bytes("2") });
    await follower.when(() => follower.changes.some(({ key }) => key === "k/after")).catch(() => {});
    if (follower.error) {
      await using again = new Follower(reader, "k/", Math.max(since, follower.revision));
      await again.when(() => again.changes.some(({ key }) => key === "k/after"));
      follower.changes.push(...again.changes);
    }
    assert.deepEqual(follower.changes.map(({ key }) => key), ["k/before", "k/long", "k/after"]);
    await using later = new Follower(reader, "k/", since);
    await later.when(() => later.changes.length >= 3);
  } finally {
    await reader.close();
  }
});

Deno.test("denokv: a newer format, another database, and a file that is none are refused", async () => {
  const dir = await Deno.makeTempDir();
  const newer = await openDenoKv(`${dir}/newer.db`);
  const kv = newer.core.store.kv;
  const { value } = await kv.get<Uint8Array>(["head"]);
  const { crc32 } = await import("node:zlib");
  const view = new DataView(value!.buffer, value!.byteOffset);
  view.setFloat64(0, 2);
  view.setUint32(32, crc32(value!.subarray(0, 32)));
  await kv.set(["head"], value);
  await newer.close();
  const error = await storageError(openDenoKv(`${dir}/newer.db`), "format");
  assert.match(error.message, /format 2/);
  const other = await Deno.openKv(`${dir}/other.db`);
  await other.set(["mine"], 1);
  other.close();
  await storageError(openDenoKv(`${dir}/other.db`), "format");
  await Deno.writeFile(`${dir}/none.db`, noise(20_000, 1));
  await storageError(openDenoKv(`${dir}/none.db`), "corrupt");
  await storageError(openDenoKv(`${dir}/none.db/below/store.db`), "unavailable");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: a database of something else is refused, and stays as it is", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/mine #1?.db`, database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE mine (a)");
  database.close();
  const before = await Deno.readFile(path);
  for (const open of [openDenoKv, verifyDenoKv]) {
    const error = await storageError(open(path), "format");
    assert.match(error.message, /something else: it holds the table mine$/);
  }
  assert.deepEqual(await Deno.readFile(path), before);
  assert.deepEqual([...Deno.readDirSync(dir)].map(({ name }) => name), ["mine #1?.db"]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: a new file is for its owner only, and so is what the database puts beside it", async () => {
  await using site = await create();
  await site.backend.commit([{ key: "k/a", value: noise(10, 1) }]);
  const modes = ["", "-wal", "-shm"].map((end) => Deno.statSync(site.path + end).mode! & 0o777);
  assert.deepEqual(modes, [0o600, 0o600, 0o600]);
});

Deno.test("denokv: in memory only, with no lock files", async () => {
  const backend = await openDenoKv(":memory:");
  await put(backend, { key: "k/a", value: bytes("1") });
  assert.equal(text((await backend.get("k/a"))!.value), "1");
  await backend.close();
});

Deno.test("denokv: cleaning that comes while everything is read again does not wait for it for ever", async () => {
  await using site = await create({ sharing: "leases" });
  const writer = await site.second(), { backend: cleaner } = site, { core, sharing } = cleaner;
  for (let i = 0; i < 20; i++) await put(writer, { key: "k/a", value: noise(1_000, i) });
  await cleaner.compact(await writer.revision());
  await cleaner.settled();
  const { store } = core, { get, patient } = store;
  // The gate takes a while, and what the other wrote is cleaned before it is read: both are wanted at once.
  const asked = Promise.withResolvers<void>(), answer = Promise.withResolvers<void>();
  store.get = async (key) => {
    if (key[1] !== "gate") return await get.call(store, key);
    asked.resolve();
    await answer.promise;
    return await get.call(store, key);
  };
  store.patient = <T>(doing: string, run: () => Promise<T>): Promise<T> => {
    if (doing !== "read the log") return patient.call(store, doing, run) as Promise<T>;
    store.patient = patient;
    setTimeout(answer.resolve, 50);
    return Promise.resolve([] as T);
  };
  Object.defineProperty(core.state.segments, "disk", { get: () => 1e9 });
  const cleaning = new Cleaner(core, (step) => sharing.tryGuard(step));
  cleaning.start();
  await asked.promise;
  await put(writer, { key: "k/b", value: bytes("1") });
  assert.equal(text((await cleaner.get("k/b"))!.value), "1");
  await cleaning.settled();
  await writer.close();
});

Deno.test("denokv: one that fails to become the sole one lets others in", async () => {
  await using site = await create();
  await (await site.second()).close();
  const { sharing } = site.backend;
  await assert.rejects(sharing.takeOver(() => Promise.reject(new Error("the disk failed"))), /the disk failed/);
  await (await site.second()).close();
});

Deno.test("denokv: cleaning that began alone goes no further once another process wants in", async () => {
  await using site = await create();
  const { backend, backend: { core } } = site;
  let disk = 0;
  Object.defineProperty(core.state.segments, "disk", { get: () => disk, set: () => {} });
  for (let i = 0; i < 40; i++) await put(backend, { key: `k/${i % 7}`, value: noise(20_000, i) });
  await backend.compact(await backend.revision());
  await backend.settled();
  disk = 1e9;
  const newest = core.state.seq;
  const cleaner = new Cleaner(core, (step) => {
    const stepped = step();
    // As for one that wants in: it reads the whole log from here on.
    void core.lane.run(() => Promise.resolve(core.sole = false));
    return stepped;
  });
  cleaner.start();
  await cleaner.settled();
  assert.equal(core.state.seq, newest);
});

Deno.test("denokv: those who reach one file by different names know of each other", async () => {
  await using site = await create();
  await Deno.symlink(site.path, `${site.path}-link`);
  const second = await openDenoKv(`${site.path}-link`);
  await put(site.backend, { key: "k/a", value: bytes("1") });
  assert.equal(text((await second.get("k/a"))?.value), "1");
  assert.deepEqual((await verifyDenoKv(`${site.path}-link`)).problems, []);
  await second.close();
});

Deno.test("denokv: a key that is too long is refused, and nothing that is written beside it", async () => {
  await using site = await create();
  const other = put(site.backend, { key: "k/a", value: bytes("1") });
  await storageError(site.backend.commit([{ key: "k/".padEnd(60_000, "a"), value: bytes("1") }]), "too-large");
  await other;
  const key = "k/".padEnd(12_000, "éa"), value = noise(32_000, 1);
  await put(site.backend, { key, value });
  assert.deepEqual((await (await site.reopen()).get(key))!.value, value);
});

Deno.test("denokv: one that reads on where another process has cleaned is told that it is compacted", async () => {
  await using site = await create();
  for (let i = 0; i < 40; i++) await put(site.backend, { key: `k/${i % 5}`, value: noise(20_000, i) });
  const second = await site.second();
  const [writer, away] = await site.backend.sharing.keeper() ? [site.backend, second] : [second, site.backend];
  const held = Promise.withResolvers<void>();
  const holding = away.core.lane.run(() => held.promise);
  await writer.compact(await writer.revision());
  await writer.settled();
  for (const { seq } of away.core.state.segments) away.core.state.cache.delete(seq);
  const reading = away.changes("k/", 2, () => {}, new AbortController().signal);
  held.resolve();
  await revisionError(reading, "compacted");
  await holding;
  await second.close();
});
