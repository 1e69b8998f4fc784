/** Whom fields of the first content belong to. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import type { OwnWrite } from "../admission/types.ts";
import type { ServedResource } from "../catalog/types.ts";
import type { FieldManager } from "../registry/field_manager.ts";

/** Managers that are not named after the server, by the public id of the resource. */
const MANAGERS: Readonly<Record<string, string>> = {
  "flowschemas.flowcontrol.apiserver.k8s.io": "api-priority-and-fairness-config-producer-v1",
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": "api-priority-and-fairness-config-producer-v1",
};

const conditionsOf = ({ status }: Obj): JsonMap => ({
  status: { conditions: status?.conditions.map(({ reason, ...c }: JsonMap) => reason ? { ...c, reason } : c) },
});

/** Whose statuses are that are not written in the server's name, by the public id of the resource. */
const STATUSES: Readonly<Record<string, OwnWrite>> = {
  "flowschemas.flowcontrol.apiserver.k8s.io": {
    manager: "api-priority-and-fairness-config-consumer-v1",
    applied: conditionsOf,
  },
  "servicecidrs.networking.k8s.io": { manager: "kubernetes-service-cidr-controller", applied: conditionsOf },
};

/** How the server writes the status of a resource, by its public id. */
export const statusWrite = (id: string): OwnWrite => ({ ...STATUSES[id], subresource: "status" });

/** How rules are written that a cluster role gathers from others. */
export const AGGREGATION: OwnWrite = {
  manager: "clusterrole-aggregation-controller",
  applied: ({ rules }) => ({ rules }),
};

/** How the server writes the rest of a resource. */
export const ownWrite = (id: string): OwnWrite => MANAGERS[id] ? { manager: MANAGERS[id] } : {};

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
