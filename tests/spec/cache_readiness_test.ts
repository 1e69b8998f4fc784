import assert from "node:assert/strict";
import { unready } from "./_held.ts";
import { maps, namesOf, ok, refused, spec } from "./_spec.ts";

spec("Watch cache readiness", {
  "server starting, caches uninitialized": () =>
    unready(async (t, release) => {
      assert.equal((await t.fetch("/readyz")).status, 500);
      release();
      await t.server.cacher.whenReady();
      for (let i = 0; (await t.fetch("/readyz")).status !== 200; i++) {
        assert.ok(i < 200, "never ready");
        await new Promise((done) => setTimeout(done, 5));
      }
    }),
  "cache uninitialized (startup, resync, or disconnect)": () =>
    unready(async (t) => {
      for (const query of ["?watch=1", "", "?limit=1&labelSelector=a%3Db", "?fieldSelector=metadata.name%3Da"]) {
        const answer = await refused(t, 429, maps("default") + query);
        assert.ok(answer.headers.get("retry-after"));
      }
    }),
  "cache uninitialized": () =>
    unready(async (t) => {
      assert.equal((await ok(t, maps("default", "a"))).body.metadata.name, "a");
      assert.deepEqual(namesOf((await ok(t, `${maps("default")}?limit=5`)).body), ["a"]);
    }),
});
