/** ExtendedResourceToleration: a pod that asks for an extended resource tolerates the taint of nodes that have it. */
import { isExtendedResource } from "../../../schema/rules/checks/resources.ts";
import { items, same, type Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import type { Plugin, PluginContext } from "../types.ts";

/** See the top of the file. */
export function extendedResourceToleration(ctx: PluginContext): Plugin {
  const rules = { ...ctx, gate: ctx.gate, now: ctx.now, allowPrivileged: false };
  return {
    name: "ExtendedResourceToleration",
    handles: on(["CREATE", "UPDATE"], ["pods"]),
    admit(a) {
      const spec: Tree = (a.object as Tree)["spec"];
      const containers = [...items<Tree>(spec["containers"]), ...items<Tree>(spec["initContainers"])];
      const names = containers.flatMap((c) => Object.keys(c["resources"]?.requests ?? {}));
      for (const key of [...new Set(names)].filter((n) => isExtendedResource(n, rules)).sort()) {
        const wanted = { key, operator: "Exists", effect: "NoSchedule" };
        const given = items<Tree>(spec["tolerations"]);
        if (!given.some((t) => same(t, wanted))) spec["tolerations"] = [...given, wanted];
      }
    },
  };
}
