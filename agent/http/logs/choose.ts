/** Which container's log is meant. */
import type { Pod } from "../../../schema/api/core_v1.ts";
import { statusOf } from "../containers.ts";

/** Why images that are not there are not, in words for who asks for logs. */
const WAITING: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: "trying and failing to pull image",
};

/** The id (`containerd://…`) of the container to read of: the present one, the one before, or the last that ended. @throws Error that says why there is none */
export function chooseContainer(pod: Pod, name: string, previous: boolean): string {
  const about = `container "${name}" in pod "${pod.metadata?.name}"`;
  const status = statusOf(pod, name);
  if (!status) throw new Error(`${about} is not available`);
  const { waiting, running, terminated } = status.state ?? {}, last = status.lastState?.terminated;
  if (previous) {
    if (!last?.containerID) throw new Error(`previous terminated ${about} not found`);
    return last.containerID;
  }
  if (running) return status.containerID ?? "";
  if (terminated || last) {
    // Where the next container did not start, the one that ended has no id.
    const id = terminated?.containerID || last?.containerID;
    if (!id) throw new Error(`${about} is terminated`);
    return id;
  }
  if (!waiting) throw new Error(`${about} is waiting to start - no logs yet`);
  throw new Error(`${about} is waiting to start: ${WAITING[waiting.reason ?? ""] ?? waiting.reason ?? ""}`);
}
