import assert from "node:assert/strict";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { TestServer } from "../fixture/server.ts";
import {
  compact,
  createMaps,
  maps,
  MERGE,
  namesOf,
  namespace,
  ok,
  openWatch,
  patchOf,
  refused,
  sharedServer,
  spec,
  told,
  withServer,
} from "./_spec.ts";

const server = sharedServer();

/** A version that no store ever has. */
const AHEAD = "99999999999999999999";

/** A namespace with a, b and c, made at known versions, and the version of the list now. */
async function three(t: TestServer) {
  const ns = await namespace(t);
  const versions = await createMaps(t, ns, "a", "b", "c");
  return { ns, path: maps(ns), versions, now: versions[2]! };
}

/** Two servers on one store, of which the second hears of changes only when it asks how far the store is. */
async function withLate(run: (one: TestServer, late: TestServer) => Promise<void>): Promise<void> {
  const inner = memoryBackend(), untold: (() => void)[] = [];
  const backend = new Proxy(inner, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "scan") return undefined;
      if (name === "revision") {
        return () => {
          setTimeout(() => untold.splice(0).forEach((tell) => tell()));
          return inner.revision();
        };
      }
      if (name !== "changes") return value.bind(target);
      return (...[prefix, since, deliver, signal]: Parameters<typeof inner.changes>) =>
        inner.changes(prefix, since, (batch) => void untold.push(() => deliver(batch)), signal);
    },
  });
  try {
    await withServer([], async (one) => {
      await withServer([], (late) => run(one, late), { backend });
    }, { backend: inner });
  } finally {
    await inner.close();
  }
}

type Cell = (t: TestServer) => Promise<void>;

/** A list that must be refused. */
const invalid = (query: (now: string) => string): Cell => async (t) => {
  const { path, now } = await three(t);
  await refused(t, 400, `${path}?${query(now)}`);
};

/** A list of the newest state: what was written a moment ago is there. */
const newest = (query: (now: string) => string, limit = 0): Cell => async (t) => {
  const { path, now } = await three(t);
  const { body } = await ok(t, `${path}?${query(now)}`);
  assert.deepEqual(namesOf(body), ["a", "b", "c"].slice(0, limit || 3));
  assert.ok(Number(body.metadata.resourceVersion) >= Number(now));
};

/** A list that is at least as new as the version of b, and refused for a version that is ahead. */
const notOlder = (query: (version: string) => string, limit = 0): Cell => async (t) => {
  const { path, versions } = await three(t);
  const { body } = await ok(t, `${path}?${query(versions[1]!)}`);
  assert.ok(Number(body.metadata.resourceVersion) >= Number(versions[1]));
  assert.deepEqual(namesOf(body).slice(0, 2), ["a", "b"].slice(0, limit || 2));
  await refused(t, 504, `${path}?${query(AHEAD)}`);
};

/** A list of the state at the version of b, when c was not there yet. */
const exact = (query: (version: string) => string, limit = 0): Cell => async (t) => {
  const { path, versions } = await three(t);
  const { body } = await ok(t, `${path}?${query(versions[1]!)}`);
  assert.equal(body.metadata.resourceVersion, versions[1]);
  assert.deepEqual(namesOf(body), ["a", "b"].slice(0, limit || 2));
  await refused(t, 504, `${path}?${query(AHEAD)}`);
};

/** The next page of a list, although c was deleted meanwhile. */
const continued = (version: string): Cell => async (t) => {
  const { path } = await three(t);
  const first = (await ok(t, `${path}?limit=1`)).body;
  await ok(t, `${path}/c`, { method: "DELETE" });
  const token = encodeURIComponent(first.metadata.continue);
  const { body } = await ok(t, `${path}?limit=2&continue=${token}${version}`);
  assert.deepEqual(namesOf(body), ["b", "c"]);
  assert.equal(body.metadata.resourceVersion, first.metadata.resourceVersion);
};

const refusedContinue: Cell = async (t) => {
  const { path, now } = await three(t);
  const token = encodeURIComponent((await ok(t, `${path}?limit=1`)).body.metadata.continue);
  await refused(t, 400, `${path}?limit=1&continue=${token}&resourceVersion=${now}`);
};

const LISTS: Record<string, Cell> = {
  "unset, paging limit unset, unset version": newest(() => ""),
  'unset, paging limit unset, version "0"': newest(() => "resourceVersion=0"),
  "unset, paging limit unset, other version": notOlder((v) => `resourceVersion=${v}`),
  "unset, paging limit=n, no continue, unset version": newest(() => "limit=1", 1),
  'unset, paging limit=n, no continue, version "0"': newest(() => "limit=1&resourceVersion=0", 1),
  "unset, paging limit=n, no continue, other version": exact((v) => `limit=10&resourceVersion=${v}`),
  "unset, paging limit=n, continue=token, unset version": continued(""),
  'unset, paging limit=n, continue=token, version "0"': continued("&resourceVersion=0"),
  "unset, paging limit=n, continue=token, other version": refusedContinue,
  "Exact, paging limit unset, unset version": invalid(() => "resourceVersionMatch=Exact"),
  'Exact, paging limit unset, version "0"': invalid(() => "resourceVersionMatch=Exact&resourceVersion=0"),
  "Exact, paging limit unset, other version": exact((v) => `resourceVersionMatch=Exact&resourceVersion=${v}`),
  "Exact, paging limit=n, no continue, unset version": invalid(() => "resourceVersionMatch=Exact&limit=1"),
  'Exact, paging limit=n, no continue, version "0"': invalid(() =>
    "resourceVersionMatch=Exact&limit=1&resourceVersion=0"
  ),
  "Exact, paging limit=n, no continue, other version": exact(
    (v) => `resourceVersionMatch=Exact&limit=1&resourceVersion=${v}`,
    1,
  ),
  "NotOlderThan, paging limit unset, unset version": invalid(() => "resourceVersionMatch=NotOlderThan"),
  'NotOlderThan, paging limit unset, version "0"': newest(() => "resourceVersionMatch=NotOlderThan&resourceVersion=0"),
  "NotOlderThan, paging limit unset, other version": notOlder((v) =>
    `resourceVersionMatch=NotOlderThan&resourceVersion=${v}`
  ),
  "NotOlderThan, paging limit=n, no continue, unset version": invalid(() =>
    "resourceVersionMatch=NotOlderThan&limit=1"
  ),
  'NotOlderThan, paging limit=n, no continue, version "0"': newest(
    () => "resourceVersionMatch=NotOlderThan&limit=1&resourceVersion=0",
    1,
  ),
  "NotOlderThan, paging limit=n, no continue, other version": notOlder(
    (v) => `resourceVersionMatch=NotOlderThan&limit=1&resourceVersion=${v}`,
    1,
  ),
};

/** Events of a watch from now on, and one more after a write. */
async function watched(query: (now: string) => string) {
  const t = await server();
  const { ns, path, versions, now } = await three(t);
  const w = await openWatch(t, `${path}?watch=1${query(versions[1]!)}`);
  await createMaps(t, ns, "later");
  const first = await w.take(query(now) === "" || query(now).endsWith("=0") ? 4 : 2);
  await w.stop();
  return told(first);
}

spec("Version semantics of resourceVersion", {
  "get, resourceVersion unset": async () => {
    const t = await server();
    const { path, now } = await three(t);
    assert.equal((await ok(t, `${path}/c`)).body.metadata.resourceVersion, now);
  },
  'get, "0"': async () => {
    const t = await server();
    const { path } = await three(t);
    assert.equal((await ok(t, `${path}/c?resourceVersion=0`)).body.metadata.name, "c");
  },
  "get, other value": async () => {
    const t = await server();
    const { path, versions, now } = await three(t);
    // The collection is newer than the object: the object's own version may be lower.
    assert.equal((await ok(t, `${path}/a?resourceVersion=${now}`)).body.metadata.resourceVersion, versions[0]);
    await refused(t, 504, `${path}/a?resourceVersion=${AHEAD}`);
  },
  ...Object.fromEntries(
    Object.entries(LISTS).map(([cell, test]) => [
      `list, resourceVersionMatch ${cell}`,
      async () => await test(await server()),
    ]),
  ),
  "watch, unset": async () => {
    assert.deepEqual(await watched(() => ""), ["ADDED a", "ADDED b", "ADDED c", "ADDED later"]);
  },
  'watch, "0"': async () => {
    assert.deepEqual(await watched(() => "&resourceVersion=0"), ["ADDED a", "ADDED b", "ADDED c", "ADDED later"]);
  },
  "watch, other value": async () => {
    assert.deepEqual(await watched((v) => `&resourceVersion=${v}`), ["ADDED c", "ADDED later"]);
  },
  "Any": async () => {
    const t = await server();
    const { path } = await three(t);
    const { body } = await ok(t, `${path}?resourceVersion=0`);
    assert.match(body.metadata.resourceVersion, /^[1-9]\d*$/);
  },
  "Most Recent": async () => {
    const t = await server();
    const { ns, path } = await three(t);
    for (let i = 0; i < 5; i++) {
      await createMaps(t, ns, `more-${i}`);
      assert.equal(namesOf((await ok(t, path)).body).length, 4 + i);
    }
    // What another server has written is there, although this one has not heard of it yet.
    await withLate(async (one, late) => {
      const path = maps("default");
      for (const name of ["a", "b", "c"]) {
        await createMaps(one, "default", name);
        assert.ok(!namesOf((await ok(late, `${path}?resourceVersion=0`)).body).includes(name), "it has heard of it");
        if (name === "a") assert.equal((await ok(late, `${path}/a`)).body.metadata.name, "a");
        if (name === "b") assert.ok(namesOf((await ok(late, path)).body).includes("b"));
        if (name !== "c") continue;
        const w = await openWatch(late, `${path}?watch=1&fieldSelector=metadata.name%3Dc`);
        const [first] = await w.take(1);
        assert.equal(first!.type, "ADDED");
        await w.stop();
      }
    });
  },
  "Not older than": async () => {
    const t = await server();
    const { path, versions, now } = await three(t);
    const { body } = await ok(t, `${path}?resourceVersion=${now}&resourceVersionMatch=NotOlderThan`);
    assert.ok(Number(body.metadata.resourceVersion) >= Number(now));
    assert.equal(body.items[0].metadata.resourceVersion, versions[0]);
  },
  "Exact": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const { ns, path, versions } = await three(t);
      now += 6 * 60_000; // past what is retained
      await createMaps(t, ns, "late");
      await compact(t);
      const gone = await refused(t, 410, `${path}?resourceVersionMatch=Exact&resourceVersion=${versions[1]}`);
      assert.equal(gone.body.reason, "Expired");
    }, { now: () => now });
    const t = await server();
    const { path, versions } = await three(t);
    const at = `${path}?resourceVersionMatch=Exact&resourceVersion=`;
    const { body } = await ok(t, at + versions[1]);
    assert.equal(body.metadata.resourceVersion, versions[1]);
    assert.equal(body.items[0].metadata.resourceVersion, versions[0]);
  },
  "Continuation": async () => {
    let now = Date.now();
    await withServer([], async (t) => {
      const { path } = await three(t);
      const { body } = await ok(t, `${path}?limit=1`);
      const next = `${path}?limit=1&continue=${encodeURIComponent(body.metadata.continue)}`;
      await ok(t, `${path}/b`, patchOf(MERGE, { data: { k: "v" } }));
      const page = (await ok(t, next)).body;
      assert.equal(page.metadata.resourceVersion, body.metadata.resourceVersion);
      assert.equal(page.items[0].data, undefined);
      now += 6 * 60_000;
      await refused(t, 410, next);
    }, { now: () => now });
  },
  "Get State and Start at Any / Most Recent": async () => {
    const t = await server();
    const { path } = await three(t);
    for (const query of ["", "&resourceVersion=0"]) {
      const w = await openWatch(t, `${path}?watch=true${query}`);
      assert.deepEqual(told(await w.take(3)), ["ADDED a", "ADDED b", "ADDED c"]);
      await w.stop();
    }
  },
  "Start at Exact": async () => {
    const t = await server();
    const { ns, path, now } = await three(t);
    const w = await openWatch(t, `${path}?watch=true&resourceVersion=${now}`);
    await createMaps(t, ns, "d");
    assert.deepEqual(told(await w.take(1)), ["ADDED d"]);
    await w.stop();
  },
  "rule 1": async () => {
    const t = await server();
    const { path, versions } = await three(t);
    // This server heeds the parameter: with it the answer differs.
    const names = async (query: string) =>
      namesOf((await ok(t, `${path}?resourceVersion=${versions[1]}${query}`)).body);
    assert.deepEqual(await names("&resourceVersionMatch=Exact"), ["a", "b"]);
    assert.deepEqual(await names("&resourceVersionMatch=NotOlderThan"), ["a", "b", "c"]);
    await refused(t, 400, `${path}?resourceVersion=${versions[1]}&resourceVersionMatch=Other`);
  },
  "rule 2": async () => {
    const t = await server();
    const { path, now } = await three(t);
    const query = `?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=`;
    await ok(t, `${path}${query}${now}`);
    await ok(t, `${path}${query}0`); // the version that a client falls back to
  },
  "rule 3": async () => {
    const t = await server();
    const { path, versions } = await three(t);
    const { body } = await ok(t, `${path}?resourceVersionMatch=Exact&resourceVersion=${versions[0]}`);
    assert.equal(body.metadata.resourceVersion, versions[0]);
  },
  "rule 4": async () => {
    const t = await server();
    const { path, versions } = await three(t);
    const { body } = await ok(t, path);
    const own = body.items.map((i: { metadata: { resourceVersion: string } }) => i.metadata.resourceVersion);
    assert.deepEqual(own, versions);
  },
});
