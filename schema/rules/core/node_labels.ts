/** Labels of nodes that have given way to others. */
import { labelValue } from "../checks/formats.ts";
import { perProduct } from "../local.ts";
import type { Path } from "../path.ts";
import { items, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";

const REPLACED: Readonly<Record<string, readonly [since: string, instead: string]>> = {
  "beta.kubernetes.io/arch": ["v1.14", "kubernetes.io/arch"],
  "beta.kubernetes.io/os": ["v1.14", "kubernetes.io/os"],
  "beta.kubernetes.io/instance-type": ["v1.17", "node.kubernetes.io/instance-type"],
  "failure-domain.beta.kubernetes.io/region": ["v1.17", "topology.kubernetes.io/region"],
  "failure-domain.beta.kubernetes.io/zone": ["v1.17", "topology.kubernetes.io/zone"],
};

const MESSAGES = perProduct((p) =>
  new Map([
    ...Object.entries(REPLACED).map(([old, [since, instead]]) =>
      [p.local(old), `deprecated since ${since}; use "${p.local(instead)}" instead`] as const
    ),
    [p.local("app.kubernetes.io/created-by"), "deprecated since v1.9"] as const,
    [p.local("scheduler.alpha.kubernetes.io/preferAvoidPods"), "deprecated since v1.22; use taints instead"] as const,
    [
      p.local("node-role.kubernetes.io/master"),
      `use "${p.local("node-role.kubernetes.io/control-plane")}" instead`,
    ] as const,
  ])
);

/** Why a node's label should not be used; undefined when it may. */
export const deprecatedLabel = (key: string, ctx: RuleContext): string | undefined => MESSAGES(ctx.product).get(key);

/** Warnings about the keys of requirements of nodes' labels. */
export function requirementWarnings(list: readonly Tree[] | undefined, path: Path, ctx: RuleContext): string[] {
  return items(list).flatMap((e, i) => {
    const why = deprecatedLabel(e["key"] ?? "", ctx);
    return why ? [`${path.index(i).child("key")}: ${why}`] : [];
  });
}

/** Warnings about a term of a node selector; `values` also checks that its values could be those of labels. */
export function termWarnings(term: Tree, values: boolean, path: Path, ctx: RuleContext): string[] {
  return items(term["matchExpressions"]).flatMap((e, i) => {
    const at = path.child("matchExpressions").index(i), why = deprecatedLabel(e["key"] ?? "", ctx);
    const out = why ? [`${at.child("key")}: ${e["key"]} is ${why}`] : [];
    if (!values) return out;
    return out.concat(
      items<string>(e["values"]).flatMap((v, j) =>
        labelValue(v).map((fault) => `${at.child("values").index(j)}: ${v} is invalid, ${fault}`)
      ),
    );
  });
}
