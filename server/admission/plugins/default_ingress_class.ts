/** DefaultIngressClass: an ingress that names no class gets the default one. */
import type { Tree } from "../../../schema/rules/tree.ts";
import { derived } from "../facts.ts";
import { on } from "../handles.ts";
import type { Plugin, PluginContext } from "../types.ts";
import { newestDefault } from "./_default_class.ts";

/** See the top of the file. */
export function defaultIngressClass(ctx: PluginContext): Plugin {
  const { product } = ctx;
  const mark = product.local("ingressclass.kubernetes.io/is-default-class");
  const named = product.local("kubernetes.io/ingress.class");
  const theDefault = derived(ctx.lister, "ingressclasses.networking.k8s.io", (all) => newestDefault(all, [mark]));
  return {
    name: "DefaultIngressClass",
    handles: on(["CREATE"], ["ingresses.networking.k8s.io"]),
    admit(a) {
      const ingress = a.object as Tree;
      const { spec } = ingress;
      if (typeof spec?.ingressClassName === "string" || ingress["metadata"].annotations?.[named] !== undefined) return;
      const name = theDefault()?.metadata.name;
      if (name) (ingress["spec"] ??= {}).ingressClassName = name;
    },
  };
}
