/** A store whose log says nothing any more while all else of it answers, as clients of a server see it. */
import assert from "node:assert/strict";
import type { ChangeBatch } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

Deno.test("a cache that is behind its store shows no old state as the newest: reads end by 504, and go on when it has caught up", async () => {
  const backend = memoryBackend();
  const held: (() => void)[] = [];
  let silent = false;
  const { changes } = backend;
  backend.changes = (prefix, since, deliver, signal) => {
    const late = (batch: ChangeBatch) => silent ? void held.push(() => deliver(batch)) : deliver(batch);
    return changes.call(backend, prefix, since, late, signal);
  };
  const t = await startTestServer([], { backend });
  const made = await t.fetch(MAPS, { body: { metadata: { name: "a" } } });
  silent = true;
  assert.equal((await t.fetch(MAPS, { body: { metadata: { name: "b" } } })).status, 201);
  await backend.commit([{ key: "/registry/configmaps/default/a", value: null }]);
  const since = made.body.metadata.resourceVersion;
  const late = [`${MAPS}/a`, `${MAPS}/b`, MAPS, `${MAPS}?watch=1&timeoutSeconds=30`].map((path) => t.fetch(path));
  // What it has is as good for who does not ask for more.
  assert.equal((await t.fetch(`${MAPS}?resourceVersion=${since}`)).body.items.length, 1);
  assert.equal((await t.fetch(`${MAPS}/a?resourceVersion=${since}`)).status, 200);
  for (const { status, text } of await Promise.all(late)) assert.equal(status, 504, text);
  silent = false;
  for (const deliver of held) deliver();
  assert.equal((await t.fetch(`${MAPS}/a`)).status, 404);
  assert.equal((await t.fetch(`${MAPS}/b`)).status, 200);
  await t.stop();
  await backend.close();
});
