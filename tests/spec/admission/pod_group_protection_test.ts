/** Admission plugin PodGroupProtection: see _table.ts. */
import { obj, table } from "./_table.ts";

const group = (name: string, rest = {}) =>
  obj("scheduling.k8s.io/v1beta1", "PodGroup", name, {
    spec: { schedulingPolicy: { basic: {} } },
    ...rest,
  });
const GROUPS = ["--feature-gates=GenericWorkload=true", "--runtime-config=scheduling.k8s.io/v1beta1=true"];
const remove = { method: "DELETE", path: "/apis/scheduling.k8s.io/v1beta1/namespaces/{ns}/podgroups/g" };
const member = (name: string) =>
  obj("v1", "Pod", "p", {
    spec: { containers: [{ name: "c", image: "i" }], schedulingGroup: { podGroupName: name } },
  });

table("PodGroupProtection", {
  on: {
    "a new group": {
      flags: GROUPS,
      post: group("g"),
      shows: { "metadata.finalizers": ["scheduling.k8s.io/podgroup-protection"] },
    },
    "a deleted group waits": {
      flags: GROUPS,
      given: [group("g")],
      request: remove,
      after: {
        "/apis/scheduling.k8s.io/v1beta1/namespaces/{ns}/podgroups/g": { "metadata.deletionGracePeriodSeconds": 0 },
      },
    },
  },
  edge: {
    "a pod of a group": { flags: GROUPS, given: [group("g")], post: member("g") },
    "a pod of no group": { flags: GROUPS, post: member("none") },
  },
  dryRun: {
    "a dry run shows it": {
      flags: GROUPS,
      post: group("g"),
      shows: { "metadata.finalizers": ["scheduling.k8s.io/podgroup-protection"] },
    },
  },
  off: {
    "no finalizer": { flags: GROUPS, post: group("g"), shows: { "metadata.finalizers": undefined } },
  },
});
