/** Defaults of the storage group. */
import { fill, part } from "../checks/fill.ts";
import type { DefaultsTable } from "../tables.ts";
import { count, type Tree } from "../tree.ts";

/** Rows of the storage group. */
export const DEFAULTS: DefaultsTable = {
  "v1/StorageClass": (c: Tree) => fill(c, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  "v1/CSIDriver": (d: Tree) => {
    const spec = part(d, "spec");
    fill(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      requiresRepublish: false,
      seLinuxMount: false,
    });
    if (!count(spec["volumeLifecycleModes"])) spec["volumeLifecycleModes"] = ["Persistent"];
  },
};
