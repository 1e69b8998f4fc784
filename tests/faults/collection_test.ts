/** A deletion of a collection whose client is told that the time is over, or has gone, or of which a part fails. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

Deno.test("a deletion of a collection ends with its request: what was not reached stays", async () => {
  const backend = memoryBackend();
  const gate = Promise.withResolvers<void>();
  const { commit } = backend;
  backend.commit = async (changes) => {
    if (changes[0]!.value === null && changes[0]!.key.startsWith("/registry/configmaps/default/m-")) await gate.promise;
    return await commit.call(backend, changes);
  };
  const t = await startTestServer([], { backend });
  for (let i = 0; i < 9; i++) await t.fetch(MAPS, { body: { metadata: { name: `m-${i}` } } });
  assert.equal((await t.fetch(`${MAPS}?timeout=50ms`, { method: "DELETE" })).status, 504);
  gate.resolve();
  for (let i = 0; i < 30; i++) await t.fetch(MAPS, { body: { metadata: { name: `other-${i}` } } });
  const { items } = (await t.fetch(MAPS)).body;
  const left = items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name.startsWith("m-"));
  assert(left.length >= 8, `${left.length} are left`);
  await t.stop();
  await backend.close();
});

Deno.test("what somebody else takes away meanwhile is no failure of a collection's deletion", async () => {
  const backend = memoryBackend();
  const { commit } = backend;
  backend.commit = async (changes) => {
    const { key, value } = changes[0]!;
    if (value === null && key.endsWith("/m-0")) {
      await commit.call(backend, [{ key: key.replace("m-0", "m-1"), value: null }]);
    }
    return await commit.call(backend, changes);
  };
  const t = await startTestServer([], { backend });
  for (let i = 0; i < 3; i++) await t.fetch(MAPS, { body: { metadata: { name: `m-${i}` } } });
  const gone = await t.fetch(MAPS, { method: "DELETE" });
  assert.equal(gone.status, 200, gone.text);
  assert.deepEqual((await t.fetch(MAPS)).body.items, []);
  await t.stop();
  await backend.close();
});

Deno.test("a deletion of a collection that fails in part is answered when all that it began has ended", async () => {
  const backend = memoryBackend();
  const { commit } = backend;
  let begun = false;
  let ended = false;
  const slow = Promise.withResolvers<void>();
  backend.commit = async (changes) => {
    const { key, value } = changes[0]!;
    if (value === null && key.endsWith("/m-0")) throw new Error("broken");
    if (value === null && key.endsWith("/m-1")) {
      begun = true;
      await slow.promise;
      ended = true;
    }
    return await commit.call(backend, changes);
  };
  const t = await startTestServer(["--delete-collection-workers=2"], { backend });
  for (let i = 0; i < 2; i++) await t.fetch(MAPS, { body: { metadata: { name: `m-${i}` } } });
  const answer = t.fetch(MAPS, { method: "DELETE" }).then(({ status }) => ({ status, ended }));
  // What fails has been answered long ago when other requests have.
  for (let i = 0; i < 30; i++) await t.fetch(MAPS);
  assert(begun);
  slow.resolve();
  assert.deepEqual(await answer, { status: 500, ended: true });
  await t.stop();
  await backend.close();
});
