/** Definitions whose objects cannot be had for now, beside others. */
import assert from "node:assert/strict";
import { type Backend, HEARD_MS, StorageError } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import type { Loose } from "../fixture/loose.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import { define, definition, DEFINITIONS, established, thing, THINGS, until, version } from "./_crd.ts";

const KEYS = "/registry/example.com/things/";
const THE_THINGS = `${DEFINITIONS}/things.example.com`;

/** A definition of another resource of the group. */
const other = (name: string): Loose => ({
  ...definition([version({})], { names: { plural: `${name}s`, singular: name, kind: name, listKind: `${name}List` } }),
  metadata: { name: `${name}s.example.com` },
});

/** Runs a test on a store whose calls are some of these. */
async function over(own: (inner: Backend) => Partial<Backend>, run: (s: TestServer) => Promise<void>): Promise<void> {
  const inner = memoryBackend(), calls = own(inner);
  const backend = new Proxy<Backend>(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(calls, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const s = await startTestServer(["--disable-admission-plugins=ServiceAccount"], { backend });
  try {
    await run(s);
  } finally {
    await s.stop();
    await inner.close();
  }
}

Deno.test("a definition whose objects go slowly keeps no other one from being established, and none from its end", async () => {
  const slow = Promise.withResolvers<void>();
  const holding = (inner: Backend): Partial<Backend> => ({
    async commit(changes) {
      if (changes.some(({ key, value }) => key.startsWith(KEYS) && value === null)) await slow.promise;
      return await inner.commit(changes);
    },
  });
  await over(holding, async (s) => {
    await define(s, definition([version({})]));
    assert.equal((await s.fetch(THINGS, { body: thing("a") })).status, 201);
    await s.fetch(THE_THINGS, { method: "DELETE" });
    await define(s, other("gadget"));
    const gadgets = `${DEFINITIONS}/gadgets.example.com`;
    await s.fetch(gadgets, { method: "DELETE" });
    await until(() => s.fetch(gadgets), (a) => a.status === 404);
    assert.equal((await s.fetch(THE_THINGS)).status, 200);
    slow.resolve();
    await until(() => s.fetch(THE_THINGS), (a) => a.status === 404);
  });
});

Deno.test("what a definition says of its names is written later where it could not be written at once", async () => {
  let writes = 0;
  const failing = (inner: Backend): Partial<Backend> => ({
    commit(changes) {
      const away = changes.some(({ key }) => key.endsWith("/things.example.com")) && ++writes === 2;
      return away ? Promise.reject(new StorageError("unavailable", "it cannot be written")) : inner.commit(changes);
    },
  });
  await over(failing, async (s) => {
    await define(s, definition([version({})]));
    assert.equal((await s.fetch(THINGS, { body: thing("a") })).status, 201);
    assert.ok(writes > 2);
  });
});

Deno.test("a definition whose objects cannot be loaded holds neither others nor those who ask for its objects", async () => {
  let away = true;
  const failing = (inner: Backend): Partial<Backend> => ({
    range: (prefix, page) => {
      if (away && prefix === KEYS) return Promise.reject(new StorageError("unavailable", "they cannot be read"));
      return inner.range(prefix, page);
    },
  });
  await over(failing, async (s) => {
    await s.fetch(DEFINITIONS, { body: definition([version({})]) });
    await define(s, other("gadget"));
    await until(() => s.fetch(THE_THINGS), established);
    assert.equal((await s.fetch(`${THINGS}?timeout=50ms`)).status, 504);
    const atWork = "/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1";
    await until(() => s.fetch(atWork), (a) => !a.text.includes(THINGS));
    away = false;
    await until(() => s.fetch(THINGS), (a) => a.status === 200);
  });
});

Deno.test("a definition waits for what servers that have not heard of its end still make", async () => {
  const { promise: made, resolve } = Promise.withResolvers<unknown>();
  const metadata = { name: "late", namespace: "default", uid: "u", creationTimestamp: "2026-01-01T00:00:00Z" };
  const value = new TextEncoder().encode(JSON.stringify({ ...thing("late"), metadata }));
  const shared = (inner: Backend): Partial<Backend> => ({
    revision: async () => await inner.revision(),
    async commit(changes) {
      const told = changes.some(({ value }) =>
        value && new TextDecoder().decode(value).includes('"InstanceDeletionInProgress"')
      );
      if (told) setTimeout(() => resolve(inner.commit([{ key: `${KEYS}default/late`, value }])), HEARD_MS / 4);
      return await inner.commit(changes);
    },
  });
  await over(shared, async (s) => {
    await define(s, definition([version({})]));
    await s.fetch(THE_THINGS, { method: "DELETE" });
    await until(() => s.fetch(THE_THINGS), (a) => a.status === 404);
    await made;
    assert.equal(await s.backend.get(`${KEYS}default/late`), undefined);
  });
});
