import assert from "node:assert/strict";
import { Bench, table } from "./_table.ts";

const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
const hook = {
  name: "w.x.io",
  clientConfig: { url: "https://h/p" },
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  rules: [rule],
};
const service = { name: "s", namespace: "n" };

table({
  kind: "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration",
  resource: "validatingwebhookconfigurations",
  namespaced: false,
  good: { webhooks: [hook] },
  rows: [
    { set: { webhooks: [hook, hook] }, causes: ["webhooks[1].name Duplicate"] },
    { set: { "webhooks.0.name": "x.io" }, causes: ["webhooks[0].name Invalid"] },
    { set: { "webhooks.0.clientConfig.service": service }, causes: ["webhooks[0].clientConfig Required"] },
    {
      set: { "webhooks.0.clientConfig.url": "http://u@h/p?q#f" },
      causes: Array(4).fill("webhooks[0].clientConfig.url Invalid"),
    },
    {
      set: { "webhooks.0.clientConfig": { service: { name: "s", path: "/a//B", port: 0 } } },
      causes: [
        "webhooks[0].clientConfig.service.name Required",
        "webhooks[0].clientConfig.service.path Invalid",
        "webhooks[0].clientConfig.service.path Invalid",
        "webhooks[0].clientConfig.service.port Invalid",
      ],
    },
    { set: { "webhooks.0.sideEffects": "Some" }, causes: ["webhooks[0].sideEffects NotSupported"] },
    { set: { "webhooks.0.timeoutSeconds": 31 }, causes: ["webhooks[0].timeoutSeconds Invalid"] },
    { set: { "webhooks.0.admissionReviewVersions": ["v2"] }, causes: ["webhooks[0].admissionReviewVersions Invalid"] },
    {
      set: { "webhooks.0.rules.0.resources": ["pods/*", "pods/log", "*/status", "*"] },
      causes: ["webhooks[0].rules[0].resources[1] Invalid"],
    },
    {
      set: { "webhooks.0.rules.0.resources": ["*/*", "pods"] },
      causes: ["webhooks[0].rules[0].resources Invalid"],
    },
    {
      set: { "webhooks.0.rules.0.operations": ["*", "LOOK"] },
      causes: ["webhooks[0].rules[0].operations Invalid", "webhooks[0].rules[0].operations[1] NotSupported"],
    },
    {
      set: { "webhooks.0.matchConditions": [{ name: "a", expression: "true" }, { name: "a", expression: "" }] },
      causes: [
        "webhooks[0].matchConditions[1].expression Required",
        "webhooks[0].matchConditions[1].name Duplicate",
      ],
    },
    {
      on: "update",
      from: { "webhooks.0.sideEffects": "Some", "webhooks.0.admissionReviewVersions": ["v2"] },
      set: { "webhooks.0.timeoutSeconds": 5 },
      causes: [],
    },
  ],
});

table({
  kind: "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration",
  resource: "mutatingwebhookconfigurations",
  namespaced: false,
  good: { webhooks: [hook] },
  rows: [
    { set: { "webhooks.0.reinvocationPolicy": "Always" }, causes: ["webhooks[0].reinvocationPolicy NotSupported"] },
    { set: { "webhooks.0.sideEffects": undefined }, causes: ["webhooks[0].sideEffects Required"] },
    { on: "update", set: { "webhooks.0.clientConfig": {} }, causes: ["webhooks[0].clientConfig Required"] },
  ],
});

table({
  kind: "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",
  resource: "validatingadmissionpolicies",
  namespaced: false,
  good: { spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }] } },
  rows: [
    {
      set: { "spec.validations": [] },
      causes: ["spec.auditAnnotations Required", "spec.validations Required"],
    },
    { set: { "spec.matchConstraints": {} }, causes: ["spec.matchConstraints.resourceRules Required"] },
    {
      set: { "spec.paramKind": { apiVersion: "a/b/c", kind: "K_" } },
      causes: ["spec.paramKind.apiVersion Invalid", "spec.paramKind.kind Invalid"],
    },
    {
      set: { "spec.variables": [{ name: "in", expression: "1" }, { name: "v" }] },
      causes: ["spec.variables[0].name Invalid", "spec.variables[1].expression Required"],
    },
    {
      set: { "spec.validations.0.message": "a\nb", "spec.validations.0.reason": "Bored" },
      causes: ["spec.validations[0].message Invalid", "spec.validations[0].reason NotSupported"],
    },
    {
      set: { "spec.auditAnnotations": [{ key: "k", valueExpression: "'v'" }, { key: "k" }] },
      causes: ["spec.auditAnnotations[1].key Duplicate", "spec.auditAnnotations[1].valueExpression Required"],
    },
    {
      on: "status",
      set: { "status.typeChecking.expressionWarnings": [{}] },
      causes: [
        "status.typeChecking.expressionWarnings[0].fieldRef Required",
        "status.typeChecking.expressionWarnings[0].warning Required",
      ],
    },
    ...["spec.validations[0].expression", "['a']", "a[1,2:3].*", "..b", "a!", "-1", "a}{b", "a[?(@.x==(1))]"].map((
      fieldRef,
    ) => ({
      on: "status",
      set: { "status.typeChecking.expressionWarnings": [{ fieldRef, warning: "w" }] },
      causes: [],
    })),
    ...["/a", "#", "50%", "10.0.0.1", 'a["b"]', "a[x]", "a]", "{}", "'a"].map((fieldRef) => ({
      on: "status",
      set: { "status.typeChecking.expressionWarnings": [{ fieldRef, warning: "w" }] },
      causes: ["status.typeChecking.expressionWarnings[0].fieldRef Invalid"],
    })),
  ],
});

table({
  kind: "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding",
  resource: "validatingadmissionpolicybindings",
  namespaced: false,
  good: { spec: { policyName: "p", validationActions: ["Deny"] } },
  rows: [
    { set: { "spec.policyName": "P" }, causes: ["spec.policyName Invalid"] },
    { set: { "spec.validationActions": [] }, causes: ["spec.validationActions Required"] },
    { set: { "spec.validationActions": ["Deny", "Warn"] }, causes: ["spec.validationActions Invalid"] },
    {
      set: { "spec.paramRef": { name: "n", selector: {}, parameterNotFoundAction: "Deny" } },
      causes: ["spec.paramRef.name Forbidden", "spec.paramRef.selector Forbidden"],
    },
    {
      set: { "spec.matchResources.resourceRules": [{ ...rule, resourceNames: ["a", "a", "b/c"] }] },
      causes: [
        "spec.matchResources.resourceRules[0].resourceNames[1] Duplicate",
        "spec.matchResources.resourceRules[0].resourceNames[2] Invalid",
      ],
    },
  ],
});

const EXPRESSION = "spec.mutations[0].jsonPatch.expression Invalid";
const APPLIED = "spec.mutations[0].applyConfiguration.expression Invalid";
const apply = (expression: string) => ({
  "spec.mutations": [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }],
});

table({
  kind: "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy",
  resource: "mutatingadmissionpolicies",
  namespaced: false,
  good: {
    spec: {
      matchConstraints: { resourceRules: [rule] },
      mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{}]" } }],
      reinvocationPolicy: "Never",
    },
  },
  rows: [
    { set: { "spec.mutations": [] }, causes: ["spec.mutations Required"] },
    { set: { "spec.mutations.0.jsonPatch.expression": "[{'op': 'add'}]" }, causes: [EXPRESSION] },
    { set: { "spec.mutations.0.jsonPatch.expression": "[]" }, causes: [EXPRESSION] },
    { set: { "spec.mutations.0.jsonPatch.expression": "[dyn(JSONPatch{})]" }, causes: [EXPRESSION] },
    { set: { "spec.mutations.0.jsonPatch.expression": "has(object.x) ? [] : [JSONPatch{}]" }, causes: [] },
    { set: { "spec.mutations.0.jsonPatch.expression": "[] + [JSONPatch{}]" }, causes: [] },
    { set: { "spec.mutations.0.jsonPatch.expression": "[JSONPatch{op: 'add', to: '/a'}]" }, causes: [EXPRESSION] },
    {
      set: {
        "spec.mutations.0.jsonPatch.expression":
          "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: object.spec}]",
      },
      causes: [],
    },
    { set: apply("Object{metadata: Object.metadata{labels: {'a': 'b'}}}"), causes: [] },
    { set: apply("Object{?spec: optional.none()}"), causes: [] },
    { set: apply("Object.spec{}"), causes: [APPLIED] },
    { set: apply("Other{}"), causes: [APPLIED] },
    { set: { "spec.reinvocationPolicy": "" }, causes: ["spec.reinvocationPolicy Required"] },
    {
      set: { "spec.mutations.0.patchType": "ApplyConfiguration" },
      causes: ["spec.mutations[0].applyConfiguration Required", "spec.mutations[0].jsonPatch Invalid"],
    },
    {
      set: { "spec.matchConstraints.resourceRules.0.operations": ["DELETE"] },
      causes: ["spec.matchConstraints.resourceRules.operations NotSupported"],
    },
  ],
});

table({
  kind: "admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding",
  resource: "mutatingadmissionpolicybindings",
  namespaced: false,
  good: { spec: { policyName: "p" } },
  rows: [
    { set: { "spec.policyName": "" }, causes: ["spec.policyName Required"] },
    {
      set: { "spec.paramRef": {} },
      causes: ["spec.paramRef Required", "spec.paramRef.parameterNotFoundAction Required"],
    },
    { on: "update", set: { "spec.policyName": "q" }, causes: [] },
  ],
});

Deno.test("objects that have names of manifests may be changed, with a warning whether or not the gate is on", () => {
  const kinds = {
    ValidatingWebhookConfiguration: ["validatingwebhookconfigurations", {}],
    MutatingAdmissionPolicyBinding: ["mutatingadmissionpolicybindings", { spec: { policyName: "p" } }],
  } as const;
  for (const [kind, [resource, more]] of Object.entries(kinds)) {
    const tree = { ...more, metadata: { name: "a.static.k8s.io" } };
    const about = {
      kind: `admissionregistration.k8s.io/v1/${kind}`,
      resource,
      namespaced: false,
      good: tree,
      rows: [],
    };
    const bench = new Bench(about), old = bench.create(tree).object;
    for (const gates of [[], ["ManifestBasedAdmissionControlConfig"]]) {
      const { object, causes } = bench.update(old, tree, "", gates);
      const told = bench.ruled.rules.warnings!(object, old, bench.context(gates));
      assert.deepEqual([causes, told.length], [[], 1], kind);
    }
  }
});
