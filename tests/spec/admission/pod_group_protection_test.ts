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

const BEFORE = ["--emulated-version=1.36", "--feature-gates=GenericWorkload=true", "--runtime-config=api/all=true"];
const OLD = "scheduling.k8s.io/v1alpha2";
const basic = { basic: {} };
const workload = obj(OLD, "Workload", "w", {
  spec: { podGroupTemplates: [{ name: "t", schedulingPolicy: basic }] },
});
const from = (workloadName: string, podGroupTemplateName: string) =>
  obj(OLD, "PodGroup", "g", {
    spec: { schedulingPolicy: basic, podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } } },
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
    "a group of version 1.36 and its workload": { flags: BEFORE, given: [workload], post: from("w", "t") },
    "a workload that is not there": {
      flags: BEFORE,
      post: from("w", "t"),
      says: /PodGroup rejected: Workload "w" not found$/,
    },
    "a template that is not there": {
      flags: BEFORE,
      given: [workload],
      post: from("w", "u"),
      says: /PodGroup rejected: PodGroupTemplate "u" not found in Workload "w"$/,
    },
    "a pod of a group": { flags: GROUPS, given: [group("g")], post: member("g") },
    "a group of groups is not kept": {
      flags: ["--feature-gates=GenericWorkload=true,CompositePodGroup=true", "--runtime-config=api/all=true"],
      post: obj("scheduling.k8s.io/v1alpha3", "CompositePodGroup", "c", {
        spec: { schedulingPolicy: basic, workloadRef: { workloadName: "w", templateName: "t" } },
      }),
      shows: { "metadata.finalizers": undefined },
    },
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
