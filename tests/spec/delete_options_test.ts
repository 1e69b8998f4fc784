import assert from "node:assert/strict";
import type { TestServer } from "../fixture/server.ts";
import { createMaps, maps, namespace, ok, refused, sharedServer, somebody, spec, withServer } from "./_spec.ts";

const server = sharedServer();

const UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential";

/** Damages an object in the store; returns when reads notice. */
async function damage(t: TestServer, ns: string, name: string): Promise<void> {
  await t.backend.commit([{ key: `/registry/configmaps/${ns}/${name}`, value: new TextEncoder().encode("k8s\0?") }]);
  await refused(t, 500, maps(ns, name));
}

spec("Delete options (body of DELETE)", {
  [UNSAFE]: async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "good", "bad");
    const force = { method: "DELETE", body: { [UNSAFE]: true } };
    await refused(t, 422, maps(ns, "good"), force); // it can be read
    await ok(t, maps(ns, "good"));
    await damage(t, ns, "bad");
    // Both permissions are needed.
    const clerk = somebody("clerk");
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}`;
    const grant = async (name: string, verbs: string[]) => {
      await ok(t, `${roles}/roles`, {
        body: { metadata: { name }, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs }] },
      });
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name };
      const subjects = [{ kind: "User", name: "clerk", apiGroup: "rbac.authorization.k8s.io" }];
      await ok(t, `${roles}/rolebindings`, { body: { metadata: { name }, roleRef, subjects } });
    };
    await grant("deleter", ["delete"]);
    await refused(t, 403, maps(ns, "bad"), force, clerk);
    await grant("forcer", ["unsafe-delete-ignore-read-errors"]);
    await ok(t, maps(ns, "bad"), force, clerk);
    await refused(t, 404, maps(ns, "bad"));
    // False is as if it were not there; without the gate so is true.
    await ok(t, maps(ns, "good"), { method: "DELETE", body: { [UNSAFE]: false } });
    await withServer(["--feature-gates=AllowUnsafeMalformedObjectDeletion=false"], async (off) => {
      await createMaps(off, "default", "good");
      await ok(off, maps("default", "good"), force);
    });
  },
  "dryRun, gracePeriodSeconds, orphanDependents, preconditions, propagationPolicy": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "bad");
    await damage(t, ns, "bad");
    const others = {
      dryRun: ["All"],
      gracePeriodSeconds: 0,
      orphanDependents: true,
      preconditions: { uid: "u" },
      propagationPolicy: "Background",
    };
    for (const [name, value] of Object.entries(others)) {
      const answer = await refused(t, 422, maps(ns, "bad"), {
        method: "DELETE",
        body: { [UNSAFE]: true, [name]: value },
      });
      assert.ok(answer.body.message.includes(name), answer.body.message);
    }
    await ok(t, maps(ns, "bad"), { method: "DELETE", body: { [UNSAFE]: true } });
  },
});
