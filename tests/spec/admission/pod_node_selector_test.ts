/** Admission plugin PodNodeSelector: see _table.ts. */
import { pod, table } from "./_table.ts";

const SELECTOR = "scheduler.alpha.kubernetes.io/node-selector";
const SELECTORS = `
- name: PodNodeSelector
  configuration:
    podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: "env=dev"}
`;

table("PodNodeSelector", {
  on: {
    "the namespace's selector is added": {
      annotations: { [SELECTOR]: "env=prod" },
      post: pod({ nodeSelector: { a: "b" } }),
      shows: { "spec.nodeSelector": { a: "b", env: "prod" } },
    },
  },
  edge: {
    "a conflict is refused": {
      annotations: { [SELECTOR]: "env=prod" },
      post: pod({ nodeSelector: { env: "dev" } }),
      says: /pod node label selector conflicts with its namespace node label selector/,
    },
  },
  config: {
    "the cluster's selector where the namespace has none": {
      config: SELECTORS,
      post: pod(),
      shows: { "spec.nodeSelector": { env: "dev" } },
    },
    "the namespace's counts more": {
      config: SELECTORS,
      annotations: { [SELECTOR]: "" },
      post: pod(),
      shows: { "spec.nodeSelector": undefined },
    },
  },
  dryRun: {
    "a dry run shows it": {
      annotations: { [SELECTOR]: "env=prod" },
      post: pod(),
      shows: { "spec.nodeSelector": { env: "prod" } },
    },
  },
  off: {
    "nothing is added": {
      annotations: { [SELECTOR]: "env=prod" },
      post: pod(),
      shows: { "spec.nodeSelector": undefined },
    },
  },
});
