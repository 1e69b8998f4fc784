/** Extended resources in quotas: those of others, and those that stand for a device class by its name. */
import { isExtendedResource, isNativeResource } from "../../schema/rules/checks/resources.ts";
import { perProduct } from "../../schema/rules/local.ts";
import type { RuleContext } from "../../schema/rules/types.ts";

const classPrefix = perProduct((p) => p.local("deviceclass.resource.kubernetes.io/"));

/** Whether a pod asks for an extended resource by this name. */
export const isExtendedName = (name: string, ctx: RuleContext): boolean =>
  isExtendedResource(name, ctx) || name.startsWith(classPrefix(ctx.product));

/** Whether a quota bounds an extended resource by this name: there is no overcommitment, so requests alone. */
export function isExtendedQuotaName(name: string, ctx: RuleContext): boolean {
  if (!name.startsWith("requests.")) return false;
  return !isNativeResource(name, ctx) || name.startsWith(`requests.${classPrefix(ctx.product)}`);
}
