/** NamespaceAutoProvision: a namespace comes into being with the first object that is created in it. */
import { StatusError } from "../../../schema/status.ts";
import { held } from "../facts.ts";
import type { Plugin, PluginContext } from "../types.ts";

const NAMESPACES = "namespaces";

/** See the top of the file. A dry run makes no namespace. */
export function namespaceAutoProvision(ctx: PluginContext): Plugin {
  const cached = held(ctx.lister, NAMESPACES);
  const provide = async (name: string): Promise<void> => {
    if (await ctx.live.get(NAMESPACES, "", name)) return;
    try {
      await ctx.live.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    } catch (e) {
      if (!(e instanceof StatusError && e.reason === "AlreadyExists")) throw e;
    }
  };
  return {
    name: "NamespaceAutoProvision",
    handles: (operation, resource) => operation === "CREATE" && resource.namespaced,
    admit(a) {
      if (a.dryRun || cached(a.namespace)) return;
      return provide(a.namespace);
    },
  };
}
