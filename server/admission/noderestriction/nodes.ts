/** Rules of nodes: a node's agent keeps its own node, but for taints, owners, and labels that steer pods. */
import { same, type Tree } from "../../../schema/rules/tree.ts";
import { refusal } from "../refuse.ts";
import type { PluginContext } from "../types.ts";
import type { NodeRule } from "./own_objects.ts";

/** Labels of the product's own namespaces that a node may set. */
const OWN_LABELS = [
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
];
/** Namespaces of labels that are its own, with all below them. */
const OWN_NAMESPACES = ["kubelet.kubernetes.io", "node.kubernetes.io"];

const below = (namespace: string, of: string): boolean => namespace === of || namespace.endsWith(`.${of}`);

/** Tells which labels a node may not set. */
function labelRule(ctx: PluginContext): (label: string) => boolean {
  const { local } = ctx.product;
  const own = new Set(OWN_LABELS.map(local)), namespaces = OWN_NAMESPACES.map(local);
  const reserved = [local("kubernetes.io"), local("k8s.io")];
  const restricted = local("node-restriction.kubernetes.io");
  return (label) => {
    const at = label.indexOf("/");
    const namespace = at < 0 ? "" : label.slice(0, at);
    if (below(namespace, restricted)) return true;
    return reserved.some((r) => below(namespace, r)) && !own.has(label) && !namespaces.some((n) => below(namespace, n));
  };
}

function modified(a: Tree, b: Tree): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((k) => a[k] !== b[k]).sort();
}

/** The node object itself: a node makes and changes its own, but not its restricted labels, nor where it is configured from. */
export function nodeRule(ctx: PluginContext): NodeRule {
  const forbidden = labelRule(ctx);
  return (a, node) => {
    const requested = a.operation === "CREATE" ? a.object?.metadata?.name ?? "" : a.name;
    if (requested !== node) throw refusal(a, `node "${node}" is not allowed to modify node "${requested}"`);
    if (a.operation === "DELETE") return;
    const next = a.object as Tree, old: Tree = (a.oldObject as Tree | undefined) ?? {};
    const source = next["spec"]?.configSource;
    const labels = modified(next["metadata"].labels ?? {}, old["metadata"]?.labels ?? {}).filter(forbidden);
    if (a.operation === "CREATE") {
      if (source) throw refusal(a, `node "${node}" is not allowed to create pods with a non-nil configSource`);
      if (labels.length === 0) return;
      throw refusal(a, `node "${node}" is not allowed to set the following labels: ${labels.join(", ")}`);
    }
    if (source && !same(source, old["spec"]?.configSource)) {
      throw refusal(a, `node "${node}" is not allowed to update configSource to a new non-nil configSource`);
    }
    if (!same(next["spec"]?.taints, old["spec"]?.taints)) {
      throw refusal(a, `node "${node}" is not allowed to modify taints`);
    }
    if (!same(next["metadata"].ownerReferences, old["metadata"].ownerReferences)) {
      throw refusal(a, `node "${node}" is not allowed to modify ownerReferences`);
    }
    if (labels.length > 0) throw refusal(a, `is not allowed to modify labels: ${labels.join(", ")}`);
  };
}
