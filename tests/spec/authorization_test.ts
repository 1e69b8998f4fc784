import {
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
import type { TestServer } from "../fixture/server.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

let granted = 0;

/** Lets a user do something in a namespace. */
async function allow(t: TestServer, ns: string, user: string, verbs: string[], resources: string[], groups = [""]) {
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}`;
  const name = `grant-${++granted}`;
  await ok(t, `${roles}/roles`, { body: { metadata: { name }, rules: [{ apiGroups: groups, resources, verbs }] } });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name };
  const subjects = [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }];
  await ok(t, `${roles}/rolebindings`, { body: { metadata: { name }, roleRef, subjects } });
}

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
