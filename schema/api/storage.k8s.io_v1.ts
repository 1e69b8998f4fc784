// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `storage.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "storage.k8s.io",
  version: "v1",
  short: "storage.v1",
  protobuf: true,
  kinds: String.raw`{
"CSIDriver":{"list":"CSIDriverList","introduced":"1.18"},
"CSINode":{"list":"CSINodeList","introduced":"1.17"},
"CSIStorageCapacity":{"list":"CSIStorageCapacityList","introduced":"1.24"},
"StorageClass":{"list":"StorageClassList","introduced":"1.6"},
"VolumeAttachment":{"list":"VolumeAttachmentList","introduced":"1.13"},
"VolumeAttributesClass":{"list":"VolumeAttributesClassList","introduced":"1.34"}
}`,
  messages: String.raw`{
"CSIDriver":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta e","spec 2 .CSIDriverSpec R"]},
"CSIDriverList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CSIDriver rR"]},
"CSIDriverSpec":{"f":["attachRequired 1 bool pOe","podInfoOnMount 2 bool pOe",["volumeLifecycleModes 3 string rOe",{"alias":"VolumeLifecycleMode","listType":"set","validate":{"alpha@1.37:optional":true,"alpha@1.37:immutable":true}}],"storageCapacity 4 bool pOe",["fsGroupPolicy 5 string pOe",{"alias":"FSGroupPolicy"}],["tokenRequests 6 .TokenRequest rOe",{"listType":"atomic"}],"requiresRepublish 7 bool pOe","seLinuxMount 8 bool pOe","nodeAllocatableUpdatePeriodSeconds 9 int64 pOe","serviceAccountTokenInSecrets 10 bool pOe","preventPodSchedulingIfMissing 11 bool pOe"]},
"CSINode":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta e","spec 2 .CSINodeSpec R","status 3 .CSINodeStatus Oe"]},
"CSINodeDriver":{"f":["name 1 string R","nodeID 2 string R",["topologyKeys 3 string rO",{"listType":"atomic"}],"allocatable 4 .VolumeNodeResources pOe"]},
"CSINodeList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CSINode rR"]},
"CSINodeSpec":{"f":[["drivers 1 .CSINodeDriver rR",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}]]},
"CSINodeStatus":{"f":[["storageHealth 1 .StorageHealth rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}]]},
"CSIStorageCapacity":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","nodeTopology 2 meta.v1.LabelSelector pOe","storageClassName 3 string R","capacity 4 quantity.Quantity pOe","maximumVolumeSize 5 quantity.Quantity pOe"]},
"CSIStorageCapacityList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CSIStorageCapacity rR"]},
"StorageClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["provisioner 2 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:immutable":true}}],["parameters 3 string Oem",{"validate":{"beta@1.37:immutable":true,"beta@1.37:optional":true}}],["reclaimPolicy 4 string pOe",{"enum":["Recycle","Delete","Retain"],"alias":"core.v1.PersistentVolumeReclaimPolicy","validate":{"beta@1.37:immutable":true,"beta@1.37:optional":true}}],["mountOptions 5 string rOe",{"listType":"atomic"}],"allowVolumeExpansion 6 bool pOe",["volumeBindingMode 7 string pOe",{"enum":["Immediate","WaitForFirstConsumer"],"alias":"VolumeBindingMode","validate":{"beta@1.37:immutable":true,"beta@1.37:optional":true}}],["allowedTopologies 8 core.v1.TopologySelectorTerm rOe",{"listType":"atomic"}]]},
"StorageClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .StorageClass rR"]},
"StorageHealth":{"f":["name 1 string R",["healthConditions 2 .StorageHealthCondition rOe",{"listType":"atomic"}]]},
"StorageHealthCondition":{"f":[["status 1 string R",{"enum":["StorageUnreachable","StorageDegraded"],"alias":"StorageHealthStatusType"}],"reason 2 string R","message 3 string Oe",["accessMode 4 string pOe",{"enum":["ReadWriteOnce","ReadOnlyMany","ReadWriteMany","ReadWriteOncePod"],"alias":"core.v1.PersistentVolumeAccessMode"}],["volumeMode 5 string pOe",{"enum":["Block","Filesystem"],"alias":"core.v1.PersistentVolumeMode"}],"lastTransitionTime 6 meta.v1.Time Oe"]},
"TokenRequest":{"f":["audience 1 string R","expirationSeconds 2 int64 pOe"]},
"VolumeAttachment":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["spec 2 .VolumeAttachmentSpec R",{"validate":{"beta@1.37:immutable":true}}],"status 3 .VolumeAttachmentStatus Oe"]},
"VolumeAttachmentList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .VolumeAttachment rR"]},
"VolumeAttachmentSource":{"f":["persistentVolumeName 1 string pOe","inlineVolumeSpec 2 core.v1.PersistentVolumeSpec pOe"]},
"VolumeAttachmentSpec":{"f":[["attacher 1 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:format":"k8s-long-name-caseless","beta@1.37:maxLength":63}}],"source 2 .VolumeAttachmentSource R","nodeName 3 string R"]},
"VolumeAttachmentStatus":{"f":["attached 1 bool R","attachmentMetadata 2 string Oem","attachError 3 .VolumeError pOe","detachError 4 .VolumeError pOe"]},
"VolumeAttributesClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","driverName 2 string R","parameters 3 string em"]},
"VolumeAttributesClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .VolumeAttributesClass rR"]},
"VolumeError":{"f":["time 1 meta.v1.Time Oe","message 2 string Oe","errorCode 3 int32 pOe"]},
"VolumeNodeResources":{"f":["count 1 int32 pOe"]}
}`,
};

/** Tells the cluster how to deal with one CSI driver. Belongs to no namespace. */
export interface CSIDriver {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: CSIDriverSpec;
}
/** List of CSI drivers. */
export interface CSIDriverList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: CSIDriver[] | null;
}
/** What a CSI driver needs and what it can do. */
export interface CSIDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: Int64;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}
/** The CSI drivers on one node. Written by the node agent when drivers register; goes away with the node. */
export interface CSINode {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: CSINodeSpec;
  status?: CSINodeStatus;
}
/** A CSI driver on one node. Apart from allocatable, an entry cannot be changed, only removed and added anew. */
export interface CSINodeDriver {
  name: string;
  nodeID: string;
  topologyKeys?: string[] | null;
  allocatable?: VolumeNodeResources;
}
/** List of CSI nodes. */
export interface CSINodeList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: CSINode[] | null;
}
/** Which CSI drivers are registered on a node. */
export interface CSINodeSpec {
  drivers: CSINodeDriver[] | null;
}
/** What the drivers of a node report about their storage. */
export interface CSINodeStatus {
  storageHealth?: StorageHealth[];
}
/** Room left in one part of the cluster for volumes of one storage class. Written by the driver's deployment and read by the scheduler; without such an object, or without an amount in it, there is no room. */
export interface CSIStorageCapacity {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  nodeTopology?: meta_v1.LabelSelector;
  storageClassName: string;
  capacity?: quantity.Quantity;
  maximumVolumeSize?: quantity.Quantity;
}
/** List of CSI storage capacities. */
export interface CSIStorageCapacityList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: CSIStorageCapacity[] | null;
}
/** A kind of storage on offer: who makes volumes of it, with which settings, and when. Claims ask for it by name. Belongs to no namespace. */
export interface StorageClass {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: "Recycle" | "Delete" | "Retain";
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: "Immediate" | "WaitForFirstConsumer";
  allowedTopologies?: core_v1.TopologySelectorTerm[];
}
/** List of storage classes. */
export interface StorageClassList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: StorageClass[] | null;
}
/** Health of the storage behind one driver, seen from one node. */
export interface StorageHealth {
  name: string;
  healthConditions?: StorageHealthCondition[];
}
/** One trouble with the storage behind a driver. */
export interface StorageHealthCondition {
  status: "StorageUnreachable" | "StorageDegraded";
  reason: string;
  message?: string;
  accessMode?: "ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod";
  volumeMode?: "Block" | "Filesystem";
  lastTransitionTime?: meta_v1.Time;
}
/** One service account token that a CSI driver wants. */
export interface TokenRequest {
  audience: string;
  expirationSeconds?: Int64;
}
/** Asks for a volume to be attached to a node, and tells whether it is. Deleting it asks for the volume to be detached. Belongs to no namespace. */
export interface VolumeAttachment {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}
/** List of volume attachments. */
export interface VolumeAttachmentList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: VolumeAttachment[] | null;
}
/** The volume to attach. Set exactly one member. */
export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: core_v1.PersistentVolumeSpec;
}
/** Which volume is wanted on which node, and who does it. */
export interface VolumeAttachmentSpec {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
}
/** How far attaching or detaching has come. Written by the attacher alone. */
export interface VolumeAttachmentStatus {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
}
/** Settings of volumes that can be changed while they exist, such as speed. Claims name the class and may change to another. Belongs to no namespace. */
export interface VolumeAttributesClass {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  driverName: string;
  parameters?: Record<string, string>;
}
/** List of volume attributes classes. */
export interface VolumeAttributesClassList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: VolumeAttributesClass[] | null;
}
/** An error from work on a volume. */
export interface VolumeError {
  time?: meta_v1.Time;
  message?: string;
  errorCode?: number;
}
/** Room for volumes of one driver on one node. */
export interface VolumeNodeResources {
  count?: number;
}
