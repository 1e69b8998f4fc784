/** The controller of quotas: their status, what is given back, and that charging and counting do not undo each other. */
import assert from "node:assert/strict";
import type { Obj } from "../../schema/model/types.ts";
import { quantityOf } from "../../schema/values/quantity.ts";
import { RecentCharges } from "../../server/quota/recent_charges.ts";
import type { Backend } from "../../server/storage/backend.ts";
import { memoryBackend } from "../../server/storage/memory.ts";
import { type Answer, startTestServer, type TestServer } from "../fixture/server.ts";
import { until } from "../controllers/_world.ts";
import { container, create, namespace, obj, pod } from "./_cases.ts";
import { API, define, definition, DEFINITIONS, patch, thing, version } from "../customresources/_crd.ts";
import type { Loose } from "../fixture/loose.ts";

const FLAGS = ["--disable-admission-plugins=ServiceAccount", "--controllers=resourcequota"];

async function withQuota(
  hard: Loose,
  run: (s: TestServer, ns: string, q: Quota) => Promise<void>,
  before: (s: TestServer, ns: string) => Promise<unknown> = () => Promise.resolve(),
  scopes: Loose = {},
): Promise<void> {
  const s = await startTestServer(FLAGS);
  try {
    const ns = await namespace(s);
    await before(s, ns);
    const made = await create(s, ns, obj("v1", "ResourceQuota", "q", { spec: { hard, ...scopes } }));
    assert.equal(made.status, 201, made.text);
    await run(s, ns, new Quota(s, ns));
  } finally {
    await s.stop();
  }
}

class Quota {
  constructor(readonly s: TestServer, readonly ns: string) {}

  async status(): Promise<Loose> {
    return (await this.s.fetch(`/api/v1/namespaces/${this.ns}/resourcequotas/q`)).body.status;
  }

  async says(used: Loose): Promise<void> {
    const wanted = JSON.stringify(used);
    let last = "";
    await until(`the quota says ${wanted}`, async () => {
      last = JSON.stringify((await this.status()).used);
      return last === wanted;
    });
  }
}

Deno.test("a new quota is counted, and bounds from then on", async () => {
  const asks = (name: string) => pod({ containers: [container({ requests: { cpu: "500m" } })] }, {}, name);
  await withQuota({ pods: "2", "requests.cpu": "1" }, async (s, ns, q) => {
    await q.says({ pods: "1", "requests.cpu": "500m" });
    assert.deepEqual((await q.status()).hard, { pods: "2", "requests.cpu": "1" });
    assert.equal((await create(s, ns, asks("b"))).status, 201);
    assert.equal((await create(s, ns, asks("c"))).status, 403);
  }, async (s, ns) => assert.equal((await create(s, ns, asks("a"))).status, 201));
});

Deno.test("what goes away is given back", async () => {
  await withQuota({ pods: "1", "count/configmaps": "5" }, async (s, ns, q) => {
    await q.says({ "count/configmaps": "0", pods: "0" });
    assert.equal((await create(s, ns, pod({}, {}, "a"))).status, 201);
    assert.equal((await create(s, ns, pod({}, {}, "b"))).status, 403);
    await s.fetch(`/api/v1/namespaces/${ns}/pods/a`, { method: "DELETE" });
    await q.says({ "count/configmaps": "0", pods: "0" });
    assert.equal((await create(s, ns, pod({}, {}, "b"))).status, 201);
  });
});

Deno.test("what nothing here counts stays as somebody else says, as long as it is bounded", async () => {
  await withQuota({ pods: "1", "example.com/things": "5" }, async (s, ns, q) => {
    await q.says({ pods: "0" });
    const path = `/api/v1/namespaces/${ns}/resourcequotas/q`;
    await patch(s, `${path}/status`, { status: { used: { "example.com/things": "3" } } });
    assert.equal((await create(s, ns, pod({}, {}, "a"))).status, 201);
    await s.fetch(`/api/v1/namespaces/${ns}/pods/a`, { method: "DELETE" });
    await q.says({ "example.com/things": "3", pods: "0" });
    await patch(s, path, { spec: { hard: { "example.com/things": null } } });
    await q.says({ pods: "0" });
  });
});

Deno.test("what leaves a quota's scope is given back", async () => {
  const claims = { persistentvolumeclaims: "3" }, scopeName = "VolumeAttributesClass";
  const selected = { matchExpressions: [{ scopeName, operator: "In", values: ["gold"] }] };
  await withQuota(
    claims,
    async (s, ns, q) => {
      const body = {
        resources: { requests: { storage: "1Gi" } },
        accessModes: ["ReadWriteOnce"],
        storageClassName: "",
      };
      const claim = obj("v1", "PersistentVolumeClaim", "c", { spec: body });
      assert.equal((await create(s, ns, claim)).status, 201);
      const path = `/api/v1/namespaces/${ns}/persistentvolumeclaims/c/status`;
      const has = (name: string) => patch(s, path, { status: { currentVolumeAttributesClassName: name } });
      await has("gold");
      await q.says({ persistentvolumeclaims: "1" });
      await has("silver");
      await q.says({ persistentvolumeclaims: "0" });
    },
    undefined,
    { scopeSelector: selected },
  );
  await withQuota(
    { pods: "1" },
    async (s, ns, q) => {
      assert.equal((await create(s, ns, pod({}, {}, "a"))).status, 201);
      await q.says({ pods: "1" });
      await patch(s, `/api/v1/namespaces/${ns}/pods/a`, { spec: { activeDeadlineSeconds: 60 } });
      await q.says({ pods: "0" });
    },
    undefined,
    { scopes: ["NotTerminating"] },
  );
});

Deno.test("objects of a kind that was defined anew are given back too", async () => {
  const count = "count/things.example.com", of = (spec: Loose) => [version(spec)];
  const before = async (s: TestServer) => await define(s, definition(of({ size: { type: "integer" } })));
  await withQuota({ [count]: "5" }, async (s, ns, q) => {
    await q.says({ [count]: "0" });
    const things = `${API}/namespaces/${ns}/things`;
    const round = async () => {
      assert.equal((await s.fetch(things, { body: thing("a") })).status, 201);
      await q.says({ [count]: "1" });
      await s.fetch(`${things}/a`, { method: "DELETE" });
      await q.says({ [count]: "0" });
    };
    await round();
    await patch(s, `${DEFINITIONS}/things.example.com`, { spec: { versions: of({ color: { type: "string" } }) } });
    await round();
  }, before);
});

Deno.test("a pod that has ended gives back what it had", async () => {
  await withQuota({ pods: "1", "count/pods": "9" }, async (s, ns, q) => {
    await q.says({ "count/pods": "0", pods: "0" });
    await create(s, ns, pod());
    await s.fetch(`/api/v1/namespaces/${ns}/pods/p/status`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { status: { phase: "Succeeded" } },
    });
    await q.says({ "count/pods": "1", pods: "0" });
  });
});

Deno.test("new bounds are taken over", async () => {
  await withQuota({ pods: "1" }, async (s, ns, q) => {
    await q.says({ pods: "0" });
    await s.fetch(`/api/v1/namespaces/${ns}/resourcequotas/q`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { spec: { hard: { pods: "3", secrets: "4" } } },
    });
    await until("the bounds are there", async () => (await q.status()).hard.secrets === "4");
    assert.deepEqual(await q.status(), { hard: { pods: "3", secrets: "4" }, used: { pods: "0", secrets: "0" } });
  });
});

Deno.test("many creations and deletions at once end with the right count", async () => {
  await withQuota({ pods: "20" }, async (s, ns, q) => {
    await q.says({ pods: "0" });
    const life = async (i: number) => {
      const made = await create(s, ns, pod({}, {}, `p${i}`));
      if (made.status === 201 && i % 2) await s.fetch(`/api/v1/namespaces/${ns}/pods/p${i}`, { method: "DELETE" });
      return made.status;
    };
    const statuses = await Promise.all(Array.from({ length: 64 }, (_, i) => life(i)));
    assert.ok(statuses.every((code) => code === 201 || code === 403));
    const { items } = (await s.fetch(`/api/v1/namespaces/${ns}/pods`)).body;
    assert.ok(items.length <= 20, `${items.length} pods`);
    await q.says({ pods: String(items.length) });
  });
});

/** A store as one server has it: `commit` is told the key of each commit before it is made. */
function watched(inner: Backend, commit: (key: string) => Promise<void>): Backend {
  const told: Backend["commit"] = async (changes) => {
    await commit(changes[0]!.key);
    return await inner.commit(changes);
  };
  return new Proxy(inner, {
    get(target, name) {
      const value: unknown = name === "commit" ? told : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

Deno.test("what another server charges while a quota is counted stays charged until its object is there", async () => {
  const store = memoryBackend();
  let now = Date.now(), armed = false;
  const held = Promise.withResolvers<void>(), counted = Promise.withResolvers<void>();
  const one = await startTestServer(FLAGS.slice(0, 1), {
    backend: watched(store, (key) => key.endsWith("/b") ? held.promise : Promise.resolve()),
    now: () => now,
  });
  const ns = await namespace(one), q = new Quota(one, ns);
  let charging: Promise<Answer> | undefined;
  const two = await startTestServer(FLAGS, {
    backend: watched(store, async (key) => {
      if (!armed || !key.endsWith("/q")) return;
      if (charging) return counted.resolve();
      charging = create(one, ns, obj("v1", "ConfigMap", "b"));
      await q.says({ "count/configmaps": "2" });
    }),
    now: () => now,
  });
  await create(one, ns, obj("v1", "ResourceQuota", "q", { spec: { hard: { "count/configmaps": "5" } } }));
  await q.says({ "count/configmaps": "0" });
  assert.equal((await create(one, ns, obj("v1", "ConfigMap", "a"))).status, 201);
  now += 1000;
  armed = true;
  await one.fetch(`/api/v1/namespaces/${ns}/configmaps/a`, { method: "DELETE" });
  await counted.promise;
  await until("it was counted", async () => (await q.status()).used["count/configmaps"] !== "2");
  assert.deepEqual((await q.status()).used, { "count/configmaps": "1" });
  held.resolve();
  assert.equal((await charging!).status, 201);
  await two.stop();
  await one.stop();
  await store.close();
});

Deno.test("what was charged lately stays charged for a while, as long as the quota says it, and no longer", () => {
  const quota = (pods: string) => obj("v1", "ResourceQuota", "q", { status: { used: { pods } } }) as Obj;
  const recent = new RecentCharges(1000);
  const least = (said: string, count: number, now: number) =>
    String(
      recent.atLeast(quota(said), new Map([["pods", quantityOf(count)], ["secrets", quantityOf(4)]]), now).get("pods"),
    );
  recent.changed(quota("1"), quota("3"), 0);
  assert.deepEqual([least("3", 0, 999), least("1", 0, 999), least("3", 5, 999)], ["2", "1", "5"]);
  recent.changed(quota("3"), quota("4"), 600);
  recent.changed(quota("4"), quota("2"), 700);
  assert.deepEqual([least("9", 0, 999), least("9", 0, 1000), least("9", 0, 1600)], ["3", "1", "0"]);
  assert.deepEqual([recent.any(1600), recent.changed(quota("4"), quota("2"), 1700), recent.any(1700)], [
    false,
    undefined,
    false,
  ]);
});
