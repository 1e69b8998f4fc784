/** Volumes (specification, "Node agent options"). */
import type { AgentRow } from "../types.ts";

/** Rows of the group "Volumes". */
export const STORAGE = [
  {
    name: "volume-stats-agg-period",
    type: "duration",
    default: "1m0s",
    field: "volumeStatsAggPeriod",
    help: "How often it is found out what volumes take of disks; negative for never",
  },
  {
    name: "volume-plugin-dir",
    type: "path",
    default: "/usr/libexec/kubernetes/kubelet-plugins/volume/exec/",
    field: "volumePluginDir",
    help: "Directory of drivers of volumes: <vendor>~<driver>/<driver>",
  },
  {
    name: "enable-controller-attach-detach",
    type: "bool",
    default: "true",
    field: "enableControllerAttachDetach",
    help: "Leave it to a controller to attach volumes to the node",
  },
  {
    name: "local-storage-capacity-isolation",
    type: "bool",
    default: "true",
    field: "localStorageCapacityIsolation",
    help: "Count and limit what pods take of the node's own disk",
  },
] as const satisfies readonly AgentRow[];
