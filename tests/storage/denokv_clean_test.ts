/** What cleaning on Deno KV gives back, and what it leaves when the database fails in its midst. */
import assert from "node:assert/strict";
import { makeBlob, writeAhead } from "../../server/storage/denokv/blob.ts";
import { Cleaner } from "../../server/storage/denokv/clean.ts";
import { type DenoKvBackend, openDenoKv, verifyDenoKv } from "../../server/storage/denokv/mod.ts";
import { bytes, Follower, put, text } from "./tools.ts";

const piecesOf = async ({ core: { store: { kv } } }: DenoKvBackend) =>
  (await Array.fromAsync(kv.list({ prefix: ["blob"] }))).length;

async function clean(backend: DenoKvBackend): Promise<void> {
  await backend.compact(await backend.revision());
  await backend.settled();
}

/** Written at once, so that their records lie in one log value. */
async function together(backend: DenoKvBackend, sizes: readonly number[]): Promise<void> {
  // The first of those who write at once has an atomic of its own.
  await Promise.all([{ key: "first", value: bytes("1") }, ...sizes.map((n, i) => ({ key: `k/${i}`, value: noise(n) }))]
    .map((change) => put(backend, change)));
}

const noise = (n: number): Uint8Array => {
  const out = new Uint8Array(n);
  for (let at = 0; at < n; at += 65_536) crypto.getRandomValues(out.subarray(at, at + 65_536));
  return out;
};

/** Calls `commit` in the place of each write of the database from now on. */
function instead(backend: DenoKvBackend, commit: (real: () => Promise<unknown>) => Promise<unknown>): () => void {
  const { kv } = backend.core.store, { atomic } = kv;
  kv.atomic = () => {
    const made = atomic.call(kv), real = made.commit.bind(made);
    made.commit = () => commit(real) as ReturnType<Deno.AtomicOperation["commit"]>;
    return made;
  };
  return () => void (kv.atomic = atomic);
}

Deno.test("denokv: long values whose records lie together go, however many pieces they have", async () => {
  const backend = await openDenoKv(":memory:");
  await together(backend, Array.from({ length: 40 }, () => 1_600_000));
  assert(await piecesOf(backend) > 1_000, "one atomic could take them");
  for (let i = 0; i < 40; i++) await put(backend, { key: `k/${i}`, value: null });
  await clean(backend);
  assert.equal(await piecesOf(backend), 0);
  assert.deepEqual(await Array.fromAsync(backend.core.store.kv.list({ prefix: ["gone"] })), []);
  const { disk, live } = backend.core.state.segments;
  assert(disk <= live * 1.35 + (512 << 10), `${disk} on disk for ${live}`);
  await backend.close();
});

Deno.test("denokv: a long value goes though its record lies among many that stand", async () => {
  const backend = await openDenoKv(":memory:");
  await together(backend, [3 << 20, ...Array.from({ length: 120 }, () => 33_000)]);
  await put(backend, { key: "k/0", value: null });
  await clean(backend);
  assert.equal(await piecesOf(backend), 120);
  await backend.close();
});

Deno.test("denokv: long values that were to go when the process ended are gone after the next start", async () => {
  const dir = await Deno.makeTempDir();
  let backend = await openDenoKv(`${dir}/store.db`);
  await together(backend, Array.from({ length: 10 }, () => 600_000));
  for (let i = 0; i < 9; i++) await put(backend, { key: `k/${i}`, value: null });
  let left = 2;
  const restore = instead(backend, (real) => left-- > 0 ? real() : Promise.reject(new Error("disk I/O error")));
  await clean(backend);
  restore();
  assert.equal(await piecesOf(backend), 100);
  await backend.close();
  assert.deepEqual((await verifyDenoKv(`${dir}/store.db`)).problems, []);
  backend = await openDenoKv(`${dir}/store.db`);
  assert.equal(await piecesOf(backend), 10);
  assert.equal((await backend.get("k/9"))!.value.length, 600_000);
  await backend.close();
  assert.deepEqual((await verifyDenoKv(`${dir}/store.db`)).problems, []);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: what was moved by a write that was made and told of as failed is found", async () => {
  const backend = await openDenoKv(":memory:");
  for (let i = 0; i < 120; i++) {
    await put(backend, { key: i % 4 ? "k/gone" : `k/${i}`, value: bytes(`${i}`.padEnd(20_000, ".")) });
  }
  const { state, store } = backend.core, { kv } = store, { getMany } = kv;
  let writes = 0;
  const restore = instead(backend, async (real) => {
    const result = await real();
    if (++writes !== 2) return result;
    // Nor does the database tell whether it was made.
    kv.getMany = () => {
      kv.getMany = getMany;
      return Promise.reject(new Error("disk I/O error"));
    };
    throw new Error("disk I/O error");
  });
  await clean(backend);
  restore();
  assert.equal(writes, 2);
  for (const { seq } of state.segments) state.cache.delete(seq);
  for (let i = 0; i < 120; i += 4) {
    assert.equal(parseInt(text((await backend.get(`k/${i}`))!.value)!), i);
  }
  await backend.close();
});

Deno.test("denokv: long values that were to go when a process ended are gone after another one has cleaned", async () => {
  const dir = await Deno.makeTempDir();
  const first = await openDenoKv(`${dir}/store.db`), second = await openDenoKv(`${dir}/store.db`);
  await together(first, Array.from({ length: 10 }, () => 600_000));
  for (let i = 0; i < 5; i++) await put(first, { key: `k/${i}`, value: null });
  let left = 2;
  instead(first, (real) => left-- > 0 ? real() : Promise.reject(new Error("disk I/O error")));
  await clean(first);
  assert.equal(await piecesOf(second), 100);
  await first.close();
  while (!await second.sharing.keeper()) await new Promise((resolve) => setTimeout(resolve, 10));
  for (let i = 5; i < 10; i++) await put(second, { key: `k/${i}`, value: null });
  await clean(second);
  assert.equal(await piecesOf(second), 0);
  await second.close();
  await Deno.remove(dir, { recursive: true });
});

for (const sharing of ["files", "leases"] as const) {
  Deno.test(`denokv: who cleans does so too when another process compacts (${sharing})`, async () => {
    const dir = await Deno.makeTempDir();
    const open = () => openDenoKv(`${dir}/store.db`, { sharing });
    const two = [await open(), await open()];
    const [keeper, other] = await two[0]!.sharing.keeper() ? two : two.toReversed();
    for (let i = 0; i < 100; i++) await put(other!, { key: `k/${i % 5}`, value: noise(20_000) });
    await clean(other!);
    const { kv } = other!.core.store;
    const logs = async () => (await Array.fromAsync(kv.list({ prefix: ["log"] }))).length;
    while (await logs() > 60) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual((await keeper!.range("k/")).items, (await other!.range("k/")).items);
    for (const backend of two) await backend.close();
    await Deno.remove(dir, { recursive: true });
  });
}

Deno.test("denokv: a compaction that another process writes ahead of is made all the same", async () => {
  const dir = await Deno.makeTempDir();
  const backend = await openDenoKv(`${dir}/store.db`), other = await openDenoKv(`${dir}/store.db`);
  const [below] = await put(backend, { key: "k/a", value: bytes("1") });
  const restore = instead(backend, async (real) => {
    restore();
    await put(other, { key: "k/a", value: bytes("2") });
    return await real();
  });
  await backend.compact(below!);
  assert.equal(backend.compacted(), below);
  await other.revision();
  assert.equal(other.compacted(), below);
  await backend.close();
  await other.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: a list of the newest whose values are cleaned while it is read gives what stands then", async () => {
  const backend = await openDenoKv(":memory:"), { core: { store, state } } = backend, { bytes: read } = store;
  const fill = async (n: number) => {
    for (let i = 0; i < 40; i++) await put(backend, { key: `k/${i}`, value: new Uint8Array(30_000).fill(n) });
  };
  await fill(1);
  for (const { seq } of state.segments) state.cache.delete(seq);
  store.bytes = async (keys) => {
    store.bytes = read;
    await fill(2);
    await clean(backend);
    return await read.call(store, keys);
  };
  const { items, revision } = await backend.range("k/");
  assert.equal(revision, backend.revision());
  assert.deepEqual(new Set(items.map(({ value }) => value[0])), new Set([2]));
  assert.equal(items.length, 40);
  await backend.close();
});

Deno.test("denokv: cleaning ends where nothing is left to be moved, however much the disk holds", async () => {
  const backend = await openDenoKv(":memory:"), { core } = backend;
  for (let i = 0; i < 20; i++) await put(backend, { key: `k/${i % 7}`, value: noise(20_000) });
  await clean(backend);
  // History that may still be asked for: it stays where it lies.
  for (let i = 0; i < 7; i++) await put(backend, { key: `k/${i}`, value: null });
  Object.defineProperty(core.state.segments, "disk", { get: () => 1e9, set: () => {} });
  let steps = 0;
  const cleaner = new Cleaner(core, (step) => ++steps > 50 ? Promise.resolve(undefined) : step());
  cleaner.start();
  await cleaner.settled();
  assert(steps <= 50);
  await backend.close();
});

Deno.test("denokv: what was deleted does not come back where cleaning had to pass by its value", async () => {
  const dir = await Deno.makeTempDir(), path = `${dir}/store.db`;
  let backend = await openDenoKv(path);
  const fill = async () => {
    for (let i = 0; i < 60; i++) await put(backend, { key: "k/a", value: noise(20_000) });
  };
  await put(backend, { key: "k/gone", value: noise(20_000) });
  await fill();
  await put(backend, { key: "k/gone", value: null });
  await fill();
  let writes = 0;
  // The second, after the compaction's own, is the one that would give back the oldest: somebody else was quicker.
  const restore = instead(backend, (real) => ++writes === 2 ? Promise.resolve({ ok: false }) : real());
  await clean(backend);
  restore();
  assert(writes > 4);
  await backend.close();
  backend = await openDenoKv(path);
  assert.deepEqual((await backend.range("k/")).items.map(({ key }) => key), ["k/a"]);
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: what was deleted does not come back where its value lies beside history that is still asked for", async () => {
  const dir = await Deno.makeTempDir(), path = `${dir}/store.db`;
  let backend = await openDenoKv(path);
  const fill = async () => {
    for (let i = 0; i < 60; i++) await put(backend, { key: "k/a", value: noise(20_000) });
  };
  const [, asked] = await put(
    backend,
    { key: "k/gone", value: noise(20_000) },
    { key: "k/past", value: noise(20_000) },
  );
  await fill();
  await put(backend, { key: "k/gone", value: null });
  await fill();
  const below = await backend.revision();
  await put(backend, { key: "k/past", value: null });
  const before = backend.core.state.segments.disk;
  await backend.compact(below);
  await backend.settled();
  assert(backend.core.state.segments.disk < before / 2);
  await backend.close();
  backend = await openDenoKv(path);
  assert.deepEqual((await backend.range("k/")).items.map(({ key }) => key), ["k/a"]);
  assert.equal((await backend.get("k/past", below))!.revision, asked);
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: log values of nothing but deletions go, too", async () => {
  const backend = await openDenoKv(":memory:");
  const keys = Array.from({ length: 3_000 }, (_, i) => `k/${String(i).padStart(300, "0")}`);
  for (const value of [bytes("1"), null]) {
    for (let i = 0; i < keys.length; i += 150) {
      await put(backend, ...keys.slice(i, i + 150).map((key) => ({ key, value })));
    }
  }
  await clean(backend);
  const { disk, live } = backend.core.state.segments;
  assert(disk <= live * 1.35 + (512 << 10), `${disk} on disk for ${live}`);
  await backend.close();
});

Deno.test("denokv: values that fill log values of their own are cleaned as well", async () => {
  const backend = await openDenoKv(":memory:");
  for (let i = 0; i < 60; i++) await put(backend, { key: "k/a", value: noise(32_000) });
  await clean(backend);
  const { disk, live } = backend.core.state.segments;
  assert(disk <= live * 1.35 + (512 << 10), `${disk} on disk for ${live}`);
  await backend.close();
});

Deno.test("denokv: cleaning leaves the log after the compacted revision as it is", async () => {
  const dir = await Deno.makeTempDir(), path = `${dir}/store.db`;
  let backend = await openDenoKv(path);
  const write = async (round: number) => {
    for (let i = 0; i < 9; i++) await put(backend, { key: `k/${i}`, value: i % 3 === round ? null : bytes(`${i}`) });
  };
  await write(0);
  await write(1);
  const since = await backend.revision();
  await write(2);
  await write(3);
  const told = async () => {
    await using follower = new Follower(backend, "k/", since);
    await follower.until(await backend.revision());
    return follower.changes.map(({ revision, key, value }) => `${revision} ${key} ${text(value)}`);
  };
  const before = await told();
  await backend.compact(since);
  await backend.settled();
  const { core } = backend;
  Object.defineProperty(core.state.segments, "disk", { get: () => 1e9, set: () => {} });
  const cleaner = new Cleaner(core, (step) => step());
  cleaner.start();
  await cleaner.settled();
  await backend.close();
  backend = await openDenoKv(path);
  assert.deepEqual(await told(), before);
  assert.equal(before.length, 18);
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: cleaning that finds everything read again writes nothing by what it knew before", async () => {
  const dir = await Deno.makeTempDir(), open = () => openDenoKv(`${dir}/store.db`, { sharing: "leases" });
  const backend = await open(), writer = await open(), { core, core: { store } } = backend;
  for (let i = 0; i < 20; i++) await put(writer, { key: `k/${i % 3}`, value: noise(1_000) });
  await clean(backend);
  Object.defineProperty(core.state.segments, "disk", { get: () => 1e9, set: () => {} });
  // What the other wrote since seems to be cleaned before it is read.
  const { patient } = store;
  store.patient = <T>(doing: string, run: () => Promise<T>): Promise<T> => {
    if (doing !== "read the log") return patient.call(store, doing, run) as Promise<T>;
    store.patient = patient;
    return Promise.resolve([] as T);
  };
  await put(writer, { key: "k/new", value: bytes("1") });
  const revision = await writer.revision();
  const cleaner = new Cleaner(core, (step) => step());
  cleaner.start();
  await cleaner.settled();
  assert.equal(store.patient, patient);
  for (const one of [writer, backend]) {
    assert.equal(await one.revision(), revision);
    assert.equal(text((await one.get("k/new"))?.value), "1");
    await one.close();
  }
  assert.deepEqual((await verifyDenoKv(`${dir}/store.db`)).problems, []);
  await Deno.remove(dir, { recursive: true });
});

for (const sharing of ["files", "leases"] as const) {
  Deno.test(`denokv: what one process writes ahead of a commit stays when another one comes (${sharing})`, async () => {
    const dir = await Deno.makeTempDir(), open = () => openDenoKv(`${dir}/store.db`, { sharing });
    const backend = await open();
    await writeAhead(backend.core.store, [makeBlob("mine.1", noise(200_000))]);
    await (await open()).close();
    assert.equal(await piecesOf(backend), 4);
    await backend.close();
    await Deno.remove(dir, { recursive: true });
  });
}
