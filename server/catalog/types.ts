/** Rows of the catalog: every resource that the server serves. */
import type { Kind } from "../../schema/model/types.ts";

/** A subresource of a served resource. */
export interface Subresource {
  readonly name: string;
  /** Kind that it takes and answers (`Scale` of autoscaling/v1, `Eviction` of policy/v1, the parent's for `status`). */
  readonly kind: Kind;
  readonly verbs: readonly string[];
}

/** A resource in one of its versions. */
export interface ServedResource {
  readonly resource: Resource;
  readonly version: string;
  readonly kind: Kind;
  readonly verbs: readonly string[];
  readonly subresources: ReadonlyMap<string, Subresource>;
}

/** A resource: one set of stored objects, whatever the version they are asked in. */
export interface Resource {
  /** `deployments.apps`, `pods`: public name, by which tables are keyed. */
  readonly id: string;
  /** Group as served (in the dialect), and its public name. */
  readonly group: string;
  readonly publicGroup: string;
  /** Plural name, as in paths. */
  readonly name: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Store key prefix, with a slash at its end: `/registry/deployments/`. */
  readonly prefix: string;
  /** Kind of what is stored. */
  readonly storageKind: Kind;
  /** Versions served, the preferred one first. */
  readonly served: readonly ServedResource[];
  /** Of custom resources: their definition is on its way out, and discovery names none of the verbs that write. */
  readonly leaving?: boolean;
  /** Of custom resources: fields that can be selected by, beyond name and namespace. */
  readonly selectable?: readonly string[];
}
