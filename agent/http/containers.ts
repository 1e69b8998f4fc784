/** Containers of a pod: as its status names them, and as they run. */
import type { ContainerStatus, Pod } from "../../schema/api/core_v1.ts";
import { LABEL } from "../pods/names.ts";
import type { Runtime } from "../runtime/types.ts";

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

/** The runtime's name of a container that runs, asked of itself: a status tells of what was a while ago. Undefined: none does. */
export async function runningId(
  runtime: Pick<Runtime, "listContainers">,
  pod: Pod,
  name: string,
): Promise<string | undefined> {
  const all = await runtime.listContainers({ [LABEL.uid]: pod.metadata?.uid ?? "", [LABEL.container]: name });
  const running = all.filter(({ state }) => state === "RUNNING");
  return running.reduce((a, b) => a && a.createdAt > b.createdAt ? a : b, running[0])?.id;
}
