/** A store that does not answer, as clients of a server see it. */
import assert from "node:assert/strict";
import { StorageError } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

Deno.test("a store that stalls: requests end by 429 or 504 within their time, health checks answer, and all is well after it", async () => {
  const backend = memoryBackend();
  let stalled: PromiseWithResolvers<void> | undefined;
  const behind = <A extends unknown[], R>(call: (...args: A) => R | Promise<R>) => async (...args: A): Promise<R> => {
    await stalled?.promise;
    return await call.apply(backend, args);
  };
  const { commit, range, get, revision } = backend;
  Object.assign(backend, {
    commit: behind(commit),
    range: behind(range),
    get: behind(get),
    revision: behind(revision),
  });
  const limits = ["--max-mutating-requests-inflight=4", "--max-requests-inflight=4"];
  const server = await startTestServer(limits, { backend });
  assert.equal((await server.fetch(MAPS, { body: { metadata: { name: "a" } } })).status, 201);
  stalled = Promise.withResolvers();
  const answers = Array.from({ length: 40 }, (_, i) => {
    const wanted = [{ body: { metadata: { name: `b-${i}` } } }, {}, { method: "DELETE" }][i % 3]!;
    return server.fetch(`${i % 3 === 2 ? `${MAPS}/a` : MAPS}?timeout=1s`, wanted);
  });
  assert.equal((await server.fetch("/livez")).status, 200);
  for (const { status, text } of await Promise.all(answers)) assert([429, 504].includes(status), text);
  // By resource version 0, what the cache has is as good.
  assert.equal((await server.fetch(`${MAPS}?resourceVersion=0`)).body.items.length, 1);
  stalled.resolve();
  stalled = undefined;
  for (let i = 0; i < 10; i++) {
    assert.equal((await server.fetch(MAPS, { body: { metadata: { name: `c-${i}` } } })).status, 201);
  }
  assert.equal((await server.fetch(MAPS)).status, 200);
  await server.stop();
  await backend.close();
});

Deno.test("a store that is away, full, or does not tell whether it wrote: no client is told to do it again", async () => {
  const backend = memoryBackend();
  const server = await startTestServer([], { backend });
  const { commit } = backend;
  const failing = (kind: "unknown" | "unavailable" | "full") => () => Promise.reject(new StorageError(kind, "commit"));
  const post = async () => {
    const { status, headers, body } = await server.fetch(MAPS, { body: { metadata: { generateName: "a-" } } });
    return [status, headers.get("retry-after"), body.reason];
  };
  backend.commit = failing("unknown");
  assert.deepEqual(await post(), [504, null, "Timeout"]);
  for (const kind of ["unavailable", "full"] as const) {
    backend.commit = failing(kind);
    assert.deepEqual(await post(), [503, null, "ServiceUnavailable"]);
  }
  backend.commit = commit;
  await server.stop();
  await backend.close();
});

Deno.test("a store that wrote and does not tell: a patch is not applied once more", async () => {
  const backend = memoryBackend();
  const server = await startTestServer([], { backend });
  await server.fetch(MAPS, { body: { metadata: { name: "a", finalizers: ["a/x"] } } });
  const { commit } = backend;
  backend.commit = async (changes) => {
    await commit.call(backend, changes);
    backend.commit = commit;
    throw new StorageError("unknown", "commit");
  };
  const { status } = await server.fetch(`${MAPS}/a`, {
    method: "PATCH",
    headers: { "content-type": "application/json-patch+json" },
    body: [{ op: "add", path: "/metadata/finalizers/-", value: "b/y" }],
  });
  assert.equal(status, 504);
  assert.deepEqual((await server.fetch(`${MAPS}/a`)).body.metadata.finalizers, ["a/x", "b/y"]);
  await server.stop();
  await backend.close();
});
