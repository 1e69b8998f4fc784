/** What pods ask for and are limited to. */
import type { Container, Pod, ResourceRequirements } from "../../schema/api/core_v1.ts";
import { isPodLevelResource, podTotals } from "../../schema/rules/core/pod_resources.ts";
import { parseQuantity, type Quantity, ZERO_QUANTITY } from "../../schema/values/quantity.ts";
import type { AnyContainer } from "../types.ts";

/** Amounts by resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Whether a feature is on. */
export type Gate = (name: string) => boolean;

type List = Readonly<Record<string, string>> | undefined;
type Which = "requests" | "limits";

/** Reads a resource list. @throws ValueError */
export function amountsOf(list: List): Map<string, Quantity> {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
}

/** Whether a resource is somebody else's than the project's. */
export const isExtended = (name: string): boolean =>
  name.includes("/") && !/(?:^|\.)(?:kubernetes|orch)\.io\//.test(name);

/** Zero where it is not said. */
export const amount = (amounts: Amounts, name: string): Quantity => amounts.get(name) ?? ZERO_QUANTITY;

/** One entry of a list, zero where it is not said. @throws ValueError */
export const amountIn = (list: List, name: string): Quantity =>
  list?.[name] === undefined ? ZERO_QUANTITY : parseQuantity(list[name]);

/** What a container says; containers for debugging have nothing to say. */
export const resourcesOf = (container: AnyContainer): ResourceRequirements => container.resources ?? {};

/** Containers and init containers of a pod. */
export const containersOf = (pod: Pod): readonly Container[] => [
  ...pod.spec?.initContainers ?? [],
  ...pod.spec?.containers ?? [],
];

/** Whether a container starts before the others and stays. */
export const isSidecar = (pod: Pod, container: AnyContainer): boolean =>
  container.restartPolicy === "Always" && (pod.spec?.initContainers ?? []).some((c) => c.name === container.name);

/** Whether the pod has resources as a whole. */
export function hasPodLevel(pod: Pod, gate: Gate, lists: readonly Which[] = ["requests", "limits"]): boolean {
  const whole = pod.spec?.resources;
  return gate("PodLevelResources") && lists.some((which) => Object.keys(whole?.[which] ?? {}).some(isPodLevelResource));
}

/** What the containers of a pod ask for together. @throws ValueError */
export const containerRequests = (pod: Pod): Amounts => total(pod, "requests", () => false, false);

/** What a pod asks for, with its overhead unless it is left out. @throws ValueError */
export const podRequests = (pod: Pod, gate: Gate, overhead = true): Amounts => total(pod, "requests", gate, overhead);

/** What a pod is limited to; overhead is added to what is limited. @throws ValueError */
export const podLimits = (pod: Pod, gate: Gate, overhead = true): Amounts => total(pod, "limits", gate, overhead);

function total(pod: Pod, which: Which, gate: Gate, overhead: boolean): Amounts {
  return podTotals({ spec: pod.spec ?? {} }, which, { podLevel: gate("PodLevelResources"), status: false, overhead });
}
