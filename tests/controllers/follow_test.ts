/** Following the objects of a resource. */
import assert from "node:assert/strict";
import { follow } from "../../server/controllers/follow.ts";
import { definition, DEFINITIONS, patch, until, version, withThings } from "../customresources/_crd.ts";

Deno.test("the cache of a definition that has changed is let go by who followed it", () =>
  withThings(definition([version({})]), async (s) => {
    const signal = new AbortController().signal, held = new Set<unknown>();
    const add = signal.addEventListener.bind(signal), remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (held.add(args[1]), add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (held.delete(args[1]), remove(...args));
    const store = s.server.registries.byId("things.example.com")!;
    follow(store, signal, () => {});
    assert.equal(held.size, 1);
    const again = await patch(s, `${DEFINITIONS}/things.example.com`, { spec: { names: { categories: ["all"] } } });
    assert.equal(again.status, 200);
    await until(() => s.fetch("/api"), () => store.cache.readiness.state === "closed" && held.size === 0);
  }));
