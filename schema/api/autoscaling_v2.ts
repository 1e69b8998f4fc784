// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `autoscaling.v2`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "autoscaling",
  version: "v2",
  short: "autoscaling.v2",
  protobuf: true,
  kinds: String.raw`{
"HorizontalPodAutoscaler":{"list":"HorizontalPodAutoscalerList","introduced":"1.23"}
}`,
  messages: String.raw`{
"ContainerResourceMetricSource":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"target 2 .MetricTarget R","container 3 string R"]},
"ContainerResourceMetricStatus":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"current 2 .MetricValueStatus R","container 3 string R"]},
"CrossVersionObjectReference":{"f":[["kind 1 string R",{"validate":{"alpha@1.37:required":true}}],["name 2 string R",{"validate":{"alpha@1.37:required":true}}],"apiVersion 3 string Oe"]},
"ExternalMetricSource":{"f":["metric 1 .MetricIdentifier R","target 2 .MetricTarget R"]},
"ExternalMetricStatus":{"f":["metric 1 .MetricIdentifier R","current 2 .MetricValueStatus R"]},
"HPAScalingPolicy":{"f":[["type 1 string R",{"alias":"HPAScalingPolicyType"}],"value 2 int32 R","periodSeconds 3 int32 R"]},
"HPAScalingRules":{"f":["stabilizationWindowSeconds 3 int32 pOe",["selectPolicy 1 string pOe",{"alias":"ScalingPolicySelect"}],["policies 2 .HPAScalingPolicy rOe",{"listType":"atomic"}],"tolerance 4 quantity.Quantity pOe"]},
"HorizontalPodAutoscaler":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .HorizontalPodAutoscalerSpec Re","status 3 .HorizontalPodAutoscalerStatus Oe"]},
"HorizontalPodAutoscalerBehavior":{"f":["scaleUp 1 .HPAScalingRules pOe","scaleDown 2 .HPAScalingRules pOe"]},
"HorizontalPodAutoscalerCondition":{"f":[["type 1 string R",{"alias":"HorizontalPodAutoscalerConditionType"}],["status 2 string R",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe","observedGeneration 6 int64 pOe"]},
"HorizontalPodAutoscalerList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .HorizontalPodAutoscaler rR"]},
"HorizontalPodAutoscalerSpec":{"f":["scaleTargetRef 1 .CrossVersionObjectReference R",["minReplicas 2 int32 pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:ifEnabled(HPAScaleToZero)>minimum":0,"beta@1.37:ifDisabled(HPAScaleToZero)>minimum":1}}],["maxReplicas 3 int32 R",{"validate":{"beta@1.37:required":true,"beta@1.37:minimum":1}}],["metrics 4 .MetricSpec rOe",{"listType":"atomic","validate":{"alpha@1.37:optional":true}}],"behavior 5 .HorizontalPodAutoscalerBehavior pOe"]},
"HorizontalPodAutoscalerStatus":{"f":["observedGeneration 1 int64 pOe","lastScaleTime 2 meta.v1.Time pOe","currentReplicas 3 int32 Oe","desiredReplicas 4 int32 R",["currentMetrics 5 .MetricStatus rO",{"listType":"atomic","validate":{"alpha@1.37:optional":true}}],["conditions 6 .HorizontalPodAutoscalerCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"MetricIdentifier":{"f":["name 1 string R","selector 2 meta.v1.LabelSelector pOe"]},
"MetricSpec":{"f":[["type 1 string R",{"alias":"MetricSourceType"}],["object 2 .ObjectMetricSource pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:opaqueType":true}}],"pods 3 .PodsMetricSource pOe","resource 4 .ResourceMetricSource pOe","containerResource 7 .ContainerResourceMetricSource pOe","external 5 .ExternalMetricSource pOe"]},
"MetricStatus":{"f":[["type 1 string R",{"alias":"MetricSourceType"}],["object 2 .ObjectMetricStatus pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:opaqueType":true}}],"pods 3 .PodsMetricStatus pOe","resource 4 .ResourceMetricStatus pOe","containerResource 7 .ContainerResourceMetricStatus pOe","external 5 .ExternalMetricStatus pOe"]},
"MetricTarget":{"f":[["type 1 string R",{"alias":"MetricTargetType"}],"value 2 quantity.Quantity pOe","averageValue 3 quantity.Quantity pOe","averageUtilization 4 int32 pOe"]},
"MetricValueStatus":{"f":["value 1 quantity.Quantity pOe","averageValue 2 quantity.Quantity pOe","averageUtilization 3 int32 pOe"]},
"ObjectMetricSource":{"f":["describedObject 1 .CrossVersionObjectReference R","target 2 .MetricTarget R","metric 3 .MetricIdentifier R"]},
"ObjectMetricStatus":{"f":["metric 1 .MetricIdentifier R","current 2 .MetricValueStatus R","describedObject 3 .CrossVersionObjectReference R"]},
"PodsMetricSource":{"f":["metric 1 .MetricIdentifier R","target 2 .MetricTarget R"]},
"PodsMetricStatus":{"f":["metric 1 .MetricIdentifier R","current 2 .MetricValueStatus R"]},
"ResourceMetricSource":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"target 2 .MetricTarget R"]},
"ResourceMetricStatus":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"current 2 .MetricValueStatus R"]}
}`,
};

/** Scale by what one container of each pod uses of CPU or memory; sidecars and other containers are left out of the sum. */
export interface ContainerResourceMetricSource {
  name: string;
  target: MetricTarget;
  container: string;
}
/** What was last measured of CPU or memory for one container of the pods. */
export interface ContainerResourceMetricStatus {
  name: string;
  current: MetricValueStatus;
  container: string;
}
/** Points to an object of any kind in the same namespace. */
export interface CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string;
}
/** Scale by a number from outside the cluster, such as messages waiting in a queue. */
export interface ExternalMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}
/** What was last read of a number from outside the cluster. */
export interface ExternalMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}
/** One speed limit: at most so many pods, or so many percent, within so many seconds. */
export interface HPAScalingPolicy {
  type: string;
  value: number;
  periodSeconds: number;
}
/** How fast and how readily the count may change in one direction. */
export interface HPAScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: HPAScalingPolicy[];
  tolerance?: quantity.Quantity;
}
/** Changes the number of pods of a deployment, stateful set or other scalable object, so that measured load stays near a target. */
export interface HorizontalPodAutoscaler {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}
/** Limits on how the count changes, given apart for each direction. */
export interface HorizontalPodAutoscalerBehavior {
  scaleUp?: HPAScalingRules;
  scaleDown?: HPAScalingRules;
}
/** One observation about an autoscaler: whether it can work, and whether it hit a bound. */
export interface HorizontalPodAutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
  observedGeneration?: Int64;
}
/** List of horizontal pod autoscalers. */
export interface HorizontalPodAutoscalerList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: HorizontalPodAutoscaler[] | null;
}
/** What is scaled, between which bounds, and by which measure. */
export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  metrics?: MetricSpec[];
  behavior?: HorizontalPodAutoscalerBehavior;
}
/** What an autoscaler last measured, and how many pods it found and wants. */
export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: Int64;
  lastScaleTime?: meta_v1.Time;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics?: MetricStatus[] | null;
  conditions?: HorizontalPodAutoscalerCondition[];
}
/** Names a metric and, if need be, narrows it down by labels. */
export interface MetricIdentifier {
  name: string;
  selector?: meta_v1.LabelSelector;
}
/** One measure to scale by. Give type and the one member that goes with it. */
export interface MetricSpec {
  type: string;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}
/** The last reading of one measure. Only the member that goes with type is filled. */
export interface MetricStatus {
  type: string;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}
/** How high a measure should be. Give type and the one member that goes with it. */
export interface MetricTarget {
  type: string;
  value?: quantity.Quantity;
  averageValue?: quantity.Quantity;
  averageUtilization?: number;
}
/** How high a measure was at the last reading. Only members that apply are filled. */
export interface MetricValueStatus {
  value?: quantity.Quantity;
  averageValue?: quantity.Quantity;
  averageUtilization?: number;
}
/** Scale by a number that belongs to one object, such as requests per second at an ingress. */
export interface ObjectMetricSource {
  describedObject: CrossVersionObjectReference;
  target: MetricTarget;
  metric: MetricIdentifier;
}
/** What was last read of a number that belongs to one object. */
export interface ObjectMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
}
/** Scale by a number that each pod reports, averaged over all pods of the target. */
export interface PodsMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}
/** What was last read of a number that each pod reports. */
export interface PodsMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}
/** Scale by what pods use of CPU or memory, all their containers together. */
export interface ResourceMetricSource {
  name: string;
  target: MetricTarget;
}
/** What was last measured of CPU or memory over whole pods. */
export interface ResourceMetricStatus {
  name: string;
  current: MetricValueStatus;
}
