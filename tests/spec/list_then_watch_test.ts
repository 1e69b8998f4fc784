import assert from "node:assert/strict";
import { createMaps, maps, namesOf, namespace, ok, openWatch, sharedServer, spec, told, withServer } from "./_spec.ts";

const server = sharedServer(["--feature-gates=CBORServingAndStorage=true"]);

spec("Client list-then-watch flow", {
  "list done": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const { resourceVersion } = (await ok(t, maps(ns))).body.metadata;
    await createMaps(t, ns, "b");
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${resourceVersion}`);
    await createMaps(t, ns, "c");
    assert.deepEqual(told(await w.take(2)), ["ADDED b", "ADDED c"]);
    await w.stop();
  },
  "streaming": async () => {
    const t = await server();
    const ns = await namespace(t);
    const seen: string[] = [];
    let at = (await ok(t, maps(ns))).body.metadata.resourceVersion;
    for (const name of ["a", "b", "c", "d"]) { // the connection is lost after each event
      const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
      await createMaps(t, ns, name);
      const [event] = await w.take(1);
      seen.push(...told([event!]));
      at = event!.object.metadata.resourceVersion;
      await w.stop();
    }
    assert.deepEqual(seen, ["ADDED a", "ADDED b", "ADDED c", "ADDED d"]);
  },
  "watch requested": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const [at] = await createMaps(t, "default", "a");
      await createMaps(t, "default", "b");
      now += 6 * 60_000;
      await createMaps(t, "default", "c");
      const old = await openWatch(t, `${maps("default")}?watch=1&resourceVersion=${at}`);
      assert.equal((await old.next())!.object.code, 410);
      const list = (await ok(t, maps("default"))).body;
      assert.deepEqual(namesOf(list), ["a", "b", "c"]);
      const w = await openWatch(t, `${maps("default")}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
      await createMaps(t, "default", "d");
      assert.deepEqual(told(await w.take(1)), ["ADDED d"]);
      await w.stop();
    }, { now: () => now });
  },
});
