/** Admission plugin NodeDeclaredFeatureValidator: see _table.ts. */
import { big, resize, running } from "./_nodes.ts";
import { container, pod, table } from "./_table.ts";

const starting = (nodeName: string) =>
  pod({ nodeName, initContainers: [container({ requests: { cpu: "1" } }, "first")] });
const resizeFirst = {
  ...resize(""),
  body: { spec: { initContainers: [{ name: "first", resources: { requests: { cpu: "2" } } }] } },
};
const declaring = big("able", "linux", { declaredFeatures: ["InPlacePodVerticalScalingInitContainers"] });

table("NodeDeclaredFeatureValidator", {
  on: {
    "a node that does not": {
      given: [big("plain"), starting("plain")],
      request: resizeFirst,
      says:
        /pod update requires features InPlacePodVerticalScalingInitContainers which are not available on node "plain"/,
    },
  },
  edge: {
    "a node that declares the feature": { given: [declaring, starting("able")], request: resizeFirst },
    "other pods need nothing": { given: [big("plain"), running("plain")], request: resize("2") },
    "an update that resizes nothing": {
      given: [big("plain"), starting("plain")],
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
      given: [big("plain"), starting("plain")],
      request: resizeFirst,
      says: /requires features InPlacePodVerticalScalingInitContainers/,
    },
  },
  off: {
    "anything": { given: [big("plain"), starting("plain")], request: resizeFirst },
  },
});
