import assert from "node:assert/strict";
import {
  allow,
  createMaps,
  JSON_PATCH,
  map,
  maps,
  MERGE,
  namesOf,
  namespace,
  ok,
  openWatch,
  patchOf,
  refused,
  sharedServer,
  somebody,
  spec,
  told,
} from "./_spec.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

/** Requests of a user who has one verb: all others are refused. */
const verb = (name: string, of: (ns: string) => [string, Parameters<typeof ok>[2]], code = 200) => async () => {
  const t = await server();
  const ns = await namespace(t);
  await createMaps(t, ns, "a");
  const [path, init] = of(ns);
  const user = somebody(`only-${name}`);
  const denied = await refused(t, 403, path, init, user);
  assert.ok(denied.body.message.includes(`cannot ${name} resource`), denied.body.message);
  await allow(t, ns, user.name, [name], ["configmaps"]);
  const answer = await t.fetch(path, init, user);
  assert.equal(answer.status, code, answer.text);
};

spec("API verbs", {
  "get": verb("get", (ns) => [maps(ns, "a"), {}]),
  "list": verb("list", (ns) => [maps(ns), {}]),
  "watch": async () => {
    const t = await server();
    const ns = await namespace(t);
    const user = somebody("only-watch");
    const denied = await refused(t, 403, `${maps(ns)}?watch=1`, {}, user);
    assert.ok(denied.body.message.includes("cannot watch resource"));
    await allow(t, ns, user.name, ["watch"], ["configmaps"]);
    const watch = await t.open(`${maps(ns)}?watch=1`, {}, user);
    assert.equal(watch.status, 200);
    await watch.body!.cancel();
    await refused(t, 403, maps(ns), {}, user);
  },
  "create": async () => {
    const t = await server();
    await verb("create", (ns) => [maps(ns), { body: map("b") }], 201)();
    // A PUT of what does not exist is a create, and needs the permission of one.
    const ns = await namespace(t);
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases/l`;
    const put = { method: "PUT", body: { metadata: { name: "l" }, spec: {} } };
    const user = somebody("updater");
    await allow(t, ns, user.name, ["update"], ["leases"], ["coordination.k8s.io"]);
    await refused(t, 403, lease, put, user);
    await allow(t, ns, user.name, ["create"], ["leases"], ["coordination.k8s.io"]);
    const made = await ok(t, lease, put, user);
    assert.equal(made.status, 201);
    assert.equal((await ok(t, lease, { method: "PUT", body: made.body }, user)).status, 200);
  },
  "update": verb("update", (ns) => [maps(ns, "a"), { method: "PUT", body: map("a", { k: "v" }) }]),
  "patch": verb("patch", (ns) => [maps(ns, "a"), patchOf(JSON_PATCH, [])]),
  "delete": verb("delete", (ns) => [maps(ns, "a"), { method: "DELETE" }]),
  "deletecollection": verb("deletecollection", (ns) => [maps(ns), { method: "DELETE" }]),
  "proxy": async () => {
    const t = await server();
    const ns = await namespace(t);
    const path = `/api/v1/namespaces/${ns}/services/s/proxy`;
    const user = somebody("proxier");
    const denied = await refused(t, 403, path, {}, user);
    assert.ok(denied.body.message.includes('"services/proxy"'), denied.body.message);
    await allow(t, ns, user.name, ["get"], ["services/proxy"]);
    assert.notEqual((await t.fetch(path, {}, user)).status, 403); // of one service, by its name
  },
  "point 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b");
    for (const init of [{ method: "PUT", body: map("a") }, patchOf(MERGE, {})]) await refused(t, 405, maps(ns), init);
    await refused(t, 405, maps(ns, "a"), { method: "POST", body: map("a") });
    const two = { kind: "ConfigMapList", apiVersion: "v1", items: [map("c"), map("d")] };
    await refused(t, 400, maps(ns), { body: two });
    assert.deepEqual(namesOf((await ok(t, maps(ns))).body), ["a", "b"]);
  },
  "point 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    assert.equal((await ok(t, maps(ns))).body.items.length, 3);
    const w = await openWatch(t, `${maps(ns)}?watch=1`);
    await w.take(3);
    await ok(t, maps(ns), { method: "DELETE" });
    assert.deepEqual(told(await w.take(3)).sort(), ["DELETED a", "DELETED b", "DELETED c"]);
    await w.stop();
  },
  "point 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    const apply = patchOf("application/apply-patch+yaml", map("a"));
    const path = `${maps(ns, "a")}?fieldManager=m`;
    const user = somebody("applier");
    await allow(t, ns, user.name, ["patch"], ["configmaps"]);
    await refused(t, 403, path, apply, user); // absent: it is a create, too
    await allow(t, ns, user.name, ["create"], ["configmaps"]);
    assert.equal((await ok(t, path, apply, user)).status, 201);
    assert.equal((await ok(t, path, apply, user)).status, 200);
  },
});
