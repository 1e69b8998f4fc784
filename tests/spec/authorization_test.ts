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

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

spec("Authorization", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    const user = somebody("tester");
    for (const [query, code] of [["", 403], ["?dryRun=All", 403]] as const) {
      await refused(t, code, maps(ns) + query, { body: map("a") }, user);
    }
    await allow(t, ns, user.name, ["create"], ["configmaps"]);
    await ok(t, `${maps(ns)}?dryRun=All`, { body: map("a") }, user);
    await ok(t, maps(ns), { body: map("a") }, user);
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    await t.backend.commit([{ key: `/registry/configmaps/${ns}/a`, value: new TextEncoder().encode("k8s\0?") }]);
    const force = { method: "DELETE", body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } };
    await allow(t, ns, "one-verb", ["delete"], ["configmaps"]);
    await allow(t, ns, "other-verb", ["unsafe-delete-ignore-read-errors"], ["configmaps"]);
    for (const name of ["one-verb", "other-verb"]) await refused(t, 403, maps(ns, "a"), force, somebody(name));
    await allow(t, ns, "one-verb", ["unsafe-delete-ignore-read-errors"], ["configmaps"]);
    await ok(t, maps(ns, "a"), force, somebody("one-verb"));
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const user = somebody("patcher");
    await allow(t, ns, user.name, ["patch"], ["configmaps"]);
    await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "v" } }), user);
    await refused(t, 403, maps(ns, "a"), {}, user); // another verb
    await refused(t, 403, `/api/v1/namespaces/${ns}/secrets/a`, patchOf(MERGE, {}), user); // another resource
    await refused(t, 403, `/apis/apps/v1/namespaces/${ns}/deployments/a`, patchOf(MERGE, {}), user); // another group
    await refused(t, 403, maps("default", "a"), patchOf(MERGE, {}), user); // another namespace
  },
});
