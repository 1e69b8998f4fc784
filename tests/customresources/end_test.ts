/** How the end of a definition is told. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import type { Loose } from "../fixture/loose.ts";
import type { TestServer } from "../fixture/server.ts";
import { definition, DEFINITIONS, established, thing, THINGS, until, version, withThings } from "./_crd.ts";

const definitionOf = (name: string, names: Loose): Loose => ({
  ...definition([version({})], { names: { plural: name, ...names } }),
  metadata: { name: `${name}.example.com` },
});

/** Events of a definition from a version on, each by how its end stands. */
async function told(s: TestServer, name: string, since: string): Promise<string[]> {
  const query = `watch=1&resourceVersion=${since}&fieldSelector=metadata.name%3D${name}&timeoutSeconds=1`;
  const text = await (await s.open(`${DEFINITIONS}?${query}`)).text();
  return text.trim().split("\n").map((line) => {
    const { type, object } = JSON.parse(line), last = object.status.conditions.at(-1);
    return `${type} ${last.status} ${last.reason}`;
  });
}

const DELETED = [
  "MODIFIED True InstanceDeletionPending",
  "MODIFIED True InstanceDeletionInProgress",
  "DELETED True InstanceDeletionInProgress",
];

Deno.test("watchers of a definition hear that its objects are being deleted, whether there are any, then that it is gone", () =>
  withThings(definition([version({})]), async (s) => {
    for (const objects of [["a"], []]) {
      const path = `${DEFINITIONS}/things.example.com`;
      if (!established(await s.fetch(path))) {
        await s.fetch(DEFINITIONS, { body: definition([version({})]) });
        await until(() => s.fetch(path), established);
      }
      for (const name of objects) await s.fetch(THINGS, { body: thing(name) });
      const since = (await s.fetch(path)).body.metadata.resourceVersion;
      await s.fetch(path, { method: "DELETE" });
      await until(() => s.fetch(path), (a) => a.status === 404);
      assert.deepEqual(await told(s, "things.example.com", since), DELETED);
    }
  }));

Deno.test("a definition that never got its names says so when its own end is held", () =>
  withThings(definition([version({})]), async (s) => {
    const path = `${DEFINITIONS}/others.example.com`, held = definitionOf("others", { kind: "Thing" });
    held.metadata.finalizers = ["example.com/hold"];
    await s.fetch(DEFINITIONS, { body: held });
    await until(() => s.fetch(path), (a) => a.body.status?.conditions?.length > 0);
    await s.fetch(path, { method: "DELETE" });
    const { body } = await until(() => s.fetch(path), (a) => a.body.metadata.finalizers.length === 1);
    assert.equal(body.status.conditions.at(-1).reason, "NeverEstablished");
  }));

Deno.test("an object that another server still makes of a definition on its way out goes while others are held", () =>
  withThings(definition([version({})]), async (s) => {
    await s.fetch(THINGS, {
      body: thing("a", undefined, { metadata: { name: "a", finalizers: ["example.com/hold"] } }),
    });
    await s.fetch(`${DEFINITIONS}/things.example.com`, { method: "DELETE" });
    await until(() => s.fetch(`${THINGS}/a`), (a) => a.body.metadata.deletionTimestamp !== undefined);
    const store = s.server.registries.byId("things.example.com")!;
    const late = thing("b", undefined, { metadata: { name: "b", namespace: "default" } });
    await s.backend.commit([store.creation(late as Obj)]);
    await store.fresh();
    await until(() => s.fetch(`${THINGS}/b`), (a) => a.status === 404);
    assert.equal((await s.fetch(`${THINGS}/a`)).status, 200);
  }));
