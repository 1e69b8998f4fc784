/** PodTopologyLabels: a pod that is bound to a node gets the labels of the place where the node is. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { held } from "../facts.ts";
import { nothing, on } from "../handles.ts";
import type { Plugin, PluginContext } from "../types.ts";

/** See the top of the file. */
export function podTopologyLabels(ctx: PluginContext): Plugin {
  const name = "PodTopologyLabels";
  if (!ctx.gate("PodTopologyLabelsAdmission")) return { name, handles: nothing };
  const copied = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"].map(ctx.product.local);
  const nodes = held(ctx.lister, "nodes");
  return {
    name,
    handles: on(["CREATE"], ["pods"], ["", "binding"]),
    admit(a) {
      const obj = a.object as Tree;
      const { target } = obj;
      const node: string | undefined = a.subresource === "binding"
        ? target?.kind === "Node" ? target.name : undefined
        : obj["spec"]?.nodeName;
      const labels = node ? nodes(node)?.metadata.labels : undefined;
      if (!labels) return;
      for (const key of copied) {
        if (labels[key] === undefined) continue;
        (obj["metadata"].labels ??= {})[key] ??= labels[key];
      }
    },
  };
}
