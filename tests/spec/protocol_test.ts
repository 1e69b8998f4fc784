import assert from "node:assert/strict";
import {
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
  withServer,
} from "./_spec.ts";
import type { TestServer } from "../fixture/server.ts";

const server = sharedServer(["--disable-admission-plugins=ServiceAccount"]);

spec("What the service does", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    assert.equal((await ok(t, maps(ns), { body: map("a") })).status, 201);
    assert.equal((await ok(t, maps(ns, "a"))).status, 200);
    await ok(t, maps(ns, "a"), { method: "PUT", body: map("a", { k: "v" }) });
    await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: "w" } }));
    await ok(t, maps(ns, "a"), { method: "DELETE" });
    await refused(t, 404, maps(ns, "a"));
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, `/api/v1/namespaces/${ns}/replicationcontrollers`, { body: controller("rc") });
    const path = `/api/v1/namespaces/${ns}/replicationcontrollers/rc`;
    assert.equal((await ok(t, `${path}/scale`)).body.kind, "Scale"); // another representation
    await allow(t, ns, "scaler", ["get"], ["replicationcontrollers/scale"]);
    await ok(t, `${path}/scale`, {}, somebody("scaler")); // authorized on its own
    await refused(t, 403, path, {}, somebody("scaler"));
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    const w = await openWatch(t, `${maps(ns)}?watch=1`);
    await createMaps(t, ns, "a", "b");
    assert.deepEqual(told(await w.take(2)), ["ADDED a", "ADDED b"]);
    await w.stop();
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    assert.equal((await ok(t, maps(ns))).body.items.length, 3);
    assert.equal((await ok(t, `${maps(ns)}?limit=2`)).body.items.length, 2);
  },
  "rule 5": async () => {
    const t = await server();
    for (const type of ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]) {
      const a = await ok(t, "/api/v1/namespaces/default", { headers: { accept: type } });
      assert.equal(a.headers.get("content-type"), type);
    }
    for (const as of ["Table", "PartialObjectMetadataList"]) {
      const accept = `application/json;as=${as};g=meta.k8s.io;v=v1`;
      assert.equal((await ok(t, "/api/v1/namespaces", { headers: { accept } })).body.kind, as);
    }
  },
  "rule 6": async () => {
    const t = await server();
    for (const path of ["/livez", "/readyz", "/healthz"]) assert.equal((await ok(t, path)).text, "ok");
  },
});

const controller = (name: string) => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { app: name },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
});

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

const pod = (extra = {}) => ({ metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }], ...extra } });
const pods = (ns: string, query = "") => `/api/v1/namespaces/${ns}/pods${query}`;
const strict = "?fieldValidation=Strict", ignore = "?fieldValidation=Ignore";

spec("Field validation", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    for (const query of [strict, "", ignore]) {
      await refused(t, 400, pods(ns, query), { body: pod({ hostNetwork: "yes" }) });
      await refused(t, 422, pods(ns, query), { body: { metadata: { name: "p" }, spec: {} } });
    }
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body = '{"metadata":{"name":"a"},"data":{"k":"v","k":"w"},"other":1}';
    const made = await ok(t, maps(ns), { method: "POST", body, headers: { "content-type": "application/json" } });
    assert.deepEqual(made.body.data, { k: "w" });
    assert.equal(made.body.other, undefined);
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body =
      '{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","odd":1}],"even":2,"hostNetwork":false,"hostNetwork":false}}';
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    const fields = [
      'unknown field "spec.containers[0].odd"',
      'unknown field "spec.even"',
      'duplicate field "spec.hostNetwork"',
    ];
    assert.deepEqual((await ok(t, pods(ns, `${ignore}&dryRun=All`), init)).warnings, []);
    for (const query of ["?dryRun=All", "?dryRun=All&fieldValidation=Warn"]) {
      assert.deepEqual((await ok(t, pods(ns, query), init)).warnings.toSorted(), fields.toSorted());
    }
    const { message } = (await refused(t, 400, pods(ns, strict), init)).body;
    for (const field of fields) assert.ok(message.includes(field), message);
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body = { ...pod({ hostNetwork: "yes", dnsPolicy: 5 }), odd: 1 };
    const messages: string[] = [];
    for (const query of [strict, "", ignore]) {
      messages.push((await refused(t, 400, pods(ns, query), { body })).body.message);
    }
    assert.equal(new Set(messages).size, 1);
    assert.ok(!messages[0]!.includes("odd"), messages[0]!);
    assert.ok(messages[0]!.includes("hostNetwork") !== messages[0]!.includes("dnsPolicy"), messages[0]!);
  },
});

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
    // What a dry run was shown is not kept from others.
    const again =
      (await ok(t, path, { body: { ...body, spec: { ...body.spec, clusterIP: dry.spec.clusterIP } } })).body;
    assert.equal(again.spec.clusterIP, dry.spec.clusterIP);
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

spec("Update rules", {
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [first] = await createMaps(t, ns, "a");
    const put = (resourceVersion: string, k: string) => ({ method: "PUT", body: map("a", { k }, { resourceVersion }) });
    const second = (await ok(t, maps(ns, "a"), put(first!, "v"))).body.metadata.resourceVersion;
    const stale = await refused(t, 409, maps(ns, "a"), put(first!, "w"));
    assert.equal(stale.body.reason, "Conflict");
    await ok(t, maps(ns, "a"), put(second, "w"));
  },
  "rule 2": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [first] = await createMaps(t, ns, "a");
    await ok(t, maps(ns, "a"), patchOf(MERGE, { metadata: { resourceVersion: first }, data: { k: "v" } }));
    const stale = patchOf(MERGE, { metadata: { resourceVersion: first }, data: { k: "w" } });
    await refused(t, 409, maps(ns, "a"), stale);
    const test = [{ op: "test", path: "/data/k", value: "other" }, { op: "remove", path: "/data/k" }];
    await refused(t, 422, maps(ns, "a"), patchOf(JSON_PATCH, test));
    assert.deepEqual((await ok(t, maps(ns, "a"))).body.data, { k: "v" });
  },
  "rule 3": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a");
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
    // At the same time, without versions: none is lost, none is refused.
    await Promise.all(keys.map((k) => ok(t, maps(ns, "a"), patchOf(MERGE, { data: { [k]: "v" } }))));
    assert.deepEqual(Object.keys((await ok(t, maps(ns, "a"))).body.data).sort(), keys.toSorted());
  },
});

spec("Health endpoints", {
  "GET /livez": async () => {
    const t = await server();
    assert.deepEqual([(await ok(t, "/livez")).status, (await ok(t, "/livez")).text], [200, "ok"]);
  },
  "GET /readyz": () =>
    withServer([], async (t) => {
      assert.equal((await t.fetch("/readyz")).status, 200);
      t.server.drain();
      assert.equal((await t.fetch("/readyz")).status, 500);
    }),
  "GET /healthz": async () => {
    const t = await server();
    assert.equal((await ok(t, "/healthz")).text, "ok");
  },
  "GET /livez/<healthcheck-name>, /readyz/<healthcheck-name>": async () => {
    const t = await server();
    for (const path of ["/livez", "/readyz"]) {
      const verbose = (await ok(t, `${path}?verbose`)).text;
      for (const [, name] of verbose.matchAll(/^\[\+\](\S+) ok$/gm)) {
        assert.equal((await ok(t, `${path}/${name}`)).text, "ok");
      }
      assert.equal((await t.fetch(`${path}/nothing`)).status, 404);
    }
  },
  "rule 1": () =>
    withServer([], async (t) => {
      for (const path of ["/livez", "/readyz", "/healthz"]) assert.equal((await t.fetch(path)).status, 200);
      t.server.drain();
      assert.equal((await t.fetch("/readyz")).status, 500);
      assert.equal((await t.fetch("/readyz/shutdown")).status, 500);
    }),
  "rule 2": async () => {
    const t = await server();
    for (const path of ["/livez", "/readyz", "/healthz"]) {
      const { text } = await ok(t, `${path}?verbose`);
      const lines = text.trimEnd().split("\n");
      assert.equal(lines.pop(), "healthz check passed");
      assert.ok(lines.length > 0);
      for (const line of lines) assert.match(line, /^\[\+\]\S+ ok$/);
    }
  },
  "rule 3": async () => {
    const t = await server();
    const { text } = await ok(t, "/readyz?verbose&exclude=ping&exclude=etcd");
    assert.ok(text.includes("[+]ping excluded: ok\n"));
    assert.ok(text.includes("[+]etcd excluded: ok\n"));
    assert.ok(text.includes("[+]log ok\n"));
  },
  "rule 4": () =>
    withServer([], async (t) => {
      t.server.drain();
      const codes = await Promise.all(["/healthz", "/livez", "/readyz"].map(async (p) => (await t.fetch(p)).status));
      assert.deepEqual(codes, [200, 200, 500]);
      await ok(t, "/api/v1/namespaces/default"); // other requests are served
    }),
});

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
