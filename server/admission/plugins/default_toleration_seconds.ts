/** DefaultTolerationSeconds: how long a pod that says nothing stays on a node that is not ready or not reached. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { on } from "../handles.ts";
import type { Plugin, PluginContext } from "../types.ts";

const tolerates = (t: Tree, key: string): boolean =>
  (!t["key"] || t["key"] === key) && (!t["effect"] || t["effect"] === "NoExecute");

/** See the top of the file. */
export function defaultTolerationSeconds(ctx: PluginContext): Plugin {
  const { product, options } = ctx;
  const wanted = [
    [product.local("node.kubernetes.io/not-ready"), options.defaultNotReadyTolerationSeconds],
    [product.local("node.kubernetes.io/unreachable"), options.defaultUnreachableTolerationSeconds],
  ] as const;
  return {
    name: "DefaultTolerationSeconds",
    handles: on(["CREATE", "UPDATE"], ["pods"]),
    admit(a) {
      const spec = (a.object as Tree)["spec"];
      const given: readonly Tree[] = spec.tolerations ?? [];
      const missing = wanted.filter(([key]) => !given.some((t) => tolerates(t, key)));
      if (missing.length === 0) return;
      spec.tolerations = [
        ...given,
        ...missing.map(([key, tolerationSeconds]) => ({
          key,
          operator: "Exists",
          effect: "NoExecute",
          tolerationSeconds,
        })),
      ];
    },
  };
}
