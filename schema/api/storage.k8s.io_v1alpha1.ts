// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `storage.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "storage.k8s.io",
  version: "v1alpha1",
  short: "storage.v1alpha1",
  protobuf: true,
  kinds: String.raw`{
"CSIStorageCapacity":{"list":"CSIStorageCapacityList","introduced":"1.19","deprecated":"1.21","removed":"1.24","replacement":{"group":"storage.k8s.io","version":"v1beta1","kind":"CSIStorageCapacity"}},
"VolumeAttachment":{"list":"VolumeAttachmentList","introduced":"1.9","deprecated":"1.21","removed":"1.24","replacement":{"group":"storage.k8s.io","version":"v1","kind":"VolumeAttachment"}},
"VolumeAttributesClass":{"list":"VolumeAttributesClassList","introduced":"1.29","deprecated":"1.32","removed":"1.35","replacement":{"group":"storage.k8s.io","version":"v1","kind":"VolumeAttributesClass"}}
}`,
  messages: String.raw`{
"CSIStorageCapacity":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","nodeTopology 2 meta.v1.LabelSelector pOe","storageClassName 3 string R","capacity 4 quantity.Quantity pOe","maximumVolumeSize 5 quantity.Quantity pOe"]},
"CSIStorageCapacityList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .CSIStorageCapacity rR"]},
"VolumeAttachment":{"t":1,"validate":{"supportsSubresource":"/status"},"f":["metadata 1 meta.v1.ObjectMeta Oe",["spec 2 .VolumeAttachmentSpec R",{"validate":{"beta@1.37:immutable":true}}],"status 3 .VolumeAttachmentStatus Oe"]},
"VolumeAttachmentList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .VolumeAttachment rR"]},
"VolumeAttachmentSource":{"f":["persistentVolumeName 1 string pOe","inlineVolumeSpec 2 core.v1.PersistentVolumeSpec pOe"]},
"VolumeAttachmentSpec":{"f":[["attacher 1 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:format":"k8s-long-name-caseless","beta@1.37:maxLength":63}}],"source 2 .VolumeAttachmentSource R","nodeName 3 string R"]},
"VolumeAttachmentStatus":{"f":["attached 1 bool R","attachmentMetadata 2 string Oem","attachError 3 .VolumeError pOe","detachError 4 .VolumeError pOe"]},
"VolumeAttributesClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","driverName 2 string R","parameters 3 string em"]},
"VolumeAttributesClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .VolumeAttributesClass rR"]},
"VolumeError":{"f":["time 1 meta.v1.Time Oe","message 2 string Oe",["errorCode 3 int32 pOe",{"featureGates":["MutableCSINodeAllocatableCount"]}]]}
}`,
};

export interface CSIStorageCapacity {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  nodeTopology?: meta_v1.LabelSelector;
  storageClassName: string;
  capacity?: quantity.Quantity;
  maximumVolumeSize?: quantity.Quantity;
}
export interface CSIStorageCapacityList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: CSIStorageCapacity[] | null;
}
export interface VolumeAttachment {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}
export interface VolumeAttachmentList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: VolumeAttachment[] | null;
}
export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: core_v1.PersistentVolumeSpec;
}
export interface VolumeAttachmentSpec {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
}
export interface VolumeAttachmentStatus {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
}
export interface VolumeAttributesClass {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  driverName: string;
  parameters?: Record<string, string>;
}
export interface VolumeAttributesClassList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: VolumeAttributesClass[] | null;
}
export interface VolumeError {
  time?: meta_v1.Time;
  message?: string;
  errorCode?: number;
}
