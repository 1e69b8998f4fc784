/** What servers make of a store when they open it. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { checkDialect, DIALECT, settleDialect, storeSecret } from "../../server/storage/facts.ts";
import { productOf } from "../../schema/product.ts";

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

for (const [dialect, other] of [["orch", "kubernetes"], ["kubernetes", "orch"]] as const) {
  Deno.test(`a store that says nothing of its dialect, as one of a public server, is of that whose system namespace it has: ${dialect}`, async () => {
    const backend = memoryBackend(), own = productOf(dialect);
    const key = `/registry/namespaces/${own.systemNamespace}`;
    await backend.commit([{ key, value: new Uint8Array(), expect: 0 }]);
    const refused = { message: new RegExp(`the store holds objects in the dialect "${dialect}", not "${other}"`) };
    await assert.rejects(settleDialect(backend, productOf(other), "/registry"), refused);
    await assert.rejects(checkDialect(backend, productOf(other), "/registry"), refused);
    assert.equal(await backend.readMeta(DIALECT), undefined, "nothing is written");
    await settleDialect(backend, own, "/registry");
    assert.deepEqual(await backend.readMeta(DIALECT), new TextEncoder().encode(dialect));
    await backend.close();
  });
}
