import { Bench, table } from "./_table.ts";
import assert from "node:assert/strict";
import type { JsonMap } from "../../schema/model/types.ts";

const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } };
const good = {
  metadata: { name: "foos.x.io" },
  spec: {
    group: "x.io",
    scope: "Namespaced",
    names: { plural: "foos", kind: "Foo" },
    versions: [{ name: "v1", served: true, storage: true, schema }],
  },
};
const S = "spec.versions.0.schema.openAPIV3Schema", AT = "spec.validation.openAPIV3Schema";
const SPEC = `${S}.properties.spec`, SPEC_AT = `${AT}.properties[spec]`;
const list = (more: JsonMap, item: JsonMap = { type: "string" }): JsonMap => ({ type: "array", items: item, ...more });
const EMBEDDED = "x-kubernetes-embedded-resource", KEEP = "x-kubernetes-preserve-unknown-fields";
const keyed = {
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["k"],
};

/** A default of a property `n`, and its causes, by where they stand below the property. */
const DEFAULTS: readonly (readonly [schema: JsonMap, causes: readonly string[]])[] = [
  [{ type: "integer", default: 1.5 }, ["default Invalid", "default TypeInvalid"]],
  [{ type: "integer", anyOf: [{ minimum: 3 }, { maximum: 1 }], default: 2 }, ["default Invalid", "default Invalid"]],
  [{ type: "string", maxLength: 1, pattern: "^b", default: "éé" }, ["default TooLong"]],
  [{ type: "object", properties: { x: { type: "string" } }, default: { x: null } }, ["default.x TypeInvalid"]],
  [{ type: "object", required: ["b"], properties: { b: { type: "string" } }, default: { d: 1 } }, [
    "default Invalid",
    "default.b Required",
  ]],
  [{ type: "array", items: { type: "string", enum: ["a"] }, default: ["a", "b"] }, ["default.[1] NotSupported"]],
  [{ "x-kubernetes-int-or-string": true, default: [] }, []],
  [{ type: "object", [EMBEDDED]: true, [KEEP]: true, default: { apiVersion: "a/b/c", kind: "K" } }, [
    "default.apiVersion Invalid",
  ]],
  [{ type: "object", [EMBEDDED]: true, [KEEP]: true, default: { apiVersion: "v1", kind: "_".repeat(64) } }, [
    "default.kind Invalid",
  ]],
  [{ type: "object", [EMBEDDED]: true, [KEEP]: true, default: { apiVersion: "v1", kind: 1, metadata: 1 } }, [
    "default.kind Invalid",
  ]],
  [
    { type: "object", [EMBEDDED]: true, [KEEP]: true, default: { apiVersion: "v1", kind: "K", metadata: { name: 1 } } },
    [
      "default.metadata Invalid",
    ],
  ],
  [{ type: "object", [EMBEDDED]: true, [KEEP]: true, default: { apiVersion: "v1" } }, ["default.kind Required"]],
  [{
    type: "array",
    items: { type: "object", [EMBEDDED]: true, [KEEP]: true },
    default: [{ apiVersion: "v1", kind: "K" }, { kind: 1 }, { kind: 1 }],
  }, ["default[1].kind Invalid"]],
  [{
    type: "object",
    [EMBEDDED]: true,
    properties: { metadata: { type: "object", properties: { name: { type: "string", default: "a/b" } } } },
  }, ["properties[metadata].properties[name].default Invalid"]],
];

function defaultRows() {
  return DEFAULTS.map(([n, causes]) => ({
    set: { [`${SPEC}.properties`]: { n } },
    causes: causes.map((c) => `${SPEC_AT}.properties[n].${c}`),
  }));
}

table({
  kind: "apiextensions.k8s.io/v1/CustomResourceDefinition",
  resource: "customresourcedefinitions",
  namespaced: false,
  good,
  rows: [
    { set: { "metadata.name": "bars.x.io" }, causes: ["metadata.name Invalid"] },
    { set: { "spec.group": "x" }, causes: ["metadata.name Invalid", "spec.group Invalid"] },
    { set: { "spec.scope": "World" }, causes: ["spec.scope NotSupported"] },
    { set: { "spec.names.listKind": "Foo" }, causes: ["spec.names.listKind Invalid"] },
    { set: { "spec.names.shortNames": ["F"] }, causes: ["spec.names.shortNames[0] Invalid"] },
    {
      set: { "spec.versions.1": { name: "v2", served: true, storage: true, schema } },
      causes: ["spec.versions Invalid", "status.storedVersions Invalid"],
    },
    { set: { "spec.versions.0.schema": undefined }, causes: ["spec.versions[0].schema.openAPIV3Schema Required"] },
    {
      set: { "spec.versions.1": { name: "v2", served: true, schema: { openAPIV3Schema: { type: "string" } } } },
      causes: ["spec.versions[1].schema.openAPIV3Schema.type Invalid"],
    },
    { set: { "spec.versions.0.deprecationWarning": "w" }, causes: ["spec.versions[0].deprecationWarning Invalid"] },
    { set: { [SPEC]: {} }, causes: [`${SPEC_AT}.type Required`] },
    {
      set: { [SPEC]: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] } },
      causes: [],
    },
    { set: { [SPEC]: { type: "array" } }, causes: [`${SPEC_AT}.items Required`] },
    { set: { [`${SPEC}.pattern`]: "(" }, causes: [`${SPEC_AT}.pattern Invalid`] },
    { set: { [`${SPEC}.pattern`]: "C:\\x" }, causes: [`${SPEC_AT}.pattern Invalid`] },
    { set: { [`${S}.additionalProperties`]: true }, causes: [`${AT}.additionalProperties Forbidden`] },
    { set: { [`${S}.anyOf`]: [{ type: "object" }] }, causes: [`${AT}.anyOf[0].type Forbidden`] },
    { set: { [`${S}.anyOf`]: [{ properties: { other: {} } }] }, causes: [`${AT}.properties[other] Required`] },
    { set: { [`${S}.anyOf`]: [{ required: ["spec"] }] }, causes: [] },
    { set: { [`${S}.properties.metadata`]: { type: "object", properties: { name: { type: "string" } } } }, causes: [] },
    {
      set: { [`${S}.properties.metadata`]: { type: "object", properties: { labels: { type: "object" } } } },
      causes: [`${AT}.properties[metadata] Forbidden`],
    },
    { set: { [`${SPEC}.uniqueItems`]: true }, causes: [`${SPEC_AT}.uniqueItems Forbidden`] },
    { set: { [`${SPEC}.$ref`]: "#" }, causes: [`${SPEC_AT}.$ref Forbidden`] },
    {
      set: { [`${SPEC}.x-kubernetes-preserve-unknown-fields`]: false },
      causes: [
        `${SPEC_AT}.x-kubernetes-preserve-unknown-fields Invalid`,
      ],
    },
    { set: { [`${SPEC}.x-kubernetes-map-type`]: "odd" }, causes: [`${SPEC_AT}.x-kubernetes-map-type NotSupported`] },
    {
      set: { [SPEC]: list({ "x-kubernetes-list-type": "set" }, { type: "object" }) },
      causes: [`${SPEC_AT}.items.x-kubernetes-map-type Invalid`],
    },
    {
      set: { [SPEC]: list(keyed, { type: "object", properties: { k: { type: "string" } } }) },
      causes: [`${SPEC_AT}.items.properties[k].default Required`],
    },
    {
      set: { [SPEC]: list(keyed, { type: "object", properties: { k: { type: "string" } }, required: ["k"] }) },
      causes: [],
    },
    { set: { [SPEC]: list(keyed) }, causes: [`${SPEC_AT}.items.type Invalid`] },
    {
      set: { [`${SPEC}.properties`]: { n: { type: "integer", minimum: 2, default: 1 } } },
      causes: [`${SPEC_AT}.properties[n].default Invalid`],
    },
    {
      set: { [`${SPEC}.properties`]: { n: { type: "integer", default: "x" } } },
      causes: [`${SPEC_AT}.properties[n].default TypeInvalid`],
    },
    ...defaultRows(),
    { set: { [`${SPEC}.default`]: { a: 1 } }, causes: [`${SPEC_AT}.default Invalid`] },
    {
      set: {
        [`${SPEC}.x-kubernetes-validations`]: [{ rule: " " }, { rule: "true", message: "a\nb", fieldPath: ".no" }],
      },
      causes: [
        `${SPEC_AT}.x-kubernetes-validations[0].rule Required`,
        `${SPEC_AT}.x-kubernetes-validations[1].fieldPath Invalid`,
        `${SPEC_AT}.x-kubernetes-validations[1].message Invalid`,
      ],
    },
    {
      set: {
        [`${SPEC}.properties`]: { "a\x07'": { type: "string" } },
        [`${SPEC}.x-kubernetes-validations`]: ["['a\\a\\'']", "['a\\q']"].map((fieldPath) => ({
          rule: "true",
          fieldPath,
        })),
      },
      causes: [`${SPEC_AT}.x-kubernetes-validations[1].fieldPath Invalid`],
    },
    {
      set: { "spec.versions.0.subresources": { scale: { specReplicasPath: ".status.n" } } },
      causes: [
        "spec.subresources.scale.specReplicasPath Invalid",
        "spec.subresources.scale.statusReplicasPath Required",
      ],
    },
    {
      set: { "spec.versions.0.subresources": { status: {} }, [`${S}.maxProperties`]: 3 },
      causes: ["spec.validation.openAPIV3Schema Invalid"],
    },
    {
      set: { "spec.versions.0.additionalPrinterColumns": [{ name: "a", type: "text", jsonPath: "a", format: "f" }] },
      causes: [
        "spec.additionalPrinterColumns[0].JSONPath Invalid",
        "spec.additionalPrinterColumns[0].format Invalid",
        "spec.additionalPrinterColumns[0].type Invalid",
      ],
    },
    {
      set: { "spec.versions.0.selectableFields": [{ jsonPath: ".spec" }, { jsonPath: ".no" }] },
      causes: ["spec.selectableFields[0].jsonPath Invalid", "spec.selectableFields[1].jsonPath Invalid"],
    },
    {
      set: {
        "spec.versions.1": {
          name: "v9",
          served: true,
          storage: false,
          selectableFields: [{ jsonPath: ".spec" }],
          schema: { openAPIV3Schema: { type: "object" } },
        },
        "spec.versions.0.schema": { openAPIV3Schema: { type: "object" } },
      },
      causes: ["spec.versions[1].selectableFields Invalid"],
    },
    {
      set: { "spec.conversion": { strategy: "Webhook" } },
      causes: ["spec.conversion.conversionReviewVersions Required", "spec.conversion.webhookClientConfig Required"],
    },
    {
      set: { "spec.conversion": { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } } },
      causes: ["spec.conversion.conversionReviewVersions Forbidden"],
    },
    {
      set: { "spec.group": "x.k8s.io", "metadata.name": "foos.x.k8s.io" },
      causes: ["metadata.annotations[api-approved.kubernetes.io] Required"],
    },
    { set: { "spec.preserveUnknownFields": true }, causes: ["spec.preserveUnknownFields Invalid"] },
    { on: "update", set: { "spec.names.plural": "bars" }, causes: ["spec.names.plural Invalid"] },
    { on: "update", set: { "spec.scope": "Cluster" }, causes: [] },
    { on: "update", set: { "spec.versions.0.name": "v2" }, causes: ["status.storedVersions[0] Invalid"] },
    { on: "update", set: { [SPEC]: {} }, causes: [`${SPEC_AT}.type Required`] },
  ],
});

Deno.test("definitions: authors are told of formats that nobody checks", () => {
  const bench = new Bench({
    kind: "apiextensions.k8s.io/v1/CustomResourceDefinition",
    resource: "customresourcedefinitions",
    namespaced: false,
    good,
    rows: [],
  });
  const tree = structuredClone(good);
  Object.assign(tree.spec.versions[0]!.schema.openAPIV3Schema.properties.spec, {
    properties: { a: { type: "string", format: "odd" }, b: { type: "string", format: "date-time" } },
  });
  const { object } = bench.create(tree);
  assert.deepEqual(bench.ruled.rules.warnings!(object, undefined, bench.context()), ['unrecognized format "odd"']);
  assert.deepEqual(bench.ruled.rules.warnings!(object, object, bench.context()), []);
});

Deno.test("a schema that cannot be structural is walked once, however deep the reason lies", () => {
  let deep: JsonMap = { type: "string", id: "a" };
  for (let i = 0; i < 400; i++) deep = i % 2 ? { type: "object", properties: { a: deep } } : { allOf: [deep] };
  const { causes } = new Bench({
    kind: "apiextensions.k8s.io/v1/CustomResourceDefinition",
    resource: "customresourcedefinitions",
    namespaced: false,
    good,
    rows: [],
  }).create({
    ...good,
    spec: {
      ...good.spec,
      versions: [{
        ...good.spec.versions[0],
        schema: { openAPIV3Schema: { type: "object", properties: { spec: deep } } },
      }],
    },
  });
  assert.equal(causes.length, 1);
  assert.match(causes[0]!, /\.id Forbidden$/);
});
