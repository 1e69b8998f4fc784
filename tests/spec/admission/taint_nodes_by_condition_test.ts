/** Admission plugin TaintNodesByCondition: see _table.ts. */
import { obj, table } from "./_table.ts";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

table("TaintNodesByCondition", {
  on: {
    "a new node": { post: obj("v1", "Node", "a"), shows: { "spec.taints": [notReady] } },
    "beside its own taints": {
      post: obj("v1", "Node", "b", { spec: { taints: [{ key: "k", effect: "NoExecute" }] } }),
      shows: { "spec.taints": [{ key: "k", effect: "NoExecute" }, notReady] },
    },
    "once": {
      post: obj("v1", "Node", "c", { spec: { taints: [notReady] } }),
      shows: { "spec.taints": [notReady] },
    },
  },
  edge: {
    "beside its own of another effect": {
      post: obj("v1", "Node", "f", { spec: { taints: [{ ...notReady, effect: "NoExecute" }] } }),
      shows: { "spec.taints": [{ ...notReady, effect: "NoExecute" }, notReady] },
    },
    "not on updates": {
      given: [obj("v1", "Node", "e")],
      request: {
        method: "PATCH",
        path: "/api/v1/nodes/e",
        type: "application/merge-patch+json",
        body: { spec: { taints: null } },
      },
      shows: { "spec.taints": undefined },
    },
  },
  dryRun: {
    "a dry run shows it": { post: obj("v1", "Node", "d"), shows: { "spec.taints": [notReady] } },
  },
  off: {
    "none": { post: obj("v1", "Node", "a"), shows: { "spec.taints": undefined } },
  },
});
