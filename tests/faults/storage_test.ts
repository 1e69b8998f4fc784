/** Kills, a full disk, damaged bytes: what the store on Deno KV does about them. */
import assert from "node:assert/strict";
import { kill } from "../../scripts/kill.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { bytes, put, storageError, text } from "../storage/tools.ts";
import { smallDisk } from "./_disk.ts";

for (const processes of [1, 2]) {
  Deno.test(`after SIGKILL of ${processes} writing: all that was acknowledged, nothing half`, async () => {
    const report = await kill({ rounds: 10, seed: 11 + processes, processes });
    assert.deepEqual(report.failures, []);
    assert.equal(report.rounds, 10);
    assert(report.acknowledged > 0);
  });
}

Deno.test("after stops (SIGSTOP) and SIGKILL of two writing on one file: the same", async () => {
  const report = await kill({ rounds: 3, seed: 21, processes: 2, pauses: true });
  assert.deepEqual(report.failures, []);
  assert(report.acknowledged > 0);
});

Deno.test("clocks that jump: keys expire by the clock, once, and nothing else is touched", async () => {
  let now = 1_000_000;
  const backend = await openDenoKv(":memory:", { now: () => now });
  await put(backend, { key: "e/1", value: bytes("x"), expiresAt: 2_000_000 }, { key: "k/1", value: bytes("x") });
  now = 10;
  assert.equal(await backend.sweep(), 0);
  now = 9_000_000;
  await put(backend, { key: "e/2", value: bytes("x"), expiresAt: 9_500_000 });
  await backend.sweep();
  assert.deepEqual((await backend.range("")).items.map((i) => i.key), ["e/2", "k/1"]);
  now = 1_000_000;
  assert.equal(await backend.sweep(), 0);
  await backend.close();
});

Deno.test("a full disk: the writer is told, nothing is half there, and it goes on when there is space", async () => {
  await using disk = await smallDisk(12);
  // Without the right to mount there is no small disk to be had.
  if (!disk) return console.log("skipped: cannot mount a small file system");
  let backend = await openDenoKv(`${disk.path}/store.db`);
  await Deno.writeFile(`${disk.path}/ballast`, new Uint8Array(3 << 20));
  const acknowledged = new Set<string>();
  let refused = 0;
  const writer = async (w: number) => {
    for (let i = 0; refused < 20 && i < 1_000; i++) {
      const value = bytes(`${w}.${i}`.padEnd(9_000, "x"));
      try {
        await put(backend, { key: `a/${w}/${i}`, value }, { key: `b/${w}/${i}`, value });
        acknowledged.add(`${w}/${i}`);
      } catch (error) {
        await storageError(Promise.reject(error), "full", "unavailable");
        refused++;
      }
    }
  };
  await Promise.all([1, 2, 3, 4].map(writer));
  assert(refused >= 20 && acknowledged.size > 0);
  const check = async () => {
    const keys = async (prefix: string) => (await backend.range(prefix)).items.map((i) => i.key.slice(2)).sort();
    assert.deepEqual(await keys("a/"), [...acknowledged].sort());
    assert.deepEqual(await keys("b/"), [...acknowledged].sort());
  };
  await check();
  const before = await backend.revision();
  await Deno.remove(`${disk.path}/ballast`);
  const [after] = await put(backend, { key: "a/later", value: bytes("x") }, { key: "b/later", value: bytes("x") });
  acknowledged.add("later");
  assert.equal(after, before + 1);
  await check();
  await backend.close();
  backend = await openDenoKv(`${disk.path}/store.db`);
  await check();
  await backend.close();
});

Deno.test("a flipped byte is found, and the key named", async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/store.db`;
  let backend = await openDenoKv(path);
  await put(backend, { key: "k/first", value: bytes("one") }, { key: "k/second", value: bytes("two".repeat(100)) });
  await put(backend, { key: "k/long", value: new Uint8Array(100_000).fill(7) });
  await backend.close();
  const rows = async () => {
    const kv = await Deno.openKv(path);
    return { kv, all: await Array.fromAsync(kv.list<Uint8Array>({ prefix: [] })) };
  };
  const flip = async (key: Deno.KvKey, at: number) => {
    const { kv, all } = await rows();
    const value = all.find((row) => row.key.join() === key.join())!.value;
    value[at]! ^= 4;
    await kv.set(key, value);
    kv.close();
    return value.length;
  };
  const length = await flip(["log", 1], 100);
  await flip(["log", 1], 100);
  for (let at = 0; at < length; at += 7) {
    await flip(["log", 1], at);
    const error = await storageError(openDenoKv(path), "corrupt");
    assert.match(error.message, /log value 1 /);
    if (at > 120) assert.match(error.message, /k\/second/);
    await flip(["log", 1], at);
  }
  for (let at = 0; at < 36; at++) {
    await flip(["head"], at);
    await storageError(openDenoKv(path), "corrupt");
    await flip(["head"], at);
  }
  const { kv, all } = await rows();
  kv.close();
  const piece = all.find((row) => row.key[0] === "blob")!.key;
  await flip(piece, 5);
  backend = await openDenoKv(path);
  assert.match((await storageError(backend.get("k/long"), "corrupt")).message, /k\/long/);
  assert.equal(text((await backend.get("k/first"))!.value), "one");
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("while another holds the database locked, writes wait; they succeed when it lets go", async () => {
  const dir = await Deno.makeTempDir();
  const backend = await openDenoKv(`${dir}/store.db`);
  const { DatabaseSync } = await import("node:sqlite");
  const other = new DatabaseSync(`${dir}/store.db`);
  other.exec("BEGIN IMMEDIATE");
  const writing = put(backend, { key: "k/a", value: bytes("1") });
  await new Promise((resolve) => setTimeout(resolve, 100));
  other.exec("COMMIT");
  other.close();
  const [revision] = await writing;
  assert.equal((await backend.get("k/a"))!.revision, revision);
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});
