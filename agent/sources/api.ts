/** Pods that the API server gives this node. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { Api, Source } from "../types.ts";

/** Follows the pods that are bound to the node. */
export class ApiSource implements Source {
  readonly name = "api";

  constructor(readonly api: Api, readonly nodeName: string) {}

  async run(deliver: (pods: readonly Pod[]) => void, signal: AbortSignal): Promise<void> {
    const pods = new Map<string, Pod>();
    const key = (pod: Pod) => `${pod.metadata!.namespace}/${pod.metadata!.name}`;
    await this.api.follow<Pod>("/api/v1/pods", { fieldSelector: `spec.nodeName=${this.nodeName}` }, {
      replace: (items) => {
        pods.clear();
        for (const pod of items) pods.set(key(pod), pod);
        deliver([...pods.values()]);
      },
      changed: (type, pod) => {
        if (type === "DELETED") pods.delete(key(pod));
        else pods.set(key(pod), pod);
        deliver([...pods.values()]);
      },
    }, signal);
  }
}
