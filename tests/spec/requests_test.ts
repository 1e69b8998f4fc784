import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { encodeCbor } from "../../schema/codec/cbor.ts";
import { stringifyYaml } from "../../schema/codec/yaml.ts";
import type { TestServer } from "../fixture/server.ts";
import {
  APPLY,
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
  STRATEGIC,
  told,
  withServer,
} from "./_spec.ts";

const server = sharedServer();

const deployment = (name: string, replicas = 1) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "one", image: "i" }, { name: "two", image: "j" }] },
    },
  },
});
const deployments = (ns: string, name = "") =>
  `/apis/apps/v1/namespaces/${ns}/deployments${name === "" ? "" : `/${name}`}`;

spec("Path shapes", {
  "cluster | GET | /apis/<group>/<version>/<resource_type>": async () => {
    const t = await server();
    assert.equal((await ok(t, "/apis/rbac.authorization.k8s.io/v1/clusterroles")).body.kind, "ClusterRoleList");
  },
  "cluster | GET | /apis/<group>/<version>/<resource_type>/<name>": async () => {
    const t = await server();
    const { body } = await ok(t, "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin");
    assert.deepEqual([body.kind, body.metadata.name], ["ClusterRole", "cluster-admin"]);
    await refused(t, 404, "/apis/rbac.authorization.k8s.io/v1/clusterroles/nobodys");
  },
  "namespaced, all namespaces": async () => {
    const t = await server();
    const [one, other] = [await namespace(t), await namespace(t)];
    await ok(t, deployments(one), { body: deployment("a") });
    await ok(t, deployments(other), { body: deployment("b") });
    const { body } = await ok(t, "/apis/apps/v1/deployments");
    const found = body.items.map((i: { metadata: { namespace: string } }) => i.metadata.namespace);
    assert.ok(found.includes(one) && found.includes(other));
  },
  "namespaced | GET | /apis/<group>/<version>/namespaces/<namespace>/<resource_type>": async () => {
    const t = await server();
    const [one, other] = [await namespace(t), await namespace(t)];
    await ok(t, deployments(one), { body: deployment("a") });
    await ok(t, deployments(other), { body: deployment("b") });
    assert.deepEqual(namesOf((await ok(t, deployments(one))).body), ["a"]);
  },
  "namespaced | GET | /apis/<group>/<version>/namespaces/<namespace>/<resource_type>/<name>": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, deployments(ns), { body: deployment("a") });
    assert.equal((await ok(t, deployments(ns, "a"))).body.kind, "Deployment");
    await refused(t, 404, deployments(ns, "b"));
  },
  "cluster subresource": async () => {
    const t = await server();
    const { name } = (await ok(t, "/api/v1/nodes", { body: { metadata: { generateName: "node-" } } })).body.metadata;
    assert.equal((await ok(t, `/api/v1/nodes/${name}/status`)).body.metadata.name, name);
    const { body } = await ok(t, "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt/status");
    assert.equal(body.metadata.name, "exempt");
    await refused(t, 404, `/api/v1/nodes/${name}/nothing`);
  },
  "namespaced subresource": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, deployments(ns), { body: deployment("a", 3) });
    const scale = (await ok(t, `${deployments(ns, "a")}/scale`)).body;
    assert.deepEqual([scale.kind, scale.apiVersion, scale.spec.replicas], ["Scale", "autoscaling/v1", 3]);
    assert.equal((await ok(t, `${deployments(ns, "a")}/status`)).body.kind, "Deployment");
    await refused(t, 404, `${deployments(ns, "a")}/nothing`);
  },
  "namespaces": async () => {
    const t = await server();
    assert.equal((await ok(t, "/api/v1/namespaces")).body.kind, "NamespaceList");
    const { body } = await ok(t, "/api/v1/namespaces/default");
    assert.deepEqual([body.kind, body.metadata.name], ["Namespace", "default"]);
  },
});

spec("Query parameters", {
  "watch": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b");
    for (const value of ["1", "true"]) {
      const w = await openWatch(t, `${maps(ns)}?watch=${value}`);
      assert.deepEqual(told(await w.take(2)), ["ADDED a", "ADDED b"]);
      await w.stop();
    }
    const one = await openWatch(t, `${maps(ns)}?watch=1&fieldSelector=metadata.name%3Db`);
    assert.deepEqual(told(await one.take(1)), ["ADDED b"]);
    await one.stop();
    for (const value of ["0", "false"]) {
      assert.equal((await ok(t, `${maps(ns)}?watch=${value}`)).body.kind, "ConfigMapList");
    }
  },
  "resourceVersion": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    await createMaps(t, ns, "b");
    await ok(t, `${maps(ns, "a")}?resourceVersion=${at}`);
    await ok(t, `${maps(ns)}?resourceVersion=${at}`);
    const w = await openWatch(t, `${maps(ns)}?watch=1&resourceVersion=${at}`);
    assert.deepEqual(told(await w.take(1)), ["ADDED b"]);
    await w.stop();
    for (const path of [maps(ns, "a") + "?", `${maps(ns)}?`, `${maps(ns)}?watch=1&`]) {
      await refused(t, 400, `${path}resourceVersion=x`);
    }
  },
  "resourceVersionMatch": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    await createMaps(t, ns, "b");
    const list = async (match: string) =>
      namesOf((await ok(t, `${maps(ns)}?resourceVersion=${at}&resourceVersionMatch=${match}`)).body);
    assert.deepEqual(await list("Exact"), ["a"]);
    assert.deepEqual(await list("NotOlderThan"), ["a", "b"]);
    for (const match of ["Exact", "NotOlderThan"]) {
      await refused(t, 400, `${maps(ns)}?resourceVersionMatch=${match}`);
    }
    await refused(t, 400, `${maps(ns)}?resourceVersion=${at}&resourceVersionMatch=other`);
  },
  "limit": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    for (const [limit, count] of [[1, 1], [2, 2], [3, 3], [9, 3], [0, 3]]) {
      assert.equal((await ok(t, `${maps(ns)}?limit=${limit}`)).body.items.length, count);
    }
    await refused(t, 400, `${maps(ns)}?limit=many`);
  },
  "continue": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "a", "b", "c");
    const token = encodeURIComponent((await ok(t, `${maps(ns)}?limit=2`)).body.metadata.continue);
    assert.deepEqual(namesOf((await ok(t, `${maps(ns)}?limit=2&continue=${token}`)).body), ["c"]);
    await refused(t, 400, `${maps(ns)}?limit=2&continue=!`);
  },
  "allowWatchBookmarks": async () => {
    const t = await server();
    const ns = await namespace(t);
    const query = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=";
    for (const [value, type] of [["true", "BOOKMARK"], ["false", "ADDED"]]) {
      const w = await openWatch(t, maps(ns) + query + value);
      if (type === "ADDED") await createMaps(t, ns, "a");
      assert.equal((await w.take(1))[0]!.type, type);
      await w.stop();
    }
  },
  "sendInitialEvents": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [, at] = await createMaps(t, ns, "a", "b");
    const query = `?watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=${at}&sendInitialEvents=`;
    const all = await openWatch(t, `${maps(ns)}${query}true`);
    assert.deepEqual(told(await all.take(2)), ["ADDED a", "ADDED b"]);
    await all.stop();
    const none = await openWatch(t, `${maps(ns)}${query}false`);
    await createMaps(t, ns, "c");
    assert.deepEqual(told(await none.take(1)), ["ADDED c"]);
    await none.stop();
    await refused(t, 400, `${maps(ns)}?sendInitialEvents=true`);
  },
  "shardSelector": () =>
    withServer(["--feature-gates=ShardedListAndWatch=true"], async (t) => {
      await createMaps(t, "default", "a", "b", "c", "d");
      const half = (start: string, end: string) =>
        `?shardSelector=${encodeURIComponent(`shardRange(object.metadata.uid, '0x${start}', '0x${end}')`)}`;
      const names = async (q: string) => namesOf((await ok(t, maps("default") + q)).body);
      const low = await names(half("0000000000000000", "8000000000000000"));
      const high = await names(half("8000000000000000", "10000000000000000"));
      assert.deepEqual([...low, ...high].sort(), ["a", "b", "c", "d"]);
    }),
  "fieldValidation": async () => {
    const t = await server();
    const ns = await namespace(t);
    await createMaps(t, ns, "there");
    const odd = (name: string) => ({ ...map(name), other: 1 });
    const requests = (level: string): [string, Parameters<typeof ok>[2]][] => [
      [`${maps(ns)}?fieldValidation=${level}`, { body: odd(`made-${level.toLowerCase()}`) }],
      [`${maps(ns, "there")}?fieldValidation=${level}`, { method: "PUT", body: odd("there") }],
      [`${maps(ns, "there")}?fieldValidation=${level}`, patchOf(MERGE, { other: 1 })],
    ];
    for (const [path, init] of requests("Ignore")) assert.deepEqual((await ok(t, path, init)).warnings, []);
    for (const [path, init] of requests("Warn")) {
      assert.deepEqual((await ok(t, path, init)).warnings, ['unknown field "other"']);
    }
    const [post, put, patch] = requests("Strict");
    await refused(t, 400, ...post!);
    await refused(t, 400, ...put!);
    await refused(t, 422, ...patch!); // public servers call a patch that does not apply invalid
    const [path, init] = requests("default")[1]!;
    assert.equal((await ok(t, path.replace(/\?.*/, ""), init)).warnings.length, 1);
    await refused(t, 422, path, init);
  },
  "dryRun": async () => {
    const t = await server();
    const ns = await namespace(t);
    const [at] = await createMaps(t, ns, "a");
    await ok(t, `${maps(ns)}?dryRun=All`, { body: map("b") });
    const put = { method: "PUT", body: map("a", { k: "v" }) };
    assert.deepEqual((await ok(t, `${maps(ns, "a")}?dryRun=All`, put)).body.data, { k: "v" });
    await ok(t, `${maps(ns, "a")}?dryRun=All`, patchOf(MERGE, { data: { k: "w" } }));
    await ok(t, `${maps(ns, "a")}?dryRun=All`, { method: "DELETE" });
    const { body } = await ok(t, maps(ns));
    assert.deepEqual(namesOf(body), ["a"]);
    assert.equal(body.items[0].metadata.resourceVersion, at);
    await refused(t, 422, `${maps(ns)}?dryRun=Some`, { body: map("c") });
    for (const empty of ["dryRun", "dryRun="]) await ok(t, `${maps(ns)}?${empty}`, { body: map("d") });
    await refused(t, 404, maps(ns, "d"));
  },
  "pretty": async () => {
    const t = await server();
    for (const path of ["/api/v1/namespaces/default", "/api/v1/namespaces", "/api/v1/namespaces/missing", "/apis"]) {
      const plain = await t.fetch(path), pretty = await t.fetch(`${path}?pretty=true`);
      assert.equal(plain.text.trim().split("\n").length, 1);
      assert.ok(pretty.text.split("\n").length > 5, path);
      assert.deepEqual(pretty.body, plain.body);
    }
  },
});

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

const accept = (type: string) => ({ headers: { accept: type } });
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const typeOf = (a: { headers: Headers }) => a.headers.get("content-type")?.replace(/;.*/, "");
const sent = (type: string, body: unknown, method = "POST") => ({ method, headers: { "content-type": type }, body });

spec("Content negotiation", {
  "JSON": async () => {
    const t = await server();
    for (const type of ["", "*/*", "application/json", "application/json;charset=utf-8"]) {
      const a = await ok(t, "/api/v1/namespaces/default", accept(type));
      assert.equal(typeOf(a), "application/json", type);
      assert.equal(a.body.kind, "Namespace");
    }
    for (const path of ["/api/v1/pods", "/apis/apps/v1/deployments", "/apis/coordination.k8s.io/v1/leases"]) {
      assert.equal(typeOf(await ok(t, path)), "application/json");
    }
  },
  "YAML": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(
      t,
      maps(ns),
      sent("application/yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"),
    );
    const a = await ok(t, maps(ns, "a"), accept("application/yaml"));
    assert.equal(typeOf(a), "application/yaml");
    assert.ok(a.text.includes("\ndata:\n  k: v\n"), a.text);
    assert.ok(a.text.includes("kind: ConfigMap\n"));
  },
  "Protobuf": async () => {
    const t = await server();
    const a = await ok(t, "/api/v1/namespaces/default", accept(PROTOBUF));
    assert.equal(typeOf(a), PROTOBUF);
    assert.ok(a.text.startsWith("k8s\0"));
    await withServer(["--api-dialect=orch"], async (own) => {
      const b = await ok(own, "/api/v1/namespaces/default", accept("application/vnd.orch.protobuf"));
      assert.equal(typeOf(b), "application/vnd.orch.protobuf");
    });
  },
  "CBOR": async () => {
    const t = await server();
    await refused(t, 406, "/api/v1/namespaces/default", accept("application/cbor"));
    await withServer(["--feature-gates=CBORServingAndStorage=true"], async (on) => {
      const body = encodeCbor({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { k: "v" } });
      await ok(on, maps("default"), sent("application/cbor", body));
      assert.deepEqual((await ok(on, maps("default", "c"))).body.data, { k: "v" });
      assert.equal(typeOf(await ok(on, maps("default", "c"), accept("application/cbor"))), "application/cbor");
      const request = new Request(`https://test${maps("default")}?watch=1`, accept("application/cbor"));
      const watch = await on.server.app.fetch(request);
      assert.equal(watch.headers.get("content-type"), "application/cbor-seq");
      const { value } = await watch.body!.getReader().read();
      assert.deepEqual([...value!.subarray(0, 3)], [0xd9, 0xd9, 0xf7]); // each item tells that it is CBOR
    });
  },
  "rule 1": async () => {
    const t = await server();
    const ns = await namespace(t);
    // Sent in one, answered in another.
    const a = await ok(t, maps(ns), {
      method: "POST",
      headers: { "content-type": "application/yaml", accept: PROTOBUF },
      body: "metadata: {name: a}\ndata: {k: v}\nkind: ConfigMap\napiVersion: v1\n",
    });
    assert.equal(typeOf(a), PROTOBUF);
    // Without a type a body is JSON.
    const bare = new Request(`https://test${maps(ns)}`, { method: "POST", body: new Blob([JSON.stringify(map("b"))]) });
    bare.headers.delete("content-type");
    assert.equal((await t.server.app.fetch(bare)).status, 201);
    await refused(t, 415, maps(ns), sent("application/xml", "<a/>"));
  },
  "rule 2": async () => {
    const t = await server();
    for (const type of ["application/xml", "text/csv, image/png", "application/json;as=Table;g=other;v=v1"]) {
      const a = await refused(t, 406, "/api/v1/namespaces/default", accept(type));
      assert.equal(a.body.reason, "NotAcceptable");
    }
  },
  "rule 3": async () => {
    const t = await server();
    const both = `${PROTOBUF}, application/json`;
    assert.equal(typeOf(await ok(t, "/api/v1/namespaces/default", accept(both))), PROTOBUF);
    const fallback = "application/unknown, application/json";
    assert.equal(typeOf(await ok(t, "/api/v1/namespaces/default", accept(fallback))), "application/json");
  },
  "rule 4": async () => {
    const t = await server();
    const ns = await namespace(t);
    const text = "x".repeat(20_000);
    for (let i = 0; i < 40; i++) await ok(t, maps(ns), { body: map(`m-${i}`, { text }) });
    for (const type of ["application/json", PROTOBUF]) {
      const response = await t.server.app.fetch(new Request(`https://test${maps(ns)}`, accept(type)));
      let pieces = 0, largest = 0;
      for await (const piece of response.body!) {
        pieces++;
        largest = Math.max(largest, piece.length);
      }
      assert.ok(pieces > 2 && largest < 400_000, `${type}: ${pieces} pieces up to ${largest}`);
    }
  },
  "rule 5": async () => {
    const t = await server();
    const table = (media: string, group = "meta.k8s.io") => `application/${media};as=Table;g=${group};v=v1`;
    for (const media of ["json", "yaml"]) {
      const a = await ok(t, "/api/v1/namespaces", accept(table(media)));
      assert.ok(a.text.includes("columnDefinitions"));
      assert.equal(typeOf(a), `application/${media}`);
    }
    // Where it cannot be given: alone refused, with another after it that is taken.
    await refused(t, 406, "/api/v1/namespaces", accept(table("json").replace("v1", "v9")));
    const a = await ok(t, "/api/v1/namespaces", accept(`${table("json").replace("v=v1", "v=v9")}, application/json`));
    assert.equal(a.body.kind, "NamespaceList");
    await withServer(["--api-dialect=orch"], async (own) => {
      const { body } = await ok(own, "/api/v1/namespaces", accept(table("json", "meta.orch.io")));
      assert.deepEqual([body.kind, body.apiVersion], ["Table", "meta.orch.io/v1"]);
    });
  },
  "rule 6": async () => {
    const t = await server();
    const as = (media: string, kind: string) => `application/${media};as=${kind};g=meta.k8s.io;v=v1`;
    const one = "/api/v1/namespaces/default", many = "/api/v1/namespaces";
    for (const media of ["json", "yaml", "vnd.kubernetes.protobuf"]) {
      for (const [path, kind] of [[one, "PartialObjectMetadata"], [many, "PartialObjectMetadataList"]]) {
        const a = await ok(t, path!, accept(as(media, kind!)));
        assert.equal(typeOf(a), `application/${media}`);
        assert.ok(a.text.includes(kind!) && !a.text.includes("phase"), a.text);
      }
    }
    await refused(t, 406, many, accept(as("json", "PartialObjectMetadata")));
    const preferred = `application/json;q=0.9, ${as("json", "PartialObjectMetadata")}`;
    assert.equal((await ok(t, one, accept(preferred))).body.kind, "PartialObjectMetadata");
    assert.equal((await ok(t, many, accept(preferred))).body.kind, "NamespaceList");
  },
  "rule 7": async () => {
    const large = map("large", { text: "x".repeat(300_000) });
    const gzip = { headers: { "accept-encoding": "gzip" } };
    const ask = async (t: TestServer, path: string) =>
      await t.server.app.fetch(new Request(`https://test${path}`, gzip));
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: large });
    for (const path of [maps(ns), maps(ns, "large")]) {
      const response = await ask(t, path);
      assert.equal(response.headers.get("content-encoding"), "gzip");
      const body = JSON.parse(gunzipSync(new Uint8Array(await response.arrayBuffer())).toString());
      assert.deepEqual(body, (await ok(t, path)).body);
    }
    assert.equal((await ok(t, maps(ns, "large"))).headers.get("content-encoding"), null);
    await withServer(["--feature-gates=APIResponseCompression=false"], async (off) => {
      await ok(off, maps("default"), { body: large });
      const response = await ask(off, maps("default"));
      assert.equal(response.headers.get("content-encoding"), null);
      await response.body?.cancel();
    });
  },
});

spec("Patch types (by Content-Type of PATCH)", {
  "application/apply-patch+yaml": async () => {
    const t = await server();
    const ns = await namespace(t);
    const apply = (manager: string, data: Record<string, string>, force = "") =>
      [
        `${maps(ns, "a")}?fieldManager=${manager}${force}`,
        patchOf(APPLY, stringifyYaml({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data })),
      ] as const;
    assert.equal((await ok(t, ...apply("one", { k: "v" }))).status, 201); // absent: created
    assert.equal((await ok(t, ...apply("one", { k: "w" }))).status, 200);
    const clash = await refused(t, 409, ...apply("two", { k: "x" }));
    assert.equal(clash.body.details.causes[0].field, ".data.k");
    assert.equal((await ok(t, ...apply("two", { k: "x" }, "&force=true"))).body.data.k, "x");
    const json = patchOf(APPLY, { ...map("a", { own: "1" }) });
    assert.equal((await ok(t, `${maps(ns, "a")}?fieldManager=three`, json)).body.data.own, "1");
    await refused(t, 422, maps(ns, "a"), json); // who applies must be told
  },
  "application/apply-patch+cbor": async () => {
    const t = await server();
    const ns = await namespace(t);
    const body = encodeCbor(map("a", { k: "v" }));
    const patch = { method: "PATCH", headers: { "content-type": "application/apply-patch+cbor" }, body };
    await refused(t, 415, `${maps(ns, "a")}?fieldManager=one`, patch);
    await withServer(["--feature-gates=CBORServingAndStorage=true"], async (on) => {
      const a = await ok(on, `${maps("default", "a")}?fieldManager=one`, patch);
      assert.deepEqual([a.status, a.body.data], [201, { k: "v" }]);
    });
  },
  "application/json-patch+json": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", { k: "v" }) });
    const steps = (
      value: string,
    ) => [{ op: "test", path: "/data/k", value }, { op: "replace", path: "/data/k", value: "w" }];
    assert.equal((await ok(t, maps(ns, "a"), patchOf(JSON_PATCH, steps("v")))).body.data.k, "w");
    await refused(t, 422, maps(ns, "a"), patchOf(JSON_PATCH, steps("v")));
    await refused(t, 404, maps(ns, "b"), patchOf(JSON_PATCH, []));
  },
  "application/merge-patch+json": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, maps(ns), { body: map("a", { k: "v", l: "w" }) });
    const { body } = await ok(t, maps(ns, "a"), patchOf(MERGE, { data: { k: null, m: "x" } }));
    assert.deepEqual(body.data, { l: "w", m: "x" });
    await refused(t, 404, maps(ns, "b"), patchOf(MERGE, {}));
  },
  "application/strategic-merge-patch+json": async () => {
    const t = await server();
    const ns = await namespace(t);
    await ok(t, deployments(ns), { body: deployment("a") });
    const containers = [{ name: "two", image: "new" }, { name: "one", $patch: "delete" }];
    const patch = { spec: { template: { spec: { containers } } } };
    const { body } = await ok(t, deployments(ns, "a"), patchOf(STRATEGIC, patch));
    const left = body.spec.template.spec.containers.map((c: { name: string; image: string }) => `${c.name} ${c.image}`);
    assert.deepEqual(left, ["two new"]);
    for (const type of ["json-patch", "merge-patch", "strategic-merge-patch"]) { // none of them has a CBOR form
      await refused(t, 415, deployments(ns, "a"), patchOf(`application/${type}+cbor`, ""));
    }
  },
});
