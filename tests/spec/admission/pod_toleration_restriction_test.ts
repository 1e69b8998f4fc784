/** Admission plugin PodTolerationRestriction: see _table.ts. */
import { container, pod, table } from "./_table.ts";

const DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
const ALLOWED = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
const dedicated = { key: "dedicated", operator: "Exists" };
const TOLERATIONS = `
- name: PodTolerationRestriction
  configuration:
    apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1
    kind: Configuration
    default: [{key: cluster, operator: Exists}]
    whitelist: [{key: cluster, operator: Exists}, {key: node.kubernetes.io/not-ready, operator: Exists},
      {key: node.kubernetes.io/unreachable, operator: Exists}]
`;

table("PodTolerationRestriction", {
  on: {
    "the namespace's tolerations are added behind the pod's": {
      annotations: { [DEFAULTS]: JSON.stringify([dedicated]) },
      post: pod({ tolerations: [{ key: "own", operator: "Exists" }] }),
      shows: { "spec.tolerations.0.key": "own", "spec.tolerations.3": dedicated },
    },
  },
  edge: {
    "an empty list of the namespace counts more than the cluster's": {
      config: TOLERATIONS,
      annotations: { [DEFAULTS]: "", [ALLOWED]: "null" },
      post: pod({ tolerations: [dedicated] }),
      shows: { "spec.tolerations.0": dedicated, "spec.tolerations.3": undefined },
    },
    "unknown members are left out": {
      annotations: { [DEFAULTS]: '[{"key": "a", "operator": "Exists", "more": 1}]' },
      post: pod(),
      shows: { "spec.tolerations.2": { key: "a", operator: "Exists" } },
    },
    "no list": {
      annotations: { [DEFAULTS]: "{}" },
      post: pod(),
      says: /cannot read the annotation .*: should be a list/,
    },
    "of another type": {
      annotations: { [DEFAULTS]: '[{"key": 1}]' },
      post: pod(),
      says: /cannot read the annotation .*: \[0\]\.key: should be a string/,
    },
    "memory pressure is tolerated by pods that ask for something": {
      post: pod({ containers: [container({ requests: { cpu: "1" } })] }),
      shows: {
        "spec.tolerations.2": { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
      },
    },
  },
  config: {
    "the cluster's defaults": { config: TOLERATIONS, post: pod(), shows: { "spec.tolerations.2.key": "cluster" } },
    "the cluster's bounds": {
      config: TOLERATIONS,
      post: pod({ tolerations: [dedicated] }),
      says: /conflict with its cluster whitelist/,
    },
  },
  dryRun: {
    "what is not allowed is refused": {
      annotations: { [ALLOWED]: JSON.stringify([dedicated]) },
      post: pod({ tolerations: [{ key: "other", operator: "Exists" }] }),
      says: /conflict with its namespace whitelist/,
    },
  },
  off: {
    "nothing is added": {
      annotations: { [DEFAULTS]: JSON.stringify([dedicated]) },
      post: pod(),
      shows: { "spec.tolerations.0.key": "node.kubernetes.io/not-ready" },
    },
  },
});
