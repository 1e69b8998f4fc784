/** NamespaceAutoProvision: a namespace comes into being with the first object that is created in it. */
import { StatusError } from "../../../schema/status.ts";
import { held } from "../facts.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

const NAMESPACES = "namespaces";

/** See the top of the file. A dry run makes no namespace. */
export function namespaceAutoProvision(ctx: PluginContext): Plugin {
  const cached = held(ctx.lister, NAMESPACES);
  const provide = async (a: Attributes): Promise<void> => {
    const name = a.namespace;
    if (await ctx.live.get(NAMESPACES, "", name)) return;
    try {
      await ctx.live.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    } catch (e) {
      if (!(e instanceof StatusError)) throw e;
      if (e.reason !== "AlreadyExists") throw refusal(a, e.message);
    }
  };
  return {
    name: "NamespaceAutoProvision",
    handles: (operation, resource) => operation === "CREATE" && resource.namespaced,
    admit(a) {
      if (a.dryRun || cached(a.namespace)) return;
      return provide(a);
    },
  };
}
