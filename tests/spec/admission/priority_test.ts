/** Admission plugin Priority: see _table.ts. */
import { obj, pod, table } from "./_table.ts";

const cls = (name: string, value: number, rest = {}) =>
  obj("scheduling.k8s.io/v1", "PriorityClass", name, { value, ...rest });

const groupOf = (version: string, spec = {}) =>
  obj(`scheduling.k8s.io/${version}`, "PodGroup", "g", { spec: { schedulingPolicy: { basic: {} }, ...spec } });
const GROUPS = ["--feature-gates=GenericWorkload=true", "--runtime-config=scheduling.k8s.io/v1beta1=true"];
const BEFORE = [
  "--emulated-version=1.36",
  "--feature-gates=GenericWorkload=true,WorkloadAwarePreemption=true",
  "--runtime-config=api/all=true",
];

table("Priority", {
  on: {
    "a group of pods gets the value of its class": {
      flags: GROUPS,
      given: [cls("high", 1000)],
      post: groupOf("v1beta1", { priorityClassName: "high" }),
      shows: { "spec.priority": 1000, "spec.preemptionPolicy": undefined },
    },
    "a group's priority that differs is refused": {
      flags: GROUPS,
      post: groupOf("v1beta1", { priority: 7 }),
      says: /priority set in the pod group \(7\) must match the priority computed \(0\)/,
    },
    "a group of version 1.36": {
      flags: BEFORE,
      given: [cls("high", 1000)],
      post: groupOf("v1alpha2", { priorityClassName: "high" }),
      shows: { "spec.priority": 1000, "spec.disruptionMode": "Pod", "spec.podGroupTemplateRef": null },
    },
    "a pod gets the value of its class": {
      given: [cls("high", 1000)],
      post: pod({ priorityClassName: "high" }),
      shows: { "spec.priority": 1000, "spec.preemptionPolicy": "PreemptLowerPriority" },
    },
    "system classes are there": {
      post: pod({ priorityClassName: "system-node-critical" }),
      shows: { "spec.priority": 2000001000 },
    },
    "an unknown class is refused": {
      post: pod({ priorityClassName: "nope" }),
      says: /^pods "p" is forbidden: no PriorityClass with name nope was found$/,
    },
    "a policy that differs is refused": {
      given: [cls("calm", 7, { preemptionPolicy: "Never" })],
      post: pod({ priorityClassName: "calm", preemptionPolicy: "PreemptLowerPriority" }),
      says: /string value of PreemptionPolicy \(PreemptLowerPriority\)/,
    },
    "the default class applies, and is the only one": {
      flags: ["--v=0"],
      given: [cls("usual", 42, { globalDefault: true })],
      post: pod(),
      shows: { "spec.priority": 42, "spec.priorityClassName": "usual" },
    },
    "a second default class is refused": {
      flags: ["--v=0"],
      post: cls("other", 1, { globalDefault: true }),
      says: /PriorityClass usual is already marked as default/,
    },
  },
  edge: {
    "a pod keeps the priority that it has, whatever becomes the default": {
      flags: ["--v=1"],
      given: [pod(), cls("later", 42, { globalDefault: true })],
      request: {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}/pods/p",
        type: "application/json-patch+json",
        body: [{ op: "remove", path: "/spec/priority" }, { op: "add", path: "/metadata/labels", value: { a: "b" } }],
      },
      shows: { "spec.priority": 0, "spec.priorityClassName": undefined, "metadata.labels": { a: "b" } },
    },
    "the default class changes": {
      flags: ["--v=1"],
      request: {
        method: "PATCH",
        path: "/apis/scheduling.k8s.io/v1/priorityclasses/later",
        type: "application/merge-patch+json",
        body: { description: "of all" },
      },
      shows: { globalDefault: true },
    },
    "another class becomes the default": {
      flags: ["--v=1"],
      given: [cls("other", 1)],
      request: {
        method: "PATCH",
        path: "/apis/scheduling.k8s.io/v1/priorityclasses/other",
        type: "application/merge-patch+json",
        body: { globalDefault: true },
      },
      status: 403,
      says: /PriorityClass later is already marked as default/,
    },
    "a pod without a class has priority 0": { post: pod(), shows: { "spec.priority": 0 } },
  },
  dryRun: {
    "a priority that differs is refused, in a dry run too": {
      given: [cls("high", 1000)],
      post: pod({ priorityClassName: "high", priority: 5 }),
      says: /the integer value of priority \(5\) must not be provided in pod spec; .* computed 1000/,
    },
  },
  off: {
    "nothing is filled in": {
      post: pod({ priorityClassName: "nope" }),
      shows: { "spec.priority": undefined },
    },
  },
});
