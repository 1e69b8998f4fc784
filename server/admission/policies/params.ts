/** Parameters of a policy's binding: objects of any kind, by name or by labels. */
import type { Obj } from "../../../schema/model/types.ts";
import type { Tree } from "../../../schema/rules/tree.ts";
import { matches, type Requirement } from "../../../schema/values/labels.ts";
import type { Resource } from "../../catalog/types.ts";
import { withConverted } from "../converted.ts";
import type { Attributes, PluginContext } from "../types.ts";
import { Misconfigured, requirementsOf } from "./matching.ts";

/** The resource of a policy's parameters; null: it has none; undefined: no resource serves their kind. */
export function paramResource(ctx: PluginContext, { paramKind }: Tree): Resource | null | undefined {
  return paramKind ? ctx.resourcesOf(paramKind.apiVersion, paramKind.kind)[0] : null;
}

/**
 * The objects with each of which a policy is evaluated, in the version that it names: none, when it is not to be;
 * `undefined` in place of one that the binding does not name. @throws Misconfigured
 */
export async function paramsOf(
  ctx: PluginContext,
  spec: Tree,
  binding: Tree,
  a: Attributes,
): Promise<readonly (Obj | undefined)[]> {
  const { paramRef } = binding, resource = paramResource(ctx, spec);
  if (!resource || !paramRef) return [undefined];
  const namespace = place(resource.namespaced, paramRef, a);
  const found = paramRef.name
    ? [
      ctx.lister.get(resource.id, namespace, paramRef.name) ??
        await ctx.live.get(resource.id, namespace, paramRef.name),
    ].filter((o) => o !== undefined)
    : selected(ctx, resource, namespace, requirementsOf(paramRef.selector));
  if (!found.length && paramRef.parameterNotFoundAction === "Deny") {
    throw new Misconfigured("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  const { kind } = resource.served.find((s) => s.kind.apiVersion === spec["paramKind"].apiVersion)!;
  const seen = () => found.map((o) => ctx.kinds.convert(kind.custom ? o : unowned(o), kind));
  return await withConverted(a, kind, seen, (message) => new Misconfigured(message));
}

const selected = ({ lister }: PluginContext, { id }: Resource, namespace: string, wanted: readonly Requirement[]) =>
  lister.list(id, namespace || undefined, { whole: true }).filter((o) => matches(wanted, o.metadata.labels));

/** Of kinds that are built in expressions do not see who owns which fields. */
function unowned({ metadata, ...rest }: Obj): Obj {
  const { managedFields: _, ...own } = metadata;
  return { ...rest, metadata: own };
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
