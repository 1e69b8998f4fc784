/** Rules of kinds of the core group that have few. */
import { workloadWarnings } from "./pod_warnings.ts";
import { Path } from "../path.ts";
import { items } from "../tree.ts";
import type { KindRules, RuleContext } from "../types.ts";
import { dropDisabledInTemplate } from "./pod_drop.ts";
import { podTemplate } from "./pod_template.ts";
import type { Obj } from "../../model/types.ts";

function secretNamesOnly(obj: Obj): void {
  if (obj["secrets"]) obj["secrets"] = items(obj["secrets"]).map((s) => (s["name"] ? { name: s["name"] } : {}));
}

/** Rules of `serviceaccounts`. References to secrets hold nothing but a name. */
export const SERVICE_ACCOUNT: KindRules = {
  prepareCreate: secretNamesOnly,
  prepareUpdate: secretNamesOnly,
  warnings(obj, _old, ctx) {
    const name = ctx.product.local("kubernetes.io/enforce-mountable-secrets");
    if (obj.metadata.annotations?.[name] === undefined) return [];
    return [`metadata.annotations[${name}]: deprecated since v1.32; separate workloads by namespaces instead`];
  },
};

const drop = (obj: Obj, old: Obj | undefined, ctx: RuleContext) =>
  dropDisabledInTemplate(obj["template"], old?.["template"], ctx);

/** Rules of `podtemplates`. */
export const POD_TEMPLATE: KindRules = {
  generation: ["template"],
  meta: { whole: 0 },
  prepareCreate: (obj, ctx) => drop(obj, undefined, ctx),
  prepareUpdate: drop,
  validate: (obj, errors, ctx, old) =>
    podTemplate(obj["template"] ?? {}, old?.["template"], Path.of("template"), errors, ctx),
  warnings: workloadWarnings("template"),
};

/** Rules of `bindings` and `pods/binding`. */
export const BINDING: KindRules = {
  meta: { created: 0 },
  validate(obj, errors) {
    const { kind, name } = obj["target"] ?? {};
    if (kind && kind !== "Node") errors.notSupported(Path.of("target", "kind"), kind, ["Node", "<empty>"]);
    if (!name) errors.required(Path.of("target", "name"));
  },
};
