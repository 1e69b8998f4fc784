/** `/pods`, `/allocatedPods` and `/runningpods/`. */
import type { Pod } from "../../schema/api/core_v1.ts";
import type { PodSandbox, Runtime, RuntimeContainer } from "../runtime/types.ts";
import { type Answer, jsonAnswer, textAnswer } from "./answer.ts";
import type { Ask, Route } from "./routes.ts";

/** A list as the API has it. */
export function podList(pods: readonly Pod[]): Answer {
  const items = pods.map(({ apiVersion: _v, kind: _k, ...rest }) => rest);
  return jsonAnswer({ kind: "PodList", apiVersion: "v1", metadata: {}, items });
}

/** Pods with what the node has given them of what they ask for, all or one, without a status. */
export function allocatedRoutes(allocated: () => readonly Pod[]): readonly Route[] {
  const path = "/allocatedPods", common = { tree: path, methods: ["GET"], produces: ["application/json"] };
  const one = ({ params: { podNamespace, podID, podUID } }: Ask): Answer => {
    const found = allocated().find(({ metadata: { namespace, name, uid } = {} }) =>
      namespace === podNamespace && name === podID && (podUID === undefined || uid === podUID)
    );
    return found ? jsonAnswer({ kind: "Pod", apiVersion: "v1", ...bare(found) }) : textAnswer(404, "pod not found");
  };
  return [
    { ...common, path, handler: () => podList(allocated().map(bare)) },
    { ...common, path: `${path}/{podNamespace}/{podID}`, handler: one },
    { ...common, path: `${path}/{podNamespace}/{podID}/{podUID}`, handler: one },
  ];
}

const bare = ({ metadata, spec }: Pod): Pod => ({
  ...(metadata ? { metadata } : {}),
  ...(spec ? { spec } : {}),
  status: {},
});

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
} as Pod);
