/** TaintNodesByCondition: nothing is scheduled on a new node until it is known to be ready. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import type { Plugin, PluginContext } from "../types.ts";

/** See the top of the file. */
export function taintNodesByCondition(ctx: PluginContext): Plugin {
  const key = ctx.product.local("node.kubernetes.io/not-ready"), effect = "NoSchedule";
  return {
    name: "TaintNodesByCondition",
    handles: on(["CREATE"], ["nodes"]),
    admit(a) {
      const node = a.object as Tree;
      const spec = node["spec"] ??= {};
      const taints: readonly Tree[] = spec.taints ?? [];
      if (!taints.some((t) => t["key"] === key && t["effect"] === effect)) spec.taints = [...taints, { key, effect }];
    },
  };
}
