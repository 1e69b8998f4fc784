// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64, Json, ManagedFieldsEntry, ObjectMeta, OwnerReference } from "../model/types.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `meta.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "meta.k8s.io",
  version: "v1",
  short: "meta.v1",
  protobuf: true,
  kinds: String.raw`{
"APIGroup":{"list":"APIGroupList"},
"APIVersions":{},
"CreateOptions":{},
"DeleteOptions":{},
"GetOptions":{},
"List":{},
"ListOptions":{},
"PartialObjectMetadata":{"list":"PartialObjectMetadataList"},
"PatchOptions":{},
"Status":{},
"Table":{"protobuf":false},
"TableOptions":{},
"UpdateOptions":{}
}`,
  messages: String.raw`{
"APIGroup":{"t":1,"f":["name 1 string R",["versions 2 .GroupVersionForDiscovery rR",{"listType":"atomic"}],"preferredVersion 3 .GroupVersionForDiscovery Oe",["serverAddressByClientCIDRs 4 .ServerAddressByClientCIDR rOe",{"listType":"atomic"}]]},
"APIGroupList":{"t":1,"f":[["groups 1 .APIGroup rR",{"listType":"atomic"}]]},
"APIResource":{"f":["name 1 string R","singularName 6 string R","namespaced 2 bool R","group 8 string e","version 9 string e","kind 3 string R","verbs 4 .Verbs R",["shortNames 5 string re",{"listType":"atomic"}],["categories 7 string re",{"listType":"atomic"}],"storageVersionHash 10 string Oe"]},
"APIResourceList":{"t":1,"f":["groupVersion 1 string R",["resources 2 .APIResource rR",{"listType":"atomic"}]]},
"APIVersions":{"t":1,"f":[["versions 1 string rR",{"listType":"atomic"}],["serverAddressByClientCIDRs 2 .ServerAddressByClientCIDR rR",{"listType":"atomic"}]]},
"ApplyOptions":{"t":1,"f":[["dryRun 1 string rOe",{"listType":"atomic"}],"force 2 bool R","fieldManager 3 string R"]},
"Condition":{"f":[["type 1 string R",{"validate":{"alpha@1.37:required":true}}],["status 2 string R",{"enum":["True","False","Unknown"],"alias":"ConditionStatus","validate":{"alpha@1.37:enum":true,"alpha@1.37:required":true}}],["observedGeneration 3 int64 Oe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:minimum":0}}],["lastTransitionTime 4 .Time R",{"validate":{"alpha@1.37:customValidation":true}}],["reason 5 string R",{"validate":{"alpha@1.37:required":true,"alpha@1.37:maxBytes":1024}}],"message 6 string R"]},
"CreateOptions":{"t":1,"f":[["dryRun 1 string rOe",{"listType":"atomic"}],"fieldManager 3 string Oe","fieldValidation 4 string Oe"]},
"DeleteOptions":{"t":1,"f":["gracePeriodSeconds 1 int64 pOe","preconditions 2 .Preconditions pOe","orphanDependents 3 bool pOe",["propagationPolicy 4 string pOe",{"alias":"DeletionPropagation"}],["dryRun 5 string rOe",{"listType":"atomic"}],"ignoreStoreReadErrorWithClusterBreakingPotential 6 bool pOe"]},
"Duration":{"w":"duration","f":[" 1 int64"]},
"FieldSelectorRequirement":{"f":["key 1 string R",["operator 2 string R",{"alias":"FieldSelectorOperator"}],["values 3 string rOe",{"listType":"atomic"}]]},
"FieldsV1":{"w":"raw","f":[" 1 bytes"]},
"GetOptions":{"t":1,"f":["resourceVersion 1 string Oe"]},
"GroupKind":{"f":["group 1 string R","kind 2 string R"]},
"GroupResource":{"f":["group 1 string R","resource 2 string R"]},
"GroupVersion":{"f":["group 1 string R","version 2 string R"]},
"GroupVersionForDiscovery":{"f":["groupVersion 1 string R","version 2 string R"]},
"GroupVersionKind":{"f":["group 1 string R","version 2 string R","kind 3 string R"]},
"GroupVersionResource":{"f":["group 1 string R","version 2 string R","resource 3 string R"]},
"LabelSelector":{"structType":"atomic","f":["matchLabels 1 string Oem",["matchExpressions 2 .LabelSelectorRequirement rOe",{"listType":"atomic"}]]},
"LabelSelectorRequirement":{"f":["key 1 string R",["operator 2 string R",{"alias":"LabelSelectorOperator"}],["values 3 string rOe",{"listType":"atomic"}]]},
"List":{"t":1,"f":["metadata 1 .ListMeta Oe","items 2 runtime.RawExtension rR"]},
"ListMeta":{"f":["selfLink 1 string Oe","resourceVersion 2 string Oe","continue 3 string e","remainingItemCount 4 int64 pOe","shardInfo 5 .ShardInfo pOe"]},
"ListOptions":{"t":1,"f":["labelSelector 1 string Oe","fieldSelector 2 string Oe","watch 3 bool Oe","allowWatchBookmarks 9 bool Oe","resourceVersion 4 string Oe",["resourceVersionMatch 10 string Oe",{"alias":"ResourceVersionMatch"}],"timeoutSeconds 5 int64 pOe","limit 7 int64 e","continue 8 string e","sendInitialEvents 11 bool pOe","shardSelector 15 string Oe"]},
"ManagedFieldsEntry":{"f":["manager 1 string e",["operation 2 string e",{"enum":["Apply","Update"],"alias":"ManagedFieldsOperationType","validate":{"alpha@1.37:enum":true,"alpha@1.37:required":true}}],"apiVersion 3 string e","time 4 .Time pOe","fieldsType 6 string e","fieldsV1 7 .FieldsV1 pOe","subresource 8 string e"]},
"MicroTime":{"w":"microTime","f":[" 1 int64"," 2 int32"]},
"ObjectMeta":{"f":["name 1 string Oe","generateName 2 string Oe","namespace 3 string Oe","selfLink 4 string Oe",["uid 5 string Oe",{"alias":"types.UID","validate":{"alpha@1.37:optional":true,"alpha@1.37:immutable":true}}],"resourceVersion 6 string Oe",["generation 7 int64 Oe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:minimum":0}}],["creationTimestamp 8 .Time Oez",{"validate":{"alpha@1.37:immutable":true}}],["deletionTimestamp 9 .Time pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:immutable":true}}],["deletionGracePeriodSeconds 10 int64 pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:immutable":true}}],"labels 11 string Oem","annotations 12 string Oem",["ownerReferences 13 .OwnerReference rOe",{"patchStrategy":"merge","patchMergeKey":"uid","listType":"map","listMapKeys":["uid"],"validate":{"alpha@1.37:optional":true}}],["finalizers 14 string rOe",{"patchStrategy":"merge","listType":"set"}],["managedFields 17 .ManagedFieldsEntry rOe",{"listType":"atomic","validate":{"alpha@1.37:optional":true}}]]},
"OwnerReference":{"structType":"atomic","f":[["apiVersion 5 string R",{"validate":{"alpha@1.37:required":true}}],["kind 1 string R",{"validate":{"alpha@1.37:required":true}}],["name 3 string R",{"validate":{"alpha@1.37:required":true}}],["uid 4 string R",{"alias":"types.UID","validate":{"alpha@1.37:required":true}}],"controller 6 bool pOe","blockOwnerDeletion 7 bool pOe"]},
"PartialObjectMetadata":{"t":1,"f":[["metadata 1 .ObjectMeta Oe",{"validate":{"opaqueType":true}}]]},
"PartialObjectMetadataList":{"t":1,"f":["metadata 1 .ListMeta Oe","items 2 .PartialObjectMetadata rR"]},
"Patch":{"f":[]},
"PatchOptions":{"t":1,"f":[["dryRun 1 string rOe",{"listType":"atomic"}],"force 2 bool pOe","fieldManager 3 string Oe","fieldValidation 4 string Oe"]},
"Preconditions":{"f":[["uid 1 string pOe",{"alias":"types.UID"}],"resourceVersion 2 string pOe"]},
"RootPaths":{"f":[["paths 1 string rR",{"listType":"atomic"}]]},
"ServerAddressByClientCIDR":{"f":["clientCIDR 1 string R","serverAddress 2 string R"]},
"ShardInfo":{"f":["selector 1 string R"]},
"Status":{"t":1,"f":["metadata 1 .ListMeta Oe","status 2 string Oe","message 3 string Oe",["reason 4 string Oe",{"alias":"StatusReason"}],"details 5 .StatusDetails pOe","code 6 int32 Oe"]},
"StatusCause":{"f":[["reason 1 string Oe",{"alias":"CauseType"}],"message 2 string Oe","field 3 string Oe"]},
"StatusDetails":{"f":["name 1 string Oe","group 2 string Oe","kind 3 string Oe",["uid 6 string Oe",{"alias":"types.UID"}],["causes 4 .StatusCause rOe",{"listType":"atomic"}],"retryAfterSeconds 5 int32 Oe"]},
"Table":{"t":1,"f":["metadata 0 .ListMeta Oe",["columnDefinitions 0 .TableColumnDefinition rR",{"listType":"atomic"}],["rows 0 .TableRow rR",{"listType":"atomic"}]]},
"TableColumnDefinition":{"f":["name 0 string R","type 0 string R","format 0 string R","description 0 string R","priority 0 int32 R"]},
"TableOptions":{"t":1,"f":[["includeObject 1 string e",{"alias":"IncludeObjectPolicy"}]]},
"TableRow":{"f":[["cells 0 any rR",{"listType":"atomic"}],["conditions 0 .TableRowCondition rOe",{"listType":"atomic"}],"object 0 runtime.RawExtension Oe"]},
"TableRowCondition":{"f":[["type 0 string R",{"alias":"RowConditionType"}],["status 0 string R",{"enum":["True","False","Unknown"],"alias":"ConditionStatus","validate":{"alpha@1.37:enum":true}}],"reason 0 string Oe","message 0 string Oe"]},
"Time":{"w":"time","f":[" 1 int64"," 2 int32"]},
"Timestamp":{"f":["seconds 1 int64 R","nanos 2 int32 R"]},
"TypeMeta":{"f":["kind 1 string Oe","apiVersion 2 string Oe"]},
"UpdateOptions":{"t":1,"f":[["dryRun 1 string rOe",{"listType":"atomic"}],"fieldManager 2 string Oe","fieldValidation 3 string Oe"]},
"Verbs":{"w":"list","nullable":true,"f":[" 1 string r"]},
"WatchEvent":{"f":["type 1 string R","object 2 runtime.RawExtension R"]}
}`,
};

/** One group of the API as discovery shows it: its name, its versions, and the one to take when in doubt. */
export interface APIGroup {
  apiVersion?: string;
  kind?: string;
  name: string;
  versions: GroupVersionForDiscovery[] | null;
  preferredVersion?: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
}
/** The groups that the API server offers, answered at /apis. */
export interface APIGroupList {
  apiVersion?: string;
  kind?: string;
  groups: APIGroup[] | null;
}
/** One resource of a group and version: how it is called, what kind it holds, and what can be done with it. */
export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: Verbs;
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}
/** The resources of one group and version, answered at the path of that version. */
export interface APIResourceList {
  apiVersion?: string;
  kind?: string;
  groupVersion: string;
  resources: APIResource[] | null;
}
/** The versions of the core group, answered at /api. */
export interface APIVersions {
  apiVersion?: string;
  kind?: string;
  versions: string[] | null;
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[] | null;
}
export interface ApplyOptions {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  force: boolean;
  fieldManager: string;
}
/** One statement about the state of an object, and since when it holds. Within an object each type occurs once. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  observedGeneration?: Int64;
  lastTransitionTime: Time;
  reason: string;
  message: string;
}
export interface CreateOptions {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}
/** How an object is to be deleted. Sent as the body of a delete request, or as its query parameters. */
export interface DeleteOptions {
  apiVersion?: string;
  kind?: string;
  gracePeriodSeconds?: Int64;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}
export type Duration = string;
/** One requirement that a member of an object must meet, made of key, operator and values. */
export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}
/** A set of members, written as a tree. Each key names a step: f: and a member, k: and the keys of a list item, v: and the value of a list item, i: and a position. A dot stands for the place itself. */
export type FieldsV1 = Json;
export interface GetOptions {
  apiVersion?: string;
  kind?: string;
  resourceVersion?: string;
}
export interface GroupKind {
  group: string;
  kind: string;
}
/** Name of a resource together with its group, without a version. */
export interface GroupResource {
  group: string;
  resource: string;
}
export interface GroupVersion {
  group: string;
  version: string;
}
/** A version of a group, as discovery lists it. */
export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}
/** Chooses objects by their labels. Whatever stands in matchLabels and matchExpressions must all hold. An empty selector takes every object. An absent one takes none, unless the member it belongs to has another default. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}
/** One requirement that the labels of an object must meet, made of key, operator and values. */
export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}
/** List of s. */
export interface List {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  items: runtime.RawExtension[] | null;
}
/** What an answer that is no stored object says of itself, above all a list. */
export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: Int64;
  shardInfo?: ShardInfo;
}
export interface ListOptions {
  apiVersion?: string;
  kind?: string;
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: string;
  timeoutSeconds?: Int64;
  limit?: Int64;
  continue?: string;
  sendInitialEvents?: boolean;
  shardSelector?: string;
}
/** One manager of members: which of them it set, by which way and when. */
export type { ManagedFieldsEntry };
/** A point in time with microseconds, as in 2030-01-02T03:04:05.000000Z. */
export type MicroTime = string;
/** What every stored object has: its name, its ids and versions, its labels, and who owns it. */
export type { ObjectMeta };
/** Names an object on which this one depends. The owner lives in the same namespace or belongs to the whole cluster. */
export type { OwnerReference };
export interface PartialObjectMetadata {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}
/** List of partial object metadatas. */
export interface PartialObjectMetadataList {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  items: PartialObjectMetadata[] | null;
}
/** Body of a patch request. Its form depends on the content type: a JSON patch, a merge patch, a strategic merge patch, or an object to apply. */
export type Patch = Record<string, never>;
export interface PatchOptions {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: string;
}
/** What must be true of an object before a request may change or delete it. */
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}
export interface RootPaths {
  paths: string[] | null;
}
/** An address of the server for clients of one network. */
export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}
/** Tells which shard of a collection a list holds. Alpha, gate ShardedListAndWatch. */
export interface ShardInfo {
  selector: string;
}
/** What a request is answered with when there is no object to return, above all when it fails. */
export interface Status {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}
/** One cause of a failure. A request can fail for several at once. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}
/** The particulars of a failure. Every member may be absent, clients must be ready for that. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}
export interface Table {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  columnDefinitions: TableColumnDefinition[] | null;
  rows: TableRow[] | null;
}
export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}
export interface TableOptions {
  apiVersion?: string;
  kind?: string;
  includeObject?: string;
}
export interface TableRow {
  cells: Json[] | null;
  conditions?: TableRowCondition[];
  object?: runtime.RawExtension;
}
export interface TableRowCondition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason?: string;
  message?: string;
}
/** A point in time to the second in the form of RFC 3339, as in 2030-01-02T03:04:05Z. The server writes it in UTC. */
export type Time = string;
export interface Timestamp {
  seconds: Int64;
  nanos: number;
}
export interface TypeMeta {
  kind?: string;
  apiVersion?: string;
}
export interface UpdateOptions {
  apiVersion?: string;
  kind?: string;
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}
export type Verbs = string[];
/** One message of a watch: what happened, and to which object. */
export interface WatchEvent {
  type: string;
  object: runtime.RawExtension;
}
