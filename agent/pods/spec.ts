/** Questions to a pod's spec. */
import type { Container, ContainerRestartRule, Pod, PodStatus, Volume } from "../../schema/api/core_v1.ts";
import type { AnyContainer } from "../types.ts";

/** Its init containers, in order. */
export function initContainersOf(pod: Pod): readonly Container[] {
  return pod.spec?.initContainers ?? [];
}

/** Its regular containers. */
export function containersOf(pod: Pod): readonly Container[] {
  return pod.spec?.containers ?? [];
}

/** Containers of all three lists. */
export function allContainersOf(pod: Pod): readonly AnyContainer[] {
  return [...initContainersOf(pod), ...containersOf(pod), ...(pod.spec?.ephemeralContainers ?? [])];
}

/** A container of any list by name. */
export function containerNamed(pod: Pod, name: string): AnyContainer | undefined {
  return allContainersOf(pod).find((c) => c.name === name);
}

/** What statuses and conditions that are told of it say of the spec they saw. */
export function observed({ metadata }: Pod): Pick<PodStatus, "observedGeneration"> {
  return metadata?.generation ? { observedGeneration: metadata.generation } : {};
}

/** Whether a volume's files are the pod's own share of the node's file system. */
export function isLocalEphemeral({ gitRepo, configMap, emptyDir }: Volume): boolean {
  return gitRepo !== undefined || configMap !== undefined || (emptyDir !== undefined && !emptyDir.medium);
}

/** Whether an init container goes on beside the regular ones. */
export function isSidecar(container: AnyContainer): boolean {
  return container.restartPolicy === "Always";
}

/** Where a container is named in events: `spec.containers{name}`. */
export function fieldPathOf(pod: Pod, container: AnyContainer): string {
  const is = (c: AnyContainer) => c.name === container.name;
  const list = initContainersOf(pod).some(is)
    ? "initContainers"
    : containersOf(pod).some(is)
    ? "containers"
    : "ephemeralContainers";
  return `spec.${list}{${container.name}}`;
}

/** Whether a container that ended so is started again. Its own rules come first, then its own policy, then the pod's. */
export function restartsAfter(pod: Pod, container: AnyContainer, exitCode: number): boolean {
  if (container.restartPolicy !== undefined && restartRule(container, exitCode)) return true;
  return POLICIES[container.restartPolicy ?? pod.spec?.restartPolicy ?? "Always"]?.(exitCode) ?? true;
}

/** Whether a container that was ended from outside is started again: no exit code, so no rule. */
export function restartsOnFailure(pod: Pod, container: AnyContainer): boolean {
  return (container.restartPolicy ?? pod.spec?.restartPolicy) !== "Never";
}

const POLICIES: Readonly<Record<string, (exitCode: number) => boolean>> = {
  Always: () => true,
  OnFailure: (exitCode) => exitCode !== 0,
  Never: () => false,
};

const OPERATORS: Readonly<Record<string, (listed: boolean) => boolean>> = {
  In: (listed) => listed,
  NotIn: (listed) => !listed,
};

/** The first of its rules that is meant for an exit code. */
function restartRule(container: AnyContainer, exitCode: number): ContainerRestartRule | undefined {
  return container.restartPolicyRules?.find(({ exitCodes }) =>
    exitCodes && OPERATORS[exitCodes.operator ?? ""]?.(exitCodes.values?.includes(exitCode) ?? false)
  );
}

/** Whether an exit code of a container restarts the whole pod. */
export function restartsAll(container: AnyContainer, exitCode: number): boolean {
  return restartRule(container, exitCode)?.action === RESTART_ALL;
}

/** Whether any container can restart the whole pod. */
export function canRestartAll(pod: Pod): boolean {
  return [...initContainersOf(pod), ...containersOf(pod)].some((c) =>
    c.restartPolicyRules?.some((r) => r.action === RESTART_ALL)
  );
}

const RESTART_ALL = "RestartAllContainers";

/** Whether a phase is a last one. */
export function isTerminal(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}
