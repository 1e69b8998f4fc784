/** PodNodeSelector: pods of a namespace run on the nodes that the namespace, or the cluster, says. */
import type { Obj } from "../../../schema/model/types.ts";
import { member } from "../../../schema/model/members.ts";
import { labelValue, qualifiedName } from "../../../schema/rules/checks/formats.ts";
import { emptyMap, type Tree } from "../../../schema/rules/tree.ts";
import { inNamespaceNamed } from "../facts.ts";
import { on } from "../handles.ts";
import { refusal } from "../refuse.ts";
import type { Attributes, Plugin, PluginContext } from "../types.ts";

type Labels = Readonly<Record<string, string>>;

/** Of the configuration: the selector of namespaces that name none. Other keys are namespaces, and bound what their pods may say. */
const CLUSTER_DEFAULT = "clusterDefaultNodeSelector";

/** Reads `a=b,c=d`: labels as an object has them. Undefined: it is no such list. */
function parseLabels(text: string): Labels | undefined {
  const out: Record<string, string> = {};
  for (const part of text === "" ? [] : text.split(",")) {
    const [key, value, more] = part.split("=").map((p) => p.trim());
    if (value === undefined || more !== undefined) return undefined;
    if (qualifiedName(key!).length > 0 || labelValue(value).length > 0) return undefined;
    out[key!] = value;
  }
  return out;
}

/** See the top of the file. */
export function podNodeSelector(ctx: PluginContext): Plugin {
  const config = (ctx.config?.["podNodeSelectorPluginConfig"] ?? {}) as Record<string, string>;
  const annotation = ctx.product.local("scheduler.alpha.kubernetes.io/node-selector");
  const withNamespace = inNamespaceNamed(ctx);
  const selectorOf = (a: Attributes, namespace: Obj): Labels => {
    const text = namespace.metadata.annotations?.[annotation] ?? config[CLUSTER_DEFAULT] ?? "";
    const labels = parseLabels(text);
    if (!labels) throw refusal(a, `invalid node selector ${JSON.stringify(text)} of namespace ${a.namespace}`);
    return labels;
  };
  const conflict = (a: Attributes, spec: Tree, wanted: Labels): void => {
    const given: Labels = spec["nodeSelector"] ?? {};
    if (Object.keys(wanted).some((k) => Object.hasOwn(given, k) && given[k] !== wanted[k])) {
      throw refusal(a, "pod node label selector conflicts with its namespace node label selector");
    }
  };
  const check = (a: Attributes, spec: Tree, wanted: Labels): void => {
    conflict(a, spec, wanted);
    const text = (member(config, a.namespace) ?? "") as string;
    const allowed = parseLabels(text);
    if (!allowed) throw refusal(a, `invalid node selectors ${JSON.stringify(text)} configured for its namespace`);
    const given: Labels = spec["nodeSelector"] ?? {};
    if (emptyMap(allowed) || Object.keys(given).every((k) => given[k] === member(allowed, k))) return;
    throw refusal(a, "pod node label selector labels conflict with its namespace whitelist");
  };
  return {
    name: "PodNodeSelector",
    handles: on(["CREATE"], ["pods"]),
    admit: (a) =>
      withNamespace(a.namespace, (namespace) => {
        const spec: Tree = (a.object as Tree)["spec"], wanted = selectorOf(a, namespace);
        conflict(a, spec, wanted);
        if (!emptyMap(wanted)) spec["nodeSelector"] = { ...wanted, ...spec["nodeSelector"] };
        check(a, spec, wanted); // a pod that breaks the bounds is refused before others look at it
      }),
    validate: (a) =>
      withNamespace(a.namespace, (namespace) => check(a, (a.object as Tree)["spec"], selectorOf(a, namespace))),
  };
}
