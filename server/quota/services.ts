/** What services use: their number, node ports, load balancers. */
import { quantityOf } from "../../schema/values/quantity.ts";
import { items, type Tree } from "../../schema/rules/tree.ts";
import type { Evaluator } from "./types.ts";

const NAMES = new Set(["count/services", "services", "services.nodeports", "services.loadbalancers"]);

/** Node ports are not given out yet when this is asked: what counts is that they will be. */
function nodePorts(spec: Tree): number {
  const ports = items<Tree>(spec["ports"]);
  if (spec["type"] === "NodePort") return ports.length;
  if (spec["type"] !== "LoadBalancer") return 0;
  return spec["allocateLoadBalancerNodePorts"] === false ? ports.filter((p) => p["nodePort"]).length : ports.length;
}

/** Counts services. */
export const serviceEvaluator: Evaluator = {
  id: "services",
  handles: (a) => a.subresource === "" && (a.operation === "CREATE" || a.operation === "UPDATE"),
  counts: (name) => NAMES.has(name),
  usage(obj) {
    const { spec } = obj as Tree;
    const one = quantityOf(1);
    return new Map([
      ["count/services", one],
      ["services", one],
      ["services.nodeports", quantityOf(nodePorts(spec))],
      ["services.loadbalancers", quantityOf(spec.type === "LoadBalancer" ? 1 : 0)],
    ]);
  },
};
