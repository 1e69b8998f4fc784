/** Conditions of the node's status. */
import type { NodeCondition } from "../../schema/api/core_v1.ts";
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import type { Pressure } from "../eviction/signals.ts";

/** One way that a condition may be. */
interface Side {
  readonly reason: string;
  readonly message: string;
  readonly event: string;
}

/** Conditions and what they go by, in the order in which they are told; `Ready` is the last. */
const PRESSURES: readonly { readonly type: Pressure; readonly yes: Side; readonly no: Side }[] = [
  {
    type: "MemoryPressure",
    yes: side("KubeletHasInsufficientMemory", "kubelet has insufficient memory available"),
    no: side("KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
  },
  {
    type: "DiskPressure",
    yes: side("KubeletHasDiskPressure", "kubelet has disk pressure"),
    no: side("KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
  },
  {
    type: "PIDPressure",
    yes: side("KubeletHasInsufficientPID", "kubelet has insufficient PID available"),
    no: side("KubeletHasSufficientPID", "kubelet has sufficient PID available"),
  },
];

function side(reason: string, message: string): Side {
  return { reason, message, event: reason.replace("Kubelet", "Node") };
}

/** Conditions, and the reasons of events that their changes make. */
export interface Judged {
  readonly conditions: readonly NodeCondition[];
  readonly events: readonly string[];
}

/**
 * The conditions of now; those of others stay.
 * @param pressure those of pressure that hold
 * @param faults why the node is not ready
 * @param time of now, as the API writes it
 */
export function judge(
  before: readonly NodeCondition[],
  pressure: readonly Pressure[],
  faults: readonly string[],
  time: string,
): Judged {
  const conditions = [...before], events: string[] = [];
  const set = (type: string, status: boolean, { reason, message }: Omit<Side, "event">): boolean => {
    const at = conditions.findIndex((c) => c.type === type);
    const was = conditions[at];
    const same = was?.status === (status ? "True" : "False");
    conditions[at < 0 ? conditions.length : at] = {
      type,
      status: status ? "True" : "False",
      lastHeartbeatTime: time,
      lastTransitionTime: same && was?.lastTransitionTime ? was.lastTransitionTime : time,
      // Of pressure the words stay until it changes, whoever wrote them.
      reason: same && type !== READY ? was?.reason ?? reason : reason,
      message: same && type !== READY ? was?.message ?? message : message,
    };
    return !same;
  };
  for (const { type, yes, no } of PRESSURES) {
    const holds = pressure.includes(type), now = holds ? yes : no;
    if (set(type, holds, now)) events.push(now.event);
  }
  const ready = faults.length === 0;
  const changed = set(READY, ready, {
    reason: ready ? "KubeletReady" : "KubeletNotReady",
    message: ready ? "kubelet is posting ready status" : aggregateText(faults),
  });
  if (changed && before.some((c) => c.type === READY)) events.push(ready ? "NodeReady" : "NodeNotReady");
  return { conditions, events };
}

const READY = "Ready";

/** Whether a node says that it is ready. */
export const isReady = (conditions: readonly NodeCondition[] | undefined): boolean =>
  conditions?.some((c) => c.type === READY && c.status === "True") ?? false;
