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
"VolumeAttachment":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["spec 2 .VolumeAttachmentSpec R",{"validate":{"beta@1.37:immutable":true}}],"status 3 .VolumeAttachmentStatus Oe"]},
"VolumeAttachmentList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .VolumeAttachment rR"]},
"VolumeAttachmentSource":{"f":["persistentVolumeName 1 string pOe","inlineVolumeSpec 2 core.v1.PersistentVolumeSpec pOe"]},
"VolumeAttachmentSpec":{"f":[["attacher 1 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:format":"k8s-long-name-caseless","beta@1.37:maxLength":63}}],"source 2 .VolumeAttachmentSource R","nodeName 3 string R"]},
"VolumeAttachmentStatus":{"f":["attached 1 bool R","attachmentMetadata 2 string Oem","attachError 3 .VolumeError pOe","detachError 4 .VolumeError pOe"]},
"VolumeAttributesClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","driverName 2 string R","parameters 3 string em"]},
"VolumeAttributesClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .VolumeAttributesClass rR"]},
"VolumeError":{"f":["time 1 meta.v1.Time Oe","message 2 string Oe","errorCode 3 int32 pOe"]}
}`,
};

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
