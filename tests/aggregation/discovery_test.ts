import assert from "node:assert/strict";
import { compareVersions, ordered } from "../../server/aggregation/order.ts";
import { fetchDocument, fromList } from "../../server/aggregation/documents.ts";
import type { Reach } from "../../server/aggregation/reach.ts";
import type { Registration } from "../../server/aggregation/registrations.ts";
import { mergedDocument } from "../../server/openapi/merge2.ts";
import { AGGREGATED } from "../fixture/extension.ts";
import type { Loose } from "../fixture/loose.ts";
import type { TestServer } from "../fixture/server.ts";
import { until } from "../listen/_fixture.ts";
import { withExtension } from "./_servers.ts";

const V2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

async function aggregatedOf(t: TestServer): Promise<Loose[]> {
  return (await t.fetch("/apis", { headers: { accept: V2 } })).body.items;
}

async function shop(t: TestServer): Promise<Loose | undefined> {
  return (await aggregatedOf(t)).find((g) => g.metadata.name === "shop.example")?.versions[0];
}

Deno.test("an extension server's group stands among the others, in order of priority", async () => {
  await withExtension([], async (t) => {
    const names = (await t.fetch("/apis")).body.groups.map((g: Loose) => g.name);
    assert.equal(names[0], "apiregistration.k8s.io");
    assert.equal(names[1], "apps");
    assert.equal(names.at(-1), "shop.example");
    const group = (await t.fetch("/apis/shop.example")).body;
    assert.equal(group.kind, "APIGroup");
    assert.equal(group.preferredVersion.groupVersion, "shop.example/v1");
    assert.equal((await t.fetch("/apis/other.example")).status, 404);
  });
});

for (const aggregates of [true, false]) {
  Deno.test(`aggregated discovery of a server that ${aggregates ? "has it" : "has documents of old"}`, async () => {
    await withExtension([], async (t, extension) => {
      extension.aggregates = aggregates;
      await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example", {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: { metadata: { labels: { read: "anew" } } },
      });
      await until("its resources are there", async () => (await shop(t))?.resources?.length === 1);
      const { version, freshness, resources: [carts] } = (await shop(t))!;
      assert.deepEqual([version, freshness], ["v1", "Current"]);
      assert.deepEqual([carts.resource, carts.scope, carts.responseKind.kind, carts.shortNames], [
        "carts",
        "Namespaced",
        "Cart",
        ["ct"],
      ]);
      const names = (await aggregatedOf(t)).map((g) => g.metadata.name);
      assert.equal(names[0], "apiregistration.k8s.io");
      assert.equal(names.at(-1), "shop.example");
    });
  });
}

Deno.test("of a server that does not answer the version is there, stale, without resources", async () => {
  await withExtension([], async (t, extension) => {
    await until("its resources are there", async () => (await shop(t))?.resources?.length === 1);
    await extension.stop();
    await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example", {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { metadata: { labels: { read: "anew" } } },
    });
    await until("it is stale", async () => (await shop(t))?.freshness === "Stale");
    assert.deepEqual(await shop(t), { version: "v1", freshness: "Stale" });
    await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example", { method: "DELETE" });
    assert.equal(await shop(t), undefined);
    assert.equal((await t.fetch("/apis/shop.example")).status, 404);
  });
});

Deno.test("OpenAPI documents of an extension server are listed and passed on", async () => {
  await withExtension([], async (t) => {
    const path = "apis/shop.example/v1";
    const index = async () => (await t.fetch("/openapi/v3")).text;
    await until("the index has it", async () => (await index()).includes(`"${path}"`));
    const { paths } = JSON.parse(await index());
    assert.equal(paths[path].serverRelativeURL, `/openapi/v3/${path}?hash=AB`);
    assert.ok(paths["apis/apps/v1"]);
    const document = await t.fetch(`/openapi/v3/${path}?hash=AB`);
    assert.equal(document.body.info.title, "carts");
    assert.equal((await t.fetch("/openapi/v3/apis/other.example/v1")).status, 404);
  });
});

Deno.test("the document of version 2 has the paths of extension servers and what those refer to", async () => {
  await withExtension([], async (t) => {
    const whole = async (): Promise<Loose> =>
      (await t.fetch("/openapi/v2", { headers: { accept: "application/json" } })).body;
    const path = "/apis/shop.example/v1/carts", meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    await until("the path is there", async () => path in (await whole()).paths);
    const { paths, definitions, info } = await whole();
    assert.equal(info.title, "Kubernetes");
    assert.equal(paths[path].get.responses[200].schema.$ref, "#/definitions/example.shop.Cart");
    assert.equal(definitions["example.shop.Cart"].properties.metadata.$ref, `#/definitions/${meta}_v2`);
    assert.ok(definitions[meta].properties.name && definitions[`${meta}_v2`].properties.own);
    assert.ok(!definitions["example.shop.Other"]);
    assert.match(paths["/version/"].get.operationId, /Version/);
    await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices/v1.shop.example", { method: "DELETE" });
    assert.ok(!(path in (await whole()).paths));
  });
});

Deno.test("what two documents say alike is there once, with the kinds of both", () => {
  const kind = (kind: string) => ({ "x-kubernetes-group-version-kind": [{ group: "g", version: "v1", kind }] });
  const refA = { $ref: "#/definitions/A" }, refB = { $ref: "#/definitions/B" };
  const own = { paths: { "/x": refA }, definitions: { A: { p: refB, ...kind("K") }, B: { type: "string" } } };
  const same = { paths: { "/o/y": refA }, definitions: { A: { p: refB, ...kind("L") }, B: { type: "string" } } };
  const once = mergedDocument(own, [{ prefix: "/o/", document: same }]) as Loose;
  assert.deepEqual(Object.keys(once.definitions), ["A", "B"]);
  assert.equal(once.definitions.A["x-kubernetes-group-version-kind"].length, 2);
  const other = { paths: { "/o/y": refA, "/x": refB }, definitions: { ...same.definitions, B: { type: "object" } } };
  const twice = mergedDocument(own, [{ prefix: "/o/", document: other }]) as Loose;
  assert.deepEqual(Object.keys(twice.definitions), ["A", "A_v2", "B", "B_v2"]);
  assert.equal(twice.paths["/o/y"].$ref, "#/definitions/A_v2");
  assert.equal(twice.definitions.A_v2.p.$ref, "#/definitions/B_v2");
  assert.equal(twice.paths["/x"].$ref, "#/definitions/A");
  const third = { paths: { "/p/y": refA }, definitions: { A: { p: refB }, B: { type: "array" } } };
  const [o, p] = [{ prefix: "/o/", document: other }, { prefix: "/p/", document: third }];
  const thrice = mergedDocument(own, [o, p]) as Loose;
  assert.deepEqual(Object.keys(thrice.definitions), ["A", "A_v2", "A_v3", "B", "B_v2", "B_v3"]);
  const alike = mergedDocument(own, [{ ...o, document: { ...same, definitions: own.definitions } }]);
  assert.deepEqual(alike["definitions"], own.definitions);
});

Deno.test("of two documents with the same path the first keeps it, and none has paths of another group version", () => {
  const own = { paths: { "/o/x": { get: {} } } };
  const document = { paths: { "/o/x": { put: {} }, "/o/y": { put: {} }, "/p/x": { put: {} } } };
  const { paths } = mergedDocument(own, [{ prefix: "/o/", document }]) as Loose;
  assert.deepEqual(paths, { "/o/x": { get: {} }, "/o/y": { put: {} } });
});

Deno.test("a definition that is within itself goes with the paths that lead to it", () => {
  const ref = { $ref: "#/definitions/Tree" }, definitions = { Tree: { properties: { left: ref, right: ref } } };
  const document = { paths: { "/o/x": ref }, definitions };
  assert.deepEqual(mergedDocument({ paths: {}, definitions: {} }, [{ prefix: "/o/", document }]), document);
});

Deno.test("what is called as something that every object has is no definition, and may be one", () => {
  const ref = { $ref: "#/definitions/constructor" }, own = { paths: {}, definitions: {} };
  const merged = (definitions: Loose) =>
    mergedDocument(own, [{ prefix: "/o/", document: { paths: { "/o/x": ref }, definitions } }]) as Loose;
  assert.deepEqual(merged({}), { paths: { "/o/x": ref }, definitions: {} });
  const definitions = { constructor: { type: "string" } };
  assert.deepEqual(merged(definitions), { paths: { "/o/x": ref }, definitions });
});

Deno.test("a registration without a service is in the lists of groups, whoever serves it", async () => {
  await withExtension([], async (t) => {
    const before = (await t.fetch("/apis")).body.groups.map((g: Loose) => g.name);
    const spec = { group: "own.example", version: "v1", groupPriorityMinimum: 17790, versionPriority: 1 };
    const made = await t.fetch("/apis/apiregistration.k8s.io/v1/apiservices", {
      body: { metadata: { name: "v1.own.example" }, spec },
    });
    assert.equal(made.status, 201, made.text);
    const after = (await t.fetch("/apis")).body.groups.map((g: Loose) => g.name);
    assert.deepEqual(after, before.toSpliced(2, 0, "own.example"));
    assert.equal((await t.fetch("/apis/own.example")).body.versions.length, 1);
    assert.equal((await t.fetch("/apis/own.example/v1")).status, 404);
    assert.ok(!(await aggregatedOf(t)).some((g) => g.metadata.name === "own.example"));
  });
});

Deno.test("versions by their names, groups by their priorities", () => {
  const names = ["foo", "v1alpha2", "v2", "v1beta1", "v10", "v1", "bar", "v2beta1"];
  assert.deepEqual(names.sort(compareVersions), ["v10", "v2", "v1", "v2beta1", "v1beta1", "v1alpha2", "bar", "foo"]);
  const of = (group: string, version: string, groupPriority: number, versionPriority: number) =>
    [`${version}.${group}`, {
      group,
      version,
      groupPriority,
      versionPriority,
      managed: false,
      available: true,
    }] as const;
  const standings = new Map([of("b", "v1", 10, 1), of("a", "v2", 10, 1), of("c", "v1", 5, 1), of("c", "v2", 20, 9)]);
  assert.deepEqual(ordered(standings, "objects").map((g) => g.group), ["c", "b", "a"]);
  assert.deepEqual(ordered(standings, "groups").map((g) => g.group), ["c", "a", "b"]);
  assert.deepEqual(ordered(standings, "groups")[0]!.versions, ["v2", "v1"]);
});

Deno.test("parts of resources in lists of old go to their resources", () => {
  const row = (name: string, namespaced = true) => ({ name, namespaced, kind: "K", verbs: ["get"] });
  const [a, b] = fromList([row("a/status"), row("a"), row("b/log")]);
  assert.deepEqual((a as Loose).subresources.map((s: Loose) => s.subresource), ["status"]);
  assert.deepEqual((b as Loose).subresources.map((s: Loose) => s.subresource), ["log"]);
  assert.throws(() => fromList([row("a"), row("a/status", false)]), /another scope/);
});

Deno.test("discovery that is not of its types is told of as stale, and the rest as it is", async () => {
  const rows: Loose[] = [
    { resource: "carts", verbs: "list" },
    { resource: "carts", verbs: ["list", 5] },
    { resource: 5 },
    { resource: "carts", responseKind: { kind: {} } },
    { resource: "carts", subresources: [{ subresource: "scale", acceptedTypes: ["x"] }] },
  ];
  const of = (resource: Loose) => ({
    ...AGGREGATED,
    items: [{ metadata: { name: "shop.example" }, versions: [{ version: "v1", resources: [resource] }] }],
  });
  const reach = (document: Loose) =>
    ({
      ask: () => {
        const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        return Promise.resolve({ status: 200, headers: new Map([["content-type", type]]), text: document });
      },
    }) as unknown as Reach;
  const registration = { group: "shop.example", version: "v1" } as Registration;
  const asked = (text: string) => fetchDocument(reach(text as Loose), registration, "apidiscovery.k8s.io", undefined);
  for (const row of rows) await assert.rejects(asked(JSON.stringify(of(row))), /another type/);
  const more = `{"a":`.repeat(100_000) + "{}" + "}".repeat(100_000);
  const text = JSON.stringify(of({ resource: "carts", more: "MORE" })).replace('"MORE"', more);
  const { document } = await asked(text);
  assert.deepEqual(Object.keys(document.resources![0]!), ["resource", "responseKind"]);
});

Deno.test("discovery is asked for with the tag it came by, and as of old of who does not have it", async () => {
  const registration = { group: "shop.example", version: "v1" } as Registration;
  const versions = (...names: string[]) =>
    names.map((version) => ({ version, resources: [{ resource: `of-${version}` }] }));
  const items = [
    { metadata: { name: "other.example" }, versions: versions("v1") },
    { metadata: { name: "shop.example" }, versions: versions("v2", "v1") },
  ];
  const whole = { status: 200, type: V2, text: JSON.stringify({ ...AGGREGATED, items }) };
  const old = { status: 200, type: "application/json", text: '{"resources": [{"name": "old", "namespaced": true}]}' };
  type Answer = { status: number; type?: string; text?: string };
  const fetched = async (answers: Answer[], etag = "") => {
    const asked: string[] = [];
    const ask = (_: Registration, path: string, headers: readonly (readonly [string, string])[]) => {
      asked.push([path, ...headers.filter(([name]) => name !== "accept").flat()].join(" "));
      const { status, type = "", text = "" } = answers.shift()!;
      return Promise.resolve({ status, headers: new Map([["content-type", type], ["etag", "new"]]), text });
    };
    const last = { document: { version: "last" }, etag };
    const found = await fetchDocument({ ask } as unknown as Reach, registration, "apidiscovery.k8s.io", last);
    return [asked, found.document.version, found.document.resources?.map((r) => r["resource"]), found.etag];
  };
  const list = "/apis/shop.example/v1";
  assert.deepEqual(await fetched([whole]), [["/apis"], "v1", ["of-v1"], "new"]);
  assert.deepEqual(await fetched([{ status: 304 }], "x"), [["/apis if-none-match x"], "last", undefined, "x"]);
  for (const none of [{ status: 404 }, { status: 406 }, { ...old, text: "{}" }, { ...whole, status: 201 }]) {
    assert.deepEqual(await fetched([none, old]), [["/apis", list], "v1", ["old"], ""]);
  }
  await assert.rejects(fetched([{ status: 503 }]), /503/);
  await assert.rejects(fetched([{ status: 404 }, { status: 500 }]), /answered with 500/);
});

Deno.test("a document that cannot be merged is left out, and the others are there", () => {
  const own = { paths: { "/a": {} }, definitions: {} };
  let deep: Loose = {};
  for (let i = 0; i < 100_000; i++) deep = { a: deep };
  const bad = [null, { paths: { "/o/deep": deep } }].map((document) => ({
    prefix: "/o/",
    document: document as Loose,
  }));
  const good = { prefix: "/p/", document: { paths: { "/p/x": {} } } };
  const { paths } = mergedDocument(own, [...bad, good]) as Loose;
  assert.deepEqual(Object.keys(paths), ["/a", "/p/x"]);
});
