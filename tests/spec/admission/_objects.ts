/** Claims, storage classes and config maps that tests send. */
import { obj } from "./_table.ts";

/** A claim. */
export const claim = (rest = {}, metadata = {}) =>
  obj("v1", "PersistentVolumeClaim", "c", {
    metadata,
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...rest },
  });

/** A storage class. */
export const storage = (name: string, rest = {}) =>
  obj("storage.k8s.io/v1", "StorageClass", name, { provisioner: "p.io/x", ...rest });

/** A config map. */
export const map = obj("v1", "ConfigMap", "m");

/** Creates it in a namespace that does not exist. */
export const elsewhere = () => ({
  method: "POST",
  path: "/api/v1/namespaces/nowhere/configmaps",
  body: map,
});
