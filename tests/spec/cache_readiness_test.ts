import assert from "node:assert/strict";
import { Faulty } from "../cache/_faulty.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";
import { unready } from "./_held.ts";
import { createMaps, maps, namesOf, ok, refused, spec } from "./_spec.ts";

/** What the store must not be asked for while caches are not ready. */
const REFUSED = ["?watch=1", "", "?limit=1&labelSelector=a%3Db", "?fieldSelector=metadata.name%3Da"];

async function refusesAll(t: TestServer): Promise<void> {
  for (const query of REFUSED) {
    const answer = await refused(t, 429, maps("default") + query);
    assert.ok(answer.headers.get("retry-after"));
  }
}

/** Runs while the store is there, but tells of no changes; `release` lets it, and waits until that is heard. */
async function disconnected(run: (t: TestServer, release: () => Promise<void>) => Promise<void>): Promise<void> {
  const store = Faulty.make();
  const t = await startTestServer([], { backend: store });
  const release = async () => {
    store.failChanges = 0;
    await t.server.cacher.whenReady();
  };
  try {
    await createMaps(t, "default", "a");
    store.failChanges = Infinity;
    store.breakLog();
    await until("that is noticed", async () => (await t.fetch(maps("default"))).status !== 200);
    await run(t, release);
  } finally {
    await release();
    await t.stop();
  }
}

spec("Watch cache readiness", {
  "server starting, caches uninitialized": () =>
    unready(async (t, release) => {
      assert.equal((await t.fetch("/readyz")).status, 500);
      release();
      await t.server.cacher.whenReady();
      await until("it is ready", async () => (await t.fetch("/readyz")).status === 200);
    }),
  "cache uninitialized (startup, resync, or disconnect)": async () => {
    await unready(refusesAll);
    await disconnected(async (t, release) => {
      await refusesAll(t);
      assert.match((await t.fetch("/readyz?verbose")).text, /^\[-\]informer-sync failed/m);
      await release();
      assert.match((await t.fetch("/readyz?verbose")).text, /^\[\+\]informer-sync ok/m);
      assert.deepEqual(namesOf((await ok(t, maps("default"))).body), ["a"]);
    });
  },
  "cache uninitialized": async () => {
    const servesOne = async (t: TestServer) => {
      assert.equal((await ok(t, maps("default", "a"))).body.metadata.name, "a");
      assert.deepEqual(namesOf((await ok(t, `${maps("default")}?limit=5`)).body), ["a"]);
    };
    await unready(servesOne);
    await disconnected(servesOne);
  },
});
