/** Which requests a policy takes, and which policies are none. */
import assert from "node:assert/strict";
import { productOf } from "../../schema/product.ts";
import { readAuditPolicy } from "../../server/audit/policy.ts";
import { attributesOf } from "../authz/_attributes.ts";

const product = productOf("kubernetes");
const HEAD = { apiVersion: "audit.k8s.io/v1", kind: "Policy" };
const read = (tree: unknown) => readAuditPolicy(JSON.stringify({ ...HEAD, ...tree as object }), product);

const pod = attributesOf({ name: "ann", groups: ["a", "b"] }, {
  namespace: "n",
  name: "p",
  path: "/api/v1/namespaces/n/pods/p",
});
const log = { ...pod, subresource: "log" };
const role = { ...pod, group: "rbac.authorization.k8s.io", resource: "clusterroles", namespace: "", name: "edit" };
const page = { ...pod, isResource: false, resource: "", namespace: "", name: "", version: "", path: "/logs/x" };
const all = { pod, log, role, page };

/** A rule, and the requests that it takes. */
const RULES: readonly (readonly [object, string])[] = [
  [{}, "pod log role page"],
  [{ users: ["ann"] }, "pod log role page"],
  [{ users: ["bob"] }, ""],
  [{ userGroups: ["x", "b"] }, "pod log role page"],
  [{ userGroups: ["x"] }, ""],
  [{ verbs: ["get", "list"] }, "pod log role page"],
  [{ verbs: ["list"] }, ""],
  [{ namespaces: ["n"] }, "pod log"],
  [{ namespaces: [""] }, "role"],
  [{ resources: [{}] }, "pod log"],
  [{ resources: [{ group: "*" }] }, "pod log role"],
  [{ resources: [{ resources: ["pods"] }] }, "pod"],
  [{ resources: [{ resources: ["pods/log"] }] }, "log"],
  [{ resources: [{ resources: ["pods/*"] }] }, "pod log"],
  [{ resources: [{ resources: ["*/log"] }] }, "log"],
  [{ resources: [{ group: "*", resources: ["*"] }] }, "pod log role"],
  [{ resources: [{ resources: ["pods"], resourceNames: ["q", "p"] }] }, "pod"],
  [{ resources: [{ resources: ["pods"], resourceNames: ["q"] }] }, ""],
  [{ resources: [{ group: "rbac.authorization.k8s.io", resources: ["clusterroles"] }], namespaces: ["n"] }, ""],
  [{ nonResourceURLs: ["/logs*"] }, "page"],
  [{ nonResourceURLs: ["/logs/x"] }, "page"],
  [{ nonResourceURLs: ["/logs"] }, ""],
  [{ nonResourceURLs: ["*"] }, "page"],
];

Deno.test("a rule takes the requests that fit all that it says", () => {
  for (const [rule, taken] of RULES) {
    const policy = read({ rules: [{ level: "Metadata", ...rule }] });
    const names = Object.entries(all).filter(([, request]) => policy.decide(request).level === 1).map(([name]) => name);
    assert.equal(names.join(" "), taken, JSON.stringify(rule));
  }
});

Deno.test("the first rule that fits counts, with the stages of the policy and its own", () => {
  const policy = read({
    omitStages: ["RequestReceived"],
    omitManagedFields: true,
    rules: [
      { level: "None", users: ["bob"] },
      { level: "Request", verbs: ["get"], omitStages: ["Panic"], omitManagedFields: false },
      { level: "RequestResponse" },
    ],
  });
  const first = policy.decide(pod), second = policy.decide({ ...pod, verb: "list" });
  assert.deepEqual([first.level, [...first.omit], first.omitManagedFields], [2, ["RequestReceived", "Panic"], false]);
  assert.deepEqual([second.level, [...second.omit], second.omitManagedFields], [3, ["RequestReceived"], true]);
  assert.equal(policy.decide({ ...pod, user: { name: "bob", groups: [] } }).level, 0);
});

Deno.test("in dialect orch a policy of the public kind is in public names, one of its own kind in its own", () => {
  const rule = {
    level: "None",
    users: ["system:kube-scheduler", "ann"],
    resources: [{ group: "authentication.k8s.io", resources: ["tokenreviews"] }],
  };
  const tree = { ...HEAD, rules: [rule, { level: "None", namespaces: ["kube-system"] }, { level: "Request" }] };
  const levels = (apiVersion: string) => {
    const policy = readAuditPolicy(JSON.stringify({ ...tree, apiVersion }), productOf("orch"));
    const level = (of: object) => policy.decide({ ...role, ...of }).level;
    const user = { name: "system:orch-scheduler", groups: [] };
    return [
      level({ group: "authentication.orch.io", resource: "tokenreviews" }),
      level({ group: "authentication.orch.io", resource: "tokenreviews", user }),
      level({ group: "authentication.k8s.io", resource: "tokenreviews" }),
      level({ namespace: "orch-system" }),
      level({ namespace: "kube-system" }),
      level({}),
    ];
  };
  assert.deepEqual(levels("audit.k8s.io/v1"), [0, 0, 0, 0, 0, 2]);
  assert.deepEqual(levels("audit.orch.io/v1"), [2, 2, 0, 2, 0, 2]);
});

/** Policies that are none, and what is said of them. */
const WRONG: readonly (readonly [object, RegExp])[] = [
  [{ kind: "Other" }, /no Policy/],
  [{ apiVersion: "audit.k8s.io/v1beta1" }, /no Policy/],
  [{ rules: [] }, /rules/],
  [{ rules: [{}] }, /rules\[0\]\.level/],
  [{ rules: [{ level: "metadata" }] }, /rules\[0\]\.level/],
  [{ rules: [{ level: "None", omitStages: ["Late"] }] }, /rules\[0\]\.omitStages\[0\]/],
  [{ rules: [{ level: "None" }], omitStages: [""] }, /omitStages\[0\]/],
  [{ rules: [{ level: "None", nonResourceURLs: ["x"] }] }, /slash/],
  [{ rules: [{ level: "None", nonResourceURLs: ["/a*b"] }] }, /at its end/],
  [{ rules: [{ level: "None", nonResourceURLs: ["/a"], namespaces: ["n"] }] }, /cannot go with/],
  [{ rules: [{ level: "None", nonResourceURLs: ["/a"], resources: [{}] }] }, /cannot go with/],
  [{ rules: [{ level: "None", resources: [{ group: "rbac.authorization.k8s.io/v1" }] }] }, /resources\[0\]\.group/],
  [{ rules: [{ level: "None", resources: [{ resourceNames: ["a"] }] }] }, /resourceNames/],
  [{ rules: [{ level: "None", verbs: "get" }] }, /verbs/],
];

Deno.test("what a policy has beyond its fields is passed over and told", () => {
  const passed: string[] = [];
  const text = '{"kind": "Policy", "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "more": 1, ' +
    '"rules": [{"level": "Metadata", "user": ["x"]}]}';
  const policy = readAuditPolicy(text, product, (what) => passed.push(what));
  assert.deepEqual(passed, [
    'line 1: key "kind" already set in map',
    'unknown field "rules[0].user"',
    'unknown field "more"',
  ]);
  assert.equal(policy.decide(pod).level, 1);
});

Deno.test("what is wrong with a policy is told by its path", () => {
  for (const [tree, said] of WRONG) assert.throws(() => read(tree), said, JSON.stringify(tree));
  assert.throws(() => readAuditPolicy("", product), /no Policy/);
});
