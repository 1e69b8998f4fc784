/** PodResizeValidator: a pod is not resized beyond its node, nor on a node that cannot do it. */
import { parseQuantity } from "../../../schema/values/quantity.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { podTotals } from "../../../schema/rules/core/pod_resources.ts";
import { held } from "../facts.ts";
import { nothing, on } from "../handles.ts";
import { refusal, refusalWithCause } from "../refuse.ts";
import type { Plugin, PluginContext } from "../types.ts";

/** Causes by which who resizes pods tells what no second attempt would mend; they have no text. */
const NODE_CAPACITY = { reason: "NodeCapacity" };
const UNSUPPORTED_PLATFORM = { reason: "UnsupportedPlatform" };

/** See the top of the file. */
export function podResizeValidator(ctx: PluginContext): Plugin {
  const name = "PodResizeValidator";
  if (!ctx.gate("InPlacePodVerticalScaling")) return { name, handles: nothing };
  const nodes = held(ctx.lister, "nodes");
  const os = ctx.product.local("kubernetes.io/os");
  const how = { podLevel: ctx.gate("PodLevelResources"), status: false, overhead: true };
  return {
    name,
    handles: on(["UPDATE"], ["pods"], ["resize"]),
    validate(a) {
      const pod = a.object as Tree;
      const nodeName: string = pod["spec"].nodeName ?? "";
      if (nodeName === "" || a.oldObject!.metadata.generation === a.object!.metadata.generation) return;
      const node = nodes(nodeName) as Tree | undefined;
      if (!node) throw refusal(a, `node "${nodeName}" not found`);
      const system: string = node["metadata"].labels?.[os] ?? "linux";
      if (system !== "linux") {
        const why = `pod resize is only supported on linux nodes, node "${nodeName}" is "${system}"`;
        throw refusalWithCause(a, why, UNSUPPORTED_PLATFORM);
      }
      const over = beyond(pod, node["status"]?.allocatable ?? {}, how);
      if (over) throw refusalWithCause(a, `node didn't have enough allocatable resources: ${over}`, NODE_CAPACITY);
    },
  };
}

/** Cpu in thousandths and memory in bytes, where more is asked for than the node gives. */
function beyond(pod: Tree, allocatable: Tree, how: Parameters<typeof podTotals>[2]): string {
  const asked = podTotals(pod, "requests", how);
  const parts = ([["cpu", -3], ["memory", 0]] as const).map(([name, scale]) => {
    const want = asked.get(name)?.scaled(scale) ?? 0n;
    const has = parseQuantity(allocatable[name] ?? "0").scaled(scale);
    return want > has ? `${name}, requested: ${want}, allocatable: ${has}` : "";
  });
  return parts.filter((p) => p !== "").join("; ");
}
