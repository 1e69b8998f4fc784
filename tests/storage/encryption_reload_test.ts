/** Another configuration while something is being read. */
import assert from "node:assert/strict";
import { EncryptedBackend } from "../../server/storage/encryption/backend.ts";
import type { Opened, Transformer } from "../../server/storage/encryption/types.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";
import { encryption, fileOf, keyed, secret, text, utf8 } from "./encryption_tools.ts";
import { Follower, put } from "./tools.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const rule = (...names: number[]) =>
  fileOf([["secrets"], ...names.map((n) => keyed("aesgcm", { [`key${n}`]: secret(n) }))]);

Deno.test("a configuration that comes while the caches are filled: what it can read is read", async () => {
  const inner = memoryBackend();
  const before = await encryption(rule(1));
  let server = await startTestServer([], { backend: before.over(inner), encryption: before });
  assert.equal((await server.fetch(SECRETS, { body: { metadata: { name: "a" } } })).status, 201);
  await server.stop();
  // Else it would be read by the log.
  await inner.compact(inner.revision());
  const after = await encryption(rule(2), { reload: true });
  const backend = after.over(inner);
  const scan = backend.scan;
  let reloads = 0;
  backend.scan = (prefix, take, at) =>
    scan.call(backend, prefix, async (items) => {
      await take(items);
      if (prefix === "/registry/" && reloads++ === 0) await after.reload(rule(2, 1));
    }, at);
  server = await startTestServer([], { backend, encryption: after });
  assert(reloads > 0);
  const { status, text } = await server.fetch(`${SECRETS}/a`);
  assert.equal(status, 200, text);
  await server.stop();
  await inner.close();
});

Deno.test("a configuration that comes while a service is asked: what that service refuses is tried by the new one", async () => {
  const inner = memoryBackend();
  const asked = Promise.withResolvers<Opened>();
  const seal = (plain: Uint8Array) => [utf8("x"), plain];
  const old: Transformer = { seal, open: () => asked.promise };
  const next: Transformer = { seal, open: (stored) => ({ plain: stored.subarray(1), stale: false }) };
  let current = old;
  const backend = new EncryptedBackend(inner, () => current);
  await put(backend, { key: "k/a", value: utf8("value") });
  const reading = backend.get("k/a");
  // The store has been read, and the service is being asked.
  await new Promise((resolve) => setTimeout(resolve, 0));
  current = next;
  backend.reread();
  asked.reject(new Error("no such key"));
  assert.equal(text((await reading)!.value), "value");
  await inner.close();
});

Deno.test("readers of the log that start again say why", async () => {
  const inner = memoryBackend();
  let given: Transformer = {
    seal: (plain) => [plain],
    open: () => {
      throw new Error("no such key");
    },
  };
  const backend = new EncryptedBackend(inner, () => given);
  await put(inner, { key: "k/a", value: utf8("value") });
  await backend.get("k/a");
  const reading = backend.changes("k/", await inner.revision(), () => {}, new AbortController().signal);
  given = { ...given, open: (plain) => ({ plain, stale: false }) };
  backend.reread();
  await assert.rejects(reading, { name: "RevisionError", message: /^what could not be read may be readable now/ });
  await inner.close();
});

Deno.test("readers of the log go on where all that was read could be", async () => {
  const inner = memoryBackend();
  const backend = new EncryptedBackend(inner, () => ({
    seal: (plain) => [plain],
    open: (plain) => ({ plain, stale: false }),
  }));
  await put(backend, { key: "k/a", value: utf8("value") });
  await backend.get("k/a");
  await using follower = new Follower(backend, "k/", await backend.revision());
  backend.reread();
  await put(backend, { key: "k/b", value: utf8("next") });
  await follower.when(() => follower.changes.length > 0);
  assert.deepEqual(follower.told(), ["k/b=next"]);
});

Deno.test("who follows no more hears nothing of what was still being decrypted", async () => {
  const inner = memoryBackend(), asked = Promise.withResolvers<void>(), opened = Promise.withResolvers<Opened>();
  const backend = new EncryptedBackend(inner, () => ({
    seal: (plain) => [plain],
    open: () => (asked.resolve(), opened.promise),
  }));
  const abort = new AbortController();
  let told = 0;
  const count = ({ changes }: { changes: readonly unknown[] }) => void (told += changes.length);
  const following = backend.changes("k/", await inner.revision(), count, abort.signal);
  await put(inner, { key: "k/a", value: utf8("value") });
  await asked.promise;
  abort.abort();
  opened.resolve({ plain: utf8("value"), stale: false });
  await following;
  assert.equal(told, 0);
  await inner.close();
});
