// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as intstr from "./intstr.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `apps.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "apps",
  version: "v1",
  short: "apps.v1",
  protobuf: true,
  kinds: String.raw`{
"ControllerRevision":{"list":"ControllerRevisionList","introduced":"1.9"},
"DaemonSet":{"list":"DaemonSetList","introduced":"1.9"},
"Deployment":{"list":"DeploymentList","introduced":"1.9"},
"ReplicaSet":{"list":"ReplicaSetList","introduced":"1.9"},
"StatefulSet":{"list":"StatefulSetList","introduced":"1.9"}
}`,
  messages: String.raw`{
"ControllerRevision":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","data 2 runtime.RawExtension R","revision 3 int64 O"]},
"ControllerRevisionList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ControllerRevision rR"]},
"DaemonSet":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .DaemonSetSpec Re","status 3 .DaemonSetStatus Oe"]},
"DaemonSetCondition":{"f":[["type 1 string O",{"alias":"DaemonSetConditionType"}],["status 2 string O",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"DaemonSetList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .DaemonSet rR"]},
"DaemonSetSpec":{"f":["selector 1 meta.v1.LabelSelector pR","template 2 core.v1.PodTemplateSpec R","updateStrategy 3 .DaemonSetUpdateStrategy Oe","minReadySeconds 4 int32 Oe","revisionHistoryLimit 6 int32 pOe"]},
"DaemonSetStatus":{"f":["currentNumberScheduled 1 int32 R","numberMisscheduled 2 int32 R","desiredNumberScheduled 3 int32 R","numberReady 4 int32 R","observedGeneration 5 int64 Oe","updatedNumberScheduled 6 int32 Oe","numberAvailable 7 int32 Oe","numberUnavailable 8 int32 Oe","collisionCount 9 int32 pOe",["conditions 10 .DaemonSetCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"DaemonSetUpdateStrategy":{"f":[["type 1 string Oe",{"enum":["RollingUpdate","OnDelete"],"alias":"DaemonSetUpdateStrategyType"}],"rollingUpdate 2 .RollingUpdateDaemonSet pOe"]},
"Deployment":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .DeploymentSpec Re","status 3 .DeploymentStatus Oe"]},
"DeploymentCondition":{"f":[["type 1 string O",{"alias":"DeploymentConditionType"}],["status 2 string O",{"alias":"core.v1.ConditionStatus"}],"lastUpdateTime 6 meta.v1.Time Oe","lastTransitionTime 7 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"DeploymentList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Deployment rR"]},
"DeploymentSpec":{"f":["replicas 1 int32 pOe","selector 2 meta.v1.LabelSelector pR","template 3 core.v1.PodTemplateSpec R",["strategy 4 .DeploymentStrategy Oe",{"patchStrategy":"retainKeys"}],"minReadySeconds 5 int32 Oe","revisionHistoryLimit 6 int32 pOe","paused 7 bool Oe","progressDeadlineSeconds 9 int32 pOe"]},
"DeploymentStatus":{"f":["observedGeneration 1 int64 Oe","replicas 2 int32 Oe","updatedReplicas 3 int32 Oe","readyReplicas 7 int32 Oe","availableReplicas 4 int32 Oe","unavailableReplicas 5 int32 Oe","terminatingReplicas 9 int32 pOe",["conditions 6 .DeploymentCondition re",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"collisionCount 8 int32 pOe"]},
"DeploymentStrategy":{"f":[["type 1 string Oe",{"enum":["Recreate","RollingUpdate"],"alias":"DeploymentStrategyType"}],"rollingUpdate 2 .RollingUpdateDeployment pOe"]},
"ReplicaSet":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ReplicaSetSpec Re","status 3 .ReplicaSetStatus Oe"]},
"ReplicaSetCondition":{"f":[["type 1 string O",{"alias":"ReplicaSetConditionType"}],["status 2 string O",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"ReplicaSetList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ReplicaSet rR"]},
"ReplicaSetSpec":{"f":["replicas 1 int32 pOe","minReadySeconds 4 int32 Oe","selector 2 meta.v1.LabelSelector pR","template 3 core.v1.PodTemplateSpec Oe"]},
"ReplicaSetStatus":{"f":["replicas 1 int32 R","fullyLabeledReplicas 2 int32 Oe","readyReplicas 4 int32 Oe","availableReplicas 5 int32 Oe","terminatingReplicas 7 int32 pOe","observedGeneration 3 int64 Oe",["conditions 6 .ReplicaSetCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"RollingUpdateDaemonSet":{"f":["maxUnavailable 1 intstr.IntOrString pOe","maxSurge 2 intstr.IntOrString pOe"]},
"RollingUpdateDeployment":{"f":["maxUnavailable 1 intstr.IntOrString pOe","maxSurge 2 intstr.IntOrString pOe"]},
"RollingUpdateStatefulSetStrategy":{"f":["partition 1 int32 pOe","maxUnavailable 2 intstr.IntOrString pOe"]},
"StatefulSet":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .StatefulSetSpec Re","status 3 .StatefulSetStatus Oe"]},
"StatefulSetCondition":{"f":[["type 1 string O",{"alias":"StatefulSetConditionType"}],["status 2 string O",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"StatefulSetList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .StatefulSet rR"]},
"StatefulSetOrdinals":{"f":["start 1 int32 O"]},
"StatefulSetPersistentVolumeClaimRetentionPolicy":{"f":[["whenDeleted 1 string Oe",{"alias":"PersistentVolumeClaimRetentionPolicyType"}],["whenScaled 2 string Oe",{"alias":"PersistentVolumeClaimRetentionPolicyType"}]]},
"StatefulSetSpec":{"f":["replicas 1 int32 pOe",["selector 2 meta.v1.LabelSelector pR",{"validate":{"alpha@1.37:required":true,"alpha@1.37:immutable":true}}],"template 3 core.v1.PodTemplateSpec R",["volumeClaimTemplates 4 core.v1.PersistentVolumeClaim rOe",{"listType":"atomic","validate":{"alpha@1.37:immutable":true,"alpha@1.37:optional":true,"alpha@1.37:eachVal>opaqueType":true}}],["serviceName 5 string O",{"validate":{"alpha@1.37:immutable":true,"alpha@1.37:optional":true}}],["podManagementPolicy 6 string Oe",{"enum":["OrderedReady","Parallel"],"alias":"PodManagementPolicyType","validate":{"alpha@1.37:immutable":true,"alpha@1.37:optional":true}}],"updateStrategy 7 .StatefulSetUpdateStrategy Oe","revisionHistoryLimit 8 int32 pOe","minReadySeconds 9 int32 Oe","persistentVolumeClaimRetentionPolicy 10 .StatefulSetPersistentVolumeClaimRetentionPolicy pOe","ordinals 11 .StatefulSetOrdinals pOe"]},
"StatefulSetStatus":{"f":["observedGeneration 1 int64 Oe","replicas 2 int32 R","readyReplicas 3 int32 e","currentReplicas 4 int32 e","updatedReplicas 5 int32 e","currentRevision 6 string e","updateRevision 7 string e","collisionCount 9 int32 pOe",["conditions 10 .StatefulSetCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"availableReplicas 11 int32 O"]},
"StatefulSetUpdateStrategy":{"f":[["type 1 string Oe",{"enum":["RollingUpdate","OnDelete","Recreate"],"alias":"StatefulSetUpdateStrategyType"}],"rollingUpdate 2 .RollingUpdateStatefulSetStrategy pOe"]}
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
/** Runs one copy of a pod on every fitting node: nodes that join get one, nodes that leave lose theirs. */
export interface DaemonSet {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: DaemonSetSpec;
  status?: DaemonSetStatus;
}
/** One observation about a daemon set. No types are laid down for it. */
export interface DaemonSetCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of daemon sets. */
export interface DaemonSetList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: DaemonSet[] | null;
}
/** Which pod a daemon set puts on the nodes, and how it changes those pods when the template changes. */
export interface DaemonSetSpec {
  selector?: meta_v1.LabelSelector | null;
  template: core_v1.PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}
/** How many nodes should have a pod of the daemon set, and how far it has come with that. */
export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: Int64;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
}
/** How a daemon set replaces its pods after a change of the template. */
export interface DaemonSetUpdateStrategy {
  type?: "RollingUpdate" | "OnDelete";
  rollingUpdate?: RollingUpdateDaemonSet;
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
/** What a deployment is asked to keep running, and how it gets from one template to the next. */
export interface DeploymentSpec {
  replicas?: number;
  selector?: meta_v1.LabelSelector | null;
  template: core_v1.PodTemplateSpec;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
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
  type?: "Recreate" | "RollingUpdate";
  rollingUpdate?: RollingUpdateDeployment;
}
/** Keeps a number of equal pods running: makes pods when some are missing, deletes some when there are too many. Mostly made by a deployment, seldom by hand. */
export interface ReplicaSet {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}
/** One observation about a replica set, such as a failure to create its pods. */
export interface ReplicaSetCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of replica sets. */
export interface ReplicaSetList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ReplicaSet[] | null;
}
/** How many pods a replica set holds, which are its own, and what new ones look like. */
export interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: meta_v1.LabelSelector | null;
  template?: core_v1.PodTemplateSpec;
}
/** How many pods a replica set has, and how many of them can serve. */
export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicaSetCondition[];
}
/** Sets the pace at which a daemon set replaces its pods. Exactly one of the two members must be other than 0. */
export interface RollingUpdateDaemonSet {
  maxUnavailable?: intstr.IntOrString;
  maxSurge?: intstr.IntOrString;
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
  selector?: meta_v1.LabelSelector | null;
  template: core_v1.PodTemplateSpec;
  volumeClaimTemplates?: core_v1.PersistentVolumeClaim[];
  serviceName?: string;
  podManagementPolicy?: "OrderedReady" | "Parallel";
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
  type?: "RollingUpdate" | "OnDelete" | "Recreate";
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
