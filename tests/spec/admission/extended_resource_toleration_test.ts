/** Admission plugin ExtendedResourceToleration: see _table.ts. */
import { container, pod, table } from "./_table.ts";

const gpu = container({ limits: { "x.io/gpu": "1" } });
const tolerated = { key: "x.io/gpu", operator: "Exists", effect: "NoSchedule" };

table("ExtendedResourceToleration", {
  on: {
    "a toleration for each resource": {
      post: pod({ containers: [gpu] }),
      shows: { "spec.tolerations.2": tolerated },
    },
    "a toleration that is there is enough": {
      post: pod({ containers: [gpu], tolerations: [tolerated] }),
      shows: { "spec.tolerations.0": tolerated, "spec.tolerations.3": undefined },
    },
  },
  edge: {
    "of containers that come first, too": {
      post: pod({ initContainers: [{ ...gpu, name: "first" }] }),
      shows: { "spec.tolerations.2": tolerated },
    },
    "once for several containers": {
      post: pod({ containers: [gpu, { ...gpu, name: "d" }] }),
      shows: { "spec.tolerations.3": undefined },
    },
    "own resources are none": {
      post: pod({ containers: [container({ requests: { cpu: "1" } })] }),
      shows: { "spec.tolerations.2": undefined },
    },
  },
  dryRun: {
    "a dry run shows it": { post: pod({ containers: [gpu] }), shows: { "spec.tolerations.2": tolerated } },
  },
  off: {
    "none": { post: pod({ containers: [gpu] }), shows: { "spec.tolerations.2": undefined } },
  },
});
