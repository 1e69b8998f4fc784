// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as intstr from "./intstr.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `apps.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "apps",
  version: "v1beta1",
  short: "apps.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"ControllerRevision":{"list":"ControllerRevisionList","introduced":"1.7","deprecated":"1.8","removed":"1.16","replacement":{"group":"apps","version":"v1","kind":"ControllerRevision"}},
"Deployment":{"list":"DeploymentList","introduced":"1.6","deprecated":"1.8","removed":"1.16","replacement":{"group":"apps","version":"v1","kind":"Deployment"}},
"DeploymentRollback":{"introduced":"1.6","deprecated":"1.8","removed":"1.16","replacement":{"group":"apps","version":"v1","kind":"DeploymentRollback"}},
"Scale":{"introduced":"1.6","deprecated":"1.8","removed":"1.16","replacement":{"group":"autoscaling","version":"v1","kind":"Scale"}},
"StatefulSet":{"list":"StatefulSetList","introduced":"1.5","deprecated":"1.8","removed":"1.16","replacement":{"group":"apps","version":"v1","kind":"StatefulSet"}}
}`,
  messages: String.raw`{
"ControllerRevision":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","data 2 runtime.RawExtension R","revision 3 int64 O"]},
"ControllerRevisionList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ControllerRevision rR"]},
"Deployment":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .DeploymentSpec Re","status 3 .DeploymentStatus Oe"]},
"DeploymentCondition":{"f":[["type 1 string O",{"alias":"DeploymentConditionType"}],["status 2 string O",{"alias":"core.v1.ConditionStatus"}],"lastUpdateTime 6 meta.v1.Time Oe","lastTransitionTime 7 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"DeploymentList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Deployment rR"]},
"DeploymentRollback":{"t":1,"f":["name 1 string R","updatedAnnotations 2 string Oem","rollbackTo 3 .RollbackConfig O"]},
"DeploymentSpec":{"f":["replicas 1 int32 pOe","selector 2 meta.v1.LabelSelector pOe","template 3 core.v1.PodTemplateSpec R",["strategy 4 .DeploymentStrategy Oe",{"patchStrategy":"retainKeys"}],"minReadySeconds 5 int32 Oe","revisionHistoryLimit 6 int32 pOe","paused 7 bool Oe","rollbackTo 8 .RollbackConfig pOe","progressDeadlineSeconds 9 int32 pOe"]},
"DeploymentStatus":{"f":["observedGeneration 1 int64 Oe","replicas 2 int32 Oe","updatedReplicas 3 int32 Oe","readyReplicas 7 int32 Oe","availableReplicas 4 int32 Oe","unavailableReplicas 5 int32 Oe","terminatingReplicas 9 int32 pOe",["conditions 6 .DeploymentCondition re",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"collisionCount 8 int32 pOe"]},
"DeploymentStrategy":{"f":[["type 1 string Oe",{"alias":"DeploymentStrategyType"}],"rollingUpdate 2 .RollingUpdateDeployment pOe"]},
"RollbackConfig":{"f":["revision 1 int64 Oe"]},
"RollingUpdateDeployment":{"f":["maxUnavailable 1 intstr.IntOrString pOe","maxSurge 2 intstr.IntOrString pOe"]},
"RollingUpdateStatefulSetStrategy":{"f":["partition 1 int32 pOe","maxUnavailable 2 intstr.IntOrString pOe"]},
"Scale":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .ScaleSpec Oe","status 3 .ScaleStatus Oe"]},
"ScaleSpec":{"f":[["replicas 1 int32 Oe",{"default":0,"validate":{"beta@1.37:optional":true,"beta@1.37:minimum":0}}]]},
"ScaleStatus":{"f":["replicas 1 int32 O","selector 2 string Oem","targetSelector 3 string Oe"]},
"StatefulSet":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .StatefulSetSpec Re","status 3 .StatefulSetStatus Oe"]},
"StatefulSetCondition":{"f":[["type 1 string O",{"alias":"StatefulSetConditionType"}],["status 2 string O",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"StatefulSetList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .StatefulSet rR"]},
"StatefulSetOrdinals":{"f":["start 1 int32 O"]},
"StatefulSetPersistentVolumeClaimRetentionPolicy":{"f":[["whenDeleted 1 string Oe",{"alias":"PersistentVolumeClaimRetentionPolicyType"}],["whenScaled 2 string Oe",{"alias":"PersistentVolumeClaimRetentionPolicyType"}]]},
"StatefulSetSpec":{"f":["replicas 1 int32 pOe",["selector 2 meta.v1.LabelSelector pRe",{"validate":{"alpha@1.37:required":true,"alpha@1.37:immutable":true}}],"template 3 core.v1.PodTemplateSpec R",["volumeClaimTemplates 4 core.v1.PersistentVolumeClaim rOe",{"listType":"atomic","validate":{"alpha@1.37:immutable":true,"alpha@1.37:optional":true,"alpha@1.37:eachVal>opaqueType":true}}],["serviceName 5 string O",{"validate":{"alpha@1.37:immutable":true,"alpha@1.37:optional":true}}],["podManagementPolicy 6 string Oe",{"alias":"PodManagementPolicyType","validate":{"alpha@1.37:immutable":true,"alpha@1.37:optional":true}}],"updateStrategy 7 .StatefulSetUpdateStrategy Oe","revisionHistoryLimit 8 int32 pOe","minReadySeconds 9 int32 Oe","persistentVolumeClaimRetentionPolicy 10 .StatefulSetPersistentVolumeClaimRetentionPolicy pOe","ordinals 11 .StatefulSetOrdinals pOe"]},
"StatefulSetStatus":{"f":["observedGeneration 1 int64 pOe","replicas 2 int32 R","readyReplicas 3 int32 e","currentReplicas 4 int32 e","updatedReplicas 5 int32 e","currentRevision 6 string e","updateRevision 7 string e","collisionCount 9 int32 pOe",["conditions 10 .StatefulSetCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"availableReplicas 11 int32 O"]},
"StatefulSetUpdateStrategy":{"f":[["type 1 string Oe",{"alias":"StatefulSetUpdateStrategyType"}],"rollingUpdate 2 .RollingUpdateStatefulSetStrategy pOe"]}
}`,
};

/** A frozen snapshot of a pod template, kept by stateful sets and daemon sets so that they can roll out and roll back. Controllers make it for their own use. */
export interface ControllerRevision {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  data: runtime.RawExtension;
  revision?: Int64;
}
/** List of controller revisions. */
export interface ControllerRevisionList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ControllerRevision[] | null;
}
/** Keeps a number of equal pods running, and replaces them step by step when their template changes. It works through replica sets, one for each template. */
export interface Deployment {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}
/** One observation about a deployment: whether it is available, moves forward, or fails to make pods. */
export interface DeploymentCondition {
  type?: string;
  status?: string;
  lastUpdateTime?: meta_v1.Time;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of deployments. */
export interface DeploymentList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Deployment[] | null;
}
export interface DeploymentRollback {
  apiVersion?: string;
  kind?: string;
  name: string;
  updatedAnnotations?: Record<string, string>;
  rollbackTo?: RollbackConfig;
}
/** What a deployment is asked to keep running, and how it gets from one template to the next. */
export interface DeploymentSpec {
  replicas?: number;
  selector?: meta_v1.LabelSelector;
  template: core_v1.PodTemplateSpec;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  rollbackTo?: RollbackConfig;
  progressDeadlineSeconds?: number;
}
/** How many pods a deployment has, how many of them are new, and whether it can serve. */
export interface DeploymentStatus {
  observedGeneration?: Int64;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: DeploymentCondition[];
  collisionCount?: number;
}
/** How a deployment exchanges old pods for new ones. */
export interface DeploymentStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDeployment;
}
export interface RollbackConfig {
  revision?: Int64;
}
/** How far the number of pods may stray from spec.replicas during a rollout. The two members must not both be 0. */
export interface RollingUpdateDeployment {
  maxUnavailable?: intstr.IntOrString;
  maxSurge?: intstr.IntOrString;
}
/** Which pods of a stateful set a rolling update reaches, and how many at a time. */
export interface RollingUpdateStatefulSetStrategy {
  partition?: number;
  maxUnavailable?: intstr.IntOrString;
}
export interface Scale {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}
export interface ScaleSpec {
  replicas?: number;
}
export interface ScaleStatus {
  replicas?: number;
  selector?: Record<string, string>;
  targetSelector?: string;
}
/** Runs pods that are not interchangeable: each has a number, a lasting name made of it, and its own volumes, and gets all of them back when it is replaced. */
export interface StatefulSet {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: StatefulSetSpec;
  status?: StatefulSetStatus;
}
/** One observation about a stateful set. Without alpha gates, no types are laid down for it. */
export interface StatefulSetCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of stateful sets. */
export interface StatefulSetList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: StatefulSet[] | null;
}
/** How the pods of a stateful set are numbered. */
export interface StatefulSetOrdinals {
  start?: number;
}
/** What becomes of the claims made from volumeClaimTemplates when their pods are gone for good. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}
/** What a stateful set runs, how it names and stores, and in which order it works. Later changes are refused for selector, serviceName, podManagementPolicy and volumeClaimTemplates. */
export interface StatefulSetSpec {
  replicas?: number;
  selector?: meta_v1.LabelSelector;
  template: core_v1.PodTemplateSpec;
  volumeClaimTemplates?: core_v1.PersistentVolumeClaim[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
}
/** How many pods a stateful set has, and how many of them are of the old and of the new revision. */
export interface StatefulSetStatus {
  observedGeneration?: Int64;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  availableReplicas?: number;
}
/** How a stateful set replaces its pods after a change of the template. */
export interface StatefulSetUpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
