import assert from "node:assert/strict";
import { productOf } from "../../../schema/product.ts";
import { type Api, isNotFound } from "../../../agent/types.ts";
import { objectTtl, ReferencedObjects } from "../../../agent/volumes/objects.ts";
import { withServer } from "../../fixture/server.ts";
import { apiOf, StandingClock, until } from "./_fixture.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const FOLLOW = (name: string) => `${MAPS}?fieldSelector=metadata.name%3D${name}`;
const NAMES = productOf("kubernetes");
const pod = (uid: string) => ({ namespace: "default", name: uid, uid });

Deno.test("an object is followed once, while a pod has use for it", () =>
  withServer([], async (t) => {
    const api = apiOf(t), clock = new StandingClock();
    const objects = new ReferencedObjects(api, clock);
    await assert.rejects(objects.configMap(pod("a"), "m"), (e: Error) => {
      assert.equal(e.message, 'configmap "m" not found');
      return isNotFound(e);
    });
    await t.fetch(MAPS, { body: { metadata: { name: "m" }, data: { k: "1" } } });
    const value = async () => (await objects.configMap(pod("b"), "m").catch(() => undefined))?.data?.["k"];
    await until(async () => await value() === "1");
    await t.fetch(`${MAPS}/m`, { method: "PUT", body: { metadata: { name: "m" }, data: { k: "2" } } });
    await until(async () => await value() === "2");
    assert.equal(api.asked.get(FOLLOW("m")), 1);

    objects.release("a");
    assert.equal(api.open.size, 1);
    objects.release("b");
    assert.equal(api.open.size, 0);
    assert.equal(objects.size, 0);
  }));

Deno.test("what cannot change is not followed", () =>
  withServer([], async (t) => {
    const api = apiOf(t);
    const objects = new ReferencedObjects(api, new StandingClock());
    await t.fetch(MAPS, { body: { metadata: { name: "m" }, immutable: true, data: { k: "1" } } });
    assert.equal((await objects.configMap(pod("a"), "m")).data?.["k"], "1");
    assert.equal(api.open.size, 0);
    assert.equal((await objects.configMap(pod("b"), "m")).data?.["k"], "1");
    assert.equal(api.asked.get(FOLLOW("m")), 1);
    objects.close();
  }));

Deno.test("what nobody asks for rests, and is followed again when somebody does", () =>
  withServer([], async (t) => {
    const api = apiOf(t), clock = new StandingClock();
    const objects = new ReferencedObjects(api, clock);
    await t.fetch(MAPS, { body: { metadata: { name: "m" }, data: { k: "1" } } });
    await objects.configMap(pod("a"), "m");
    clock.advance(5 * 60_000);
    await until(async () => api.open.size === 0);
    assert.equal((await objects.configMap(pod("a"), "m")).data?.["k"], "1");
    assert.equal(api.asked.get(FOLLOW("m")), 2);
    objects.close();
  }));

Deno.test("a server that does not answer is not waited for forever", async () => {
  const clock = new StandingClock();
  const silent = { request: () => Promise.reject(new Error("no")), follow: () => new Promise<void>(() => {}) };
  const objects = new ReferencedObjects(silent, clock);
  const asked = assert.rejects(objects.secret(pod("a"), "s"), {
    message: "failed to sync secret cache: timed out waiting for the condition",
  });
  clock.advance(5_000);
  await asked;
  objects.close();
});

Deno.test("without a server there are no objects", () =>
  assert.rejects(new ReferencedObjects(undefined, new StandingClock()).secret(pod("a"), "s"), {
    message: "not supported due to running kubelet in standalone mode",
  }));

Deno.test("objects can be read each time, or again when what was read is too old", () =>
  withServer([], async (t) => {
    const api = apiOf(t), clock = new StandingClock();
    let down = false;
    const shaky: Api = {
      ...api,
      request: (...args) => down ? Promise.reject(new Error("no answer")) : api.request(...args),
    };
    const of = (strategy: "Cache" | "Get") =>
      new ReferencedObjects(shaky, clock, { configMapAndSecretChangeDetectionStrategy: strategy, ttl: () => 10_000 });
    const cached = of("Cache"), fetched = of("Get");
    const read = async (objects: ReferencedObjects, uid = "a") => (await objects.configMap(pod(uid), "m")).data?.["k"];
    for (const objects of [cached, fetched]) await assert.rejects(read(objects), isNotFound);
    await t.fetch(MAPS, { body: { metadata: { name: "m" }, data: { k: "1" } } });
    assert.deepEqual([await read(cached), await read(fetched)], ["1", "1"]);
    await t.fetch(`${MAPS}/m`, { method: "PUT", body: { metadata: { name: "m" }, data: { k: "2" } } });
    assert.deepEqual([await read(cached), await read(fetched)], ["1", "2"]);
    assert.equal(await read(cached, "b"), "2");
    await t.fetch(`${MAPS}/m`, { method: "PUT", body: { metadata: { name: "m" }, data: { k: "3" } } });
    clock.advance(10_000);
    down = true;
    assert.equal(await read(cached), "2");
    await assert.rejects(read(fetched), /no answer/);
    down = false;
    assert.equal(await read(cached), "3");
    assert.equal(api.open.size, 0);
    const said = (ttl: string) =>
      objectTtl({ metadata: { annotations: { "node.alpha.kubernetes.io/ttl": ttl } } }, NAMES);
    assert.deepEqual([said("15"), said("-1"), objectTtl({}, NAMES)], [15_000, 60_000, 60_000]);
  }));
