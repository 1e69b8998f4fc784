/** `/pods` and `/runningpods/`. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { PodSandbox, Runtime, RuntimeContainer } from "../runtime/types.ts";
import { type Answer, jsonAnswer } from "./answer.ts";

/** A list as the API has it. */
export function podList(pods: readonly Pod[]): Answer {
  const items = pods.map(({ apiVersion: _v, kind: _k, ...rest }) => rest);
  return jsonAnswer({ kind: "PodList", apiVersion: "v1", metadata: {}, items });
}

/** Pods as the runtime has them: names, and the containers that run. */
export async function runningPods(runtime: Runtime): Promise<Pod[]> {
  const [sandboxes, containers] = await Promise.all([runtime.listPodSandboxes(), runtime.listContainers()]);
  const running = Map.groupBy(containers.filter(({ state }) => state === "RUNNING"), (c) => c.podSandboxId);
  return sandboxes.filter(({ state }) => state === "READY").map((s) => podOf(s, running.get(s.id) ?? []));
}

const podOf = ({ metadata: { name, namespace, uid } }: PodSandbox, containers: readonly RuntimeContainer[]): Pod => ({
  metadata: { name, namespace, uid },
  spec: {
    containers: containers.map(({ metadata, image, imageRef }) => ({
      name: metadata.name,
      image: image?.image || imageRef,
      resources: {},
    })),
  },
  status: {},
} as unknown as Pod);
