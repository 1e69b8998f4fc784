/** Admission plugin PersistentVolumeClaimResize: see _table.ts. */
import { claim, storage } from "./_objects.ts";
import { table } from "./_table.ts";

const grow = (to: string) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/persistentvolumeclaims/c",
  type: "application/merge-patch+json",
  body: { spec: { resources: { requests: { storage: to } } } },
});
const bound = (storageClassName: string) => ({
  ...claim({ storageClassName, volumeName: "v" }),
  status: { phase: "Bound", capacity: { storage: "1Gi" } },
});

table("PersistentVolumeClaimResize", {
  on: {
    "a bound claim of a class that allows it": {
      given: [storage("grows", { allowVolumeExpansion: true }), bound("grows")],
      request: grow("2Gi"),
      shows: { "spec.resources.requests.storage": "2Gi" },
    },
    "a class that does not": {
      given: [storage("fixed"), bound("fixed")],
      request: grow("2Gi"),
      says: /only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support/,
    },
  },
  edge: {
    "the same size in other words": { given: [storage("fixed"), bound("fixed")], request: grow("1024Mi") },
  },
  dryRun: {
    "an absent class, in a dry run": {
      given: [bound("gone")],
      request: grow("2Gi"),
      says: /must support resize/,
    },
  },
  off: {
    "the class is not asked": { given: [storage("fixed"), bound("fixed")], request: grow("2Gi") },
  },
});
