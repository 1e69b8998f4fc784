/** Garbage collection (specification, "Object deletion"; propagation policies and owner references). */
import assert from "node:assert/strict";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { define, definition, DEFINITIONS, THINGS, version } from "../customresources/_crd.ts";
import { core, heardLate, ownedBy, until, World } from "./_world.ts";
import type { Loose } from "../fixture/loose.ts";

const at = (name: string, ns = "default") => core("configmaps", ns, name);

async function world(run: (w: World) => Promise<void>, flags: string[] = []): Promise<void> {
  const w = await World.start("garbage-collector", flags);
  try {
    await run(w);
  } finally {
    await w.stop();
  }
}

Deno.test("background: dependants go after their owner, theirs after them", () =>
  world(async (w) => {
    const owner = await w.thing("default", "owner");
    const child = await w.thing("default", "child", { ownerReferences: [ownedBy(owner)] });
    await w.thing("default", "grandchild", { ownerReferences: [ownedBy(child)] });
    await w.thing("default", "stranger");
    assert.equal(await w.remove(at("owner"), "Background"), 200);
    await w.gone(at("child"));
    await w.gone(at("grandchild"));
    assert.ok(await w.get(at("stranger")));
  }));

Deno.test("one owner that is still there keeps a dependant, which loses the references to those that are gone or wait for it", () =>
  world(async (w) => {
    const names = ["gone", "going", "here"] as const,
      [gone, going, here] = await Promise.all(
        names.map((name) => w.thing("default", name)),
      );
    const unknown = { apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "1" };
    const ownerReferences = [ownedBy(gone!), ownedBy(going!, true), ownedBy(here!), unknown];
    await w.thing("default", "child", { ownerReferences });
    const left = async () => (await w.get(at("child")))?.metadata.ownerReferences?.map(({ name }) => name).join();
    await w.remove(at("gone"));
    await until("the first is left", async () => await left() === "going,here,w");
    await w.remove(at("going"), "Foreground");
    await w.gone(at("going"));
    assert.equal(await left(), "here,w");
  }));

Deno.test("foreground: the owner waits for dependants that block it, and only for those", () =>
  world(async (w) => {
    const owner = await w.thing("default", "owner");
    await w.thing("default", "held", { ownerReferences: [ownedBy(owner, true)], finalizers: ["example.com/hold"] });
    await w.thing("default", "free", { ownerReferences: [ownedBy(owner)], finalizers: ["example.com/hold"] });
    await w.remove(at("owner"), "Foreground");
    await until("dependants are being deleted", async () => {
      const both = [await w.get(at("held")), await w.get(at("free"))];
      return both.every((o) => o?.metadata.deletionTimestamp !== undefined);
    });
    assert.deepEqual((await w.get(at("owner")))!.metadata.finalizers, ["foregroundDeletion"]);
    await w.patch(at("held"), { metadata: { finalizers: null } });
    await w.gone(at("owner"));
    assert.ok(await w.get(at("free")));
  }));

Deno.test("orphan: dependants stay and lose the reference", () =>
  world(async (w) => {
    const owner = await w.thing("default", "owner");
    await w.thing("default", "child", { ownerReferences: [ownedBy(owner)] });
    await w.remove(at("owner"), "Orphan");
    await w.gone(at("owner"));
    assert.equal((await w.get(at("child")))!.metadata.ownerReferences, undefined);
  }));

Deno.test("a dependant that says so by its finalizers lets go of its own as it goes", () =>
  world(async (w) => {
    const owner = await w.thing("default", "owner");
    const metadata = { ownerReferences: [ownedBy(owner)], finalizers: ["orphan"] };
    const child = await w.thing("default", "child", metadata);
    await w.thing("default", "grandchild", { ownerReferences: [ownedBy(child, true)] });
    await w.remove(at("owner"));
    await w.gone(at("child"));
    assert.equal((await w.get(at("grandchild")))!.metadata.ownerReferences, undefined);
  }));

Deno.test("an owner that is not there, has another uid or lives in another namespace is absent", () =>
  world(async (w) => {
    await w.namespace("other");
    const there = await w.thing("other", "owner");
    const here = await w.thing("default", "named");
    await w.thing("default", "crossing", { ownerReferences: [ownedBy(there)] });
    await w.thing("default", "reborn", { ownerReferences: [{ ...ownedBy(here), uid: "00000000-dead" }] });
    await w.gone(at("crossing"));
    await w.gone(at("reborn"));
    assert.ok(await w.get(at("owner", "other")));
  }));

Deno.test("an owner of a kind that nobody serves keeps its dependants until somebody does; one in a namespace those without", () =>
  world(async (w) => {
    const ref = { apiVersion: "example.com/v1", kind: "Thing", name: "w", uid: "1" };
    await w.thing("default", "child", { ownerReferences: [ref] });
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles", owner = await w.thing("default", "owner");
    await w.create(roles, { metadata: { name: "whole", ownerReferences: [ownedBy(owner)] } });
    await w.thing("default", "other", { ownerReferences: [ownedBy(owner)] });
    await w.remove(at("owner"));
    await w.gone(at("other"));
    assert.ok(await w.get(at("child")));
    await define(w.test, definition([version({})]));
    await w.gone(at("child"));
    assert.ok(await w.get(`${roles}/whole`));
  }));

Deno.test("an owner in a store of its own, of which this server has not heard yet, is there", async () => {
  const backend = memoryBackend(), own = memoryBackend();
  const one = await World.start("-*", [], { backend, stores: new Map([["secrets", own]]) });
  const two = await World.start("garbage-collector", [], { backend, stores: new Map([["secrets", heardLate(own)]]) });
  const owner = await one.create(core("secrets", "default"), { metadata: { name: "owner" } });
  await one.thing("default", "child", { ownerReferences: [{ ...ownedBy(owner), kind: "Secret" }] });
  await one.thing("default", "orphan", { ownerReferences: [{ ...ownedBy(owner), kind: "Secret", uid: "another" }] });
  await one.gone(core("configmaps", "default", "orphan"));
  assert.ok(await one.get(core("configmaps", "default", "child")));
  await two.stop();
  await one.stop();
  await Promise.all([backend.close(), own.close()]);
});

Deno.test("an owner that is held on its way out is there until it is gone", () =>
  world(async (w) => {
    const owner = await w.thing("default", "owner", { finalizers: ["example.com/hold"] });
    await w.remove(at("owner"), "Background");
    await w.thing("default", "child", { ownerReferences: [ownedBy(owner)] });
    await w.thing("default", "stray", { ownerReferences: [{ ...ownedBy(owner), uid: "another" }] });
    await w.gone(at("stray"));
    assert.equal((await w.get(at("child")))!.metadata.deletionTimestamp, undefined);
    await w.patch(at("owner"), { metadata: { finalizers: null } });
    await w.gone(at("child"));
  }));

for (const policy of ["Background", "Foreground"]) {
  Deno.test(`owners in a circle go, ${policy.toLowerCase()}`, () =>
    world(async (w) => {
      const a = await w.thing("default", "a");
      const b = await w.thing("default", "b", { ownerReferences: [ownedBy(a, true)] });
      await w.patch(at("a"), { metadata: { ownerReferences: [ownedBy(b, true)] } });
      await w.remove(at("a"), policy);
      await w.gone(at("a"));
      await w.gone(at("b"));
    }));
}

Deno.test("10,000 dependants go", () =>
  world(async (w) => {
    const owner = await w.thing("default", "owner");
    const { live } = w.test.server.registries;
    const ownerReferences = [ownedBy(owner)];
    for (let i = 0; i < 100; i++) {
      await Promise.all(Array.from({ length: 100 }, (_, j) =>
        live.create("configmaps", {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: `c-${i}-${j}`, namespace: "default", ownerReferences },
        } as Loose)));
    }
    await w.remove(at("owner"));
    const { cache } = w.test.server.registries.byId("configmaps")!;
    await until("all are gone", () => cache.snapshot().count("default") === 0);
  }));

Deno.test("with --enable-garbage-collector=false nothing is collected and nothing waits", () =>
  world(async (w) => {
    const owner = await w.thing("default", "owner");
    await w.thing("default", "child", { ownerReferences: [ownedBy(owner, true)] });
    await w.remove(at("owner"), "Foreground");
    assert.equal(await w.get(at("owner")), undefined);
    assert.ok(await w.get(at("child")));
  }, ["--enable-garbage-collector=false"]));

/** A store whose objects of `things` are not read while it is held. */
function holding(): { inner: Backend; backend: Backend; hold: () => void; release: () => void; held: () => boolean } {
  const inner = memoryBackend();
  let gate: PromiseWithResolvers<void> | undefined, held = false;
  const backend = new Proxy<Backend>(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "scan" && name !== "range") return value.bind(target);
      return async (prefix: string, ...rest: unknown[]) => {
        if (gate && prefix.endsWith("/things/")) {
          held = true;
          await gate.promise;
        }
        return await value.call(target, prefix, ...rest);
      };
    },
  });
  const release = () => gate?.resolve();
  return { inner, backend, hold: () => void (gate = Promise.withResolvers()), release, held: () => held };
}

Deno.test("what goes while a changed definition is loaded has its dependants collected, and its owner wait no more", async () => {
  const { inner, backend, hold, release, held } = holding();
  const one = await World.start("garbage-collector", [], { backend });
  const two = await World.start("-*", [], { backend: inner });
  const make = (name: string, metadata = {}) =>
    two.create(THINGS, { apiVersion: "example.com/v1", kind: "Thing", metadata: { name, ...metadata } });
  try {
    await define(one.test, definition([version({})]));
    await until("both serve it", async () => (await two.test.fetch(THINGS)).status === 200);
    const owner = await make("owner");
    const things = { apiVersion: "example.com/v1", kind: "Thing" };
    await two.thing("default", "child", { ownerReferences: [{ ...ownedBy(owner), ...things }] });
    const waiting = await two.thing("default", "waiting");
    await make("held", { ownerReferences: [ownedBy(waiting, true)], finalizers: ["example.com/hold"] });
    await two.remove(at("waiting"), "Foreground");
    const { cache } = one.test.server.registries.byId("things.example.com")!;
    await until("the dependant goes", () => !!cache.get("default", "held")?.peek().metadata.deletionTimestamp);
    hold();
    await two.patch(`${DEFINITIONS}/things.example.com`, { spec: { names: { categories: ["all"] } } });
    await until("the objects are being read", held);
    assert.equal(await two.remove(`${THINGS}/owner`), 200);
    await two.patch(`${THINGS}/held`, { metadata: { finalizers: null } });
    await two.gone(`${THINGS}/held`);
    release();
    await two.gone(at("child"));
    await two.gone(at("waiting"));
  } finally {
    release();
    await two.stop();
    await one.stop();
  }
});

Deno.test("an owner waits for what is being loaded: it may be its own", async () => {
  const { inner, backend, hold, release, held } = holding();
  const one = await World.start("garbage-collector", [], { backend });
  const two = await World.start("-*", [], { backend: inner });
  try {
    await define(one.test, definition([version({})]));
    await until("both serve it", async () => (await two.test.fetch(THINGS)).status === 200);
    hold();
    await two.patch(`${DEFINITIONS}/things.example.com`, { spec: { names: { categories: ["all"] } } });
    await until("the objects are being read", held);
    const finalizers = ["example.com/hold"];
    for (const policy of ["Orphan", "Foreground"]) {
      const name = policy.toLowerCase(), owner = await two.thing("default", name);
      const metadata = { name, finalizers, ownerReferences: [ownedBy(owner, true)] };
      await two.create(THINGS, { apiVersion: "example.com/v1", kind: "Thing", metadata });
      await two.remove(at(name), policy);
    }
    // Whoever does not wait is done with its owner by then.
    const other = await two.thing("default", "other");
    await two.thing("default", "child", { ownerReferences: [ownedBy(other)] });
    await two.remove(at("other"));
    await two.gone(at("child"));
    release();
    await two.gone(at("orphan"));
    const { metadata } = (await two.get(`${THINGS}/orphan`))!;
    assert.deepEqual([metadata.ownerReferences, metadata.deletionTimestamp], [undefined, undefined]);
    const going = async () => (await two.get(`${THINGS}/foreground`))?.metadata.deletionTimestamp !== undefined;
    await until("the dependant goes", going);
    assert.ok(await two.get(at("foreground")));
    await two.patch(`${THINGS}/foreground`, { metadata: { finalizers: null } });
    await two.gone(at("foreground"));
  } finally {
    release();
    await two.stop();
    await one.stop();
  }
});
