/** Objects that fit into the store, but not together with the owners of their fields. */
import assert from "node:assert/strict";
import { startTestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
/** Keys are what takes the room: they stand in the object, and in the list of its fields. */
const DATA: Loose = Object.fromEntries(
  Array.from({ length: 9000 }, (_, i) => [`${"a-key-that-has-many-letters-".repeat(8)}${i}`.slice(-200), "v"]),
);
const map = (name: string, data: Loose = DATA): Loose => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

Deno.test("what is too large with the owners of its fields is written without; who applies it is refused", async () => {
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"]);
  const owners = async (name: string) => (await s.fetch(`${MAPS}/${name}`)).body.metadata.managedFields;
  const patch = (name: string, type: string, body: Loose) =>
    s.fetch(`${MAPS}/${name}?fieldManager=m`, {
      method: "PATCH",
      headers: { "content-type": `application/${type}` },
      body,
    });
  for (const name of ["updated", "patched", "applied"]) await s.fetch(MAPS, { body: map(name, { a: "b" }) });

  const created = await s.fetch(MAPS, { body: map("created") });
  assert.deepEqual([created.status, created.body.metadata.managedFields], [201, undefined]);
  assert.equal(await owners("created"), undefined);

  assert.ok(await owners("updated"));
  const updated = await s.fetch(`${MAPS}/updated`, { method: "PUT", body: map("updated") });
  assert.deepEqual([updated.status, updated.body.metadata.managedFields], [200, undefined]);
  assert.equal(await owners("updated"), undefined);

  const patched = await patch("patched", "merge-patch+json", { data: DATA });
  assert.deepEqual([patched.status, patched.body.metadata.managedFields], [200, undefined]);
  assert.equal(await owners("patched"), undefined);

  for (const name of ["applied", "new"]) {
    const { status, body } = await patch(name, "apply-patch+yaml", map(name));
    assert.deepEqual([status, body.reason], [413, "RequestEntityTooLarge"]);
  }
  assert.deepEqual((await s.fetch(`${MAPS}/applied`)).body.data, { a: "b" });
  assert.equal((await s.fetch(`${MAPS}/new`)).status, 404);
  await s.stop();
});
