import assert from "node:assert/strict";
import { backup, examine, restore } from "../../server/storage/archive.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { openDenoKv, verifyDenoKv } from "../../server/storage/denokv/mod.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { parseOptions } from "../../server/options/mod.ts";
import { openStore } from "../../server/storage/open.ts";
import { concat } from "../../schema/values/bytes.ts";
import { later, unreadable } from "../../server/storage/unreadable.ts";
import { Whole } from "../../server/storage/whole.ts";
import { bytes, put, revisionError, storageError, text } from "./tools.ts";

const DIALECT = new Map([["dialect", bytes("orch")]]);

/** The archive as it is written: its first line, the dialect, the objects, its end. */
async function recordsOf(backend: Backend): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  await backup(Whole.of(backend), DIALECT, async (part) => void parts.push(part));
  return parts;
}

const archive = async (backend: Backend): Promise<Uint8Array> => concat(await recordsOf(backend));

function chunks(all: Uint8Array, size = 1_237): () => AsyncIterable<Uint8Array> {
  return async function* () {
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
  };
}

async function fill(backend: Backend): Promise<void> {
  for (let i = 0; i < 1_200; i++) await put(backend, { key: `k/${i}`, value: bytes(`value ${i}`) });
  await put(backend, { key: "k/7", value: null }, { key: "k/8", value: new Uint8Array(0) });
  await put(backend, { key: "k/long", value: new Uint8Array(1 << 20).fill(9) });
  await put(backend, { key: "k/event", value: bytes("e"), expiresAt: 4_000_000_000_000 });
}

Deno.test("archive: taken from one backend while it is written to, put into another", async () => {
  const from = memoryBackend();
  await fill(from);
  const expected = (await from.range("")).items.map(({ key, value }) => [key, value]);
  let written = 0;
  const parts: Uint8Array[] = [];
  const taken = await backup(Whole.of(from), DIALECT, async (part) => {
    parts.push(part);
    if (written++ < 5) await put(from, { key: `k/during/${written}`, value: bytes("x") }, { key: "k/9", value: null });
  });
  assert.equal(taken.objects, expected.length);
  assert.equal(taken.strays.size, 0);
  const all = concat(parts);
  const dir = await Deno.makeTempDir();
  const to = await openDenoKv(`${dir}/store.db`);
  const { revision, objects } = taken;
  assert.deepEqual(await restore(Whole.of(to), chunks(all)), { revision, objects });
  assert.deepEqual((await to.range("")).items.map(({ key, value }) => [key, value]), expected);
  // A client that goes on where it was is told that this is gone, and does not wait for the store to come there again.
  assert.ok((await to.range("")).items.every((one) => one.revision > revision + 1_000_000_000));
  await revisionError(to.range("", { at: revision + 100 }), "compacted");
  assert.equal(text(await to.readMeta("dialect")), "orch");
  assert.equal(await to.expiresAt("k/event"), 4_000_000_000_000);
  await storageError(restore(Whole.of(to), chunks(all)), "unavailable");
  await to.close();
  const verdict = await verifyDenoKv(`${dir}/store.db`);
  assert.deepEqual(verdict.problems, []);
  assert(verdict.records >= expected.length);
  await from.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("archive: it is put back in commits that every backend takes", async () => {
  const from = memoryBackend(), to = memoryBackend(), { commit } = to;
  const sizes = [...Array.from({ length: 250 }, () => 10), ...Array.from({ length: 20 }, () => 90_000), 1 << 20, 10];
  for (const [i, n] of sizes.entries()) await put(from, { key: `k/${1_000 + i}`, value: new Uint8Array(n) });
  const commits: number[] = [];
  to.commit = (changes) => {
    assert(changes.length <= 100, `${changes.length} changes`);
    const bytes = changes.reduce((sum, { value }) => sum + value!.length, 0);
    assert(bytes <= 400_000 || changes.length === 1, `${bytes} bytes in ${changes.length} changes`);
    commits.push(changes.length);
    return commit.call(to, changes);
  };
  await restore(Whole.of(to), chunks(await archive(from), 1 << 16));
  assert.deepEqual(commits, [100, 100, 54, 4, 4, 4, 4, 1, 1]);
  assert.equal((await to.range("k/")).items.length, sizes.length);
  await from.close();
  await to.close();
});

Deno.test("archive: what somebody else makes while it is put back is not written over", async () => {
  const from = memoryBackend(), to = memoryBackend(), { writeMeta } = to;
  await put(from, { key: "k/1", value: bytes("taken") });
  to.writeMeta = async (...fact) => {
    await put(to, { key: "k/1", value: bytes("own"), expect: 0 });
    to.writeMeta = writeMeta;
    await to.writeMeta(...fact);
  };
  const error = await storageError(restore(Whole.of(to), chunks(await archive(from))), "unavailable");
  assert.match(error.message, /k\/1 is there already/);
  assert.equal(text((await to.get("k/1"))?.value), "own");
});

Deno.test("archive: what expires while it is taken does not stay for ever where it is put", async () => {
  let now = 1_000;
  const from = memoryBackend({ now: () => now }), to = memoryBackend({ now: () => 0 });
  await put(from, { key: "k/event", value: bytes("e"), expiresAt: 2_000 });
  const parts: Uint8Array[] = [];
  await backup(Whole.of(from), new Map(), async (part) => {
    if (parts.push(part) > 1) return;
    now = 3_000;
    assert.equal(await from.sweep(), 1);
  });
  await restore(Whole.of(to), chunks(concat(parts)));
  assert.equal(await to.expiresAt("k/event"), 2_000);
  await from.close();
  await to.close();
});

Deno.test("archive: one that is damaged, cut short, newer or none is refused, and nothing written", async () => {
  const from = memoryBackend();
  await put(from, { key: "k/a", value: bytes("1") }, { key: "k/b", value: bytes("2".repeat(50)) });
  const good = await archive(from);
  const start = good.indexOf(10) + 1;
  for (let at = start; at < good.length; at++) {
    const bad = good.slice();
    bad[at]! ^= 16;
    await storageError(examine(chunks(bad)()), "corrupt");
    await storageError(examine(chunks(good.subarray(0, at))()), "corrupt");
  }
  const whole = await recordsOf(from);
  for (const odd of [whole.toSpliced(2, 1), [...whole, whole[2]!], [...whole, whole.at(-1)!]]) {
    await storageError(examine(chunks(concat(odd))()), "corrupt");
  }
  const to = memoryBackend();
  await storageError(restore(Whole.of(to), chunks(good.subarray(0, good.length - 1))), "corrupt");
  assert.deepEqual((await to.range("")).items, []);
  await storageError(examine(chunks(bytes('{"archive":2}\n'))()), "format");
  await storageError(examine(chunks(bytes("no\n"))()), "format");
  await storageError(examine(chunks(new Uint8Array(0))()), "format");
  await from.close();
  await to.close();
});

Deno.test("archive: one of a store that cannot be read whole is not made", async () => {
  const wrong = [[unreadable("it is lost"), "corrupt"], [later("a service is away"), "sealed"]] as const;
  for (const [value, kind] of wrong) {
    const from = memoryBackend();
    await put(from, { key: "k/a", value: bytes("1") }, { key: "k/b", value });
    await storageError(archive(from), kind);
    await from.close();
  }
});

Deno.test("archive: one of another prefix is refused, though the prefix begins as the server's does", async () => {
  const from = memoryBackend(), to = memoryBackend();
  await put(from, { key: "/registry-of-others/secrets/a", value: bytes("1") });
  const all = chunks(await archive(from));
  await storageError(restore(Whole.of(to), all, "/registry"), "format");
  assert.deepEqual((await to.range("")).items, []);
  await restore(Whole.of(to), all, "/registry-of-others");
  await from.close();
  await to.close();
});

Deno.test("archive: the longest values and keys come back", async () => {
  const from = memoryBackend(), to = memoryBackend();
  const key = `k/${"a".repeat(700)}`, value = crypto.getRandomValues(new Uint8Array(64 << 10));
  await put(from, { key, value: concat(Array.from({ length: 48 }, () => value)) });
  await restore(Whole.of(to), chunks(await archive(from), 1 << 20));
  assert.equal((await to.get(key))!.value.length, 3 << 20);
  await from.close();
  await to.close();
});

Deno.test("archive: a store whose filling was broken off is refused, whoever opens it", async () => {
  const dir = await Deno.makeTempDir(), from = memoryBackend();
  await fill(from);
  const all = await archive(from), path = `${dir}/store.kv`;
  const target = await openDenoKv(path);
  let reads = 0;
  const broken = () => {
    const read = chunks(all);
    return ++reads < 2 ? read() : async function* () {
      for await (const chunk of read()) {
        if ((await target.range("")).items.length > 0) throw new Error("power cut");
        yield chunk;
      }
    }();
  };
  await assert.rejects(restore(Whole.of(target), broken), /power cut/);
  assert.ok((await target.range("")).items.length < 1_200);
  await target.close();
  const parsed = parseOptions([`--storage-path=${path}`]);
  assert(parsed.kind === "run");
  await assert.rejects(openStore(parsed.options), /not whole: a `store restore` into it was broken off/);
  const { problems } = await verifyDenoKv(path);
  assert.match(problems.join(), /^the store is not whole: a `store restore` into it was broken off/);
  await Deno.remove(path);
  const next = await openDenoKv(path);
  await restore(Whole.of(next), chunks(all));
  await next.close();
  await (await openStore(parsed.options)).close();
  await from.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("verify: every flipped byte of a sealed record is found, and the store may be in use", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/store.db`;
  const backend = await openDenoKv(path);
  await put(backend, { key: "k/a", value: bytes("one") }, { key: "k/b", value: bytes("two") });
  await put(backend, { key: "k/long", value: new Uint8Array(70_000).fill(3) });
  assert.deepEqual((await verifyDenoKv(path)).problems, []);
  const { kv } = backend.core.store;
  const rows = await Array.fromAsync(kv.list<Uint8Array>({ prefix: [] }));
  for (const { key, value } of rows) {
    const step = Math.ceil(value.length / 60);
    for (let at = 0; at < value.length; at += step) {
      if (key[0] === "head" && at >= 36) continue;
      const bad = value.slice();
      bad[at]! ^= 1;
      await kv.set(key, bad);
      assert.equal((await verifyDenoKv(path)).problems.length > 0, true, `${key} at ${at}`);
    }
    await kv.set(key, value);
  }
  await kv.delete(rows.find((row) => row.key[0] === "blob")!.key);
  assert.match((await verifyDenoKv(path)).problems[0]!, /k\/long.* is lost/);
  await kv.delete(rows.findLast((row) => row.key[0] === "log")!.key);
  assert.match((await verifyDenoKv(path)).problems.join(), /the newest log value is 1, the head says 2/);
  await backend.close();
  await storageError(verifyDenoKv(`${dir}/none.db`), "unavailable");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("verify: a log value that is lost is told of, unless its changes are compacted", async () => {
  const dir = await Deno.makeTempDir(), path = `${dir}/store.db`, backend = await openDenoKv(path);
  for (const key of ["k/a", "k/b", "k/c"]) await put(backend, { key, value: bytes(key) });
  await backend.core.store.kv.delete(["log", 2]);
  assert.deepEqual((await verifyDenoKv(path)).problems, ["1 of the 3 newest changes are lost"]);
  await backend.compact(3);
  assert.deepEqual((await verifyDenoKv(path)).problems, []);
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("verify: pieces of long values that nothing names are told of, unless a note says that they come or go", async () => {
  const dir = await Deno.makeTempDir(), path = `${dir}/store.db`, backend = await openDenoKv(path);
  await put(backend, { key: "k/long", value: new Uint8Array(70_000) });
  const { kv } = backend.core.store;
  for (const id of ["a", "b"]) await kv.set(["blob", id, 0], new Uint8Array(10));
  assert.deepEqual((await verifyDenoKv(path)).problems, ["2 long values are named by no record"]);
  await kv.set(["gone", "a"], new Uint8Array(0));
  assert.deepEqual((await verifyDenoKv(path)).problems, []);
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("verify: what is written meanwhile is no damage", async () => {
  const dir = await Deno.makeTempDir();
  const backend = await openDenoKv(`${dir}/store.db`);
  for (let i = 0; i < 30; i++) {
    await put(
      backend,
      ...Array.from({ length: 100 }, (_, k) => ({ key: `k/${i}/${k}`, value: new Uint8Array(1_000) })),
    );
  }
  let writing = true;
  const written = (async () => {
    for (let i = 0; writing; i++) await put(backend, { key: `w/${i}`, value: new Uint8Array(i % 2 ? 100_000 : 1_000) });
  })();
  for (let i = 0; i < 4; i++) assert.deepEqual((await verifyDenoKv(`${dir}/store.db`)).problems, []);
  writing = false;
  await written;
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});
