/** Names of configurations that stand in files of the server: requests make none of these. */
import type { Product } from "../../product.ts";
import { METADATA } from "../object_meta.ts";
import type { KindRules, RuleContext } from "../types.ts";

/**
 * With it such files are read, and new objects with their names are refused; without it they are warned of. Objects that are
 * there already are warned of in any case.
 */
export const MANIFESTS_GATE = "ManifestBasedAdmissionControlConfig";

/** What their names end with. */
export const manifestSuffix = (product: Product): string => product.local(".static.k8s.io");

/** Why a name is nothing for a request; undefined: it is. */
function fault(name: string | undefined, { product }: RuleContext): string | undefined {
  const suffix = manifestSuffix(product);
  if (!name?.endsWith(suffix)) return undefined;
  return `names that end with ${JSON.stringify(suffix)} are those of manifests, which no request makes`;
}

/** The rules of a kind, and that new objects have no such name. */
export const withoutManifestNames = (rules: KindRules): KindRules => ({
  ...rules,
  validate(obj, errors, ctx, old) {
    rules.validate?.(obj, errors, ctx, old);
    const { name } = obj.metadata, why = old || !ctx.gate(MANIFESTS_GATE) ? undefined : fault(name, ctx);
    if (why) errors.invalid(METADATA.child("name"), name, why);
  },
  warnings(obj, old, ctx) {
    const why = !old && ctx.gate(MANIFESTS_GATE) ? undefined : fault(obj.metadata.name, ctx);
    return [...why ? [`metadata.name: ${why}`] : [], ...rules.warnings?.(obj, old, ctx) ?? []];
  },
});
