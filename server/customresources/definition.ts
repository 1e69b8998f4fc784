/** Custom resource definitions as objects, in the shape of the storage version. */
import type { JsonMap, Obj } from "../../schema/model/types.ts";

/** Public id of the resource of definitions. */
export const DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
/** Holds a definition until its objects are gone. A public name. */
export const CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

/** Names of a custom resource. */
export interface Names extends JsonMap {
  plural: string;
  singular: string;
  kind: string;
  listKind: string;
  shortNames: string[];
  categories: string[];
}

/** A condition of a definition. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** A column that a version prints. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** The scale subresource of a version. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A version of a definition. */
export interface Version {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonMap };
  readonly subresources?: { readonly status?: JsonMap; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** A definition. */
export interface Definition extends Obj {
  spec: {
    group: string;
    scope: "Namespaced" | "Cluster";
    names: Partial<Names>;
    versions: Version[];
    /** From before v1: members that no schema knows are kept. */
    preserveUnknownFields?: boolean;
    conversion?: { strategy?: string; webhook?: { clientConfig?: JsonMap; conversionReviewVersions?: string[] } };
  };
  status?: {
    conditions?: Condition[] | null;
    acceptedNames?: Partial<Names>;
    storedVersions?: string[];
  };
}

/** The condition of a type. */
export function conditionOf(d: Definition, type: string): Condition | undefined {
  return d.status?.conditions?.find((c) => c.type === type);
}

/** Whether a condition holds. */
export const holds = (d: Definition, type: string): boolean => conditionOf(d, type)?.status === "True";

/** Sets a condition; its time moves when its status does. `now`: RFC 3339. */
export function setCondition(d: Definition, next: Condition, now: string): void {
  const status = d.status ??= {};
  const list = status.conditions ??= [];
  const old = list.find((c) => c.type === next.type);
  const lastTransitionTime = old?.status === next.status ? old.lastTransitionTime ?? now : now;
  const { type, status: value, reason, message } = next;
  const made: Condition = { type, status: value, lastTransitionTime, ...(reason ? { reason } : {}) };
  if (message) made.message = message;
  if (old) list[list.indexOf(old)] = made;
  else list.push(made);
}

/** Whether the definition is on its way out. */
export const isTerminating = (d: Definition): boolean => d.metadata.deletionTimestamp !== undefined;
