/** A store whose log says nothing any more while all else of it answers, as clients of a server see it. */
import assert from "node:assert/strict";
import type { ChangeBatch } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

/** A store in memory, and what holds its log back. */
function holding() {
  const backend = memoryBackend();
  const held: (() => void)[] = [];
  const log = { silent: false, goOn: () => held.splice(0).forEach((deliver) => deliver()) };
  const { changes } = backend;
  backend.changes = (prefix, since, deliver, signal) => {
    const late = (batch: ChangeBatch) => log.silent ? void held.push(() => deliver(batch)) : deliver(batch);
    return changes.call(backend, prefix, since, late, signal);
  };
  return { backend, log };
}

Deno.test("a cache that is behind its store shows no old state as the newest: reads end by 504, and go on when it has caught up", async () => {
  const { backend, log } = holding();
  const t = await startTestServer([], { backend });
  const made = await t.fetch(MAPS, { body: { metadata: { name: "a" } } });
  log.silent = true;
  assert.equal((await t.fetch(MAPS, { body: { metadata: { name: "b" } } })).status, 201);
  await backend.commit([{ key: "/registry/configmaps/default/a", value: null }]);
  const since = made.body.metadata.resourceVersion;
  const late = [`${MAPS}/a`, `${MAPS}/b`, MAPS, `${MAPS}?watch=1&timeoutSeconds=30`].map((path) => t.fetch(path));
  // What it has is as good for who does not ask for more.
  assert.equal((await t.fetch(`${MAPS}?resourceVersion=${since}`)).body.items.length, 1);
  assert.equal((await t.fetch(`${MAPS}/a?resourceVersion=${since}`)).status, 200);
  for (const { status, text } of await Promise.all(late)) assert.equal(status, 504, text);
  log.silent = false;
  log.goOn();
  assert.equal((await t.fetch(`${MAPS}/a`)).status, 404);
  assert.equal((await t.fetch(`${MAPS}/b`)).status, 200);
  await t.stop();
  await backend.close();
});

Deno.test("an update to what the cache still has is made, where another server has written something else since", async () => {
  const { backend, log } = holding();
  const t = await startTestServer([], { backend });
  const key = "/registry/configmaps/default/a";
  const put = (resourceVersion: string, v: string) =>
    t.fetch(`${MAPS}/a`, { method: "PUT", body: { metadata: { name: "a", resourceVersion }, data: { v } } });
  await t.fetch(MAPS, { body: { metadata: { name: "a" } } });
  await put("", "theirs");
  const { value } = (await backend.get(key))!;
  const stood = (await put("", "ours")).body.metadata.resourceVersion;
  log.silent = true;
  await backend.commit([{ key, value }]);
  const writes = [put(stood, "ours"), put("", "ours")];
  await t.fetch(`${MAPS}/a?resourceVersion=${stood}`);
  log.silent = false;
  log.goOn();
  const [ofVersion, ofAny] = await Promise.all(writes);
  assert.equal(ofVersion!.status, 409, ofVersion!.text);
  assert.equal(ofAny!.status, 200, ofAny!.text);
  assert.equal((await t.fetch(`${MAPS}/a`)).body.data.v, "ours");
  await t.stop();
  await backend.close();
});

Deno.test("a write that was made is answered as such, though the cache has lost its log since", async () => {
  const backend = memoryBackend();
  const { changes, commit } = backend;
  let lose = () => {};
  backend.changes = (prefix, since, deliver, signal) =>
    new Promise((resolve, reject) => {
      lose = () => reject(new Error("the log is lost"));
      changes.call(backend, prefix, since, deliver, signal).then(resolve, reject);
    });
  const t = await startTestServer([], { backend });
  let losing = true;
  backend.commit = async (made) => {
    const result = await commit.call(backend, made);
    if (losing) {
      losing = false;
      lose();
      // The cacher hears of it first.
      await new Promise((resolve) => setTimeout(resolve));
    }
    return result;
  };
  const { status, text } = await t.fetch(MAPS, { body: { metadata: { name: "a" } } });
  assert.equal(status, 201, text);
  await t.stop();
  await backend.close();
});
