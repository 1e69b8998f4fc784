import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import { createMaps, maps, namespace, ok, sharedServer, spec, withServer } from "./_spec.ts";

const server = sharedServer();

spec("Collection (list) metadata", {
  "resourceVersion": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [version] = await createMaps(t, ns, "a");
    const list = (await ok(t, maps(ns))).body;
    assert.ok(Number(list.metadata.resourceVersion) >= Number(version));
  },
  "continue": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b");
    assert.equal((await ok(t, maps(ns))).body.metadata.continue, undefined);
    const first = (await ok(t, `${maps(ns)}?limit=1`)).body.metadata.continue;
    assert.ok(first);
    const last = (await ok(t, `${maps(ns)}?limit=1&continue=${first}`)).body.metadata;
    assert.equal(last.continue ?? "", "");
    // Of one name there is nothing more, though other names follow.
    for (const path of [maps(ns), "/api/v1/namespaces"]) {
      const [name] = (await ok(t, path)).body.items.map((i: { metadata: { name: string } }) => i.metadata.name);
      const query = `${path}?limit=1&fieldSelector=metadata.name%3D${name}`, one = (await ok(t, query)).body;
      assert.deepEqual([one.items.length, one.metadata.continue], [1, undefined]);
      assert.equal((await ok(t, `${query}&labelSelector=none`)).body.items.length, 0);
    }
  },
  "remainingItemCount": async () => {
    const counts = async (t: TestServer) => {
      const ns = await namespace(t);
      await createMaps(t, ns, "a", "b", "c", "d");
      await createMaps(t, await namespace(t), "a", "b"); // of others, before it and behind
      const meta = async (query: string) => (await ok(t, `${maps(ns)}${query}`)).body.metadata;
      const first = await meta("?limit=1");
      assert.equal(first.remainingItemCount, 3);
      assert.equal((await meta(`?limit=2&continue=${first.continue}`)).remainingItemCount, 1);
      for (
        const query of ["?limit=4", "", "?limit=1&labelSelector=x!%3Dy", "?limit=1&fieldSelector=metadata.name!%3Dc"]
      ) {
        assert.equal((await meta(query)).remainingItemCount, undefined, query);
      }
      assert.equal((await meta(`?limit=3&continue=${first.continue}`)).remainingItemCount, undefined);
    };
    await counts(await server());
    // From the store, too: without a cache, and what goes on where it is not to give what it was.
    await withServer(["--watch-cache=false"], counts);
    await withServer(["--feature-gates=ListFromCacheSnapshot=false"], counts);
  },
  "shardInfo": () =>
    withServer(["--feature-gates=ShardedListAndWatch=true"], async (t) => {
      const selector = "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')";
      const { metadata } = (await ok(t, `${maps("default")}?shardSelector=${encodeURIComponent(selector)}`)).body;
      assert.deepEqual(metadata.shardInfo, { selector });
      assert.equal((await ok(t, maps("default"))).body.metadata.shardInfo, undefined);
      // A shard selects: how many more there are is not told.
      await createMaps(t, "default", "a", "b");
      const page = (await ok(t, `${maps("default")}?limit=1&shardSelector=${encodeURIComponent(selector)}`)).body;
      assert.deepEqual([page.metadata.remainingItemCount, page.metadata.continue === undefined], [undefined, false]);
    }),
});
