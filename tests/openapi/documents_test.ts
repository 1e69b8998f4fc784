/** OpenAPI documents: what they say of kinds and paths, how they are named and kept. */
import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { JsonMap } from "../../schema/model/types.ts";
import { authored3 } from "../../server/openapi/custom.ts";
import { withServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";
import { mute } from "./_mute.ts";

type Tree = { [k: string]: Tree } & { [i: number]: Tree };

const core = "/openapi/v3/api/v1";
const NAMES = "io.k8s.api.core.v1.";

Deno.test("version 3 tells of a group version's kinds", () =>
  withServer([], async ({ fetch }) => {
    const { body, status, headers } = await fetch(core);
    equal(status, 200);
    equal(headers.get("content-type"), "application/json");
    match(body.openapi, /^3\./);
    const schemas = body.components.schemas as Tree;
    deepEqual(schemas[`${NAMES}Pod`]!["x-kubernetes-group-version-kind"], [{ group: "", kind: "Pod", version: "v1" }]);
    const spec = schemas[`${NAMES}PodSpec`]!;
    deepEqual(spec["required"], ["containers"]);
    deepEqual(mute(spec["properties"]!["containers"]), {
      type: "array",
      items: { $ref: `#/components/schemas/${NAMES}Container` },
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-list-type": "map",
      "x-kubernetes-patch-merge-key": "name",
      "x-kubernetes-patch-strategy": "merge",
    });
    const port = schemas[`${NAMES}ContainerPort`]!["properties"]!;
    deepEqual(mute(port["protocol"]), { type: "string", enum: ["SCTP", "TCP", "UDP"], default: "TCP" });
    deepEqual(mute(port["containerPort"]), { type: "integer", format: "int32", default: 0 });
    equal(schemas[`${NAMES}LabelSelector`], undefined);
    const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    equal(schemas[`${meta}LabelSelector`]!["x-kubernetes-map-type"], "atomic");
    deepEqual(mute(schemas[`${meta}Time`]), { type: "string", format: "date-time" });
    deepEqual(mute(schemas["io.k8s.apimachinery.pkg.util.intstr.IntOrString"]), {
      format: "int-or-string",
      oneOf: [{ type: "integer" }, { type: "string" }],
    });
    deepEqual(schemas[`${NAMES}SeccompProfile`]!["x-kubernetes-unions"], [
      { discriminator: "type", "fields-to-discriminateBy": { localhostProfile: "LocalhostProfile" } },
    ]);
  }));

Deno.test("members name their values where the gate OpenAPIEnums is on", async () => {
  for (const on of [true, false]) {
    await withServer([`--feature-gates=OpenAPIEnums=${on}`], async ({ fetch }) => {
      for (const path of [core, "/openapi/v2"]) equal(/"enum":\s*\["SCTP"/.test((await fetch(path)).text), on, path);
    });
  }
});

Deno.test("version 3 tells of operations", () =>
  withServer([], async ({ fetch }) => {
    const { paths } = (await fetch(core)).body;
    const pod = paths["/api/v1/namespaces/{namespace}/pods/{name}"];
    equal(pod.get.operationId, "readCoreV1NamespacedPod");
    equal(pod.patch["x-kubernetes-action"], "patch");
    ok(pod.patch.parameters.some((p: Tree) => String(p["name"]) === "fieldValidation"));
    ok("application/apply-patch+yaml" in pod.patch.requestBody.content);
    deepEqual(pod.parameters.map((p: Tree) => p["name"]), ["name", "namespace", "pretty"]);
    equal(paths["/api/v1/pods"].get.operationId, "listCoreV1PodForAllNamespaces");
    equal(paths["/api/v1/watch/pods"].get["x-kubernetes-action"], "watchlist");
    equal(paths["/api/v1/nodes"].delete.operationId, "deleteCoreV1CollectionNode");
    const exec = paths["/api/v1/namespaces/{namespace}/pods/{name}/exec"];
    equal(exec.post.operationId, "connectCoreV1PostNamespacedPodExec");
    const eviction = paths["/api/v1/namespaces/{namespace}/pods/{name}/eviction"].post;
    deepEqual(eviction["x-kubernetes-group-version-kind"], { group: "policy", kind: "Eviction", version: "v1" });
    const apps = (await fetch("/openapi/v3/apis/apps/v1")).body.paths;
    const scale = apps["/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale"];
    equal(scale.put.operationId, "replaceAppsV1NamespacedDeploymentScale");
  }));

Deno.test("references lead somewhere and operations have names of their own", () =>
  withServer(["--runtime-config=api/all=true"], async ({ fetch }) => {
    const { text, body } = await fetch("/openapi/v2");
    const refs = new Set(text.matchAll(/"#\/definitions\/([^"]+)"/g).map((m) => m[1]!));
    deepEqual([...refs].filter((r) => !(r in body.definitions)), []);
    const ids = text.matchAll(/"operationId":"([^"]+)"/g).map((m) => m[1]!).toArray();
    equal(new Set(ids).size, ids.length);
    const index = JSON.parse((await fetch("/openapi/v3")).text).paths as Record<string, Tree>;
    for (const path of Object.keys(index)) {
      const document = await fetch(`/openapi/v3/${path}`);
      equal(document.status, 200, path);
      const found = new Set(document.text.matchAll(/"#\/components\/schemas\/([^"]+)"/g).map((m) => m[1]!));
      deepEqual([...found].filter((r) => !(r in document.body.components.schemas)), [], path);
    }
  }));

Deno.test("the index names each document by the hash of its content", () =>
  withServer([], async ({ fetch, open }) => {
    const index = await fetch("/openapi/v3");
    equal(index.headers.get("content-type"), "text/plain; charset=utf-8");
    const { paths } = JSON.parse(index.text);
    ok("apis/apps" in paths && "version" in paths && "apis" in paths);
    const url: string = paths["api/v1"].serverRelativeURL;
    const found = await fetch(url);
    equal(found.status, 200);
    match(found.headers.get("cache-control")!, /immutable/);
    const moved = await open(`${core}?hash=00`);
    equal(moved.status, 301);
    equal(moved.headers.get("location"), url);
    for (const name of ["etag", "content-type", "vary"]) equal(moved.headers.get(name), found.headers.get(name), name);
    equal((await fetch("/openapi/v3/apis/bogus/v1")).status, 404);
    equal((await fetch("/openapi/v3/apis/apps/v9")).status, 404);
    equal((await fetch(core, { headers: { accept: "application/yaml" } })).status, 406);
  }));

Deno.test("tags are the same on another server, spare the body, and change with what is served", async () => {
  let tag = "";
  await withServer([], async ({ fetch }) => {
    tag = (await fetch(core)).headers.get("etag")!;
    const again = await fetch(core, { headers: { "if-none-match": tag } });
    equal(again.status, 304);
    equal(again.text, "");
  });
  await withServer([], async ({ fetch, server }) => {
    equal((await fetch(core)).headers.get("etag"), tag);
    const whole = (await fetch("/openapi/v2")).headers.get("etag");
    server.catalog.remove("configmaps");
    notEqual((await fetch(core)).headers.get("etag"), tag);
    notEqual((await fetch("/openapi/v2")).headers.get("etag"), whole);
  });
});

Deno.test("headers: tags in lists and weak, ranges that are none, an empty hash", () =>
  withServer([], async ({ fetch }) => {
    const tag = (await fetch(core)).headers.get("etag")!;
    for (const named of [`W/${tag}`, `"a", ${tag}`, "*"]) {
      equal((await fetch(core, { headers: { "if-none-match": named } })).status, 304, named);
    }
    equal((await fetch(core, { headers: { "if-none-match": '"a"' } })).status, 200);
    const rows = [["garbage", 406, 200], ["*", 200, 200], ["text/plain", 406, 406], [
      "garbage, */*",
      200,
      200,
    ]] as const;
    for (const [accept, older, newer] of rows) {
      equal((await fetch("/openapi/v2", { headers: { accept } })).status, older, accept);
      equal((await fetch(core, { headers: { accept } })).status, newer, accept);
    }
    equal((await fetch(`${core}?hash=`)).status, 200);
  }));

Deno.test("a new kind appears in its own document", () =>
  withServer([], async ({ fetch, server }) => {
    const { catalog } = server;
    const pods = catalog.resource("configmaps")!;
    const old = pods.served[0]!;
    const kind = {
      group: "stable.example.com",
      publicGroup: "stable.example.com",
      version: "v1",
      kind: "CronTab",
      apiVersion: "stable.example.com/v1",
      message: { ...copyOf(old.kind.message), id: "stable.example.com.v1.CronTab" },
      protobuf: false,
      list: "CronTabList",
      custom: { schema: SCHEMA } as never,
    };
    const before = (await fetch("/openapi/v3/apis/apps/v1")).headers.get("etag");
    catalog.scheme.add(kind);
    const resource = {
      ...pods,
      id: "crontabs.stable.example.com",
      group: kind.group,
      publicGroup: kind.group,
      name: "crontabs",
    };
    const served = { ...old, resource, kind, version: "v1" };
    catalog.put(Object.assign(resource, { served: [served], storageKind: kind }));
    try {
      const { body, status } = await fetch("/openapi/v3/apis/stable.example.com/v1");
      equal(status, 200);
      const name = "com.example.stable.v1.CronTab";
      deepEqual(body.components.schemas[name]["x-kubernetes-group-version-kind"], [
        { group: kind.group, kind: "CronTab", version: "v1" },
      ]);
      const path = body.paths["/apis/stable.example.com/v1/namespaces/{namespace}/crontabs"];
      equal(path.get.operationId, "listStableExampleComV1NamespacedCronTab");
      equal(body.paths["/apis/stable.example.com/v1/watch/crontabs"], undefined);
      const { patch } = body.paths["/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}"];
      equal("application/strategic-merge-patch+json" in patch.requestBody.content, false);
      equal("application/vnd.kubernetes.protobuf" in patch.responses["200"].content, false);
      const list = path.get.responses["200"].content["application/json"].schema.$ref;
      deepEqual(list, `#/components/schemas/${name}List`);
      deepEqual(body.components.schemas[`${name}List`].properties.items, {
        type: "array",
        items: { $ref: `#/components/schemas/${name}` },
        description: "List of cron tabs.",
      });
      const spec = body.components.schemas[name].properties.spec;
      const port = { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] };
      const { properties } = SCHEMA.properties.spec;
      deepEqual(spec, { ...SCHEMA.properties.spec, properties: { ...properties, port } });
      const older = (await fetch("/openapi/v2")).body.definitions[name].properties;
      deepEqual(older.spec, {
        type: "object",
        properties: { cron: { type: "string", pattern: "^.+$" }, on: {}, port: { "x-kubernetes-int-or-string": true } },
      });
      equal(older.metadata.$ref, "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
      notEqual((await fetch("/openapi/v3/apis/apps/v1")).headers.get("etag"), "");
      equal((await fetch("/openapi/v3/apis/apps/v1")).headers.get("etag"), before);
    } finally {
      catalog.scheme.remove(kind);
    }
  }));

const SCHEMA = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      anyOf: [{ required: ["cron"] }],
      properties: {
        cron: { type: "string", pattern: "^.+$", default: "x" },
        on: { type: "boolean", nullable: true },
        port: { "x-kubernetes-int-or-string": true },
      },
    },
  },
};

Deno.test("what is a number or a text says so beside what else is said of it", () => {
  const both = { anyOf: [{ type: "integer" }, { type: "string" }] },
    own = { anyOf: [{ maximum: 3 }, { maxLength: 3 }] };
  const rows: [schema: JsonMap, shown: JsonMap][] = [
    [{}, both],
    [both, both],
    [{ allOf: [both, own] }, { allOf: [both, own] }],
    [{ allOf: [own] }, { ...both, allOf: [own] }],
    [own, { ...own, allOf: [both] }],
    [{ ...own, allOf: [own] }, { ...own, allOf: [both, own] }],
  ];
  const word = { "x-kubernetes-int-or-string": true };
  for (const [schema, shown] of rows) deepEqual(authored3({ ...word, ...schema }), { ...word, ...shown });
});

/** A message's members, without its class. */
const copyOf = ({ fields, json, byName, wire, typeMeta }: Loose) => ({
  fields,
  json,
  byName,
  wire,
  typeMeta,
});

Deno.test("version 2: JSON, compressed, Protobuf, or refused", () =>
  withServer([], async ({ fetch }) => {
    const plain = await fetch("/openapi/v2");
    equal(plain.body.swagger, "2.0");
    const quantity = plain.body.definitions["io.k8s.apimachinery.pkg.api.resource.Quantity"];
    deepEqual(mute(quantity), { type: "string" });
    equal(plain.body.definitions[`${NAMES}ContainerPort`].properties.protocol.default, undefined);
    equal((await fetch("/openapi/v2", { headers: { accept: "text/html" } })).status, 406);
    equal((await fetch("/openapi/v2", { headers: { accept: "text/html, */*" } })).status, 200);
  }));

Deno.test("version 2 in Protobuf holds the same definitions and paths", () =>
  withServer([], async ({ server }) => {
    const ask = async (headers: Record<string, string>) => {
      const response = await server.fetch(new Request("https://a/openapi/v2", { headers }), CONNECTION);
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
    };
    const json = JSON.parse(new TextDecoder().decode((await ask({})).bytes));
    const zipped = await ask({ "accept-encoding": "gzip" });
    equal(zipped.response.headers.get("content-encoding"), "gzip");
    deepEqual(JSON.parse(gunzipSync(zipped.bytes).toString()), json);
    const unzipped = await ask({ "accept-encoding": "br, gzip;q=0.0" });
    equal(unzipped.response.headers.get("content-encoding"), null);
    const { response, bytes } = await ask({ accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" });
    equal(response.headers.get("content-type"), "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    const document = fieldsOf(bytes);
    equal(new TextDecoder().decode(document.get(1)![0]), "2.0");
    const named = (n: number, inner: number) =>
      fieldsOf(document.get(n)![0]!).get(inner)!.map((e) => new TextDecoder().decode(fieldsOf(e).get(1)![0]));
    deepEqual(named(9, 1), Object.keys(json.definitions));
    deepEqual(named(8, 2), Object.keys(json.paths));
    const first = (message: Uint8Array, ...path: number[]) => path.reduce((m, n) => fieldsOf(m).get(n)![0]!, message);
    const text = (message: Uint8Array, ...path: number[]) => new TextDecoder().decode(first(message, ...path));
    // Parameters: by what they say of themselves, or by a reference to that.
    const shared = fieldsOf(document.get(10)![0]!).get(1)!, told = Object.entries<Loose>(json.parameters);
    equal(shared.length, told.length);
    for (const [i, [key, p]] of told.entries()) {
      if (p.in === "body") continue;
      const [form, type] = p.in === "path" ? [4, 5] : [3, 6], own = first(shared[i]!, 2, 2, form);
      deepEqual([text(shared[i]!, 1), text(own, 4), text(own, type)], [key, p.name, p.type]);
    }
    const at = Object.keys(json.paths).indexOf("/api/v1/namespaces/{namespace}/pods/{name}");
    const parameters = fieldsOf(first(fieldsOf(document.get(8)![0]!).get(2)![at]!, 2)).get(9)!;
    const wanted: Loose[] = Object.values<Loose>(json.paths)[at].parameters;
    for (const [i, p] of wanted.entries()) {
      equal(p.$ref ? text(parameters[i]!, 2, 1) : text(parameters[i]!, 1, 2, 4, 4), p.$ref ?? p.name);
    }
  }));

Deno.test("version 3 in Protobuf holds the same definitions and paths, under the hash of the document", () =>
  withServer([], async ({ server }) => {
    const ask = async (path: string, accept: string) => {
      const response = await server.fetch(new Request(`https://a${path}`, { headers: { accept } }), CONNECTION);
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
    };
    const path = "/openapi/v3/apis/apps/v1", type = "application/com.github.proto-openapi.spec.v3";
    const plain = await ask(path, "application/json");
    const json = JSON.parse(new TextDecoder().decode(plain.bytes));
    const { response, bytes } = await ask(path, `${type}@v1.0+protobuf`);
    equal(response.headers.get("content-type"), `${type}.v1.0+protobuf`);
    equal(response.headers.get("etag"), plain.response.headers.get("etag"));
    equal(response.headers.get("cache-control"), "no-cache, private");
    const text = (b: Uint8Array) => new TextDecoder().decode(b);
    const names = (message: Uint8Array, n: number) =>
      fieldsOf(message).get(n)!.map((e) => text(fieldsOf(e).get(1)![0]!));
    const document = fieldsOf(bytes), components = fieldsOf(document.get(5)![0]!);
    equal(text(document.get(1)![0]!), "3.0.0");
    deepEqual(names(document.get(4)![0]!, 1), Object.keys(json.paths));
    deepEqual(names(components.get(1)![0]!, 1), Object.keys(json.components.schemas));
    const first = (message: Uint8Array, ...path: number[]) => path.reduce((m, n) => fieldsOf(m).get(n)![0]!, message);
    // Its definition: name of the first member, and what that refers to or is.
    const [entry] = fieldsOf(components.get(1)![0]!).get(1)!;
    const [name] = Object.keys(json.components.schemas), schema = json.components.schemas[name!];
    equal(text(first(entry!, 2, 1, 25)), schema.type);
    deepEqual(names(first(entry!, 2, 1, 31), 1), Object.keys(schema.properties));
    equal((await ask(path, `${type}.v9+protobuf`)).response.status, 406);
  }));

const CONNECTION = { remote: "127.0.0.1", protocol: "h2" } as never;

/** Length-delimited fields of a message by number. */
function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const out = new Map<number, Uint8Array[]>();
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === 2) out.set(number, [...out.get(number) ?? [], reader.bytes()]);
    else reader.skip(type);
  }
  return out;
}

Deno.test("in the other dialect, groups have its names", () =>
  withServer(["--api-dialect=orch"], async ({ fetch }) => {
    const { body, status } = await fetch("/openapi/v3/apis/rbac.authorization.orch.io/v1");
    equal(status, 200);
    const role = body.components.schemas["io.k8s.api.rbac.v1.Role"];
    equal(role["x-kubernetes-group-version-kind"][0].group, "rbac.authorization.orch.io");
    const path = body.paths["/apis/rbac.authorization.orch.io/v1/clusterroles"];
    equal(path.get.operationId, "listRbacAuthorizationV1ClusterRole");
  }));
