/** Controllers of two servers on one store, and owners in random graphs. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { generateKey, issueAuthority } from "../../pki/mod.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { core, ownedBy, until, World } from "./_world.ts";

Deno.test("two servers on one store collect, empty and repair together without a quarrel", async () => {
  const warnings: string[] = [];
  const log = (level: string, text: string, detail?: unknown) => {
    if (level !== "info") warnings.push(`${text} ${detail}`);
  };
  const one = await World.start("*", [], { log });
  const two = await World.start("*", [], { log, backend: one.test.backend });
  await one.namespace("shared");
  const owner = await one.thing("shared", "owner");
  const children = Array.from({ length: 200 }, (_, i) => `child-${i}`);
  await Promise.all(
    children.map((name, i) => (i % 2 ? one : two).thing("shared", name, { ownerReferences: [ownedBy(owner, true)] })),
  );
  await one.remove(core("configmaps", "shared", "owner"), "Foreground");
  for (const w of [one, two]) await w.gone(core("configmaps", "shared", "owner"));
  const { cache } = two.test.server.registries.byId("configmaps")!;
  assert.ok(![...cache.snapshot().range({ namespace: "shared" })].some((e) => e.name.startsWith("child-")));
  await Promise.all(children.slice(0, 50).map((name) => one.thing("shared", name)));
  await two.remove("/api/v1/namespaces/shared");
  for (const w of [one, two]) await w.gone("/api/v1/namespaces/shared");
  await two.stop();
  await one.stop();
  assert.deepEqual(warnings, []);
});

Deno.test("two servers with an authority each publish both, to every namespace", async () => {
  const [a, b] = ["a", "b"].map((name) => issueAuthority(name, generateKey(), Date.now())) as [string, string];
  const inner = memoryBackend();
  let writes = 0;
  const commit = (changes: Parameters<Backend["commit"]>[0]) => {
    // Whoever quarrels over memory leaves no turn for anybody else.
    if (changes.some((w) => w.key.endsWith("/kube-root-ca.crt")) && ++writes > 500) throw new Error("a quarrel");
    return inner.commit(changes);
  };
  const counting = new Proxy<Backend>(inner, {
    get(target, name) {
      if (name === "commit") return commit;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const start = (servingCa: string) =>
    World.start("root-ca-publisher", [], { backend: counting, moreFiles: { servingCa: () => servingCa } });
  const [one, two] = [await start(a), await start(b)];
  await one.namespace("late");
  const at = (namespace: string) => core("configmaps", namespace, "kube-root-ca.crt");
  const says = async (namespace: string) => (await two.get(at(namespace)))?.["data"]["ca.crt"] ?? "";
  for (const namespace of ["kube-system", "default", "late"]) {
    await until(`${namespace} says both`, async () => {
      const text = await says(namespace);
      return text.includes(a.trim()) && text.includes(b.trim());
    });
  }
  const both = await says("default");
  await one.patch(at("late"), { data: { "ca.crt": "-----BEGIN CERTIFICATE-----", more: "x" } });
  await until("what somebody writes is put right", async () => await says("late") === both);
  await two.stop();
  await one.stop();
  assert.ok(writes < 100, `${writes} writes`);
});

/** Numbers in [0, 1) from a seed. */
function seeded(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

/** What should be left: objects that were never owned, and those with an owner that is left. */
function survivors(owners: ReadonlyMap<number, readonly number[]>, deleted: ReadonlySet<number>): Set<number> {
  const left = new Set([...owners.keys()].filter((n) => !deleted.has(n)));
  for (let moved = true; moved;) {
    moved = false;
    for (const n of left) {
      const mine = owners.get(n)!;
      if (mine.length > 0 && !mine.some((o) => left.has(o))) moved = left.delete(n);
    }
  }
  return left;
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  Deno.test(`a random graph of owners, seed ${seed}: exactly what has no owner left goes`, async () => {
    const random = seeded(seed);
    const w = await World.start("garbage-collector");
    const at = (n: number) => core("configmaps", "default", `n-${n}`);
    const objects: Obj[] = [];
    const owners = new Map<number, number[]>();
    for (let n = 0; n < 60; n++) {
      // Owners are older objects, up to three of them; every fourth object has none.
      const count = n === 0 || random() < 0.25 ? 0 : 1 + Math.floor(random() * 3);
      const mine = [...new Set(Array.from({ length: count }, () => Math.floor(random() * n)))];
      owners.set(n, mine);
      const ownerReferences = mine.map((o) => ownedBy(objects[o]!, random() < 0.5));
      objects.push(await w.thing("default", `n-${n}`, mine.length > 0 ? { ownerReferences } : {}));
    }
    const deleted = new Set(Array.from({ length: 8 }, () => Math.floor(random() * 30)));
    for (const n of deleted) await w.remove(at(n), random() < 0.5 ? "Background" : "Foreground");
    const expected = survivors(owners, deleted);
    const { cache } = w.test.server.registries.byId("configmaps")!;
    const left = () =>
      [...cache.snapshot().range({ namespace: "default" })].filter((e) => e.name.startsWith("n-")).map((e) =>
        Number(e.name.slice(2))
      ).sort((a, b) => a - b);
    const wanted = [...expected].sort((a, b) => a - b);
    await until(`${wanted} are left`, () => left().length === wanted.length);
    await new Promise((done) => setTimeout(done, 50));
    assert.deepEqual(left(), wanted);
    await w.stop();
  });
}
