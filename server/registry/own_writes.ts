/** Whose fields are that the server writes by itself. */
import { converting } from "../../schema/customresources/mod.ts";
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { OwnWrite } from "../admission/types.ts";
import type { Resource, ServedResource } from "../catalog/types.ts";
import type { RegistryContext } from "./context.ts";
import type { FieldWrite } from "./field_manager.ts";

/** The part of a registry that knows whose fields are. */
interface Owning {
  readonly resource: Resource;
  readonly ctx: RegistryContext;
}

/** The next object with its entries of managed fields; at once, where no webhook converts. `live`: undefined where it is new. */
export function ownedByServer(
  o: Owning,
  live: Obj | undefined,
  next: Obj,
  write: OwnWrite,
): Obj | Promise<Obj> {
  if (next === live) return next;
  const work = () => builtinOwned(o, live, next, write);
  return o.resource.storageKind.custom?.converter ? converting(work) : work();
}

/** The same for kinds that no webhook converts. */
export function builtinOwned({ resource, ctx }: Owning, live: Obj | undefined, next: Obj, write: OwnWrite): Obj {
  const { fields, rules: { product } } = ctx, served = servedAs(resource, next);
  if (!fields || !served) return next;
  const { applied, subresource = "", manager = "kube-apiserver" } = write;
  const by: FieldWrite = { served, subresource, manager: product.local(manager), userAgent: "" };
  const { apiVersion, kind, metadata: { managedFields: _, ...metadata } } = next;
  const entries = applied
    ? fields.apply(live, { apiVersion, kind, metadata: { name: metadata.name }, ...applied(next) } as JsonMap, true, by)
      .managedFields
    : fields.update(live, next, by).metadata.managedFields;
  return { ...next, metadata: entries ? { ...metadata, managedFields: entries } : metadata };
}

/** The row that serves the version of an object, or another where none does. */
function servedAs({ served }: Resource, { apiVersion }: Obj): ServedResource | undefined {
  return served.find(({ kind }) => kind.apiVersion === apiVersion) ?? served[0];
}
