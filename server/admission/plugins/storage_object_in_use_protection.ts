/** StorageObjectInUseProtection: volumes, claims and attribute classes wait with their deletion while they are in use. */
import { on } from "../handles.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { addFinalizer } from "./_finalizer.ts";

/** What keeps an object while it is in use, by resource. Public names. */
export const FINALIZERS: Readonly<Record<string, string>> = {
  "persistentvolumeclaims": "kubernetes.io/pvc-protection",
  "persistentvolumes": "kubernetes.io/pv-protection",
  "volumeattributesclasses.storage.k8s.io": "kubernetes.io/vac-protection",
};

/** See the top of the file. */
export function storageObjectInUseProtection(ctx: PluginContext): Plugin {
  const { product } = ctx;
  return {
    name: "StorageObjectInUseProtection",
    handles: on(["CREATE"], Object.keys(FINALIZERS)),
    admit: (a) => addFinalizer(a.object!, product.local(FINALIZERS[a.resource.id]!)),
  };
}
