/** Whom fields of the first content belong to. */
import type { Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { FieldManager } from "../registry/field_manager.ts";

/** Managers that are not named after the server, by the public id of the resource. */
const MANAGERS: Readonly<Record<string, string>> = {
  "flowschemas.flowcontrol.apiserver.k8s.io": "api-priority-and-fairness-config-producer-v1",
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": "api-priority-and-fairness-config-producer-v1",
};

/** Members of specs that a resource gives each new object by itself: nobody owns them. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  namespaces: ["finalizers"],
  services: ["clusterIPs", "ipFamilies"],
};

/** Gives a new object, by its resource's public id, the entries of who makes it at start. */
export function firstOwner(
  fields: FieldManager,
  servedOf: (id: string) => ServedResource | undefined,
  product: Product,
): (id: string, obj: Obj) => Obj {
  return (id, obj) => {
    const served = servedOf(id);
    if (!served) return obj;
    const manager = MANAGERS[id] ?? `${product.component}-apiserver`;
    const { metadata } = fields.update(undefined, sent(id, obj), { served, subresource: "", manager, userAgent: "" });
    const { managedFields } = metadata;
    return managedFields ? { ...obj, metadata: { ...obj.metadata, managedFields } } : obj;
  };
}

function sent(id: string, obj: Obj): Obj {
  const given = GIVEN[id];
  if (!given) return obj;
  const spec = Object.fromEntries(Object.entries(obj["spec"] ?? {}).filter(([k]) => !given.includes(k)));
  return { ...obj, spec };
}
