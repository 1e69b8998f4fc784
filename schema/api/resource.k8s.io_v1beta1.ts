// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `resource.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "resource.k8s.io",
  version: "v1beta1",
  short: "resource.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"DeviceClass":{"list":"DeviceClassList","introduced":"1.32","deprecated":"1.35","removed":"1.38"},
"ResourceClaim":{"list":"ResourceClaimList","introduced":"1.32","deprecated":"1.35","removed":"1.38"},
"ResourceClaimTemplate":{"list":"ResourceClaimTemplateList","introduced":"1.32","deprecated":"1.35","removed":"1.38"},
"ResourceSlice":{"list":"ResourceSliceList","introduced":"1.32","deprecated":"1.35","removed":"1.38"}
}`,
  messages: String.raw`{
"AllocatedDeviceStatus":{"f":["driver 1 string R","pool 2 string R","device 3 string R",["shareID 7 string pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:format":"k8s-uuid"}}],["conditions 4 meta.v1.Condition rO",{"listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type"}}],"data 5 runtime.RawExtension pOe",["networkData 6 .NetworkDeviceData pOe",{"validate":{"beta@1.37:optional":true}}]]},
"AllocationResult":{"f":["devices 1 .DeviceAllocationResult Oe","nodeSelector 3 core.v1.NodeSelector pOe","allocationTimestamp 5 meta.v1.Time pOe"]},
"BasicDevice":{"f":[["attributes 1 .DeviceAttribute Oem",{"validate":{"beta@1.37:optional":true}}],"capacity 2 .DeviceCapacity Oem",["consumesCounters 3 .DeviceCounterConsumption rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"map","beta@1.37:listMapKey":"counterSet","beta@1.37:maxItems":2}}],"nodeName 4 string pOe","nodeSelector 5 core.v1.NodeSelector pOe","allNodes 6 bool pOe",["taints 7 .DeviceTaint rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],"bindsToNode 8 bool pOe",["bindingConditions 9 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":4}}],["bindingFailureConditions 10 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":4}}],"allowMultipleAllocations 11 bool pOe",["nodeAllocatableResources 14 .NodeAllocatableResource Oem",{"validate":{"optional":true}}]]},
"CELDeviceSelector":{"f":["expression 1 string R"]},
"CapacityRequestPolicy":{"f":["default 1 quantity.Quantity pO",["validValues 3 quantity.Quantity rOe",{"listType":"atomic"}],"validRange 4 .CapacityRequestPolicyRange pOe"]},
"CapacityRequestPolicyRange":{"f":["min 1 quantity.Quantity pRe","max 2 quantity.Quantity pOe","step 3 quantity.Quantity pOe"]},
"CapacityRequirements":{"f":["requests 1 quantity.Quantity Oem"]},
"Counter":{"f":["value 1 quantity.Quantity R"]},
"CounterSet":{"f":[["name 1 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:format":"k8s-short-name"}}],["counters 2 .Counter Rem",{"validate":{"beta@1.37:required":true,"beta@1.37:eachKey>format":"k8s-short-name"}}]]},
"Device":{"f":["name 1 string R",["basic 2 .BasicDevice pOe",{"validate":{"beta@1.37:optional":true}}]]},
"DeviceAllocationConfiguration":{"f":[["source 1 string R",{"enum":["FromClass","FromClaim"],"alias":"AllocationConfigSource","validate":{"beta@1.37:enum":true,"beta@1.37:required":true}}],["requests 2 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"set","beta@1.37:maxItems":32}}]," 3 .DeviceConfiguration i"]},
"DeviceAllocationResult":{"f":[["results 1 .DeviceRequestAllocationResult rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":32}}],["config 2 .DeviceAllocationConfiguration rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":64}}]]},
"DeviceAttribute":{"f":[["int 2 int64 pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true}}],["bool 3 bool pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true}}],["string 4 string pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true}}],["version 5 string pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true}}],["ints 6 int64 rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true}}],["bools 7 bool rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true}}],["strings 8 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true,"alpha@1.37:eachVal>maxBytes":64}}],["versions 9 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:unionMember":true}}]]},
"DeviceCapacity":{"f":["value 1 quantity.Quantity R","requestPolicy 2 .CapacityRequestPolicy pOe"]},
"DeviceClaim":{"f":[["requests 1 .DeviceRequest rO",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"map","beta@1.37:listMapKey":"name","beta@1.37:maxItems":32}}],["constraints 2 .DeviceConstraint rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":32}}],["config 3 .DeviceClaimConfiguration rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":32}}]]},
"DeviceClaimConfiguration":{"f":[["requests 1 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"set","beta@1.37:maxItems":32}}]," 2 .DeviceConfiguration i"]},
"DeviceClass":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"beta@1.37:subfield(name)>optional":true,"beta@1.37:subfield(name)>format":"k8s-long-name"}}],"spec 2 .DeviceClassSpec O"]},
"DeviceClassConfiguration":{"f":[" 1 .DeviceConfiguration i"]},
"DeviceClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .DeviceClass rR"]},
"DeviceClassSpec":{"f":[["selectors 1 .DeviceSelector rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":32}}],["config 2 .DeviceClassConfiguration rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":32}}],["extendedResourceName 4 string pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:format":"k8s-extended-resource-name"}}]]},
"DeviceConfiguration":{"f":[["opaque 1 .OpaqueDeviceConfiguration pOe",{"validate":{"beta@1.37:optional":true}}]]},
"DeviceConstraint":{"f":[["requests 1 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"set","beta@1.37:maxItems":32}}],["matchAttribute 2 string pOe",{"alias":"FullyQualifiedName","validate":{"beta@1.37:optional":true,"beta@1.37:format":"k8s-resource-fully-qualified-name"}}],["distinctAttribute 3 string pOe",{"alias":"FullyQualifiedName"}]]},
"DeviceCounterConsumption":{"f":[["counterSet 1 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:format":"k8s-short-name"}}],["counters 2 .Counter Rem",{"validate":{"beta@1.37:required":true,"beta@1.37:eachKey>format":"k8s-short-name"}}],["compatibilityGroups 3 string rOe",{"listType":"atomic","validate":{"optional":true,"listType":"atomic","unique":"set","maxItems":2,"eachVal>format":"k8s-short-name"}}]]},
"DeviceDerivedAttribute":{"f":[["name 1 string R",{"alias":"FullyQualifiedName","validate":{"required":true,"format":"k8s-resource-fully-qualified-name"}}],["expression 2 string R",{"validate":{"required":true}}]]},
"DeviceRequest":{"f":["name 1 string R","deviceClassName 2 string O",["selectors 3 .DeviceSelector rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":32}}],["allocationMode 4 string Oe",{"enum":["ExactCount","All"],"alias":"DeviceAllocationMode","validate":{"beta@1.37:enum":true,"beta@1.37:optional":true}}],"count 5 int64 Oe","adminAccess 6 bool pOe",["firstAvailable 7 .DeviceSubRequest rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"map","beta@1.37:listMapKey":"name","beta@1.37:maxItems":8}}],["tolerations 8 .DeviceToleration rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],"capacity 9 .CapacityRequirements pOe",["derivedAttributes 10 .DeviceDerivedAttribute rOe",{"listType":"atomic","validate":{"optional":true,"maxItems":32}}]]},
"DeviceRequestAllocationResult":{"f":["request 1 string R",["driver 2 string R",{"validate":{"beta@1.37:format":"k8s-long-name-caseless","beta@1.37:required":true,"beta@1.37:maxLength":63}}],["pool 3 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:format":"k8s-resource-pool-name"}}],"device 4 string R","adminAccess 5 bool pOe",["tolerations 6 .DeviceToleration rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],["bindingConditions 7 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":4}}],["bindingFailureConditions 8 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"beta@1.37:maxItems":4}}],["shareID 9 string pOe",{"alias":"types.UID","validate":{"beta@1.37:optional":true,"beta@1.37:format":"k8s-uuid"}}],"consumedCapacity 10 quantity.Quantity Oem",["skipNodeOperations 11 string rOe",{"listType":"set","enum":["NodePrepareResources","NodeUnprepareResources","*"],"alias":"SkipNodeOperation","validate":{"enum":true,"listType":"set","optional":true}}]]},
"DeviceSelector":{"f":["cel 1 .CELDeviceSelector pOe"]},
"DeviceSubRequest":{"f":["name 1 string R",["deviceClassName 2 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:format":"k8s-long-name"}}],["selectors 3 .DeviceSelector rOe",{"listType":"atomic","validate":{"beta@1.37:maxItems":32,"beta@1.37:optional":true}}],["allocationMode 4 string Oe",{"enum":["ExactCount","All"],"alias":"DeviceAllocationMode","validate":{"beta@1.37:enum":true,"beta@1.37:optional":true}}],"count 5 int64 Oe",["tolerations 7 .DeviceToleration rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],"capacity 8 .CapacityRequirements pOe",["derivedAttributes 9 .DeviceDerivedAttribute rOe",{"listType":"atomic","validate":{"optional":true,"maxItems":32}}]]},
"DeviceTaint":{"f":["key 1 string R","value 2 string Oe",["effect 3 string R",{"enum":["None","NoSchedule","NoExecute"],"alias":"DeviceTaintEffect","validate":{"beta@1.37:enum":true,"beta@1.37:required":true}}],"timeAdded 4 meta.v1.Time pOe"]},
"DeviceToleration":{"f":[["key 1 string Oe",{"validate":{"beta@1.37:optional":true,"beta@1.37:format":"k8s-label-key"}}],["operator 2 string Oe",{"default":"Equal","enum":["Exists","Equal"],"alias":"DeviceTolerationOperator","validate":{"beta@1.37:enum":true,"beta@1.37:optional":true}}],"value 3 string Oe",["effect 4 string Oe",{"enum":["None","NoSchedule","NoExecute"],"alias":"DeviceTaintEffect","validate":{"beta@1.37:enum":true,"beta@1.37:optional":true}}],"tolerationSeconds 5 int64 pOe"]},
"NetworkDeviceData":{"f":[["interfaceName 1 string Oe",{"validate":{"beta@1.37:optional":true,"beta@1.37:maxBytes":256}}],["ips 2 string rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"set","beta@1.37:maxItems":16}}],["hardwareAddress 3 string Oe",{"validate":{"beta@1.37:optional":true,"beta@1.37:maxBytes":128}}]]},
"NodeAllocatableMapping":{"f":[["capacityKey 1 string pOe",{"alias":"QualifiedName","validate":{"optional":true,"unionMember":true,"alpha@1.37:dependentRequired(capacityMultiplier)":true}}],["capacityMultiplier 2 quantity.Quantity pOe",{"validate":{"optional":true,"alpha@1.37:dependentRequired(capacityKey)":true}}],["deviceMultiplier 3 quantity.Quantity pOe",{"validate":{"optional":true,"unionMember":true}}]]},
"NodeAllocatableOverhead":{"f":[["perPod 1 quantity.Quantity pOe",{"validate":{"optional":true}}],["perContainer 2 quantity.Quantity pOe",{"validate":{"optional":true}}]]},
"NodeAllocatableResource":{"f":[["mapping 3 .NodeAllocatableMapping pOe",{"validate":{"optional":true}}],["overhead 4 .NodeAllocatableOverhead pOe",{"validate":{"optional":true}}]]},
"OpaqueDeviceConfiguration":{"f":[["driver 1 string R",{"validate":{"beta@1.37:required":true,"beta@1.37:maxLength":63,"beta@1.37:format":"k8s-long-name-caseless"}}],"parameters 2 runtime.RawExtension R"]},
"ResourceClaim":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["spec 2 .ResourceClaimSpec O",{"validate":{"beta@1.37:immutable":true}}],"status 3 .ResourceClaimStatus Oe"]},
"ResourceClaimConsumerReference":{"f":["apiGroup 1 string Oe","resource 3 string R","name 4 string R",["uid 5 string R",{"alias":"types.UID"}]]},
"ResourceClaimList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ResourceClaim rR"]},
"ResourceClaimSpec":{"f":["devices 1 .DeviceClaim O"]},
"ResourceClaimStatus":{"f":[["allocation 1 .AllocationResult pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:update":"NoModify"}}],["reservedFor 2 .ResourceClaimConsumerReference rOe",{"patchStrategy":"merge","patchMergeKey":"uid","listType":"map","listMapKeys":["uid"],"validate":{"beta@1.37:optional":true,"beta@1.37:listType":"map","beta@1.37:listMapKey":"uid","beta@1.37:maxItems":256}}],["devices 4 .AllocatedDeviceStatus rOe",{"listType":"map","listMapKeys":["driver","device","pool","shareID"],"validate":{"beta@1.37:optional":true,"beta@1.37:listType":"map","beta@1.37:listMapKey":["driver","device","pool","shareID"]}}]]},
"ResourceClaimTemplate":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ResourceClaimTemplateSpec O"]},
"ResourceClaimTemplateList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ResourceClaimTemplate rR"]},
"ResourceClaimTemplateSpec":{"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .ResourceClaimSpec O"]},
"ResourcePool":{"f":["name 1 string R","generation 2 int64 R","resourceSliceCount 3 int64 R"]},
"ResourceSlice":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ResourceSliceSpec R"]},
"ResourceSliceList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ResourceSlice rR"]},
"ResourceSliceSpec":{"f":["driver 1 string R","pool 2 .ResourcePool R","nodeName 3 string Oe","nodeSelector 4 core.v1.NodeSelector pOe","allNodes 5 bool Oe",["devices 6 .Device rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],"perDeviceNodeSelection 7 bool pOe",["sharedCounters 8 .CounterSet rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true,"listType":"atomic","beta@1.37:unique":"map","beta@1.37:listMapKey":"name","beta@1.37:maxItems":8}}],["partitionTypeAttribute 9 string pOe",{"alias":"FullyQualifiedName","validate":{"ifDisabled(DRAPartitionableDevicesType)>forbidden":true,"ifEnabled(DRAPartitionableDevicesType)>optional":true,"ifEnabled(DRAPartitionableDevicesType)>format":"k8s-resource-fully-qualified-name"}}],["skipNodeOperations 10 string rOe",{"listType":"set","enum":["NodePrepareResources","NodeUnprepareResources","*"],"alias":"SkipNodeOperation","validate":{"enum":true,"listType":"set","optional":true}}]]}
}`,
};

/** What a driver reports about one allocated device. Driver, pool, device and shareID must be those of an entry in the allocation. */
export interface AllocatedDeviceStatus {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  conditions?: meta_v1.Condition[] | null;
  data?: runtime.RawExtension;
  networkData?: NetworkDeviceData;
}
/** What was given to a claim, and where it can be used. */
export interface AllocationResult {
  devices?: DeviceAllocationResult;
  nodeSelector?: core_v1.NodeSelector;
  allocationTimestamp?: meta_v1.Time;
}
/** A device in v1beta1, without its name. */
export interface BasicDevice {
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: core_v1.NodeSelector;
  allNodes?: boolean;
  taints?: DeviceTaint[];
  bindsToNode?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  nodeAllocatableResources?: Record<string, NodeAllocatableResource>;
}
/** A CEL expression that tells for one device whether it will do. */
export interface CELDeviceSelector {
  expression: string;
}
/** Rules for amounts asked of a capacity. At most one of validValues and validRange is set. */
export interface CapacityRequestPolicy {
  default?: quantity.Quantity | null;
  validValues?: quantity.Quantity[];
  validRange?: CapacityRequestPolicyRange;
}
/** Smallest, largest and step of the amounts that can be given. Fractions down to thousandths are possible behind the gate DRAFractionalCapacityRange. */
export interface CapacityRequestPolicyRange {
  min?: quantity.Quantity;
  max?: quantity.Quantity;
  step?: quantity.Quantity;
}
/** Amounts that a request takes of the capacities of a device. */
export interface CapacityRequirements {
  requests?: Record<string, quantity.Quantity>;
}
/** An amount of something countable, such as memory slices. */
export interface Counter {
  value: quantity.Quantity;
}
/** A named stock that devices share. It cannot be claimed itself; each allocated device takes its part, and what is left decides which devices can still be given out. */
export interface CounterSet {
  name: string;
  counters?: Record<string, Counter>;
}
/** One thing that can be allocated. In v1beta1 all but the name stands under basic. */
export interface Device {
  name: string;
  basic?: BasicDevice;
}
/** Driver settings as they were at the time of the allocation. */
export interface DeviceAllocationConfiguration {
  source: "FromClass" | "FromClaim";
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
}
/** The devices of an allocation, together with their settings. */
export interface DeviceAllocationResult {
  results?: DeviceRequestAllocationResult[];
  config?: DeviceAllocationConfiguration[];
}
/** The value of one property of a device. Exactly one member is set; it gives the type as well. */
export interface DeviceAttribute {
  int?: Int64;
  bool?: boolean;
  string?: string;
  version?: string;
  ints?: Int64[];
  bools?: boolean[];
  strings?: string[];
  versions?: string[];
}
/** How much of something a device has, and in which portions it is given out. */
export interface DeviceCapacity {
  value: quantity.Quantity;
  requestPolicy?: CapacityRequestPolicy;
}
/** All that one claim wants: requests, conditions across them, and driver settings. */
export interface DeviceClaim {
  requests?: DeviceRequest[] | null;
  constraints?: DeviceConstraint[];
  config?: DeviceClaimConfiguration[];
}
/** Driver settings in a claim, and the requests to which they belong. */
export interface DeviceClaimConfiguration {
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
}
/** A kind of device that claims can ask for, prepared by the administrator or the vendor. It belongs to the whole cluster. */
export interface DeviceClass {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: DeviceClassSpec;
}
/** Settings that a class gives to one driver. */
export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}
/** List of device classes. */
export interface DeviceClassList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: DeviceClass[] | null;
}
/** Which devices belong to a class and how drivers have to set them up. */
export interface DeviceClassSpec {
  selectors?: DeviceSelector[];
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
}
export interface DeviceConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}
/** A condition over several devices of one claim. Set one of matchAttribute and distinctAttribute. */
export interface DeviceConstraint {
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
}
/** What a device takes from one set of counters while it is allocated. */
export interface DeviceCounterConsumption {
  counterSet: string;
  counters?: Record<string, Counter>;
  compatibilityGroups?: string[];
}
/** An attribute that is made of a device while claims are met. */
export interface DeviceDerivedAttribute {
  name: string;
  expression: string;
}
/** A named wish for devices. It has one form only, or a list of alternatives in order of preference. In v1beta1 the members of the single form stand here, in later versions under exactly. */
export interface DeviceRequest {
  name: string;
  deviceClassName?: string;
  selectors?: DeviceSelector[];
  allocationMode?: "ExactCount" | "All";
  count?: Int64;
  adminAccess?: boolean;
  firstAvailable?: DeviceSubRequest[];
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
  derivedAttributes?: DeviceDerivedAttribute[];
}
/** One device that was given to one request. */
export interface DeviceRequestAllocationResult {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  shareID?: string;
  consumedCapacity?: Record<string, quantity.Quantity>;
  skipNodeOperations?: ("NodePrepareResources" | "NodeUnprepareResources" | "*")[];
}
/** A test that a device must pass. Set cel, as there is no other kind of test yet. */
export interface DeviceSelector {
  cel?: CELDeviceSelector;
}
/** One alternative in firstAvailable. It is written like a single request, but cannot ask for admin access. */
export interface DeviceSubRequest {
  name: string;
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: "ExactCount" | "All";
  count?: Int64;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
  derivedAttributes?: DeviceDerivedAttribute[];
}
/** A mark on a device that keeps away pods whose claims do not tolerate it. */
export interface DeviceTaint {
  key: string;
  value?: string;
  effect: "None" | "NoSchedule" | "NoExecute";
  timeAdded?: meta_v1.Time;
}
/** Lets a request use devices in spite of matching taints. Key, value and effect all have to match. */
export interface DeviceToleration {
  key?: string;
  operator?: "Exists" | "Equal";
  value?: string;
  effect?: "None" | "NoSchedule" | "NoExecute";
  tolerationSeconds?: Int64;
}
/** How a network device appears in the pod. */
export interface NetworkDeviceData {
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
}
/** Turns an allocation into an amount of a node resource: from a capacity that was consumed, or from the number of devices, but not both. */
export interface NodeAllocatableMapping {
  capacityKey?: string;
  capacityMultiplier?: quantity.Quantity;
  deviceMultiplier?: quantity.Quantity;
}
/** Additional cost of using a device. At least one member is set, and both can be added up. */
export interface NodeAllocatableOverhead {
  perPod?: quantity.Quantity;
  perContainer?: quantity.Quantity;
}
/** How an allocated device weighs on a resource of the node. At least one of mapping and overhead is set. */
export interface NodeAllocatableResource {
  mapping?: NodeAllocatableMapping;
  overhead?: NodeAllocatableOverhead;
}
/** Settings that only one driver understands. */
export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: runtime.RawExtension;
}
/** Asks for devices on behalf of pods, and records which ones were given. Pods of the same namespace name the claim and start only when it has been allocated and reserved for them. */
export interface ResourceClaim {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}
/** One user of a claim. The object lives in the namespace of the claim. */
export interface ResourceClaimConsumerReference {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
}
/** List of resource claims. */
export interface ResourceClaimList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ResourceClaim[] | null;
}
/** The wish of a claim. It stays as it was created. */
export interface ResourceClaimSpec {
  devices?: DeviceClaim;
}
/** Where a claim stands: unallocated, allocated, or in use by pods. */
export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  reservedFor?: ResourceClaimConsumerReference[];
  devices?: AllocatedDeviceStatus[];
}
/** A pattern from which the controller makes a separate claim for each pod that refers to it. The claim is made when the pod needs it, and is not changed afterwards. */
export interface ResourceClaimTemplate {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ResourceClaimTemplateSpec;
}
/** List of resource claim templates. */
export interface ResourceClaimTemplateList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ResourceClaimTemplate[] | null;
}
/** Metadata and wish of the claims made from a template. */
export interface ResourceClaimTemplateSpec {
  metadata?: meta_v1.ObjectMeta;
  spec?: ResourceClaimSpec;
}
/** Names the pool of a slice and tells whether all of the pool has been seen. */
export interface ResourcePool {
  name: string;
  generation: Int64;
  resourceSliceCount: Int64;
}
/** A part of a pool of devices, published by a driver. A pool may be spread over several slices, and a device is known by the names of its driver, its pool and itself. */
export interface ResourceSlice {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: ResourceSliceSpec;
}
/** List of resource slices. */
export interface ResourceSliceList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ResourceSlice[] | null;
}
/** What a driver publishes in one slice. Which nodes can use it is said by nodeName, nodeSelector, allNodes or perDeviceNodeSelection; exactly one of these is set. */
export interface ResourceSliceSpec {
  driver: string;
  pool: ResourcePool;
  nodeName?: string;
  nodeSelector?: core_v1.NodeSelector;
  allNodes?: boolean;
  devices?: Device[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: CounterSet[];
  partitionTypeAttribute?: string;
  skipNodeOperations?: ("NodePrepareResources" | "NodeUnprepareResources" | "*")[];
}
