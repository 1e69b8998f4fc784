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
/** A text of so many characters, as an expression. */
const long = (n: number) => `lists.range(${n}).map(i, 'a').join('')`;
const UNSERVED = { paramKind: { apiVersion: "v1", kind: "Thing" }, validations: [OK] };
/** What is compared with itself costs close to what one expression may; all of them cost more than they may together. */
const DEAR = "object.data.x.contains(object.data.x)", DEAR_DATA = config({ x: "x".repeat(9000) });
const DEARS = Array.from({ length: 13 }, (_, i) => `v${i}`);
/** Changes the labels of the namespace, or of an object in it. */
const relabel = (labels: Loose, of = "") => ({
  method: "PATCH",
  path: `/api/v1/namespaces/{ns}${of}`,
  type: "application/merge-patch+json",
  body: { metadata: { labels } },
});
const NO = { expression: "false" };
const named = (labels: Loose) => obj("v1", "Namespace", "made", { metadata: { labels } });
const SCALERS = {
  apiGroups: ["autoscaling"],
  apiVersions: ["v1"],
  operations: ["CREATE"],
  resources: ["horizontalpodautoscalers"],
};
const ALL_SCALERS = { ...SCALERS, apiVersions: ["*"] };
const OF_REQUEST = { selector: { matchLabels: { use: "this" } }, parameterNotFoundAction: "Allow" };
const OVERSPENT = /'p' with binding 'b'(?: denied request)?: validation failed due to running out of cost budget/;
const CHECKS = [{ expression: "false" }, ...DEARS.map(() => ({ expression: DEAR }))];

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
    ...Object.fromEntries(
      [["blank", "'  '"], ["of two lines", "'a\\nb'"], ["too long", long(5121)]].map(([what, messageExpression]) => [
        `a message that is ${what} stands back for the text`,
        {
          ...own(),
          given: given({ validations: [{ expression: "false", messageExpression, message: "plain" }] }),
          post: config({}),
          status: 422,
          says: /denied request: plain$/,
        },
      ]),
    ),
    "a message as long as may be, with nothing around it": {
      ...own(),
      given: given({ validations: [{ expression: "false", messageExpression: `' ' + ${long(5120)}` }] }),
      post: config({}),
      status: 422,
      says: /denied request: a{5120}$/,
    },
    "what expressions cost together": {
      ...own(),
      given: given({ validations: CHECKS }, { validationActions: ["Warn"] }),
      post: DEAR_DATA,
      warns: [OVERSPENT],
    },
    "what variables cost is the cost of who asks for them": {
      ...own(),
      given: given({
        variables: DEARS.map((name) => ({ name, expression: DEAR })),
        validations: [{ expression: DEARS.map((name) => `variables.${name}`).join(" && ") }],
      }),
      post: DEAR_DATA,
      status: 422,
      says: OVERSPENT,
    },
    "what annotations for the audit cost together": {
      ...own(),
      given: given({ auditAnnotations: DEARS.map((key) => ({ key, valueExpression: `string(${DEAR})` })) }),
      post: DEAR_DATA,
      status: 422,
      says: OVERSPENT,
    },
    "a cost that is too high is ignored where the policy says so": {
      ...own(),
      given: given({ failurePolicy: "Ignore", validations: CHECKS }),
      post: DEAR_DATA,
    },
    "a namespace lies in none": {
      ...own(),
      given: [
        policy({ validations: [{ expression: "namespaceObject == null && request.namespace == request.name" }] }, {
          resourceRules: [{ ...RULE, resources: ["namespaces"] }],
        }),
        binding(),
      ],
      request: relabel({ a: "b" }),
    },
    "conditions do not see the namespace": {
      ...own(),
      given: given({
        matchConditions: [{ name: "x", expression: "namespaceObject == null" }],
        validations: [{ expression: "false", message: "meant" }],
      }),
      post: config({}),
      status: 422,
      says: /denied request: meant$/,
    },
    "parameters that nobody serves": {
      ...own(),
      given: given(UNSERVED),
      post: config({ ok: "yes" }),
      status: 422,
      says: /'p' denied request: failed to configure policy: failed to find resource .* '\/v1, Kind=Thing'$/,
    },
    "parameters that nobody serves, and a request that the policy is not about": {
      ...own(),
      given: given(UNSERVED),
      post: obj("v1", "Secret", "s"),
    },
    ...Object.fromEntries(
      [["resource", "authorizer.group('').resource(object.data.x)"], ["path", "authorizer.path(object.data.x)"]].map((
        [what, asked],
      ) => [
        `an authorizer is not asked of a ${what} without a name`,
        {
          ...own(),
          given: given({ validations: [{ expression: `${asked}.check('get').allowed()` }] }),
          post: config({ x: " " }),
          status: 422,
          says: new RegExp(`resulted in error: ${what} must not be empty$`),
        },
      ]),
    ),
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
    ...Object.fromEntries(
      ([
        ["whose labels go", { strict: "true" }, { strict: null }, true],
        ["whose labels come", {}, { strict: "true" }, true],
        ["that has other labels", { strict: "false" }, { a: "b" }, false],
      ] as const).map(([what, labels, change, refused]) => [`an object ${what}, by its labels`, {
        ...own(),
        given: [
          config({}, "c", labels),
          ...given({ validations: [NO] }, {}, { objectSelector: { matchLabels: { strict: "true" } } }),
        ],
        request: relabel(change, "/configmaps/c"),
        status: refused ? 422 : 200,
      }]),
    ),
    "an object that goes, by its labels": {
      ...own(),
      given: [
        config({}, "c", { strict: "true" }),
        ...given({ validations: [NO] }, {}, {
          resourceRules: [{ ...RULE, operations: ["DELETE"] }],
          objectSelector: { matchLabels: { strict: "true" } },
        }),
      ],
      request: { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps/c" },
      status: 422,
    },
    ...Object.fromEntries(
      ([
        ["an object in it", { strict: "true" }, config({}), undefined, true],
        ["an object in another one", {}, config({}), undefined, false],
        ["a namespace that is made", {}, named({ strict: "true" }), undefined, true],
        ["a namespace that is made otherwise", { strict: "true" }, named({}), undefined, false],
        ["a namespace that changes", {}, undefined, relabel({ strict: "true" }), true],
        ["a namespace that changes to another one", { strict: "true" }, undefined, relabel({ strict: null }), false],
        ["a namespace's status, which is of what there is", { strict: "true" }, undefined, {
          ...relabel({ strict: null }, "/status"),
          body: { metadata: { labels: { strict: null } }, status: {} },
        }, true],
        [
          "a namespace that goes",
          { strict: "true" },
          undefined,
          { method: "DELETE", path: "/api/v1/namespaces/{ns}" },
          true,
        ],
        ["what is in none", {}, obj("node.k8s.io/v1", "RuntimeClass", "r", { handler: "h" }), undefined, true],
      ] as const).map(([what, labels, post, request, refused]) => [`by the labels of the namespace: ${what}`, {
        ...own(),
        labels,
        given: given({ validations: [NO] }, {}, {
          namespaceSelector: { matchLabels: { strict: "true" } },
          resourceRules: [{
            apiGroups: ["", "node.k8s.io"],
            apiVersions: ["v1"],
            operations: ["CREATE", "UPDATE", "DELETE"],
            resources: ["configmaps", "namespaces", "namespaces/status", "runtimeclasses"],
          }],
        }),
        ...(post ? { post } : { request: request! }),
        status: refused ? 422 : post ? 201 : 200,
      }]),
    ),
    ...Object.fromEntries(
      ([
        ["Equivalent", {}, 422],
        ["Exact", {}, 201],
        ["Equivalent", { excludeResourceRules: [SCALERS] }, 201],
        ["Exact", { resourceRules: [ALL_SCALERS], excludeResourceRules: [SCALERS] }, 422],
      ] as const).map(([matchPolicy, match, status], i) => [`the version of a request, ${matchPolicy} (${i})`, {
        ...own(),
        given: given({ validations: [NO] }, {}, { resourceRules: [SCALERS], ...match, matchPolicy }),
        post: obj("autoscaling/v2", "HorizontalPodAutoscaler", "h", {
          spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
        }),
        status,
      }]),
    ),
    "no rules of a binding's own are every rule": {
      ...own(),
      given: given({ validations: [NO] }, { matchResources: { namespaceSelector: {} } }),
      post: config({}),
      status: 422,
    },
    ...Object.fromEntries(
      ([
        ["a binding that names none", {}, "params == null"],
        ["of the request's namespace, all of them", { paramRef: OF_REQUEST }, "params.metadata.name in ['a', 'b']"],
        ["each of them", { paramRef: OF_REQUEST }, "params.metadata.name == 'a'", 422],
        ["of another namespace", { paramRef: { ...OF_REQUEST, namespace: "default" } }, "false"],
        [
          "of another namespace, without which nothing goes",
          { paramRef: { ...OF_REQUEST, namespace: "default", parameterNotFoundAction: "Deny" } },
          "true",
          422,
        ],
      ] as const).map(([what, bound, expression, status = 201]) => [`parameters: ${what}`, {
        ...own(),
        given: [
          obj("v1", "Secret", "a", { metadata: { labels: { use: "this" } } }),
          obj("v1", "Secret", "b", { metadata: { labels: { use: "this" } } }),
          obj("v1", "Secret", "c"),
          ...given({ paramKind: { apiVersion: "v1", kind: "Secret" }, validations: [{ expression }] }, bound),
        ],
        post: config({}),
        status,
      }]),
    ),
    "parameters of a namespace, and a request of none": {
      ...own(),
      given: given(
        { paramKind: { apiVersion: "v1", kind: "Secret" }, validations: [{ expression: "true" }] },
        { paramRef: OF_REQUEST },
        { resourceRules: [{ ...RULE, resources: ["nodes"] }] },
      ),
      post: obj("v1", "Node", "n"),
      status: 422,
      says: /cannot use namespaced paramRef in policy binding that matches cluster-scoped resources$/,
    },
    "parameters of no namespace, and a binding that names one": {
      ...own(),
      given: given(
        { paramKind: { apiVersion: "v1", kind: "Namespace" }, validations: [{ expression: "true" }] },
        { paramRef: { name: "default", namespace: "default", parameterNotFoundAction: "Deny" } },
      ),
      post: config({}),
      status: 422,
      says: /paramRef.namespace must not be provided for a cluster-scoped `paramKind`$/,
    },
    "who asks": {
      ...own(),
      as: { name: "root", uid: "u", groups: ["system:masters", "g"], extra: { k: ["v"] } },
      given: given({
        validations: [{
          expression: "request.userInfo.username == 'root' && request.userInfo.uid == 'u' && " +
            "'g' in request.userInfo.groups && request.userInfo.extra['k'] == ['v']",
        }],
      }),
      post: config({}),
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
