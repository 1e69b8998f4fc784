/** Admission plugin ValidatingAdmissionPolicy: see _table.ts. */
import { obj, pod, table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] };
const policy = (spec: Loose, match: Loose = {}) =>
  obj(GROUP, "ValidatingAdmissionPolicy", "p", {
    spec: { matchConstraints: { resourceRules: [RULE], ...match }, ...spec },
  });
const binding = (spec: Loose = {}) =>
  obj(GROUP, "ValidatingAdmissionPolicyBinding", "b", {
    spec: { policyName: "p", validationActions: ["Deny"], ...spec },
  });
const config = (data: Loose, name = "c", labels: Loose = {}) =>
  obj("v1", "ConfigMap", name, { metadata: { labels }, data });

/** A server for each case: policies are there for everyone. */
let cases = 0;
const own = () => ({ flags: [`--max-requests-inflight=${400 + ++cases}`] });
const OK = { expression: 'object.data.ok == "yes"' };
const given = (spec: Loose, bound: Loose = {}, match: Loose = {}) => [policy(spec, match), binding(bound)];

const ALLOWED = "authorizer.path('/x').check('get').allowed()";
const SHOWN_OPTIONS =
  "request.operation + ' ' + ['kind', 'apiVersion', 'fieldManager'].map(k, string(request.options[k])).join(' ')";
const SHOWN_PARAMS = "string(params.apiVersion) + ' ' + string(params.kind)";

table("ValidatingAdmissionPolicy", {
  on: {
    "what does not": {
      ...own(),
      given: given({ validations: [OK] }),
      post: config({ ok: "no" }),
      status: 422,
      says:
        /configmaps "c" is forbidden: .*'p' with binding 'b' denied request: failed expression: object.data.ok == "yes"/,
      shows: { reason: "Invalid", "details.kind": "configmaps" },
    },
    "a reason of its own": {
      ...own(),
      given: given({ validations: [{ ...OK, reason: "RequestEntityTooLarge", message: "too much" }] }),
      post: config({ ok: "no" }),
      status: 413,
      says: /denied request: too much$/,
    },
    "a warning": {
      ...own(),
      given: given({ validations: [{ ...OK, message: "not so" }] }, { validationActions: ["Warn", "Audit"] }),
      post: config({ ok: "no" }),
      warns: [/Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': not so/],
    },
    "variables and a message of them": {
      ...own(),
      given: given({
        variables: [{ name: "v", expression: "object.data.ok" }, { name: "w", expression: "variables.v + '!'" }],
        validations: [{ expression: 'variables.w == "yes!"', messageExpression: '"no " + variables.v' }],
      }),
      post: config({ ok: "never" }),
      status: 422,
      says: /denied request: no never$/,
    },
    "an error refuses": {
      ...own(),
      given: given({ validations: [OK] }),
      post: config({}),
      status: 422,
      says: /resulted in error: no such key: /,
    },
    "parameters by name": {
      ...own(),
      given: [
        policy({
          paramKind: { apiVersion: "v1", kind: "Namespace" },
          validations: [{ expression: "object.data.ok == params.metadata.name" }],
        }),
        binding({ paramRef: { name: "kube-system", parameterNotFoundAction: "Deny" } }),
      ],
      post: config({ ok: "other" }),
      status: 422,
      says: /failed expression/,
    },
    "parameters that are absent": {
      ...own(),
      given: given(
        { paramKind: { apiVersion: "v1", kind: "Secret" }, validations: [OK] },
        { paramRef: { name: "gone", parameterNotFoundAction: "Deny" } },
      ),
      post: config({ ok: "yes" }),
      status: 422,
      says: /failed to configure binding: no params found/,
    },
    "a binding about this object": {
      ...own(),
      given: given({ validations: [OK] }, { matchResources: { objectSelector: { matchLabels: { strict: "true" } } } }),
      post: config({ ok: "no" }, "c", { strict: "true" }),
      status: 422,
      says: /failed expression/,
    },
    "an expression that does not compile": {
      ...own(),
      post: policy({ validations: [{ expression: "request.nope == 1" }] }),
      status: 422,
      says: /spec.validations\[0\].expression: Invalid value: .*undefined field 'nope'/,
    },
  },
  edge: {
    "an event of the one group is one of the other": {
      ...own(),
      given: [
        policy({
          validations: [{ expression: "!has(object.regarding)", messageExpression: "string(object.apiVersion)" }],
        }, {
          resourceRules: [{ ...RULE, apiGroups: ["events.k8s.io"], resources: ["events"] }],
        }),
        binding(),
      ],
      post: obj("v1", "Event", "e", { involvedObject: { namespace: "{ns}" } }),
      status: 422,
      says: /events\.\S+\/v1$/,
    },
    "a warning of each object of a collection that is deleted": {
      ...own(),
      given: [
        policy({ validations: [{ expression: "has(request.name)", message: "unnamed" }] }, {
          resourceRules: [{ ...RULE, operations: ["DELETE"] }],
        }),
        binding({ validationActions: ["Warn"] }),
        config({}),
      ],
      request: { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps" },
      status: 200,
      warns: [/unnamed/],
    },
    "a patch asks for an update": {
      ...own(),
      given: [
        policy({ validations: [{ expression: "false", messageExpression: SHOWN_OPTIONS }] }),
        binding({ validationActions: ["Warn"] }),
        config({}),
      ],
      request: {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}/configmaps/c?fieldManager=m",
        type: "application/merge-patch+json",
        body: { data: { ok: "no" } },
      },
      status: 200,
      warns: [/UPDATE UpdateOptions meta.k8s.io.v1 m$/],
    },
    "messages ask no authorizer, nor do their variables": {
      ...own(),
      given: given({
        variables: [{ name: "may", expression: ALLOWED }],
        validations: [{ expression: "!variables.may", messageExpression: "string(variables.may)", message: "plain" }],
      }),
      post: config({}),
      status: 422,
      says: /denied request: plain$/,
    },
    "an annotation for the audit that asks the authorizer": {
      ...own(),
      given: given({ auditAnnotations: [{ key: "k", valueExpression: `string(${ALLOWED})` }] }),
      post: config({}),
      status: 422,
      says: /resulted in error: no such attribute\(s\): authorizer$/,
    },
    "of parameters nobody sees who owns their fields": {
      ...own(),
      given: [
        policy({
          paramKind: { apiVersion: "v1", kind: "Namespace" },
          validations: [{ expression: "has(params.metadata.managedFields)", messageExpression: SHOWN_PARAMS }],
        }),
        binding({ paramRef: { name: "{ns}", parameterNotFoundAction: "Deny" } }),
      ],
      post: config({}),
      status: 422,
      says: /denied request: v1 Namespace$/,
    },
    "an expression of another type": {
      ...own(),
      post: policy({
        validations: [{ expression: "null" }],
        auditAnnotations: [{ key: "k", valueExpression: "[null]" }],
      }),
      status: 422,
      says: /"null": must evaluate to bool but got null_type.*one of \[string null_type\] but got list\(null_type\)/,
    },
    "variables of a policy that has none": {
      ...own(),
      post: policy({ validations: [{ expression: "variables.x == 1" }] }),
      status: 422,
      says: /undeclared reference to 'variables'/,
    },
    "of the request's objects the request says nothing": {
      ...own(),
      given: given({
        validations: [{
          expression: "dyn(request).object == null && dyn(request).oldObject == null && dyn(request).uid == ''",
        }],
      }),
      post: config({}),
    },
    "a variable whose name is none is there all the same": {
      ...own(),
      post: policy({
        variables: [{ name: "for", expression: "1" }],
        validations: [{ expression: "variables.for == 'x'" }],
      }),
      status: 422,
      says: /no matching overload/,
    },
    "what meets the expression": {
      ...own(),
      given: given({ validations: [OK] }),
      post: config({ ok: "yes" }),
    },
    "without a binding nothing is asked": {
      ...own(),
      given: [policy({ validations: [OK] })],
      post: config({ ok: "no" }),
    },
    "conditions that are not met": {
      ...own(),
      given: given({ matchConditions: [{ name: "x", expression: "has(object.data.other)" }], validations: [OK] }),
      post: config({ ok: "no" }),
    },
    "an error is ignored where the policy says so": {
      ...own(),
      given: given({ failurePolicy: "Ignore", validations: [OK] }),
      post: config({}),
    },
    "parameters that may be absent": {
      ...own(),
      given: given(
        { paramKind: { apiVersion: "v1", kind: "Secret" }, validations: [OK] },
        { paramRef: { selector: { matchLabels: { a: "b" } }, parameterNotFoundAction: "Allow" } },
      ),
      post: config({ ok: "no" }),
    },
    "what has no labels to be selected by": {
      ...own(),
      given: [
        pod(),
        policy({ validations: [{ expression: "false" }] }, {
          objectSelector: { matchExpressions: [{ key: "no", operator: "DoesNotExist" }] },
          resourceRules: [{ ...RULE, operations: ["CONNECT"], resources: ["pods/exec"] }],
        }),
        binding(),
      ],
      request: { method: "POST", path: "/api/v1/namespaces/{ns}/pods/p/exec?command=x" },
      status: 400,
    },
    "an annotation for the audit that has no value": {
      ...own(),
      given: given({ auditAnnotations: [{ key: "k", valueExpression: "string(object.data.no)" }] }),
      post: config({ ok: "yes" }),
      status: 422,
      says:
        /'p' with binding 'b' denied request: expression 'string\(object.data.no\)' resulted in error: no such key: no$/,
    },
    "an excluded name": {
      ...own(),
      given: given({ validations: [OK] }, {}, { excludeResourceRules: [{ ...RULE, resourceNames: ["c"] }] }),
      post: config({ ok: "no" }),
    },
    "a binding about other objects": {
      ...own(),
      given: given({ validations: [OK] }, { matchResources: { objectSelector: { matchLabels: { strict: "true" } } } }),
      post: config({ ok: "no" }),
    },
    "the authorizer is asked": {
      ...own(),
      given: given({
        validations: [{
          expression:
            'authorizer.group("").resource("secrets").namespace(request.namespace).check("get").allowed() && ' +
            'authorizer.requestResource.check("create").allowed() && namespaceObject.metadata.name == request.namespace',
        }],
      }),
      post: config({}),
    },
  },
  dryRun: {
    "asked of a dry run too": {
      ...own(),
      given: given({ validations: [OK] }),
      post: config({ ok: "no" }),
      status: 422,
      says: /denied request: failed expression/,
    },
    "which it can tell": {
      ...own(),
      given: given({ validations: [{ expression: "request.dryRun" }] }),
      post: config({}),
    },
  },
  off: {
    "nothing is asked": {
      ...own(),
      given: given({ validations: [OK] }),
      post: config({ ok: "no" }),
    },
  },
});
