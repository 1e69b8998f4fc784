/** Admission plugin AlwaysPullImages: see _table.ts. */
import { pod, table } from "./_table.ts";

table("AlwaysPullImages", {
  on: {
    "every image is pulled": {
      post: pod({ containers: [{ name: "c", image: "img:1", imagePullPolicy: "Never" }] }),
      shows: { "spec.containers.0.imagePullPolicy": "Always" },
    },
    "init containers too": {
      post: pod({ initContainers: [{ name: "i", image: "img:1" }] }),
      shows: { "spec.initContainers.0.imagePullPolicy": "Always" },
    },
  },
  edge: {
    "a new image of an update": {
      given: [pod({ containers: [{ name: "c", image: "img:1" }] })],
      request: {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}/pods/p",
        type: "application/strategic-merge-patch+json",
        body: { spec: { containers: [{ name: "c", image: "img:2" }] } },
      },
      shows: { "spec.containers.0.imagePullPolicy": "Always" },
    },
  },
  dryRun: {
    "a dry run shows it": {
      post: pod({ containers: [{ name: "c", image: "img:1" }] }),
      shows: { "spec.containers.0.imagePullPolicy": "Always" },
    },
  },
  off: {
    "as the pod says": {
      post: pod({ containers: [{ name: "c", image: "img:1", imagePullPolicy: "Never" }] }),
      shows: { "spec.containers.0.imagePullPolicy": "Never" },
    },
  },
});
