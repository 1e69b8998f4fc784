import assert from "node:assert/strict";
import {
  allow,
  createMaps,
  map,
  maps,
  MERGE,
  namespace,
  ok,
  patchOf,
  refused,
  sharedServer,
  somebody,
  spec,
} from "./_spec.ts";
import { HookServer } from "../fixture/hooks.ts";
import { reaching, store } from "./_side_effects.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

const pod = (extra = {}) => ({ metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }], ...extra } });

const pods = (ns: string, query = "") => `/api/v1/namespaces/${ns}/pods${query}`;

spec("Dry run", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    const made = await ok(t, pods(ns, "?dryRun=All"), { body: pod() });
    assert.equal(made.status, 201);
    assert.equal(made.body.spec.restartPolicy, "Always"); // defaults
    assert.ok(made.body.spec.tolerations.length > 0); // admission
    assert.ok(made.body.metadata.uid);
    await refused(t, 422, pods(ns, "?dryRun=All"), { body: { metadata: { name: "p" }, spec: {} } }); // validation
    await refused(t, 404, `${pods(ns)}/p`);
    await createMaps(t, ns, "a");
    await refused(t, 409, `${maps(ns)}?dryRun=All`, { body: map("a") });
    const merged = await ok(t, `${maps(ns, "a")}?dryRun=All`, patchOf(MERGE, { data: { k: "v" } }));
    assert.deepEqual(merged.body.data, { k: "v" });
    assert.equal((await ok(t, maps(ns, "a"))).body.data, undefined);
    await ok(t, `${maps(ns)}?dryRun`, { body: map("b") }); // a flag alone is an empty value
    await refused(t, 404, maps(ns, "b"));
    // Of a deletion it may be asked for in the body, in the query, and in the query beside a body.
    const asked = [["?dryRun=All"], ["", { dryRun: ["All"] }], ["?dryRun=All", { gracePeriodSeconds: 0 }]] as const;
    for (const [query, body] of asked) {
      for (const path of [maps(ns, "a"), maps(ns)]) await ok(t, path + query, { method: "DELETE", body });
      await ok(t, maps(ns, "a"));
    }
  },
  "rule 2": async () => {
    const hooks = await new HookServer().start(), t = await reaching();
    try {
      const ns = await namespace(t);
      for (const effects of ["None", "NoneOnDryRun"]) {
        await store(t, hooks, effects.toLowerCase(), effects);
        await ok(t, `${maps(ns)}?dryRun=All`, { body: map("a") });
        assert.equal(hooks.asked.at(-1)!.request.dryRun, true);
      }
      for (const effects of ["Some", "Unknown"]) {
        await store(t, hooks, effects.toLowerCase(), effects);
        hooks.asked.length = 0;
        const { body } = await refused(t, 400, `${maps(ns)}?dryRun=All`, { body: map("a") });
        assert.equal(body.reason, "BadRequest");
        assert.match(body.message, /does not support dry run/);
        assert.ok(hooks.asked.every((a) => a.path.startsWith("/none")), "it was called all the same");
        await ok(t, maps(ns), { body: map(`real-${effects.toLowerCase()}`) });
      }
    } finally {
      await t.stop();
      await hooks.stop();
    }
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body = { metadata: { generateName: "s-" }, spec: { ports: [{ port: 1 }], type: "NodePort" } };
    const path = `/api/v1/namespaces/${ns}/services`;
    const dry = (await ok(t, `${path}?dryRun=All`, { body })).body;
    const real = (await ok(t, path, { body })).body;
    for (const field of ["name", "uid"]) {
      assert.ok(dry.metadata[field] && real.metadata[field]);
      assert.notEqual(dry.metadata[field], real.metadata[field]);
    }
    assert.equal(dry.metadata.resourceVersion, undefined);
    assert.ok(dry.spec.clusterIP && real.spec.clusterIP && real.spec.ports[0].nodePort);
    // A dry run looks for no free address: it shows the first of the range, which is never given out.
    assert.equal(dry.spec.clusterIP, "10.0.0.0");
    // What was asked for in a dry run is not kept from others.
    const asking = { body: { ...body, spec: { ...body.spec, clusterIP: "10.0.0.7" } } };
    for (const query of ["?dryRun=All", "?dryRun=All", ""]) {
      assert.equal((await ok(t, path + query, asking)).body.spec.clusterIP, "10.0.0.7");
    }
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    const user = somebody("dry");
    const ask: [string, Parameters<typeof ok>[2]] = [`${maps(ns)}?dryRun=All`, { body: map("a") }];
    await refused(t, 403, ...ask, user);
    await allow(t, ns, user.name, ["create"], ["configmaps"]);
    await ok(t, ...ask, user);
  },
});
