import { table } from "./_table.ts";

const rule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const ref = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "c" };

table({
  kind: "rbac.authorization.k8s.io/v1/Role",
  resource: "roles",
  good: { metadata: { name: "system:x" }, rules: [rule] },
  rows: [
    { set: { "metadata.name": "a/b" }, causes: ["metadata.name Invalid"] },
    { set: { "rules.0.verbs": [] }, causes: ["rules[0].verbs Required"] },
    {
      set: { "rules.0.apiGroups": [], "rules.0.resources": [] },
      causes: [
        "rules[0].apiGroups Required",
        "rules[0].resources Required",
      ],
    },
    {
      set: { "rules.0.nonResourceURLs": ["/x"] },
      causes: [
        "rules[0].nonResourceURLs Invalid",
        "rules[0].nonResourceURLs Invalid",
      ],
    },
    { on: "update", set: { rules: [] }, causes: [] },
  ],
});

table({
  kind: "rbac.authorization.k8s.io/v1/ClusterRole",
  resource: "clusterroles",
  namespaced: false,
  good: { rules: [rule, { verbs: ["get"], nonResourceURLs: ["/x"] }] },
  rows: [
    { set: { "rules.1.resources": ["pods"] }, causes: ["rules[1].nonResourceURLs Invalid"] },
    { set: { aggregationRule: {} }, causes: ["aggregationRule.clusterRoleSelectors Required"] },
    {
      set: { "aggregationRule.clusterRoleSelectors": [{ matchLabels: { "a b": "c" } }] },
      causes: [
        "aggregationRule.clusterRoleSelectors[0] Invalid",
        "aggregationRule.clusterRoleSelectors[0].matchLabels Invalid",
      ],
    },
  ],
});

table({
  kind: "rbac.authorization.k8s.io/v1/RoleBinding",
  resource: "rolebindings",
  good: { roleRef: ref, subjects: [{ kind: "User", name: "u" }, { kind: "ServiceAccount", name: "s" }] },
  rows: [
    { set: { "roleRef.kind": "Group" }, causes: ["roleRef.kind NotSupported"] },
    { set: { "roleRef.apiGroup": "x" }, causes: ["roleRef.apiGroup NotSupported"] },
    { set: { "roleRef.name": "" }, causes: ["roleRef.name Required"] },
    { set: { "subjects.0.kind": "Robot" }, causes: ["subjects[0].kind NotSupported"] },
    { set: { "subjects.1.name": "S" }, causes: ["subjects[1].name Invalid"] },
    { set: { "subjects.1.apiGroup": "x" }, causes: ["subjects[1].apiGroup NotSupported"] },
    { on: "update", set: { "roleRef.name": "d" }, causes: ["roleRef Invalid"] },
    { on: "update", set: { subjects: [] }, causes: [] },
  ],
});

table({
  kind: "rbac.authorization.k8s.io/v1/ClusterRoleBinding",
  resource: "clusterrolebindings",
  namespaced: false,
  good: { roleRef: ref, subjects: [{ kind: "Group", name: "g" }] },
  rows: [
    { set: { "roleRef.kind": "Role" }, causes: ["roleRef.kind NotSupported"] },
    { set: { subjects: [{ kind: "ServiceAccount", name: "s" }] }, causes: ["subjects[0].namespace Required"] },
    { on: "update", set: { "roleRef.name": "d" }, causes: ["roleRef Invalid"] },
  ],
});
