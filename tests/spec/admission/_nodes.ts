/** Nodes, pods on them, and their resizing. */
import { container, obj, pod } from "./_table.ts";

/** A node. */
export const node = (name: string, rest = {}) => obj("v1", "Node", name, rest);

/** A node with two CPUs; null: it does not tell its system. */
export const big = (name: string, os: string | null = "linux", more = {}) =>
  node(name, {
    metadata: { labels: os === null ? {} : { "kubernetes.io/os": os } },
    status: { allocatable: { cpu: "2", memory: "4Gi" }, capacity: { cpu: "2", memory: "4Gi" }, ...more },
  });

/** A pod on a node. */
export const running = (nodeName: string, resources = { requests: { cpu: "1" } }) =>
  pod({ nodeName, containers: [container(resources)] });

/** Asks for more CPU for the pod. */
export const resize = (cpu: string) => ({
  method: "PATCH",
  path: "/api/v1/namespaces/{ns}/pods/p/resize",
  type: "application/strategic-merge-patch+json",
  body: { spec: { containers: [{ name: "c", resources: { requests: { cpu } } }] } },
});
