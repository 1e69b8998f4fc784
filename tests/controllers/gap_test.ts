/** What went while the log of the store could not be followed. */
import assert from "node:assert/strict";
import { type Backend, RevisionError } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { define, definition, DEFINITIONS, thing, THINGS, version } from "../customresources/_crd.ts";
import { until, World } from "./_world.ts";

const KEY = "/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com";
const SERVICE = "/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com";

/** A store, and what deletes a key of it so that nobody can hear of that. */
function gappy(): { backend: Backend; lose(key: string): Promise<void> } {
  const backend = memoryBackend();
  const { changes } = backend;
  const broken = new AbortController();
  backend.changes = async (prefix, since, deliver, signal) => {
    if (broken.signal.aborted) return await changes.call(backend, prefix, since, deliver, signal);
    const until = AbortSignal.any([signal, broken.signal]);
    await changes.call(backend, prefix, since, (batch) => broken.signal.aborted ? undefined : deliver(batch), until);
    if (!signal.aborted) throw new RevisionError("compacted", since, await backend.revision());
  };
  const lose = async (key: string) => {
    broken.abort();
    await backend.commit([{ key, value: null }]);
    await backend.compact(await backend.revision());
  };
  return { backend, lose };
}

Deno.test("the registration of a definition that went unheard goes too", async () => {
  const { backend, lose } = gappy();
  const w = await World.start("apiservice-registration", [], { backend });
  try {
    await define(w.test, definition([version({})]));
    await until("it is registered", async () => await w.get(SERVICE) !== undefined);
    await lose(KEY);
    await until("the definition is gone", async () => await w.get(`${DEFINITIONS}/things.example.com`) === undefined);
    await w.gone(SERVICE);
  } finally {
    await w.stop();
    await backend.close();
  }
});

Deno.test("a definition in a store of its own goes, though its last object went unheard", async () => {
  const { backend, lose } = gappy(), own = memoryBackend();
  const stores = new Map([["customresourcedefinitions.apiextensions.k8s.io", own]]);
  const w = await World.start("-*", [], { backend, stores });
  const path = `${DEFINITIONS}/things.example.com`, object = `${THINGS}/held`;
  try {
    await define(w.test, definition([version({})]));
    await w.create(THINGS, thing("held", {}, { metadata: { name: "held", finalizers: ["example.com/held"] } }));
    assert.equal(await w.remove(path), 200);
    await until("it is deleted", async () => (await w.get(object))?.metadata.deletionTimestamp !== undefined);
    await lose("/registry/example.com/things/default/held");
    await w.gone(path);
  } finally {
    await w.stop();
    await backend.close();
    await own.close();
  }
});
