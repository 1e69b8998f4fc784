/** Documents of custom kinds: their own paths, media types and kinds; schemas as their authors wrote them. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { JsonMap, Kind } from "../../schema/model/types.ts";
import { authored2, authoredOf, withEmbedded } from "../../server/openapi/custom.ts";
import { definition, version, withThings } from "../customresources/_crd.ts";
import type { Loose } from "../fixture/loose.ts";
import { mute } from "./_mute.ts";

const DOCUMENT = "/openapi/v3/apis/example.com/v1";
const THING = "com.example.v1.Thing";
const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const PATH = "/apis/example.com/v1/namespaces/{namespace}/things";
const PLAIN = ["application/json", "application/yaml"];
const names = (parameters: Loose[]) => parameters.map((p) => p.name);

Deno.test("a document of custom kinds tells of its resources only", () =>
  withThings(definition([version({ a: { type: "string" } })]), async ({ fetch }) => {
    const { body } = await fetch(DOCUMENT);
    deepEqual(body.info, { title: "Kubernetes CRD Swagger", version: "v0.1.0" });
    equal(body.components.securitySchemes, undefined);
    equal("/apis/example.com/v1/" in body.paths, false);
    const index = JSON.parse((await fetch("/openapi/v3")).text).paths;
    deepEqual(Object.keys(index).filter((p) => p.includes("example.com")), ["apis/example.com/v1"]);
    equal((await fetch("/openapi/v3/apis/example.com")).status, 404);
    const { paths } = (await fetch("/openapi/v2")).body;
    deepEqual(["/apis/example.com/", "/apis/example.com/v1/"].filter((p) => p in paths), []);
  }));

Deno.test("operations of custom kinds: plain media types, reads of versions, deletions without a body", () =>
  withThings(definition([version({ a: { type: "string" } })]), async ({ fetch }) => {
    const { paths } = (await fetch(DOCUMENT)).body;
    const all = paths[PATH], one = paths[`${PATH}/{name}`];
    deepEqual(Object.keys(all.get.responses["200"].content), PLAIN);
    deepEqual(Object.keys(all.post.requestBody.content), PLAIN);
    deepEqual(names(one.get.parameters), ["resourceVersion"]);
    equal(all.delete.requestBody, undefined);
    deepEqual(names(all.delete.parameters), names(all.get.parameters));
    deepEqual(Object.keys(one.patch.responses), ["200", "401"]);
    deepEqual(Object.keys(one.patch.requestBody.content).filter((t) => t.includes("strategic")), []);
  }));

Deno.test("parts of a custom kind are told as of the kind, whatever they hold", () => {
  const scale = { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" };
  const made = version({ n: { type: "integer" } }, { subresources: { status: {}, scale } });
  return withThings(definition([made]), async ({ fetch }) => {
    const { paths } = (await fetch(DOCUMENT)).body;
    for (const [part, holds] of [["status", THING], ["scale", "io.k8s.api.autoscaling.v1.Scale"]]) {
      const { get } = paths[`${PATH}/{name}/${part}`];
      deepEqual(get["x-kubernetes-group-version-kind"], { group: "example.com", version: "v1", kind: "Thing" });
      match(get.operationId, /^readExampleComV1NamespacedThing(Status|Scale)$/);
      equal(get.responses["200"].content[PLAIN[0]!].schema.$ref, `#/components/schemas/${holds}`);
    }
  });
});

Deno.test("kinds of every group are told as clients know them", () =>
  withThings(definition([version({})]), async ({ fetch }) => {
    const { schemas } = (await fetch(DOCUMENT)).body.components;
    const told = schemas[`${META}DeleteOptions`]["x-kubernetes-group-version-kind"].map((k: Loose) => k.group);
    ok(told.includes("") && told.includes("apps"));
    deepEqual(told.filter((g: string) => /^(admission|apiextensions|apiregistration|imagepolicy)\./.test(g)), []);
    const list = schemas[`${THING}List`].properties;
    deepEqual(list.items.items, { $ref: `#/components/schemas/${THING}` });
    deepEqual(mute(list.metadata), { allOf: [{ $ref: `#/components/schemas/${META}ListMeta` }] });
  }));

Deno.test("fields to select by, members of every object, and what may be null", () => {
  const spec = { color: { type: "string" }, gone: { type: "string", nullable: true } };
  const made = version(spec, { selectableFields: [{ jsonPath: ".spec.color" }] });
  const { openAPIV3Schema: root } = made.schema;
  root.properties.kind = { type: "string", enum: ["Thing"] };
  root.properties.spec.required = ["color", "gone"];
  root.properties.free = {
    type: "object",
    required: ["a"],
    additionalProperties: { type: "string", nullable: true },
  };
  return withThings(definition([made]), async ({ fetch }) => {
    const { schemas } = (await fetch(DOCUMENT)).body.components;
    for (const name of [THING, `${THING}List`]) {
      deepEqual(schemas[name]["x-kubernetes-selectable-fields"], [{ fieldPath: "spec.color" }], name);
    }
    equal(schemas[THING].properties.kind.enum, undefined);
    // Clients show these words beside the fields of custom kinds.
    match(schemas[THING].properties.apiVersion.description, /^APIVersion defines/);
    match(schemas[THING].properties.metadata.description, /^Standard object's metadata/);
    const members = schemas[`${META}ObjectMeta`].properties;
    match(members.creationTimestamp.description, /^CreationTimestamp is a timestamp/);
    deepEqual(schemas[THING].properties.spec.required, ["color", "gone"]);
    const older = (await fetch("/openapi/v2")).body.definitions[THING].properties;
    deepEqual(older.spec.required, ["color"]);
    equal(older.free.required, undefined);
  });
});

Deno.test("of a kind that keeps what its schema does not know the older flavour tells nothing, of no structure neither does", () => {
  const structural = { type: "object", properties: { a: { type: "string" } } }, other = { properties: { a: {} } };
  const told = (schema: JsonMap, preserves: boolean) =>
    ([2, 3] as const).map((flavour) => authoredOf({ custom: { schema, preserves } } as Loose as Kind, flavour));
  deepEqual(told(structural, false), [structural, structural]);
  deepEqual(told(structural, true), [{ "x-kubernetes-preserve-unknown-fields": true }, structural]);
  deepEqual(told(other, true), [undefined, undefined]);
});

const KEPT = { "x-kubernetes-preserve-unknown-fields": true }, MEMBERS = { a: { type: "string" } };

/** Schemas, and what of them the older flavour tells. */
const OLDER: readonly (readonly [schema: JsonMap, told: JsonMap])[] = [
  [{ type: "object", properties: MEMBERS, ...KEPT }, KEPT],
  [{ type: "array", items: MEMBERS.a, ...KEPT }, KEPT],
  [{ type: "object", additionalProperties: MEMBERS.a, nullable: true }, {}],
  [{ type: "string", nullable: true, description: "words" }, { description: "words" }],
  [{ type: "object", properties: { a: { type: "integer", default: 1 } } }, {
    type: "object",
    properties: { a: { type: "integer" } },
  }],
];

Deno.test("of what may be anything the older flavour tells no type and no members", () => {
  for (const [schema, told] of OLDER) deepEqual(authored2(schema), told);
});

Deno.test("an embedded object has the members of all objects, but where the older flavour tells of no members", () => {
  const embedded = { type: "object", "x-kubernetes-embedded-resource": true }, metadata = { type: "object" };
  const told = (schema: JsonMap, flavour: 2 | 3) => {
    const { required, properties = {} } = withEmbedded(schema, flavour, metadata) as Loose;
    return [required, Object.keys(properties)];
  };
  const members = ["apiVersion", "kind", "metadata"];
  for (const flavour of [2, 3] as const) {
    deepEqual(told({ ...embedded, required: ["a", "kind"] }, flavour), [["a", "kind", "apiVersion"], members]);
    deepEqual(
      told({ ...embedded, ...KEPT }, flavour),
      flavour === 2 ? [undefined, []] : [["kind", "apiVersion"], members],
    );
  }
});

Deno.test("examples, and where more is said, are not told of, but members of such names are", () => {
  const shown = { example: { a: 1 }, externalDocs: { url: "https://example.com" } };
  const color = { type: "string", description: "how it looks" }, example = { type: "string" };
  const list = { type: "array", items: { type: "object", properties: { example }, ...shown } };
  return withThings(definition([version({ color: { ...color, ...shown }, list }, {})]), async ({ fetch }) => {
    const { spec } = (await fetch(DOCUMENT)).body.components.schemas[THING].properties;
    deepEqual(spec.properties, { color, list: { type: "array", items: { type: "object", properties: { example } } } });
    deepEqual((await fetch("/openapi/v2")).body.definitions[THING].properties.spec, spec);
  });
});

Deno.test("kinds that come while the document of version 2 is made are told by their names", () =>
  withThings(definition([version({ a: { type: "string" } })]), async ({ fetch, server: { catalog } }) => {
    const old = catalog.resource("things.example.com")!.served[0]!;
    let made = 0;
    const put = (group: string) => {
      const of = { group, publicGroup: group, apiVersion: `${group}/v1` };
      const kind = { ...old.kind, ...of, kind: `Other${++made}`, message: { ...old.kind.message } };
      const name = `other${made}s`, resource = { ...old.resource, ...of, id: `${name}.${group}`, name };
      catalog.scheme.add(kind);
      catalog.put(Object.assign(resource, { served: [{ ...old, resource, kind }], storageKind: kind }));
    };
    put("a.example.com"); // it is told of before the others come
    const timer = setInterval(() => put("example.com"));
    await fetch("/openapi/v2");
    clearInterval(timer);
    ok(made > 2);
    const { text, body: { definitions } } = await fetch("/openapi/v2");
    const references = new Set(text.match(/(?<="#\/definitions\/)[^"]+/g));
    deepEqual([...references].filter((name) => !Object.hasOwn(definitions, name)), []);
    deepEqual(definitions["com.example.v1.Other2"].properties.spec.properties, { a: { type: "string" } });
  }));
