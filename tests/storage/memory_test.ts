import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { suite } from "./suite.ts";
import { bytes, put } from "./tools.ts";

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
