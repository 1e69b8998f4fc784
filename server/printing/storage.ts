/** Printers of the storage, storage migration and internal groups. Storage capacities have the default columns. */
import type { Obj } from "../../schema/model/types.ts";
import { AGE, className, col, column, NAME, type Part, table } from "./parts.ts";
import { conditionsOf, firstOf, orNone, orUnset, size, UNSET } from "./text.ts";
import type { Printers } from "./types.ts";

const flag = (name: string, field: string, none: boolean): Part => col(name, (o) => o.spec?.[field] ?? none, "boolean");

function audiences(o: Obj): string {
  const requests = o.spec?.tokenRequests as { audience: string }[] | undefined;
  return requests ? requests.map((r) => r.audience).join(",") : UNSET;
}

/** Printers of the storage group, with annotations in the dialect of the server. */
export const storage = (local: (name: string) => string): Printers => ({
  "csidrivers.storage.k8s.io": table(
    NAME,
    flag("AttachRequired", "attachRequired", true),
    flag("PodInfoOnMount", "podInfoOnMount", false),
    flag("StorageCapacity", "storageCapacity", false),
    col("TokenRequests", audiences),
    flag("RequiresRepublish", "requiresRepublish", false),
    col("Modes", (o) => orNone((o.spec?.volumeLifecycleModes ?? []).join(","))),
    AGE,
  ),
  "csinodes.storage.k8s.io": table(NAME, col("Drivers", (o) => size(o.spec?.drivers), "integer"), AGE),
  "storageclasses.storage.k8s.io": table(
    className([
      local("storageclass.kubernetes.io/is-default-class"),
      local("storageclass.beta.kubernetes.io/is-default-class"),
    ]),
    col("Provisioner", (o) => o.provisioner ?? ""),
    col("ReclaimPolicy", (o) => o.reclaimPolicy ?? "Delete"),
    col("VolumeBindingMode", (o) => o.volumeBindingMode ?? "Immediate"),
    col("AllowVolumeExpansion", (o) => o.allowVolumeExpansion ?? false),
    AGE,
  ),
  "volumeattachments.storage.k8s.io": table(
    NAME,
    { column: column("Attacher", "string", "name"), cell: (o) => o.spec?.attacher ?? "" },
    col("PV", (o) => o.spec?.source?.persistentVolumeName ?? ""),
    col("Node", (o) => o.spec?.nodeName ?? ""),
    col("Attached", (o) => o.status?.attached ?? false, "boolean"),
    AGE,
  ),
  "volumeattributesclasses.storage.k8s.io": table(NAME, col("DriverName", (o) => o.driverName ?? ""), AGE),
});

const STATES = new Set(["Running", "Succeeded", "Failed"]);
function migrationState(o: Obj): string {
  const on = conditionsOf(o).filter((c) => STATES.has(c.type) && c.status === "True").map((c) => c.type);
  return on.find((t) => t !== "Running") ?? on[0] ?? "Unknown";
}
function migrated(o: Obj): string {
  const { group = "", resource = "" } = (o.spec?.resource ?? {}) as { group?: string; resource?: string };
  return group ? `${resource}.${group}` : resource;
}

/** Printers of the storage migration group. Its name column has no format. */
export const STORAGE_MIGRATION: Printers = {
  "storageversionmigrations.storagemigration.k8s.io": table(
    col("Name", (o) => o.metadata.name ?? ""),
    col("Resource", migrated),
    col("Status", migrationState),
  ),
};

function servers(o: Obj): string {
  const all = (o.status?.storageVersions ?? []) as { apiServerID?: string; encodingVersion?: string }[];
  return firstOf(all.map((v) => `${v.apiServerID ?? ""}=${v.encodingVersion ?? ""}`), 3) || UNSET;
}

/** Printers of the internal group. */
export const INTERNAL: Printers = {
  "storageversions.internal.apiserver.k8s.io": table(
    NAME,
    col("CommonEncodingVersion", (o) => orUnset(o.status?.commonEncodingVersion)),
    col("StorageVersions", servers),
    AGE,
  ),
};
