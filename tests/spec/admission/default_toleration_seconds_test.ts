/** Admission plugin DefaultTolerationSeconds: see _table.ts. */
import { pod, table } from "./_table.ts";

const tolerations = (a: number, b: number) => [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: a },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: b },
];

table("DefaultTolerationSeconds", {
  on: {
    "both are added": { post: pod(), shows: { "spec.tolerations": tolerations(300, 300) } },
    "what the pod says stays": {
      post: pod({ tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" }] }),
      shows: {
        "spec.tolerations.0.tolerationSeconds": undefined,
        "spec.tolerations.1.key": "node.kubernetes.io/unreachable",
        "spec.tolerations.2": undefined,
      },
    },
  },
  edge: {
    "one of another effect is not": {
      post: pod({ tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" }] }),
      shows: {
        "spec.tolerations.1": tolerations(300, 300)[0],
        "spec.tolerations.2": tolerations(300, 300)[1],
      },
    },
    "a toleration of everything is enough": {
      post: pod({ tolerations: [{ operator: "Exists" }] }),
      shows: { "spec.tolerations.1": undefined },
    },
  },
  config: {
    "two options set the times": {
      flags: ["--default-not-ready-toleration-seconds=20", "--default-unreachable-toleration-seconds=0"],
      post: pod(),
      shows: { "spec.tolerations": tolerations(20, 0) },
    },
  },
  dryRun: {
    "a dry run shows them": { post: pod(), shows: { "spec.tolerations": tolerations(300, 300) } },
  },
  off: {
    "none": { post: pod(), shows: { "spec.tolerations": undefined } },
  },
});
