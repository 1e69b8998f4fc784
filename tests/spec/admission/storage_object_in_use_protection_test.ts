/** Admission plugin StorageObjectInUseProtection: see _table.ts. */
import { claim } from "./_objects.ts";
import { obj, table } from "./_table.ts";

table("StorageObjectInUseProtection", {
  on: {
    "claims": { post: claim(), shows: { "metadata.finalizers": ["kubernetes.io/pvc-protection"] } },
    "volumes": {
      post: obj("v1", "PersistentVolume", "v", {
        spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
      }),
      shows: { "metadata.finalizers": ["kubernetes.io/pv-protection"] },
    },
    "attribute classes": {
      post: obj("storage.k8s.io/v1", "VolumeAttributesClass", "v", { driverName: "d.io", parameters: { a: "b" } }),
      shows: { "metadata.finalizers": ["kubernetes.io/vac-protection"] },
    },
  },
  edge: {
    "once, beside others": {
      post: claim({}, { finalizers: ["kubernetes.io/pvc-protection", "x.io/y"] }),
      shows: { "metadata.finalizers": ["kubernetes.io/pvc-protection", "x.io/y"] },
    },
  },
  dryRun: {
    "once, beside others, in a dry run": {
      post: claim({}, { finalizers: ["kubernetes.io/pvc-protection", "x.io/y"] }),
      shows: { "metadata.finalizers": ["kubernetes.io/pvc-protection", "x.io/y"] },
    },
  },
  off: {
    "none": { post: claim(), shows: { "metadata.finalizers": undefined } },
  },
});
