/** Admission plugin NodeDeclaredFeatureValidator: see _table.ts. */
import { big, resize, running } from "./_nodes.ts";
import { table } from "./_table.ts";

const guaranteed = { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } };
const resizeBoth = {
  ...resize(""),
  body: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" }, limits: { cpu: "2" } } }] } },
};
const declaring = big("able", "linux", { declaredFeatures: ["GuaranteedQoSPodCPUResize"] });

table("NodeDeclaredFeatureValidator", {
  on: {
    "a node that does not": {
      given: [big("plain"), running("plain", guaranteed)],
      request: resizeBoth,
      says: /pod update requires features GuaranteedQoSPodCPUResize which are not available on node "plain"/,
    },
  },
  edge: {
    "a node that declares the feature": { given: [declaring, running("able", guaranteed)], request: resizeBoth },
    "other pods need nothing": { given: [big("plain"), running("plain")], request: resize("2") },
    "an update that resizes nothing": {
      given: [big("plain"), running("plain", guaranteed)],
      request: {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}/pods/p",
        type: "application/merge-patch+json",
        body: { metadata: { labels: { a: "b" } } },
      },
    },
  },
  dryRun: {
    "a dry run is refused too": {
      given: [big("plain"), running("plain", guaranteed)],
      request: resizeBoth,
      says: /requires features GuaranteedQoSPodCPUResize/,
    },
  },
  off: {
    "anything": { given: [big("plain"), running("plain", guaranteed)], request: resizeBoth },
  },
});
