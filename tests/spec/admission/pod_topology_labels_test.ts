/** Admission plugin PodTopologyLabels: see _table.ts. */
import { node } from "./_nodes.ts";
import { pod, table } from "./_table.ts";

const zoned = node("z", {
  metadata: { labels: { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1", other: "x" } },
});

table("PodTopologyLabels", {
  on: {
    "zone and region come from the node": {
      given: [zoned],
      post: pod({ nodeName: "z" }),
      shows: { "metadata.labels": { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1" } },
    },
    "what the pod says stays": {
      given: [zoned],
      post: pod({ nodeName: "z" }, { labels: { "topology.kubernetes.io/zone": "mine" } }),
      shows: { "metadata.labels.topology\\.kubernetes\\.io/zone": "mine" },
    },
  },
  edge: {
    "an absent node gives nothing": { post: pod({ nodeName: "none" }), shows: { "metadata.labels": undefined } },
    "a pod without a node gets nothing": { given: [zoned], post: pod(), shows: { "metadata.labels": undefined } },
  },
  dryRun: {
    "a dry run shows them": {
      given: [zoned],
      post: pod({ nodeName: "z" }),
      shows: { "metadata.labels.topology\\.kubernetes\\.io/zone": "z1" },
    },
  },
  off: {
    "nothing": { given: [zoned], post: pod({ nodeName: "z" }), shows: { "metadata.labels": undefined } },
  },
});
