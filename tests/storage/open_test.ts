/** What servers make of a store when they open it. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { storeSecret } from "../../server/storage/facts.ts";

Deno.test("servers that start at once on an empty store have one secret", async () => {
  const backend = memoryBackend();
  let earlier: Uint8Array | undefined;
  const late = Object.create(backend, {
    readMeta: { value: (name: string) => backend.readMeta(name) },
    writeMeta: {
      // The other server was a little faster.
      async value(...args: Parameters<typeof backend.writeMeta>) {
        earlier = await storeSecret(backend, (n) => new Uint8Array(n).fill(1));
        await backend.writeMeta(...args);
      },
    },
  });
  const own = await storeSecret(late, (n) => new Uint8Array(n).fill(2));
  assert.deepEqual(own, earlier);
  assert.deepEqual(await storeSecret(backend, () => new Uint8Array(32)), earlier);
  await backend.close();
});
