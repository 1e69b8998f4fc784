/** Defaults of the storage group. */
import { fill, part, roundResources } from "../checks/fill.ts";
import { VOLUME_DEFAULTS } from "../core/volume_defaults.ts";
import type { DefaultsTable } from "../tables.ts";
import { count, type Tree } from "../tree.ts";

/** Rows of the storage group. */
export const DEFAULTS: DefaultsTable = {
  "v1/StorageClass": (c: Tree) => fill(c, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  "v1/VolumeAttachment": (a: Tree) => {
    const inline: Tree | undefined = a["spec"]?.source?.inlineVolumeSpec;
    roundResources(inline?.["capacity"]);
    for (const m in inline) if (Object.hasOwn(VOLUME_DEFAULTS, m)) VOLUME_DEFAULTS[m]!(inline[m]);
  },
  "v1/CSIDriver": (d: Tree, ctx) => {
    const spec = part(d, "spec");
    fill(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      requiresRepublish: false,
      seLinuxMount: false,
    });
    if (ctx.gate("VolumeLimitScaling")) fill(spec, { preventPodSchedulingIfMissing: false });
    if (!count(spec["volumeLifecycleModes"])) spec["volumeLifecycleModes"] = ["Persistent"];
  },
};
