/** When pods are ended for want of resources (specification, "Node agent options"). */
import { type AgentRow, INT32 } from "../types.ts";

/** Rows of the group "Eviction". */
export const EVICTION = [
  {
    name: "eviction-hard",
    type: "thresholds",
    fileDefault:
      "memory.available<100Mi,nodefs.available<10%,nodefs.inodesFree<5%,imagefs.available<15%,imagefs.inodesFree<5%",
    field: "evictionHard",
    help: "signal<quantity thresholds, such as memory.available<100Mi, below which pods are ended at once",
  },
  {
    name: "eviction-soft",
    type: "thresholds",
    field: "evictionSoft",
    help: "signal<quantity thresholds below which pods are ended after a time of grace",
  },
  {
    name: "eviction-soft-grace-period",
    type: "pairs",
    field: "evictionSoftGracePeriod",
    help: "signal=duration: how long a threshold of --eviction-soft must be crossed",
  },
  {
    name: "eviction-minimum-reclaim",
    type: "pairs",
    field: "evictionMinimumReclaim",
    help: "signal=quantity: how much at least is won back",
  },
  {
    name: "eviction-max-pod-grace-period",
    type: "int",
    rule: INT32,
    field: "evictionMaxPodGracePeriod",
    help: "Most seconds that a pod gets to end after a soft threshold; negative: as many as it asks for",
  },
  {
    name: "eviction-pressure-transition-period",
    type: "duration",
    default: "5m0s",
    field: "evictionPressureTransitionPeriod",
    help: "How long pressure stays told after it has ended",
  },
] as const satisfies readonly AgentRow[];
