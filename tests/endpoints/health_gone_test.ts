/** Health checks whose asker goes. */
import assert from "node:assert/strict";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { startTestServer } from "../fixture/server.ts";

Deno.test("a check that its asker does not wait for is neither told nor counted", async () => {
  const backend: Backend = memoryBackend(), told: string[] = [], asked = Promise.withResolvers<void>();
  const t = await startTestServer([], { backend, log: (_, text) => told.push(text) });
  const { health } = backend;
  backend.health = async (signal) => {
    asked.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new Error("the store did not answer in time");
  };
  const gone = new AbortController(), { signal } = gone;
  const answer = t.server.app.fetch(new Request("https://test/readyz", { signal }));
  await asked.promise;
  gone.abort();
  await (await answer).text();
  backend.health = health;
  assert.deepEqual(told.filter((text) => text.includes("health check")), []);
  const { text } = await t.fetch("/metrics/slis");
  assert.match(text, /kubernetes_healthcheck\{name="ping",type="readyz"\} 1/);
  assert.doesNotMatch(text, /etcd/);
  await t.stop();
  await backend.close();
});
