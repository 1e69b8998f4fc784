/** What went while the log of the store could not be followed. */
import { RevisionError } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { define, definition, DEFINITIONS, version } from "../customresources/_crd.ts";
import { until, World } from "./_world.ts";

const KEY = "/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com";
const SERVICE = "/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com";

Deno.test("the registration of a definition that went unheard goes too", async () => {
  const backend = memoryBackend();
  const { changes } = backend;
  const broken = new AbortController();
  backend.changes = async (prefix, since, deliver, signal) => {
    if (broken.signal.aborted) return await changes.call(backend, prefix, since, deliver, signal);
    const until = AbortSignal.any([signal, broken.signal]);
    await changes.call(backend, prefix, since, (batch) => broken.signal.aborted ? undefined : deliver(batch), until);
    if (!signal.aborted) throw new RevisionError("compacted", since, await backend.revision());
  };
  const w = await World.start("apiservice-registration", [], { backend });
  try {
    await define(w.test, definition([version({})]));
    await until("it is registered", async () => await w.get(SERVICE) !== undefined);
    broken.abort();
    await backend.commit([{ key: KEY, value: null }]);
    await backend.compact(await backend.revision());
    await until("the definition is gone", async () => await w.get(`${DEFINITIONS}/things.example.com`) === undefined);
    await w.gone(SERVICE);
  } finally {
    await w.stop();
    await backend.close();
  }
});
