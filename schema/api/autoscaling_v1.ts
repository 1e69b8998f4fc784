// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `autoscaling.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "autoscaling",
  version: "v1",
  short: "autoscaling.v1",
  protobuf: true,
  kinds: String.raw`{
"HorizontalPodAutoscaler":{"list":"HorizontalPodAutoscalerList","introduced":"1.2"},
"Scale":{"introduced":"1.2"}
}`,
  messages: String.raw`{
"ContainerResourceMetricSource":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"targetAverageUtilization 2 int32 pOe","targetAverageValue 3 quantity.Quantity pOe","container 5 string R"]},
"ContainerResourceMetricStatus":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"currentAverageUtilization 2 int32 pOe","currentAverageValue 3 quantity.Quantity R","container 4 string R"]},
"CrossVersionObjectReference":{"structType":"atomic","f":[["kind 1 string R",{"validate":{"alpha@1.37:required":true}}],["name 2 string R",{"validate":{"alpha@1.37:required":true}}],"apiVersion 3 string Oe"]},
"ExternalMetricSource":{"f":["metricName 1 string R","metricSelector 2 meta.v1.LabelSelector pOe","targetValue 3 quantity.Quantity pOe","targetAverageValue 4 quantity.Quantity pOe"]},
"ExternalMetricStatus":{"f":["metricName 1 string R","metricSelector 2 meta.v1.LabelSelector pOe","currentValue 3 quantity.Quantity R","currentAverageValue 4 quantity.Quantity pOe"]},
"HorizontalPodAutoscaler":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .HorizontalPodAutoscalerSpec Re","status 3 .HorizontalPodAutoscalerStatus Oe"]},
"HorizontalPodAutoscalerCondition":{"f":[["type 1 string R",{"alias":"HorizontalPodAutoscalerConditionType"}],["status 2 string R",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe","observedGeneration 6 int64 pOe"]},
"HorizontalPodAutoscalerList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .HorizontalPodAutoscaler rR"]},
"HorizontalPodAutoscalerSpec":{"f":["scaleTargetRef 1 .CrossVersionObjectReference R",["minReplicas 2 int32 pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:ifEnabled(HPAScaleToZero)>minimum":0,"beta@1.37:ifDisabled(HPAScaleToZero)>minimum":1}}],["maxReplicas 3 int32 R",{"validate":{"beta@1.37:required":true,"beta@1.37:minimum":1}}],"targetCPUUtilizationPercentage 4 int32 pOe"]},
"HorizontalPodAutoscalerStatus":{"f":["observedGeneration 1 int64 pOe","lastScaleTime 2 meta.v1.Time pOe","currentReplicas 3 int32 R","desiredReplicas 4 int32 R","currentCPUUtilizationPercentage 5 int32 pOe"]},
"MetricSpec":{"f":[["type 1 string R",{"enum":["Object","Pods","Resource","ContainerResource","External"],"alias":"MetricSourceType"}],"object 2 .ObjectMetricSource pOe","pods 3 .PodsMetricSource pOe","resource 4 .ResourceMetricSource pOe","containerResource 7 .ContainerResourceMetricSource pOe","external 5 .ExternalMetricSource pOe"]},
"MetricStatus":{"f":[["type 1 string R",{"enum":["Object","Pods","Resource","ContainerResource","External"],"alias":"MetricSourceType"}],"object 2 .ObjectMetricStatus pOe","pods 3 .PodsMetricStatus pOe","resource 4 .ResourceMetricStatus pOe","containerResource 7 .ContainerResourceMetricStatus pOe","external 5 .ExternalMetricStatus pOe"]},
"ObjectMetricSource":{"f":["target 1 .CrossVersionObjectReference R","metricName 2 string R","targetValue 3 quantity.Quantity R","selector 4 meta.v1.LabelSelector pOe","averageValue 5 quantity.Quantity pOe"]},
"ObjectMetricStatus":{"f":["target 1 .CrossVersionObjectReference R","metricName 2 string R","currentValue 3 quantity.Quantity R","selector 4 meta.v1.LabelSelector pOe","averageValue 5 quantity.Quantity pOe"]},
"PodsMetricSource":{"f":["metricName 1 string R","targetAverageValue 2 quantity.Quantity R","selector 3 meta.v1.LabelSelector pOe"]},
"PodsMetricStatus":{"f":["metricName 1 string R","currentAverageValue 2 quantity.Quantity R","selector 3 meta.v1.LabelSelector pOe"]},
"ResourceMetricSource":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"targetAverageUtilization 2 int32 pOe","targetAverageValue 3 quantity.Quantity pOe"]},
"ResourceMetricStatus":{"f":[["name 1 string R",{"alias":"core.v1.ResourceName"}],"currentAverageUtilization 2 int32 pOe","currentAverageValue 3 quantity.Quantity R"]},
"Scale":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .ScaleSpec Oe","status 3 .ScaleStatus Oe"]},
"ScaleSpec":{"f":[["replicas 1 int32 Oe",{"default":0,"validate":{"beta@1.37:optional":true,"beta@1.37:minimum":0}}]]},
"ScaleStatus":{"f":["replicas 1 int32 R","selector 2 string Oe"]}
}`,
};

/** Scale by what one container of each pod uses of CPU or memory; sidecars and other containers are left out of the sum. */
export interface ContainerResourceMetricSource {
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: quantity.Quantity;
  container: string;
}
/** What was last measured of CPU or memory for one container of the pods. */
export interface ContainerResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: quantity.Quantity;
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
  metricName: string;
  metricSelector?: meta_v1.LabelSelector;
  targetValue?: quantity.Quantity;
  targetAverageValue?: quantity.Quantity;
}
/** What was last read of a number from outside the cluster. */
export interface ExternalMetricStatus {
  metricName: string;
  metricSelector?: meta_v1.LabelSelector;
  currentValue: quantity.Quantity;
  currentAverageValue?: quantity.Quantity;
}
/** Changes the number of pods of a deployment, stateful set or other scalable object, so that measured load stays near a target. */
export interface HorizontalPodAutoscaler {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
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
  targetCPUUtilizationPercentage?: number;
}
/** What an autoscaler last measured, and how many pods it found and wants. */
export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: Int64;
  lastScaleTime?: meta_v1.Time;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
}
/** One measure to scale by. Give type and the one member that goes with it. */
export interface MetricSpec {
  type: "Object" | "Pods" | "Resource" | "ContainerResource" | "External";
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}
/** The last reading of one measure. Only the member that goes with type is filled. */
export interface MetricStatus {
  type: "Object" | "Pods" | "Resource" | "ContainerResource" | "External";
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}
/** Scale by a number that belongs to one object, such as requests per second at an ingress. */
export interface ObjectMetricSource {
  target: CrossVersionObjectReference;
  metricName: string;
  targetValue: quantity.Quantity;
  selector?: meta_v1.LabelSelector;
  averageValue?: quantity.Quantity;
}
/** What was last read of a number that belongs to one object. */
export interface ObjectMetricStatus {
  target: CrossVersionObjectReference;
  metricName: string;
  currentValue: quantity.Quantity;
  selector?: meta_v1.LabelSelector;
  averageValue?: quantity.Quantity;
}
/** Scale by a number that each pod reports, averaged over all pods of the target. */
export interface PodsMetricSource {
  metricName: string;
  targetAverageValue: quantity.Quantity;
  selector?: meta_v1.LabelSelector;
}
/** What was last read of a number that each pod reports. */
export interface PodsMetricStatus {
  metricName: string;
  currentAverageValue: quantity.Quantity;
  selector?: meta_v1.LabelSelector;
}
/** Scale by what pods use of CPU or memory, all their containers together. */
export interface ResourceMetricSource {
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: quantity.Quantity;
}
/** What was last measured of CPU or memory over whole pods. */
export interface ResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: quantity.Quantity;
}
/** How many pods an object has and should have. It is read and written at the subresource scale, in the same form for every kind that can be scaled. */
export interface Scale {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}
/** The wanted side of a scale, which is the only one that can be written. */
export interface ScaleSpec {
  replicas?: number;
}
/** The observed side of a scale, which cannot be written. */
export interface ScaleStatus {
  replicas: number;
  selector?: string;
}
