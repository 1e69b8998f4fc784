/** Whether all containers of a pod begin anew, since one of them ended so (`RestartAllContainers`). */
import type { Pod, PodStatus } from "../../schema/api/core_v1.ts";
import { exitRestartsAll } from "./decision.ts";
import { canRestartAll, containersOf, initContainersOf, restartsAll } from "./spec.ts";
import { newestOf, type PodState } from "./state.ts";

/** By the condition it had, by what the runtime says, and by the status it had. */
export function allRestart(pod: Pod, state: PodState, old: PodStatus): boolean {
  if (!canRestartAll(pod)) return false;
  if (old.conditions?.some((c) => c.type === "AllContainersRestarting" && c.status === "True")) return true;
  const statuses = [...(old.initContainerStatuses ?? []), ...(old.containerStatuses ?? [])];
  return [...initContainersOf(pod), ...containersOf(pod)].some((container) => {
    if (newestOf(state, container.name)?.state !== "EXITED") return false;
    const end = statuses.find((s) => s.name === container.name)?.state?.terminated;
    return exitRestartsAll(container, state) || (end !== undefined && restartsAll(container, end.exitCode));
  });
}
