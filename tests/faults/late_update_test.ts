/** Updates whose making is refused on what a server still has of an object that another one on the same store has changed. */
import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { lateLog } from "./_late_log.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

const sent = (t: TestServer, path: string, type: string, body: unknown) =>
  t.fetch(path, { method: "PATCH", headers: { "content-type": type }, body: JSON.stringify(body) });
const jsonPatch = (t: TestServer, path: string, operations: unknown) =>
  sent(t, path, "application/json-patch+json", operations);
const applied = (t: TestServer, manager: string, data: unknown) =>
  sent(t, `${MAPS}/a?fieldManager=${manager}`, "application/apply-patch+yaml", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
    data,
  });

/** Two servers on one store: the first has heard of nothing that `changed` does on the other. */
async function late(
  begin: (t: TestServer) => Promise<void>,
  changed: (t: TestServer) => Promise<void>,
  then: (t: TestServer) => Promise<void>,
): Promise<void> {
  const store = memoryBackend(), log = lateLog(store);
  const behind = await startTestServer([], { backend: log.backend });
  const other = await startTestServer([], { backend: store });
  await begin(other);
  log.hold();
  await changed(other);
  await then(behind);
  await behind.stop();
  await other.stop();
  await store.close();
}

const ok = (t: { status: number; text: string }) => assert.ok(t.status < 300, t.text);

Deno.test("a patch's test that holds of the newest object holds, whatever a server still has", () =>
  late(
    async (t) => ok(await t.fetch(MAPS, { body: { metadata: { name: "a" }, data: { v: "1" } } })),
    async (t) => ok(await jsonPatch(t, `${MAPS}/a`, [{ op: "replace", path: "/data/v", value: "2" }])),
    async (t) => {
      const taken = [{ op: "test", path: "/data/v", value: "2" }, { op: "add", path: "/data/w", value: "3" }];
      const { status, text, body } = await jsonPatch(t, `${MAPS}/a`, taken);
      assert.equal(status, 200, text);
      assert.deepEqual(body.data, { v: "2", w: "3" });
      assert.equal((await jsonPatch(t, `${MAPS}/a`, [{ op: "test", path: "/data/v", value: "1" }])).status, 422);
    },
  ));

Deno.test("what a manager has just given up can be applied by another one", () =>
  late(
    async (t) => ok(await applied(t, "first", { v: "1", w: "1" })),
    async (t) => ok(await applied(t, "first", { w: "1" })),
    async (t) => {
      const { status, text } = await applied(t, "second", { v: "2" });
      assert.equal(status, 200, text);
      assert.equal((await applied(t, "second", { w: "2" })).status, 409);
    },
  ));

Deno.test("a write that would change nothing of what a server still has is made where it changes the newest object", () =>
  late(
    async (t) => ok(await t.fetch(MAPS, { body: { metadata: { name: "a" }, data: { v: "1" } } })),
    async (t) => ok(await jsonPatch(t, `${MAPS}/a`, [{ op: "replace", path: "/data/v", value: "2" }])),
    async (t) => {
      const { status, text, body } = await sent(t, `${MAPS}/a`, "application/merge-patch+json", { data: { v: "1" } });
      assert.equal(status, 200, text);
      assert.deepEqual(body.data, { v: "1" });
      assert.deepEqual((await t.fetch(`${MAPS}/a`)).body.data, { v: "1" });
    },
  ));

Deno.test("an object that is sent without a version takes the place of the newest one, whatever a server still has", () =>
  late(
    async (t) => ok(await t.fetch(MAPS, { body: { metadata: { name: "a" }, data: { v: "1" } } })),
    async (t) => ok(await jsonPatch(t, `${MAPS}/a`, [{ op: "replace", path: "/data/v", value: "2" }])),
    async (t) => {
      const put = await t.fetch(`${MAPS}/a`, { method: "PUT", body: { metadata: { name: "a" }, data: { w: "3" } } });
      ok(put);
      assert.deepEqual([put.body.metadata.namespace, put.body.data], ["default", { w: "3" }]);
    },
  ));

Deno.test("what another server has just made is there for who changes it", () =>
  late(
    async () => {},
    async (t) => ok(await t.fetch(MAPS, { body: { metadata: { name: "a" }, data: { v: "1" } } })),
    async (t) => {
      const { text, body } = await sent(t, `${MAPS}/a`, "application/merge-patch+json", { data: { w: "2" } });
      assert.deepEqual(body.data, { v: "1", w: "2" }, text);
    },
  ));

Deno.test("who takes the last finalizer removes the object, whatever another one has changed in it meanwhile", () =>
  late(
    async (t) => {
      ok(await t.fetch(MAPS, { body: { metadata: { name: "a", finalizers: ["example.com/held"] } } }));
      ok(await t.fetch(`${MAPS}/a`, { method: "DELETE" }));
    },
    async (t) => ok(await jsonPatch(t, `${MAPS}/a`, [{ op: "add", path: "/data", value: { v: "1" } }])),
    async (t) => {
      const free = { metadata: { finalizers: null } };
      ok(await sent(t, `${MAPS}/a`, "application/merge-patch+json", free));
      assert.equal((await t.fetch(`${MAPS}/a`)).status, 404);
    },
  ));

Deno.test("a name that is generated, and another server has generated as well, is generated anew", async () => {
  const store = memoryBackend(), { commit } = store, keys: string[] = [];
  store.commit = async (changes) => {
    const { key, value } = changes[0]!;
    if (key.includes("/configmaps/default/made-") && keys.push(key) < 3) await commit.call(store, [{ key, value }]);
    return await commit.call(store, changes);
  };
  const t = await startTestServer([], { backend: store });
  const made = await t.fetch(MAPS, { body: { metadata: { generateName: "made-" } } });
  ok(made);
  assert.equal(new Set(keys).size, 3);
  assert.ok(keys[2]!.endsWith(`/${made.body.metadata.name}`));
  await t.stop();
  await store.close();
});
