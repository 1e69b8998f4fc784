// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `resource.v1alpha3`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "resource.k8s.io",
  version: "v1alpha3",
  short: "resource.v1alpha3",
  protobuf: true,
  kinds: String.raw`{
"DeviceTaintRule":{"list":"DeviceTaintRuleList","introduced":"1.33","deprecated":"1.36","removed":"1.39"},
"ResourcePoolStatusRequest":{"list":"ResourcePoolStatusRequestList","introduced":"1.36","deprecated":"1.39","removed":"1.42"}
}`,
  messages: String.raw`{
"CELDeviceSelector":{"f":["expression 1 string R"]},
"DeviceSelector":{"f":["cel 1 .CELDeviceSelector pOe"]},
"DeviceTaint":{"f":["key 1 string R","value 2 string Oe",["effect 3 string R",{"enum":["None","NoSchedule","NoExecute"],"alias":"DeviceTaintEffect","validate":{"beta@1.37:enum":true,"beta@1.37:required":true}}],"timeAdded 4 meta.v1.Time pOe"]},
"DeviceTaintRule":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .DeviceTaintRuleSpec R","status 3 .DeviceTaintRuleStatus Oe"]},
"DeviceTaintRuleList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .DeviceTaintRule rR"]},
"DeviceTaintRuleSpec":{"f":["deviceSelector 1 .DeviceTaintSelector pOe","taint 2 .DeviceTaint Re"]},
"DeviceTaintRuleStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type"}}]]},
"DeviceTaintSelector":{"f":["driver 2 string pOe","pool 3 string pOe","device 4 string pOe"]},
"PartitionTypeStatus":{"f":[["attribute 4 string Re",{"validate":{"required":true}}],["type 1 string Re",{"validate":{"required":true}}],["total 2 int32 pRe",{"validate":{"required":true,"minimum":0}}],["allocatable 3 int32 pRe",{"validate":{"required":true,"minimum":0}}]]},
"PoolStatus":{"f":[["driver 1 string Re",{"validate":{"required":true,"format":"k8s-long-name-caseless"}}],["poolName 2 string Re",{"validate":{"required":true,"format":"k8s-resource-pool-name"}}],["generation 9 int64 R",{"validate":{"required":true,"minimum":0}}],["resourceSliceCount 8 int32 pOe",{"validate":{"optional":true,"minimum":1}}],["totalDevices 4 int32 pOe",{"validate":{"optional":true,"minimum":0}}],["allocatedDevices 5 int32 pOe",{"validate":{"optional":true,"minimum":0}}],["availableDevices 6 int32 pOe",{"validate":{"optional":true,"minimum":0}}],["unavailableDevices 7 int32 pOe",{"validate":{"optional":true,"minimum":0}}],["nodeName 3 string pOe",{"validate":{"optional":true,"format":"k8s-long-name"}}],["validationError 10 string pOe",{"validate":{"optional":true,"maxBytes":256}}],["partitionSummary 11 .PartitionTypeStatus rOe",{"listType":"atomic","validate":{"optional":true,"listType":"atomic","unique":"map","listMapKey":["attribute","type"],"maxItems":32}}],["shareableSummary 13 .ShareableSummaryStatus pOe",{"validate":{"optional":true}}]]},
"ResourcePoolStatusRequest":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Re",["spec 2 .ResourcePoolStatusRequestSpec R",{"validate":{"immutable":true}}],["status 3 .ResourcePoolStatusRequestStatus pOe",{"validate":{"optional":true}}]]},
"ResourcePoolStatusRequestList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ResourcePoolStatusRequest rR"]},
"ResourcePoolStatusRequestSpec":{"f":[["driver 1 string R",{"validate":{"required":true,"format":"k8s-long-name-caseless"}}],["poolName 2 string pOe",{"validate":{"optional":true,"format":"k8s-resource-pool-name"}}],["limit 3 int32 pOe",{"default":100,"validate":{"optional":true,"minimum":1,"maximum":1000}}],["defaultPartitionTypeAttribute 4 string pOe",{"validate":{"ifDisabled(DRAPartitionableDevicesType)>forbidden":true,"ifEnabled(DRAPartitionableDevicesType)>optional":true,"ifEnabled(DRAPartitionableDevicesType)>format":"k8s-resource-fully-qualified-name"}}]]},
"ResourcePoolStatusRequestStatus":{"f":[["poolCount 6 int32 pRe",{"validate":{"required":true,"minimum":0}}],["pools 2 .PoolStatus rOe",{"listType":"atomic","validate":{"optional":true,"listType":"atomic","maxItems":1000}}],["conditions 3 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"optional":true,"maxItems":10,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type"}}]]},
"ShareableCapacityStatus":{"f":[["name 1 string Re",{"validate":{"required":true}}],["total 2 quantity.Quantity pRe",{"validate":{"required":true}}],["consumed 3 quantity.Quantity pRe",{"validate":{"required":true}}],["available 4 quantity.Quantity pRe",{"validate":{"required":true}}]]},
"ShareableSummaryStatus":{"f":[["fullyAvailableDevices 1 int32 pRe",{"validate":{"required":true,"minimum":0}}],["partiallyAvailableDevices 2 int32 pRe",{"validate":{"required":true,"minimum":0}}],["capacity 3 .ShareableCapacityStatus rOe",{"listType":"atomic","validate":{"optional":true,"maxItems":32}}]]}
}`,
};

/** A CEL expression that tells for one device whether it will do. */
export interface CELDeviceSelector {
  expression: string;
}
/** A test that a device must pass. Set cel, as there is no other kind of test yet. */
export interface DeviceSelector {
  cel?: CELDeviceSelector;
}
/** A mark on a device that keeps away pods whose claims do not tolerate it. */
export interface DeviceTaint {
  key: string;
  value?: string;
  effect: "None" | "NoSchedule" | "NoExecute";
  timeAdded?: meta_v1.Time;
}
/** Puts a taint on all devices that match, as if their driver had done it. It belongs to the whole cluster. */
export interface DeviceTaintRule {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: DeviceTaintRuleSpec;
  status?: DeviceTaintRuleStatus;
}
/** List of device taint rules. */
export interface DeviceTaintRuleList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: DeviceTaintRule[] | null;
}
/** One taint, and the devices that get it. */
export interface DeviceTaintRuleSpec {
  deviceSelector?: DeviceTaintSelector;
  taint?: DeviceTaint;
}
/** How far a rule has come in moving pods off its devices. */
export interface DeviceTaintRuleStatus {
  conditions?: meta_v1.Condition[];
}
/** Picks devices by name. All members that are set must match; with none set, every device does. */
export interface DeviceTaintSelector {
  driver?: string;
  pool?: string;
  device?: string;
}
/** Figures for one kind of partition. */
export interface PartitionTypeStatus {
  attribute?: string;
  type?: string;
  total?: number;
  allocatable?: number;
}
/** The state of one pool. Counts may be missing when validationError is set. */
export interface PoolStatus {
  driver?: string;
  poolName?: string;
  generation: Int64;
  resourceSliceCount?: number;
  totalDevices?: number;
  allocatedDevices?: number;
  availableDevices?: number;
  unavailableDevices?: number;
  nodeName?: string;
  validationError?: string;
  partitionSummary?: PartitionTypeStatus[];
  shareableSummary?: ShareableSummaryStatus;
}
/** Asks once how full the pools of a driver are. The answer appears in the status and is not refreshed; create another request for later figures. Alpha, gate DRAResourcePoolStatus. */
export interface ResourcePoolStatusRequest {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: ResourcePoolStatusRequestSpec;
  status?: ResourcePoolStatusRequestStatus;
}
/** List of resource pool status requests. */
export interface ResourcePoolStatusRequestList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ResourcePoolStatusRequest[] | null;
}
/** Which pools to report on, and how many of them. */
export interface ResourcePoolStatusRequestSpec {
  driver: string;
  poolName?: string;
  limit?: number;
  defaultPartitionTypeAttribute?: string;
}
/** The answer to a request for the state of pools. */
export interface ResourcePoolStatusRequestStatus {
  poolCount?: number;
  pools?: PoolStatus[];
  conditions?: meta_v1.Condition[];
}
/** Sums for one capacity over the shareable devices of a pool. */
export interface ShareableCapacityStatus {
  name?: string;
  total?: quantity.Quantity;
  consumed?: quantity.Quantity;
  available?: quantity.Quantity;
}
/** Figures for devices of a pool that several allocations can share. */
export interface ShareableSummaryStatus {
  fullyAvailableDevices?: number;
  partiallyAvailableDevices?: number;
  capacity?: ShareableCapacityStatus[];
}
