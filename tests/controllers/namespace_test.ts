/** Removal of namespaces (specification, "Object deletion"). */
import assert from "node:assert/strict";
import { type Backend, HEARD_MS, StorageError } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { logger } from "../../schema/log/log.ts";
import { oneStream } from "../../schema/log/streams.ts";
import type { Obj } from "../../schema/model/types.ts";
import { type Contents, deletionConditions } from "../../server/controllers/namespace_conditions.ts";
import { core, heardLate, until, World } from "./_world.ts";

const NS = "/api/v1/namespaces/gone";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
};

const condition = (ns: Obj | undefined, type: string) =>
  (ns?.["status"]?.conditions ?? []).find((c: { type: string }) => c.type === type);

async function world(run: (w: World) => Promise<void>): Promise<void> {
  const w = await World.start("namespace", ["--disable-admission-plugins=ServiceAccount"]);
  try {
    await w.namespace("gone");
    await run(w);
  } finally {
    await w.stop();
  }
}

Deno.test("conditions tell all that is in the way, in one order whichever was met first, and since when", () => {
  const BEFORE = "2026-01-01T00:00:00Z", NOW = "2026-01-01T00:01:00Z";
  const look = (more: Partial<Contents> = {}): Contents => ({
    left: new Map(),
    finalizers: new Map(),
    failures: [],
    undiscovered: [],
    ...more,
  });
  const full = look({
    left: new Map([["pods", 2], ["deployments.apps", 1]]),
    finalizers: new Map([["z.example/b", 1], ["a.example/b", 2]]),
    failures: ["pods: no", "configmaps: no"],
    undiscovered: ["a.example/v1: away"],
  });
  const others = { type: "Mine", status: "True" };
  const first = deletionConditions([others], full, BEFORE);
  assert.deepEqual(first.map((c) => `${c["type"]} ${c["status"]} ${c["reason"]}: ${c["message"]}`), [
    "Mine True undefined: undefined",
    "NamespaceDeletionDiscoveryFailure True DiscoveryFailed: " +
    "Discovery failed for some groups, 1 failing: a.example/v1: away",
    "NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions: " +
    "All legacy kube types successfully parsed",
    "NamespaceDeletionContentFailure True ContentDeletionFailed: " +
    "Failed to delete all resource types, 2 remaining: configmaps: no, pods: no",
    "NamespaceContentRemaining True SomeResourcesRemain: Some resources are remaining: " +
    "deployments.apps has 1 resource instances, pods. has 2 resource instances",
    "NamespaceFinalizersRemaining True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: " +
    "a.example/b in 2 resource instances, z.example/b in 1 resource instances",
  ]);
  assert.equal(deletionConditions(first, { ...full, failures: full.failures.toReversed() }, NOW), first);
  const fewer = deletionConditions(first, { ...full, left: new Map([["pods", 1]]), failures: [] }, NOW);
  const of = (type: string) => fewer.find((c) => c["type"] === type)!;
  const { message, lastTransitionTime } = of("NamespaceContentRemaining");
  assert.deepEqual([message, lastTransitionTime], [
    "Some resources are remaining: pods. has 1 resource instances",
    BEFORE,
  ]);
  const { status, lastTransitionTime: since } = of("NamespaceDeletionContentFailure");
  assert.deepEqual([status, since], ["False", NOW]);
});

Deno.test("an empty namespace goes at once", () =>
  world(async (w) => {
    await w.remove(NS);
    await w.gone(NS);
  }));

Deno.test("contents of every kind go with it, those of other namespaces stay", () =>
  world(async (w) => {
    await w.thing("gone", "a");
    await w.thing("default", "a");
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    };
    await w.create("/apis/apps/v1/namespaces/gone/deployments", deployment);
    await w.remove(NS);
    await w.gone(NS);
    assert.equal(await w.get(core("configmaps", "gone", "a")), undefined);
    assert.equal(await w.get("/apis/apps/v1/namespaces/gone/deployments/d"), undefined);
    assert.ok(await w.get(core("configmaps", "default", "a")));
  }));

Deno.test("contents in a store of their own, of which this server has not heard yet, go with it", async () => {
  const backend = memoryBackend(), own = memoryBackend();
  const one = await World.start("-*", [], { backend, stores: new Map([["configmaps", own]]) });
  const two = await World.start("namespace", [], { backend, stores: new Map([["configmaps", heardLate(own)]]) });
  await one.namespace("gone");
  await one.thing("gone", "a");
  await one.remove(NS);
  await one.gone(NS);
  assert.equal(await own.get("/registry/configmaps/gone/a"), undefined);
  await two.stop();
  await one.stop();
  await Promise.all([backend.close(), own.close()]);
});

Deno.test("finalizers hold it, and conditions tell so", () =>
  world(async (w) => {
    await w.thing("gone", "held", { finalizers: ["example.com/hold"] });
    await w.remove(NS);
    await until("a condition tells", async () =>
      condition(await w.get(NS), "NamespaceFinalizersRemaining")?.status === "True");
    const ns = (await w.get(NS))!;
    assert.equal(ns["status"].phase, "Terminating");
    assert.equal(condition(ns, "NamespaceContentRemaining").reason, "SomeResourcesRemain");
    assert.equal(
      condition(ns, "NamespaceContentRemaining").message,
      "Some resources are remaining: configmaps. has 1 resource instances",
    );
    assert.equal(condition(ns, "NamespaceDeletionContentFailure").status, "False");
    const refused = await w.test.fetch(core("configmaps", "gone"), {
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late" } },
    });
    assert.equal(refused.status, 403);
    await w.patch(core("configmaps", "gone", "held"), { metadata: { finalizers: null } });
    await w.gone(NS);
  }));

Deno.test("pods go first, in their own time; all else waits for them", () =>
  world(async (w) => {
    await w.create(core("pods", "gone"), pod);
    await w.thing("gone", "needed");
    await w.remove(NS);
    await until("the pod is being deleted", async () =>
      (await w.get(core("pods", "gone", "p")))?.metadata.deletionTimestamp !== undefined);
    // Said when all that is to go for now was asked to.
    const left = async () =>
      condition(await w.get(NS), "NamespaceContentRemaining");
    await until("it says what is left", async () => (await left())?.status === "True");
    assert.equal((await w.get(core("configmaps", "gone", "needed")))!.metadata.deletionTimestamp, undefined);
    const now = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 };
    await w.test.fetch(core("pods", "gone", "p"), { method: "DELETE", body: now });
    await w.gone(NS);
  }));

Deno.test("finalizers of others in spec.finalizers keep the empty namespace", () =>
  world(async (w) => {
    const finalize = async (spec: { finalizers?: string[] }) => {
      const ns = (await w.get(NS))!;
      const put = await w.test.fetch(`${NS}/finalize`, { method: "PUT", body: { ...ns, spec } });
      assert.equal(put.status, 200, put.text);
    };
    const left = async () => (await w.get(NS))?.["spec"].finalizers.join();
    await finalize({ finalizers: ["kubernetes", "example.com/hold"] });
    await w.remove(NS);
    await until("its own finalizer is gone", async () => await left() === "example.com/hold");
    await finalize({ finalizers: ["example.com/hold", "kubernetes"] });
    await until("it is gone again", async () => await left() === "example.com/hold");
    await finalize({});
    await w.gone(NS);
  }));

const KEY = "/registry/namespaces/gone", LATE = "/registry/configmaps/gone/late";
const NOW = "2026-01-01T00:00:00Z", OWN = { spec: { finalizers: ["kubernetes"] } };

/** What another server of the store writes. */
function writer(backend: Backend) {
  const { commit } = backend;
  return (key: string, kind: string, more: object, rest: object = {}) => {
    const metadata = { name: key.slice(key.lastIndexOf("/") + 1), uid: `${kind}-2`, creationTimestamp: NOW, ...more };
    const value = new TextEncoder().encode(JSON.stringify({ apiVersion: "v1", kind, metadata, ...rest }));
    return commit.call(backend, [{ key, value }]);
  };
}

Deno.test("a namespace that comes again while the one before it is let go is emptied too", async () => {
  const backend = memoryBackend();
  const { commit } = backend;
  const stored = writer(backend);
  let writes = 0;
  backend.commit = async (changes) => {
    const done = await commit.call(backend, changes);
    // Created, marked, and then told of by the controller, which lets it go next: another server was faster.
    if (changes[0]!.key !== KEY || ++writes !== 3) return done;
    await commit.call(backend, [{ key: KEY, value: null }]);
    await stored(KEY, "Namespace", {}, OWN);
    await stored(LATE, "ConfigMap", { namespace: "gone" });
    await stored(KEY, "Namespace", { deletionTimestamp: NOW }, OWN);
    return done;
  };
  const w = await World.start("namespace", ["--disable-admission-plugins=ServiceAccount"], { backend });
  try {
    await w.namespace("gone");
    await w.remove(NS);
    await w.gone(NS);
    assert(writes > 3);
    assert.equal(await w.get(core("configmaps", "gone", "late")), undefined);
  } finally {
    await w.stop();
    await backend.close();
  }
});

Deno.test("a namespace that comes again before the one before it was looked at keeps what is in it", async () => {
  const backend = memoryBackend(), { commit } = backend, stored = writer(backend);
  let writes = 0;
  backend.commit = (changes) => {
    const done = commit.call(backend, changes);
    // Created, and then marked: whoever hears of that finds another one.
    if (changes[0]!.key !== KEY || ++writes !== 2) return done;
    const others = [commit.call(backend, [{ key: KEY, value: null }]), stored(KEY, "Namespace", {}, OWN)];
    return Promise.all([...others, stored(LATE, "ConfigMap", { namespace: "gone" })]).then(() => done);
  };
  const w = await World.start("namespace", ["--disable-admission-plugins=ServiceAccount"], { backend });
  try {
    for (const name of ["gone", "other"]) await w.namespace(name);
    await w.remove(NS);
    await w.remove("/api/v1/namespaces/other");
    await w.gone("/api/v1/namespaces/other");
    assert.equal(writes, 2);
    assert.ok(await w.get(core("configmaps", "gone", "late")));
  } finally {
    await w.stop();
    await backend.close();
  }
});

Deno.test("a namespace that comes again waits for other servers as the one before it did", async () => {
  const backend: Backend = memoryBackend(), { revision } = backend, stored = writer(backend);
  let swap: (() => Promise<unknown>) | undefined;
  // Asked before anything is read.
  backend.revision = async () => {
    const now = swap;
    swap = undefined;
    await now?.();
    return await revision.call(backend);
  };
  const w = await World.start("namespace", ["--disable-admission-plugins=ServiceAccount"], { backend });
  try {
    await w.namespace("gone");
    await w.thing("gone", "held", { finalizers: ["example.com/hold"] });
    await w.remove(NS);
    // Longer than what others take to hear of it.
    await new Promise((done) => setTimeout(done, 2 * HEARD_MS));
    const created = Promise.withResolvers<unknown>();
    swap = async () => {
      await backend.commit([{ key: "/registry/configmaps/gone/held", value: null }]);
      await backend.commit([{ key: KEY, value: null }]);
      await stored(KEY, "Namespace", {}, OWN);
      await stored(KEY, "Namespace", { deletionTimestamp: NOW }, OWN);
      setTimeout(() => created.resolve(stored(LATE, "ConfigMap", { namespace: "gone" })), HEARD_MS / 4);
    };
    await until("the controller looks again", () => swap === undefined);
    await created.promise;
    await w.gone(NS);
    assert.equal(await w.get(core("configmaps", "gone", "late")), undefined);
  } finally {
    await w.stop();
    await backend.close();
  }
});

Deno.test("a resource whose store does not answer holds its namespace, and none of the other contents", async () => {
  const own = memoryBackend(), { revision } = own;
  const stores = new Map([["configmaps", own]]);
  const flags = ["--disable-admission-plugins=ServiceAccount"];
  const lines: string[] = [];
  const log = logger("text", Date.now, oneStream((line) => lines.push(line)));
  const w = await World.start("namespace", flags, { stores, log });
  try {
    await w.namespace("gone");
    await w.create(core("secrets", "gone"), { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } });
    own.revision = () => {
      throw new StorageError("unavailable", "it is away");
    };
    await w.remove(NS);
    await w.gone(core("secrets", "gone", "s"));
    const why = "NamespaceDeletionContentFailure";
    await until("it says why it stays", async () => condition(await w.get(NS), why)?.status === "True");
    assert.match(condition(await w.get(NS), why).message, /configmaps: it is away/);
    const told = /^warn: the namespace gone cannot be emptied yet: ContentsError: configmaps: it is away$/;
    await until("the log says so in one line", () => lines.some((line) => told.test(line)));
    own.revision = revision;
    await w.gone(NS);
  } finally {
    await w.stop();
    await own.close();
  }
});
