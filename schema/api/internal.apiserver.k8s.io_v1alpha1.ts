// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `apiserverinternal.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "internal.apiserver.k8s.io",
  version: "v1alpha1",
  short: "apiserverinternal.v1alpha1",
  protobuf: true,
  kinds: String.raw`{
"StorageVersion":{"list":"StorageVersionList"}
}`,
  messages: String.raw`{
"ServerStorageVersion":{"f":["apiServerID 1 string Re","encodingVersion 2 string Re",["decodableVersions 3 string rRe",{"listType":"set"}],["servedVersions 4 string rOe",{"listType":"set"}]]},
"StorageVersion":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Re","spec 2 .StorageVersionSpec O","status 3 .StorageVersionStatus O"]},
"StorageVersionCondition":{"f":[["type 1 string R",{"alias":"StorageVersionConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"observedGeneration 3 int64 Oe","lastTransitionTime 4 meta.v1.Time Oe","reason 5 string R","message 6 string Re"]},
"StorageVersionList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .StorageVersion rR"]},
"StorageVersionSpec":{"f":[]},
"StorageVersionStatus":{"f":[["storageVersions 1 .ServerStorageVersion rOe",{"listType":"map","listMapKeys":["apiServerID"]}],"commonEncodingVersion 2 string pOe",["conditions 3 .StorageVersionCondition rOe",{"listType":"map","listMapKeys":["type"]}]]}
}`,
};

/** What one API server says about the versions of a resource. */
export interface ServerStorageVersion {
  apiServerID?: string;
  encodingVersion?: string;
  decodableVersions?: string[];
  servedVersions?: string[];
}
/** In which version each API server stores a resource. Named by API group and resource with a dot between them. Written by the API servers themselves, behind the alpha gate StorageVersionAPI. */
export interface StorageVersion {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: StorageVersionSpec;
  status?: StorageVersionStatus;
}
/** One finding about the storage version of a resource. */
export interface StorageVersionCondition {
  type: string;
  status: string;
  observedGeneration?: Int64;
  lastTransitionTime?: meta_v1.Time;
  reason: string;
  message?: string;
}
/** List of storage versions. */
export interface StorageVersionList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: StorageVersion[] | null;
}
/** Always empty. It is there only because every kind has one. */
export type StorageVersionSpec = Record<string, never>;
/** What the API servers report about a resource, and whether they agree. */
export interface StorageVersionStatus {
  storageVersions?: ServerStorageVersion[];
  commonEncodingVersion?: string;
  conditions?: StorageVersionCondition[];
}
