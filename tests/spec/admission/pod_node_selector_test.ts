/** Admission plugin PodNodeSelector: see _table.ts. */
import { pod, table } from "./_table.ts";

const SELECTOR = "scheduler.alpha.kubernetes.io/node-selector";
const SELECTORS = `
- name: PodNodeSelector
  configuration:
    podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: "env=dev"}
`;

const BOUNDS = `
- name: PodNodeSelector
  configuration:
    podNodeSelectorPluginConfig: {default: "env=prod, tier=x"}
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
    "no list of labels": { annotations: { [SELECTOR]: "a=b," }, post: pod(), says: /invalid node selector "a=b,"/ },
    "two values of a label": {
      annotations: { [SELECTOR]: "a=b=c" },
      post: pod(),
      says: /invalid node selector "a=b=c"/,
    },
    "a label that cannot be": { annotations: { [SELECTOR]: "a b=c" }, post: pod(), says: /invalid node selector/ },
    "a conflict is refused": {
      annotations: { [SELECTOR]: "env=prod" },
      post: pod({ nodeSelector: { env: "dev" } }),
      says: /pod node label selector conflicts with its namespace node label selector/,
    },
  },
  config: {
    "the labels that a namespace's pods may ask for": {
      config: BOUNDS,
      in: "default",
      post: pod({ nodeSelector: { a: "b" } }),
      says: /pod node label selector labels conflict with its namespace whitelist/,
      warns: [],
    },
    "each of them": {
      config: BOUNDS,
      in: "default",
      post: pod({ nodeSelector: { env: "prod", a: "b" } }),
      says: /conflict with its namespace whitelist/,
    },
    "and which it may": {
      config: BOUNDS,
      in: "default",
      post: pod({ nodeSelector: { env: "prod" } }),
      shows: { "spec.nodeSelector": { env: "prod" } },
    },
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
