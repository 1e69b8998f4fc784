/** NamespaceExists: nothing is written in a namespace that does not exist. */
import { notFound } from "../../../schema/status.ts";
import { held } from "../facts.ts";
import type { Plugin, PluginContext } from "../types.ts";

const NAMESPACES = "namespaces";

/** See the top of the file. */
export function namespaceExists(ctx: PluginContext): Plugin {
  const cached = held(ctx.lister, NAMESPACES);
  return {
    name: "NamespaceExists",
    handles: (operation, resource) => operation !== "CONNECT" && resource.namespaced,
    validate(a) {
      if (cached(a.namespace)) return;
      return ctx.live.get(NAMESPACES, "", a.namespace).then((live) => {
        if (!live) throw notFound({ group: "", resource: NAMESPACES }, a.namespace);
      });
    },
  };
}
