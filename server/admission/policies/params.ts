/** Parameters of a policy's binding: objects of any kind, by name or by labels. */
import type { Obj } from "../../../schema/model/types.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { matches, selectorFromLabelSelector } from "../../../schema/values/labels.ts";
import type { Attributes, PluginContext } from "../types.ts";

/** That a policy or binding cannot be used as it is. Its message is fit for clients. */
export class Misconfigured extends Error {}

/**
 * The objects with each of which a policy is evaluated: none, when it is not to be; `undefined` in place of one that the
 * binding does not name. @throws Misconfigured
 */
export async function paramsOf(
  ctx: PluginContext,
  spec: Tree,
  binding: Tree,
  a: Attributes,
): Promise<readonly (Obj | undefined)[]> {
  const { paramKind } = spec, { paramRef } = binding;
  if (!paramKind || !paramRef) return [undefined];
  const [resource] = ctx.resourcesOf(paramKind.apiVersion, paramKind.kind);
  if (!resource) throw new Misconfigured(`paramKind ${paramKind.apiVersion}, Kind=${paramKind.kind} not known`);
  const namespace = place(resource.namespaced, paramRef, a);
  const found = paramRef.name
    ? [
      ctx.lister.get(resource.id, namespace, paramRef.name) ??
        await ctx.live.get(resource.id, namespace, paramRef.name),
    ].filter((o) => o !== undefined)
    : ctx.lister.list(resource.id, namespace || undefined).filter((o) =>
      matches(selectorFromLabelSelector(paramRef.selector) ?? [], o.metadata.labels)
    );
  if (!found.length && paramRef.parameterNotFoundAction !== "Allow") {
    throw new Misconfigured("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return found;
}

function place(namespaced: boolean, ref: Tree, a: Attributes): string {
  if (!namespaced) {
    if (ref["namespace"]) {
      throw new Misconfigured("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
    }
    return "";
  }
  const namespace: string = ref["namespace"] || a.namespace;
  if (!namespace) {
    throw new Misconfigured("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  }
  return namespace;
}
