/** What a pod's status says of its resources as a whole. */
import type { Pod, PodStatus, ResourceRequirements } from "../../schema/api/core_v1.ts";
import { type Amounts, type Gate, podLimits, podRequests } from "../resources/amounts.ts";
import { isLimited } from "../resources/pod_settings.ts";
import { allotmentOf, asRunning, withResources } from "./allotment.ts";
import type { PodState } from "./state.ts";

type List = Record<string, string>;

/** A limit below this, and a request below that, cannot be told from none in the kernel: thousandths of a processor. */
const MIN_LIMIT = 10n;
const MIN_REQUEST = 2n;

/** What it was given and, once it runs, what its control group has. */
export function wholeStatus(
  pod: Pod,
  state: PodState,
  gate: Gate,
): Pick<PodStatus, "allocatedResources" | "resources"> {
  if (!gate("InPlacePodLevelResourcesVerticalScaling")) return {};
  const requests = podRequests(pod, gate);
  const resources = pod.status?.phase === "Running"
    ? inGroup(pod, withResources(pod, asRunning(allotmentOf(pod), state)), gate)
    : { requests: listOf(requests), limits: listOf(podLimits(pod, gate)) };
  return {
    ...(requests.size > 0 ? { allocatedResources: listOf(requests) } : {}),
    resources: Object.fromEntries(Object.entries(resources).filter(([, list]) => Object.keys(list).length > 0)),
  };
}

/** @param given the pod with what its containers have by now */
function inGroup(pod: Pod, given: Pod, gate: Gate): { requests: List; limits: List } {
  const own: ResourceRequirements = pod.spec?.resources ?? {};
  const asked = podRequests(given, gate), most = podLimits(given, gate), memory = podRequests(pod, gate).get("memory");
  const cpu = asked.get("cpu"), limit = isLimited(given, "cpu", gate) ? most.get("cpu") : undefined;
  const memoryLimit = isLimited(given, "memory", gate) ? most.get("memory") : undefined;
  return {
    requests: {
      ...(memory ? { memory: memory.toString() } : {}),
      ...own.requests,
      ...(cpu && cpu.milliValue() > MIN_REQUEST ? { cpu: cpu.toString() } : {}),
    },
    limits: {
      ...own.limits,
      ...(limit && limit.milliValue() > MIN_LIMIT ? { cpu: limit.toString() } : {}),
      ...(memoryLimit && !memoryLimit.isZero() ? { memory: memoryLimit.toString() } : {}),
    },
  };
}

function listOf(amounts: Amounts): List {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
}
