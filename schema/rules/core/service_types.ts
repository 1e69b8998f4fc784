/** What each type of service has. */
import { items, type Tree } from "../tree.ts";

/** Whether the service has addresses in the cluster. */
export const needsClusterIP = (s: Tree): boolean => s["type"] !== "ExternalName";
/** Whether its ports are open on nodes. */
export const needsNodePort = (s: Tree): boolean => s["type"] === "NodePort" || s["type"] === "LoadBalancer";
/** Whether its ports are given node ports unasked. */
export const opensNodePorts = (s: Tree): boolean =>
  s["type"] === "NodePort" || (s["type"] === "LoadBalancer" && s["allocateLoadBalancerNodePorts"] !== false);
/** Whether nodes tell load balancers if they have endpoints. */
export const needsHealthCheck = (s: Tree): boolean =>
  s["type"] === "LoadBalancer" && s["externalTrafficPolicy"] === "Local";
/** Whether it can be reached from outside the cluster. */
export const isExternal = (s: Tree): boolean =>
  needsNodePort(s) || (s["type"] === "ClusterIP" && items(s["externalIPs"]).length > 0);
