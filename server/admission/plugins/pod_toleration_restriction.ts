/** PodTolerationRestriction: what pods of a namespace tolerate by default, and what at most. */
import type { Obj } from "../../../schema/model/types.ts";
import { qosClass } from "../../../schema/rules/core/qos.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { inNamespaceNamed } from "../facts.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";
import { mergeTolerations, readTolerations, withinTolerations } from "./_tolerations.ts";

/** See the top of the file. */
export function podTolerationRestriction(ctx: PluginContext): Plugin {
  const { product } = ctx;
  const config: Tree = ctx.config ?? {};
  const defaults = product.local("scheduler.alpha.kubernetes.io/defaultTolerations");
  const allowed = product.local("scheduler.alpha.kubernetes.io/tolerationsWhitelist");
  const memoryPressure: Tree = {
    key: product.local("node.kubernetes.io/memory-pressure"),
    operator: "Exists",
    effect: "NoSchedule",
  };
  const withNamespace = inNamespaceNamed(ctx);
  const said = (a: Attributes, namespace: Obj, annotation: string): readonly Tree[] | undefined => {
    const text = namespace.metadata.annotations?.[annotation];
    if (text === undefined) return undefined;
    const list = readTolerations(text);
    if (typeof list !== "string") return list;
    throw refusal(a, `cannot read the annotation ${annotation} of namespace ${a.namespace}: ${list}`);
  };
  const check = (a: Attributes, namespace: Obj): void => {
    const own = said(a, namespace, allowed);
    const limit = own ?? items<Tree>(config["whitelist"]);
    if (withinTolerations(items<Tree>((a.object as Tree)["spec"].tolerations), limit)) return;
    throw refusal(
      a,
      "pod tolerations (possibly merged with namespace default tolerations) " +
        `conflict with its ${own ? "namespace" : "cluster"} whitelist`,
    );
  };
  return {
    name: "PodTolerationRestriction",
    handles: on(["CREATE", "UPDATE"], ["pods"]),
    admit: (a) =>
      withNamespace(a.namespace, (namespace) => {
        const spec: Tree = (a.object as Tree)["spec"];
        const more = a.operation === "CREATE" ? said(a, namespace, defaults) ?? items<Tree>(config["default"]) : [];
        const added = qosClass(spec) === "BestEffort" ? more : [...more, memoryPressure];
        if (added.length > 0) spec["tolerations"] = mergeTolerations(items<Tree>(spec["tolerations"]), added);
        check(a, namespace); // a pod that breaks the bounds is refused before others look at it
      }),
    validate: (a) => withNamespace(a.namespace, (namespace) => check(a, namespace)),
  };
}
