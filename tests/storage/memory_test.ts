import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { heap } from "../fixture/heap.ts";
import { suite } from "./suite.ts";
import { bytes, put, revisionError } from "./tools.ts";

suite({
  name: "memory",
  dense: true,
  async create() {
    const backend = memoryBackend();
    return { backend, [Symbol.asyncDispose]: () => backend.close() };
  },
});

Deno.test("memory: expiry follows the clock it is given", async () => {
  let now = 1_000;
  const backend = memoryBackend({ now: () => now });
  await put(backend, { key: "k/a", value: bytes("1"), expiresAt: 5_000 });
  assert.equal(await backend.sweep(), 0);
  now = 5_000;
  assert.equal(await backend.sweep(), 1);
  assert.equal(await backend.get("k/a"), undefined);
  await backend.close();
});

Deno.test("memory: a reader that waits for a delivery while its start is compacted is told so", async () => {
  const backend = memoryBackend(), { signal } = new AbortController();
  const [first] = await put(backend, { key: "k/a", value: bytes("1") });
  const late = Promise.withResolvers<void>();
  const leading = backend.changes("k/", first!, ({ changes, revision }) => {
    if (changes.length === 0) return;
    backend.changes("k/", first!, () => late.resolve(), signal).catch(late.reject);
    void backend.compact(revision);
  }, signal).catch(() => {});
  await put(backend, { key: "k/a", value: bytes("2") });
  await revisionError(late.promise, "compacted");
  await backend.close();
  await leading;
});

Deno.test("memory: its size is that of the values that stand", async () => {
  const backend = memoryBackend();
  const sizes: number[] = [];
  for (const value of ["12345", "12", null, "", "123"]) {
    await put(backend, { key: "k/a", value: value === null ? null : bytes(value) }, { key: "k/b", value: bytes("1") });
    sizes.push(await backend.size());
  }
  assert.deepEqual(sizes, [6, 3, 1, 1, 4]);
  await backend.close();
});

Deno.test("memory: what is compacted is gone", async () => {
  const backend = memoryBackend(), before = heap();
  for (let i = 1; i <= 30_000; i++) {
    const [revision] = await put(backend, { key: "k/a", value: bytes(`${i}`) });
    if (i % 1_000 === 0) await backend.compact(revision!);
  }
  assert(heap() - before < 3 << 20);
  await backend.close();
});
