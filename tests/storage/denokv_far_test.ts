/** A store on a database that is reached over a network. */
import assert from "node:assert/strict";
import { KEYS } from "../../server/storage/denokv/layout.ts";
import { openDenoKv } from "../../server/storage/denokv/mod.ts";
import { bytes, put, storageError } from "./tools.ts";

Deno.test("denokv: a write that finds itself, since it was sent again when its answer was lost, was made", async () => {
  const dir = await Deno.makeTempDir();
  const backend = await openDenoKv(`${dir}/store.db`, { sharing: "leases" });
  const { kv } = backend.core.store, { atomic } = kv;
  let lose = false;
  // As the runtime does it: what comes again finds that the head is not as it should be.
  kv.atomic = () => {
    const operation = atomic.call(kv), commit = operation.commit.bind(operation);
    let ofHead = false;
    const { check } = operation;
    operation.check = (...checks) => {
      ofHead = checks[0]!.key[0] === "head";
      return check.apply(operation, checks);
    };
    operation.commit = async () => {
      const result = await commit();
      if (!lose || !ofHead) return result;
      lose = false;
      return { ok: false };
    };
    return operation;
  };
  for (const [key, size] of [["k/short", 10], ["k/long", 2_000_000]] as const) {
    const value = new Uint8Array(size).fill(7);
    const before = await backend.revision();
    lose = true;
    assert.deepEqual(await put(backend, { key, value, expect: 0 }), [before + 1]);
    assert.equal(lose, false);
    assert.deepEqual((await backend.get(key))!.value, value);
  }
  const before = await backend.revision();
  lose = true;
  await put(backend, { key: "k/long", value: bytes("1") });
  assert.equal(await backend.revision(), before + 1);
  await backend.compact(await backend.revision());
  await backend.settled();
  await backend.close();
  await Deno.remove(dir, { recursive: true });
});

Deno.test("denokv: a database that fails while others are asked for is closed again", async () => {
  const dir = await Deno.makeTempDir(), { get, close } = Deno.Kv.prototype;
  let closed = 0;
  Deno.Kv.prototype.get = () => Promise.reject(new Error("disk I/O error"));
  Deno.Kv.prototype.close = function () {
    closed++;
    close.call(this);
  };
  try {
    await storageError(openDenoKv(`${dir}/store.db`, { sharing: "leases" }), "unavailable");
    assert.equal(closed, 1);
  } finally {
    Object.assign(Deno.Kv.prototype, { get, close });
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("denokv: a long value of which nobody knows whether it was made is there if it was", async () => {
  const backend = await openDenoKv(":memory:");
  const { store } = backend.core, { atomic, bytes: read } = store;
  const head = async () => (await store.get(KEYS.head)).versionstamp;
  store.atomic = async (build) => {
    const before = await head(), result = await atomic.call(store, build);
    if (await head() === before) return result;
    store.bytes = () => Promise.reject(new Error("disk I/O error"));
    throw new Error("disk I/O error");
  };
  await storageError(backend.commit([{ key: "k/long", value: new Uint8Array(2_000_000).fill(7) }]), "unknown");
  Object.assign(store, { atomic, bytes: read });
  await put(backend, { key: "k/short", value: bytes("1") });
  assert.equal((await backend.get("k/long"))?.value.length, 2_000_000);
  await backend.close();
});
