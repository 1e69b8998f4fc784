/** LimitPodHardAntiAffinityTopology: a pod may keep others off its node, not off a whole zone. */
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";

/** See the top of the file. */
export function limitPodHardAntiAffinityTopology(ctx: PluginContext): Plugin {
  const host = ctx.product.local("kubernetes.io/hostname");
  return {
    name: "LimitPodHardAntiAffinityTopology",
    handles: on(["CREATE", "UPDATE"], ["pods"]),
    validate(a) {
      const required = (a.object as Tree)["spec"].affinity?.podAntiAffinity
        ?.requiredDuringSchedulingIgnoredDuringExecution;
      const bad = items<Tree>(required).find((t) => t["topologyKey"] !== host);
      if (!bad) return;
      throw refusal(
        a,
        "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey " +
          `${bad["topologyKey"]} but only key ${host} is allowed`,
      );
    },
  };
}
