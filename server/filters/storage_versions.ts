/** Writes of resources whose `StorageVersion` this server has not written yet are refused for that while. */
import { StatusError } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { fullName } from "../catalog/full_name.ts";
import { isReadOnly } from "./long_running.ts";

/** What the filter asks. */
export interface PendingVersions {
  readonly complete: boolean;
  pending(id: string): string | undefined;
}

/** Servers need these to show that they live, and for the storage versions themselves. */
const SPARED: ReadonlySet<string> = new Set([
  "storageversions.internal.apiserver.k8s.io",
  "leases.coordination.k8s.io",
]);

/** See the top of the file. Leases are spared in the system namespace alone. */
export function storageVersionFilter(versions: PendingVersions, catalog: Catalog, systemNamespace: string): Filter {
  return (scope, next) => {
    const { info } = scope;
    if (versions.complete || !info.isResource || isReadOnly(info)) return next(scope);
    const resource = catalog.find(info.group, info.version, info.resource)?.resource, id = resource?.id;
    const why = id === undefined ? undefined : versions.pending(id);
    const spared = id !== undefined && SPARED.has(id) &&
      (id !== "leases.coordination.k8s.io" || info.namespace === systemNamespace);
    if (why === undefined || spared) return next(scope);
    const text = `storage version of ${fullName(resource!)} is not registered yet, last error: ${why}`;
    throw new StatusError(503, "ServiceUnavailable", text, { retryAfterSeconds: 1 });
  };
}
