/** Admission plugin MutatingAdmissionPolicy: see _table.ts. */
import { container, obj, pod, table } from "./_table.ts";
import type { Loose } from "../../fixture/loose.ts";

const GROUP = "admissionregistration.k8s.io/v1";
const rule = (resources: string[], apiGroups = [""], apiVersions = ["v1"]) => ({
  apiGroups,
  apiVersions,
  operations: ["CREATE", "UPDATE"],
  resources,
});
const policy = (mutations: Loose[], spec: Loose = {}, name = "p") =>
  obj(GROUP, "MutatingAdmissionPolicy", name, {
    spec: {
      matchConstraints: { resourceRules: [rule(["configmaps", "pods"])] },
      reinvocationPolicy: "Never",
      mutations,
      ...spec,
    },
  });
const binding = (spec: Loose = {}, name = "p") =>
  obj(GROUP, "MutatingAdmissionPolicyBinding", name, { spec: { policyName: name, ...spec } });
const apply = (expression: string) => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });
const patch = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });
const config = (data: Loose, name = "c") => obj("v1", "ConfigMap", name, { data });
const set = (key: string, value: string) => patch(`[JSONPatch{op: "add", path: "/data/${key}", value: ${value}}]`);

/** Variables that cost close to what one expression may, all of them more than they may together. */
const DEARS = Array.from(
  { length: 13 },
  (_, i) => ({ name: `v${i}`, expression: "object.data.x.contains(object.data.x)" }),
);
const ALL_DEARS = `string(${DEARS.map(({ name }) => `variables.${name}`).join(" && ")})`;

/** A server for each case: policies are there for everyone. */
let cases = 0;
const own = () => ({ flags: [`--max-requests-inflight=${400 + ++cases}`] });
const given = (mutations: Loose[], spec: Loose = {}, bound: Loose = {}) => [policy(mutations, spec), binding(bound)];
const refused = { status: 403, shows: { reason: "Invalid", "details.kind": "configmaps" } };

/** What expressions give that no object can be made of. */
const UNHELD = /a value that JSON cannot hold here: /,
  MISNAMED = /type mismatch: unexpected type name "Object\.no", expected "/;
const UNFIT: Readonly<Record<string, readonly [mutation: Loose, says: RegExp]>> = {
  "a map in a map that is applied": [apply("Object{data: {'a': {'b': 'c'}}}"), UNHELD],
  "a map in a list that is applied": [apply("Object{data: [{'b': 'c'}]}"), UNHELD],
  "a key that is no text, applied": [apply("Object{data: {1: 'a'}}"), UNHELD],
  "a key that is no text, in a step": [set("a", "{1: 'a'}"), UNHELD],
  "an unsigned number that is applied": [apply("Object{data: {'a': 1u}}"), UNHELD],
  "null that is applied": [apply("Object{data: null}"), UNHELD],
  "a step as a step's value": [set("a", "JSONPatch{op: 'remove', path: '/a'}"), UNHELD],
  "what is no number": [set("a", "0.0 / 0.0"), UNHELD],
  "a type of another place, applied": [apply("Object{metadata: Object.no{name: 'x'}}"), MISNAMED],
  "the same in a list": [apply("Object{metadata: Object.metadata{ownerReferences: [Object.no{name: 'x'}]}}"), MISNAMED],
  "the same in a map": [apply("Object{data: {'a': Object.no{name: 'x'}}}"), MISNAMED],
  "the same in a step": [set("a", "Object.data{x: Object.no{y: 'z'}}"), MISNAMED],
};
const unfit = Object.fromEntries(
  Object.entries(UNFIT).map(([name, [mutation, says]]) => [
    `what no object can be made of: ${name}`,
    { ...own(), given: given([mutation]), post: config({}), ...refused, says },
  ]),
);

table("MutatingAdmissionPolicy", {
  on: {
    "a part that is applied": {
      ...own(),
      given: given([apply("Object{metadata: Object.metadata{labels: {'a': object.metadata.name}}}")]),
      post: config({ k: "v" }),
      shows: { "metadata.labels": { a: "c" }, data: { k: "v" } },
    },
    "steps of a patch": {
      ...own(),
      given: given([patch(
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: {jsonpatch.escapeKey('a.b'): 'c'}}, JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('x.y'), value: string(size(object.data))}," +
          " JSONPatch{op: 'move', from: '/data/k', path: '/data/l'}]",
      )]),
      post: config({ k: "v" }),
      shows: { data: { "x.y": "1", l: "v" } },
    },
    "a test that fails leaves the object": {
      ...own(),
      given: given([patch(
        "[JSONPatch{op: 'test', path: '/data/k', value: 'w'}, JSONPatch{op: 'remove', path: '/data/k'}]",
      )]),
      post: config({ k: "v" }),
      shows: { data: { k: "v" } },
    },
    "mutations see what those before them made": {
      ...own(),
      given: given([set("a", "'1'"), set("b", "object.data.a + '2'")]),
      post: config({ k: "v" }),
      shows: { data: { k: "v", a: "1", b: "12" } },
    },
    "a container is merged by its name, with defaults after": {
      ...own(),
      given: given([apply(
        "Object{spec: Object.spec{containers: object.spec.containers.map(c," +
          " Object.spec.containers{name: c.name, imagePullPolicy: 'Always'}), initContainers:" +
          " [Object.spec.initContainers{name: 'i', image: 'img'}]}}",
      )]),
      post: pod({ containers: [container({}, "a"), container({}, "b")] }),
      shows: {
        "spec.containers.1.image": "img",
        "spec.containers.1.imagePullPolicy": "Always",
        "spec.initContainers.0.terminationMessagePolicy": "File",
      },
    },
    "objects made in a step": {
      ...own(),
      given: given([patch(
        "[JSONPatch{op: 'add', path: '/spec/tolerations', value: [{'key': 'a', 'operator': 'Exists'}]}," +
          " JSONPatch{op: 'add', path: '/spec/dnsConfig', value: Object.spec.dnsConfig{nameservers: ['10.0.0.9']}}]",
      )]),
      post: pod(),
      shows: { "spec.tolerations.0.key": "a", "spec.dnsConfig.nameservers": ["10.0.0.9"] },
    },
    "conditions, variables and parameters": {
      ...own(),
      given: [
        policy([set("p", "params.metadata.name + variables.v")], {
          paramKind: { apiVersion: "v1", kind: "Namespace" },
          variables: [{ name: "v", expression: "'-' + object.metadata.name" }],
          matchConditions: [
            { name: "yes", expression: "has(object.data.k)" },
            { name: "no namespace", expression: "namespaceObject == null" },
          ].map((c) => ({ ...c, name: c.name.replace(" ", "-") })),
        }),
        binding({ paramRef: { name: "kube-system", parameterNotFoundAction: "Deny" } }),
      ],
      post: config({ k: "v" }),
      shows: { data: { k: "v", p: "kube-system-c" } },
    },
  },
  edge: {
    "a condition that is not met": {
      ...own(),
      given: given([set("a", "'1'")], { matchConditions: [{ name: "x", expression: "has(object.data.other)" }] }),
      post: config({ k: "v" }),
      shows: { data: { k: "v" } },
    },
    "an error refuses": {
      ...own(),
      given: given([set("a", "object.data.none")]),
      post: config({ k: "v" }),
      ...refused,
      says: /policy 'p' with binding 'p' denied request: .*no such key: none/,
    },
    "an error is ignored where the policy says so, the other mutations are made": {
      ...own(),
      given: given([set("a", "object.data.none"), set("b", "'1'")], { failurePolicy: "Ignore" }),
      post: config({ k: "v" }),
      shows: { data: { k: "v", b: "1" } },
    },
    "what a mutation costs with the variables that it asks for": {
      ...own(),
      given: given([set("a", ALL_DEARS), set("b", "'1'")], { variables: DEARS }),
      post: config({ x: "x".repeat(9000) }),
      ...refused,
      says: /policy 'p' with binding 'p' denied request: .*running out of cost budget/,
    },
    "the same where the policy ignores it, the other mutations are made": {
      ...own(),
      given: given([set("a", ALL_DEARS), set("b", "'1'")], { variables: DEARS, failurePolicy: "Ignore" }),
      post: config({ x: "x".repeat(9000) }),
      shows: { "data.a": undefined, "data.b": "1" },
    },
    "each parameter has its turn": {
      ...own(),
      given: [
        obj("v1", "Secret", "s1", { metadata: { labels: { use: "this" } } }),
        obj("v1", "Secret", "s2", { metadata: { labels: { use: "this" } } }),
        policy([patch("[JSONPatch{op: 'add', path: '/data/' + params.metadata.name, value: 'v'}]")], {
          paramKind: { apiVersion: "v1", kind: "Secret" },
          reinvocationPolicy: "IfNeeded",
        }),
        binding({ paramRef: { selector: { matchLabels: { use: "this" } }, parameterNotFoundAction: "Deny" } }),
      ],
      post: config({ k: "v" }),
      shows: { data: { k: "v", s1: "v", s2: "v" } },
    },
    "values of steps: times, durations, bytes and numbers as texts, and what is not there": {
      ...own(),
      given: given([
        set("t", "timestamp('2026-01-02T03:04:05Z')"),
        set("d", "duration('90s')"),
        set("b", "b'ab'"),
        set("n", "string(9007199254740993)"),
        set("m", "9007199254740993"),
      ]),
      post: config({ k: "v" }),
      shows: {
        data: {
          k: "v",
          t: "2026-01-02T03:04:05Z",
          d: "90s",
          b: "YWI=",
          n: "9007199254740993",
          m: "9007199254740993",
        },
      },
    },
    "values of steps: what the object has elsewhere, parts that are made, nothing": {
      ...own(),
      given: given([patch(
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: object.metadata.annotations}," +
          " JSONPatch{op: 'replace', path: '/metadata/annotations', value: null}," +
          " JSONPatch{op: 'add', path: '/spec/terminationGracePeriodSeconds', value: 5u}," +
          " JSONPatch{op: 'add', path: '/spec/securityContext', value: Object.spec.securityContext{runAsUser: 6u}}," +
          " JSONPatch{op: 'add', path: '/spec/nodeSelector', value:" +
          " Object.spec.nodeSelector{bytes: b'abc', text: optional.of('t'), none: optional.none(), type: type(1)}}]",
      )]),
      post: pod({}, { annotations: { a: "b" } }),
      shows: {
        "metadata.labels": { a: "b" },
        "metadata.annotations": undefined,
        "spec.terminationGracePeriodSeconds": 5,
        "spec.securityContext": { runAsUser: 6 },
        "spec.nodeSelector": { bytes: "YWJj", text: "t", none: "", type: "int" },
      },
    },
    "parts that are applied: what the object has elsewhere, and what may be there or not": {
      ...own(),
      given: given([apply(
        "Object{metadata: Object.metadata{labels: object.metadata.annotations}, spec: Object.spec{" +
          "hostname: optional.of('h'), subdomain: optional.none(), ?nodeName: optional.none(), initContainers:" +
          " [Object.spec.initContainers{name: 'i', image: 'i', resources: object.spec.containers[0].resources}]}}",
      )]),
      post: pod(
        { subdomain: "s", nodeName: "n", containers: [container({ limits: { cpu: "1" } })] },
        { annotations: { a: "b" } },
      ),
      shows: {
        "metadata.labels": { a: "b" },
        "spec.hostname": "h",
        "spec.subdomain": undefined,
        "spec.nodeName": "n",
        "spec.initContainers.0.resources.limits": { cpu: "1" },
      },
    },
    "a step that cannot be made refuses, with all of the patch": {
      ...own(),
      given: given([patch(
        "[JSONPatch{op: 'remove', path: '/data/k'}, JSONPatch{op: 'remove', path: '/data/none'}]",
      )]),
      post: config({ k: "v" }),
      ...refused,
      says: /policy 'p' with binding 'p' denied request: JSON Patch: /,
    },
    "a step that cannot be made where the policy ignores it: the other mutations are made": {
      ...own(),
      given: given([
        patch("[JSONPatch{op: 'remove', path: '/data/k'}, JSONPatch{op: 'remove', path: '/data/none'}]"),
        set("b", "'1'"),
      ], { failurePolicy: "Ignore" }),
      post: config({ k: "v" }),
      shows: { data: { k: "v", b: "1" } },
    },
    ...unfit,
    "a condition that has no value refuses": {
      ...own(),
      given: given([set("a", "'1'")], { matchConditions: [{ name: "x", expression: "object.data.none == ''" }] }),
      post: config({ k: "v" }),
      ...refused,
      says: /policy 'p' with binding 'p' denied request: .*no such key: none/,
    },
    "the same where the policy ignores it: nothing is changed": {
      ...own(),
      given: given([set("a", "'1'")], {
        matchConditions: [{ name: "x", expression: "object.data.none == ''" }],
        failurePolicy: "Ignore",
      }),
      post: config({ k: "v" }),
      shows: { data: { k: "v" } },
    },
    "nothing is applied to what is only a part of resources, but patched it is": {
      ...own(),
      given: [
        obj("apps/v1", "Deployment", "d", {
          spec: {
            selector: { matchLabels: { a: "b" } },
            template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
          },
        }),
        policy([
          apply("Object{spec: Object.spec{replicas: 3}}"),
          patch("[JSONPatch{op: 'replace', path: '/spec/replicas', value: object.spec.replicas + 1}]"),
        ], { matchConstraints: { resourceRules: [rule(["deployments/scale"], ["apps"])] }, failurePolicy: "Ignore" }),
        binding(),
      ],
      request: {
        method: "PUT",
        path: "/apis/apps/v1/namespaces/{ns}/deployments/d/scale",
        body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "d" }, spec: { replicas: 5 } },
      },
      shows: { "spec.replicas": 6 },
    },
    "a value that is not there": {
      ...own(),
      given: given([set("a", "object.?data.none")]),
      post: config({ k: "v" }),
      ...refused,
    },
    "parameters that are absent": {
      ...own(),
      given: given([set("a", "'1'")], { paramKind: { apiVersion: "v1", kind: "Secret" } }, {
        paramRef: { name: "gone", parameterNotFoundAction: "Deny" },
      }),
      post: config({ k: "v" }),
      status: 403,
      shows: { reason: "Forbidden" },
      says: /failed to configure binding: no params found/,
    },
    "parameters of no known kind": {
      ...own(),
      given: given([set("a", "'1'")], { paramKind: { apiVersion: "none.io/v1", kind: "Thing" } }),
      post: config({ k: "v" }),
      status: 403,
      says:
        /policy "p" denied request: failed to configure policy: failed to find resource referenced by paramKind: 'none.io.v1, Kind=Thing'$/,
    },
    "what is owned whole is not applied": {
      ...own(),
      given: given([apply("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'c', args: ['x']}]}}")]),
      post: pod(),
      status: 403,
      shows: { reason: "Invalid" },
      says: /may not mutate atomic .*\.spec\.containers\[0\]\.args/,
    },
    "an unknown field is not applied": {
      ...own(),
      given: given([apply("Object{dat: {'a': 'b'}}")]),
      post: config({}),
      ...refused,
    },
    "a patch that makes no object of the kind is the server's fault": {
      ...own(),
      given: given([patch("[JSONPatch{op: 'add', path: '/bogus', value: 1}]")]),
      post: config({}),
      status: 500,
      says: /unknown field "bogus"/,
    },
    "an autoscaler is changed in the version of the rule": {
      ...own(),
      given: given([apply("Object{spec: Object.spec{targetCPUUtilizationPercentage: 7}}")], {
        matchConstraints: { resourceRules: [rule(["horizontalpodautoscalers"], ["autoscaling"])] },
      }),
      post: obj("autoscaling/v2", "HorizontalPodAutoscaler", "h", {
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
      }),
      shows: { "spec.metrics.0.resource.target.averageUtilization": 7 },
    },
    "what a connection asks for": {
      ...own(),
      given: [
        pod(),
        policy([patch("[JSONPatch{op: 'replace', path: '/container', value: 'other'}]")], {
          matchConstraints: { resourceRules: [{ ...rule(["pods/exec"]), operations: ["CONNECT"] }] },
        }),
        binding(),
      ],
      request: { method: "POST", path: "/api/v1/namespaces/{ns}/pods/p/exec?container=c&stdout=true&command=ls" },
      status: 400,
      says: /container other is not valid/,
    },
    "what is deleted is not asked about": {
      ...own(),
      given: [
        config({ k: "v" }),
        policy([set("a", "'1'")], {
          matchConstraints: { resourceRules: [{ ...rule(["configmaps"]), operations: ["*"] }] },
          matchConditions: [{ name: "x", expression: "object.metadata.name != ''" }],
        }),
        binding(),
      ],
      request: { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps/c" },
    },
    "an object of another kind": {
      ...own(),
      given: given([patch("[JSONPatch{op: 'replace', path: '/kind', value: 'Secret'}]")]),
      post: config({}),
      status: 500,
    },
    "another namespace": {
      ...own(),
      given: given([patch("[JSONPatch{op: 'replace', path: '/metadata/namespace', value: 'default'}]")]),
      post: config({}),
      status: 400,
      says: /namespace of the provided object does not match/,
    },
    ...Object.fromEntries(
      [
        obj("scheduling.k8s.io/v1", "PriorityClass", "{ns}", { value: 1 }),
        obj("v1", "Namespace", "{ns}-2"),
      ].map((post) => [`a namespace of what is in none is taken away: ${post.kind}`, {
        ...own(),
        given: given([patch("[JSONPatch{op: 'add', path: '/metadata/namespace', value: 'default'}]")], {
          matchConstraints: { resourceRules: [rule(["priorityclasses", "namespaces"], ["*"])] },
        }),
        post,
        shows: { kind: post.kind, "metadata.namespace": undefined },
      }]),
    ),
    "a number that is not whole is the policy's fault where it is applied": {
      ...own(),
      given: given([apply("Object{spec: Object.spec{terminationGracePeriodSeconds: 5.5}}")]),
      post: pod(),
      status: 403,
      shows: { reason: "Invalid" },
    },
    "managed fields that cannot be read stay as they were": {
      ...own(),
      given: given([patch("[JSONPatch{op: 'add', path: '/metadata/managedFields', value: [{'operation': 'No'}]}]")]),
      post: config({ k: "v" }),
      shows: { "metadata.managedFields.0.operation": "Update" },
      warns: [/managedFields/],
    },
    "a list with its items, of a map's member": {
      ...own(),
      given: given([apply("Object{metadata: Object.metadata{finalizers: ['a.b/c']}}")]),
      post: obj("v1", "ConfigMap", "c", { metadata: { finalizers: ["x.y/z"] } }),
      shows: { "metadata.finalizers": ["x.y/z", "a.b/c"] },
    },
    "one that asks for it runs again, one that does not runs once": {
      ...own(),
      given: [
        policy([set("a", "string(object.?data.a.orValue('')) + 'a'")], { reinvocationPolicy: "IfNeeded" }),
        binding(),
        policy([set("b", "string(object.?data.b.orValue('')) + 'b'")], {}, "q"),
        binding({}, "q"),
      ],
      post: config({ k: "v" }),
      shows: { data: { k: "v", a: "aa", b: "b" } },
    },
  },
  dryRun: {
    "the answer shows what would be": {
      ...own(),
      given: given([set("a", "string(request.dryRun)")]),
      post: config({ k: "v" }),
      shows: { data: { k: "v", a: "true" } },
    },
  },
  off: {
    "nothing changes": {
      ...own(),
      given: given([set("a", "'1'")]),
      post: config({ k: "v" }),
      shows: { data: { k: "v" } },
    },
  },
});
