// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `storagemigration.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "storagemigration.k8s.io",
  version: "v1",
  short: "storagemigration.v1",
  protobuf: true,
  kinds: String.raw`{
"StorageVersionMigration":{"list":"StorageVersionMigrationList","introduced":"1.37"}
}`,
  messages: String.raw`{
"StorageVersionMigration":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .StorageVersionMigrationSpec Oe","status 3 .StorageVersionMigrationStatus Oe"]},
"StorageVersionMigrationList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .StorageVersionMigration rR"]},
"StorageVersionMigrationSpec":{"f":["resource 1 meta.v1.GroupResource R"]},
"StorageVersionMigrationStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type"}}],"resourceVersion 2 string e"]}
}`,
};

/** Has every stored object of one resource written again, so that all of them are stored in the current storage version. Runs once; belongs to no namespace. */
export interface StorageVersionMigration {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: StorageVersionMigrationSpec;
  status?: StorageVersionMigrationStatus;
}
/** List of storage version migrations. */
export interface StorageVersionMigrationList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: StorageVersionMigration[] | null;
}
/** Which objects are to be written again. */
export interface StorageVersionMigrationSpec {
  resource: meta_v1.GroupResource;
}
/** How far the migration has come. */
export interface StorageVersionMigrationStatus {
  conditions?: meta_v1.Condition[];
  resourceVersion?: string;
}
