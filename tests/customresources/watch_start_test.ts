/** Watches that select by fields which a webhook makes: what they begin with. */
import assert from "node:assert/strict";
import { at, stage, thing, watching } from "./_conversion.ts";

Deno.test("what happens as a watch begins is an event of it, though it asks for nothing of before", () =>
  stage(async ({ t }) => {
    const spec = { host: "here", port: "1" };
    assert.equal((await t.fetch(at("v2"), { body: thing("v2", "a", spec) })).status, 201);
    const { cache } = t.server.registries.byId("things.example.com")!, { watch } = cache;
    let gone: Promise<unknown> | undefined;
    cache.watch = (options) => {
      const watcher = watch.call(cache, options);
      gone ??= t.backend.commit([{ key: "/registry/example.com/things/default/a", value: null }]);
      return watcher;
    };
    const own = "watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=2";
    const { next, close } = await watching(t, at("v2", `?${own}&fieldSelector=spec.host%3Dhere`));
    await gone;
    const { type, object } = await next();
    assert.deepEqual([type, object.metadata.name, object.spec.host], ["DELETED", "a", "here"]);
    await close();
  }));
