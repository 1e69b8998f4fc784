/** Containers of a pod as its status names them. */
import type { ContainerStatus, Pod } from "../../schema/api/core_v1.ts";

/** The status of a container of any of the three lists. */
export function statusOf({ status }: Pod, name: string): ContainerStatus | undefined {
  const all = [
    ...status?.containerStatuses ?? [],
    ...status?.initContainerStatuses ?? [],
    ...status?.ephemeralContainerStatuses ?? [],
  ];
  return all.find((c) => c.name === name);
}

/** The runtime's own name of a container: `containerd://ID` without its begin. */
export const runtimeId = (containerID: string): string => containerID.slice(containerID.indexOf("://") + 3);

/** The runtime's name of a container that runs; undefined: none does. */
export function runningId(pod: Pod, name: string): string | undefined {
  const status = statusOf(pod, name);
  return status?.state?.running && status.containerID ? runtimeId(status.containerID) : undefined;
}
