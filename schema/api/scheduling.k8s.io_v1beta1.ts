// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `scheduling.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "scheduling.k8s.io",
  version: "v1beta1",
  short: "scheduling.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"PodGroup":{"list":"PodGroupList","introduced":"1.37","deprecated":"1.40","removed":"1.43"},
"PriorityClass":{"list":"PriorityClassList","introduced":"1.11","deprecated":"1.14","removed":"1.22","replacement":{"group":"scheduling.k8s.io","version":"v1","kind":"PriorityClass"}},
"Workload":{"list":"WorkloadList","introduced":"1.37","deprecated":"1.40","removed":"1.43"}
}`,
  messages: String.raw`{
"AllCompositeDisruptionMode":{"f":[]},
"AllDisruptionMode":{"f":[]},
"BasicSchedulingPolicy":{"f":[]},
"CompositeBasicSchedulingPolicy":{"f":[]},
"CompositeDisruptionMode":{"union":true,"f":[["single 1 .SingleCompositeDisruptionMode pOe",{"validate":{"optional":true,"unionMember":true}}],["all 2 .AllCompositeDisruptionMode pOe",{"validate":{"optional":true,"unionMember":true}}]]},
"CompositeGangSchedulingPolicy":{"f":[["minGroupCount 1 int32 R",{"validate":{"required":true,"minimum":1}}]]},
"CompositePodGroupSchedulingConstraints":{"f":[["topology 1 .TopologyConstraint rOe",{"listType":"atomic","validate":{"optional":true,"maxItems":1,"listType":"atomic"}}]]},
"CompositePodGroupSchedulingPolicy":{"union":true,"f":[["basic 1 .CompositeBasicSchedulingPolicy pOe",{"validate":{"optional":true,"immutable":true,"unionMember":true}}],["gang 2 .CompositeGangSchedulingPolicy pOe",{"validate":{"optional":true,"unionMember":true,"update":["NoSet","NoUnset"]}}]]},
"CompositePodGroupTemplate":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-short-name"}}],"schedulingPolicy 2 .CompositePodGroupSchedulingPolicy R",["schedulingConstraints 3 .CompositePodGroupSchedulingConstraints pOe",{"validate":{"optional":true,"immutable":true}}],["disruptionMode 4 .CompositeDisruptionMode pOe",{"validate":{"optional":true,"immutable":true}}],["priorityClassName 5 string Oe",{"validate":{"optional":true,"format":"k8s-long-name","immutable":true}}],["priority 6 int32 pOe",{"validate":{"optional":true,"maximum":1000000000,"immutable":true}}],["preemptionPolicy 7 string pOe",{"enum":["PreemptLowerPriority","Never"],"alias":"PreemptionPolicy","validate":{"enum":true,"immutable":true,"ifDisabled(PodGroupPreemptionPolicy)>forbidden":true,"ifEnabled(PodGroupPreemptionPolicy)>optional":true}}],["podGroupTemplates 8 .PodGroupTemplate rOe",{"listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":8,"update":["NoAddItem","NoRemoveItem"]}}],["compositePodGroupTemplates 9 .CompositePodGroupTemplate rOe",{"listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":8,"update":["NoAddItem","NoRemoveItem"]}}]]},
"DisruptionMode":{"union":true,"f":[["single 1 .SingleDisruptionMode pOe",{"validate":{"optional":true,"unionMember":true}}],["all 2 .AllDisruptionMode pOe",{"validate":{"optional":true,"unionMember":true}}]]},
"GangSchedulingPolicy":{"f":[["minCount 1 int32 R",{"validate":{"required":true,"minimum":1}}]]},
"PodGroup":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PodGroupSpec R","status 3 .PodGroupStatus Oe"]},
"PodGroupList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PodGroup rR"]},
"PodGroupResourceClaim":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-short-name"}}],["resourceClaimName 2 string pOe",{"validate":{"optional":true,"unionMember":true,"format":"k8s-long-name"}}],["resourceClaimTemplateName 3 string pOe",{"validate":{"optional":true,"unionMember":true,"format":"k8s-long-name"}}]]},
"PodGroupResourceClaimStatus":{"f":["name 1 string R",["resourceClaimName 2 string pOe",{"validate":{"optional":true,"format":"k8s-long-name"}}]]},
"PodGroupSchedulingConstraints":{"f":[["topology 1 .TopologyConstraint rOe",{"listType":"atomic","validate":{"optional":true,"maxItems":1,"listType":"atomic"}}]]},
"PodGroupSchedulingPolicy":{"union":true,"f":[["basic 1 .BasicSchedulingPolicy pOe",{"validate":{"optional":true,"unionMember":true,"immutable":true}}],["gang 2 .GangSchedulingPolicy pOe",{"validate":{"optional":true,"unionMember":true,"update":["NoSet","NoUnset"]}}]]},
"PodGroupSpec":{"f":[["parentCompositePodGroupName 1 string pOe",{"validate":{"ifDisabled(CompositePodGroup)>forbidden":true,"ifEnabled(CompositePodGroup)>optional":true,"immutable":true,"format":"k8s-long-name","alpha@1.37:dependentRequired(workloadRef)":true}}],["workloadRef 2 .WorkloadReference pOe",{"validate":{"optional":true,"immutable":true}}],"schedulingPolicy 3 .PodGroupSchedulingPolicy R",["schedulingConstraints 4 .PodGroupSchedulingConstraints pOe",{"validate":{"ifDisabled(TopologyAwareWorkloadScheduling)>forbidden":true,"ifEnabled(TopologyAwareWorkloadScheduling)>optional":true,"ifEnabled(TopologyAwareWorkloadScheduling)>immutable":true}}],["resourceClaims 5 .PodGroupResourceClaim rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":4,"immutable":true}}],["disruptionMode 6 .DisruptionMode pOe",{"default":{"single":{}},"validate":{"optional":true,"immutable":true}}],["priorityClassName 7 string Oe",{"validate":{"optional":true,"immutable":true,"format":"k8s-long-name"}}],["priority 8 int32 pOe",{"validate":{"optional":true,"immutable":true,"maximum":1000000000}}],["preemptionPolicy 9 string pOe",{"enum":["PreemptLowerPriority","Never"],"alias":"PreemptionPolicy","validate":{"enum":true,"immutable":true,"ifDisabled(PodGroupPreemptionPolicy)>forbidden":true,"ifEnabled(PodGroupPreemptionPolicy)>optional":true}}]]},
"PodGroupStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type"}}],["resourceClaimStatuses 2 .PodGroupResourceClaimStatus rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":4}}]]},
"PodGroupTemplate":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-short-name"}}],"schedulingPolicy 2 .PodGroupSchedulingPolicy R",["schedulingConstraints 3 .PodGroupSchedulingConstraints pO",{"validate":{"ifDisabled(TopologyAwareWorkloadScheduling)>forbidden":true,"ifEnabled(TopologyAwareWorkloadScheduling)>optional":true,"immutable":true}}],["resourceClaims 4 .PodGroupResourceClaim rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":4,"immutable":true}}],["disruptionMode 5 .DisruptionMode pOe",{"validate":{"optional":true,"immutable":true}}],["priorityClassName 6 string Oe",{"validate":{"optional":true,"format":"k8s-long-name","immutable":true}}],["priority 7 int32 pOe",{"validate":{"optional":true,"maximum":1000000000,"immutable":true}}],["preemptionPolicy 8 string pOe",{"enum":["PreemptLowerPriority","Never"],"alias":"PreemptionPolicy","validate":{"enum":true,"immutable":true,"ifDisabled(PodGroupPreemptionPolicy)>forbidden":true,"ifEnabled(PodGroupPreemptionPolicy)>optional":true}}]]},
"PriorityClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","value 2 int32 O","globalDefault 3 bool Oe","description 4 string Oe",["preemptionPolicy 5 string pOe",{"enum":["PreemptLowerPriority","Never"],"alias":"core.v1.PreemptionPolicy"}]]},
"PriorityClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PriorityClass rR"]},
"SingleCompositeDisruptionMode":{"f":[]},
"SingleDisruptionMode":{"f":[]},
"TopologyConstraint":{"f":[["key 1 string R",{"validate":{"required":true,"format":"k8s-label-key"}}]]},
"TypedLocalObjectReference":{"f":[["apiGroup 1 string Oe",{"validate":{"optional":true,"format":"k8s-long-name"}}],["kind 2 string R",{"validate":{"required":true,"format":"k8s-path-segment-name"}}],["name 3 string R",{"validate":{"required":true,"format":"k8s-path-segment-name"}}]]},
"Workload":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .WorkloadSpec R"]},
"WorkloadList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Workload rR"]},
"WorkloadReference":{"f":[["workloadName 1 string R",{"validate":{"required":true,"format":"k8s-long-name"}}],["templateName 2 string R",{"validate":{"required":true,"format":"k8s-short-name"}}]]},
"WorkloadSpec":{"f":[["controllerRef 1 .TypedLocalObjectReference pOe",{"validate":{"optional":true,"immutable":true}}],["podGroupTemplates 2 .PodGroupTemplate rO",{"listType":"map","listMapKeys":["name"],"validate":{"optional":true,"unionMember":true,"listType":"map","listMapKey":"name","maxItems":8,"update":["NoAddItem","NoRemoveItem"]}}],["compositePodGroupTemplates 3 .CompositePodGroupTemplate rOe",{"listType":"map","listMapKeys":["name"],"validate":{"ifDisabled(CompositePodGroup)>forbidden":true,"ifEnabled(CompositePodGroup)>optional":true,"unionMember":true,"listType":"map","listMapKey":"name","maxItems":8,"update":["NoAddItem","NoRemoveItem"]}}]]}
}`,
};

/** Marker without members. Child groups are disrupted together or not at all. */
export type AllCompositeDisruptionMode = Record<string, never>;
/** Marker without members. The pods of a group are disrupted together or not at all. */
export type AllDisruptionMode = Record<string, never>;
/** Marker without members. The pods of the group are scheduled one by one as usual, without waiting for each other. */
export type BasicSchedulingPolicy = Record<string, never>;
/** Marker without members. The child groups are scheduled each on its own, without waiting for each other. */
export type CompositeBasicSchedulingPolicy = Record<string, never>;
/** Whether child groups may be disrupted, for instance preempted, one at a time or only all together. Exactly one member is set. */
export interface CompositeDisruptionMode {
  single?: SingleCompositeDisruptionMode;
  all?: AllCompositeDisruptionMode;
}
/** Scheduling of the child groups as a gang: none is placed until enough of them fit. */
export interface CompositeGangSchedulingPolicy {
  minGroupCount: number;
}
/** Limits on where the pods of a composite group may be placed. */
export interface CompositePodGroupSchedulingConstraints {
  topology?: TopologyConstraint[];
}
/** How the child groups are scheduled: each on its own or as a gang. Exactly one member is set, and the choice is final. */
export interface CompositePodGroupSchedulingPolicy {
  basic?: CompositeBasicSchedulingPolicy;
  gang?: CompositeGangSchedulingPolicy;
}
/** Pattern inside a Workload from which controllers make composite groups. It needs at least one child template, and the tree of templates is at most four levels deep. */
export interface CompositePodGroupTemplate {
  name: string;
  schedulingPolicy: CompositePodGroupSchedulingPolicy;
  schedulingConstraints?: CompositePodGroupSchedulingConstraints;
  disruptionMode?: CompositeDisruptionMode;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: "PreemptLowerPriority" | "Never";
  podGroupTemplates?: PodGroupTemplate[];
  compositePodGroupTemplates?: CompositePodGroupTemplate[];
}
/** Whether the pods of a group may be disrupted, for instance preempted, one at a time or only as a whole. Exactly one member is set. */
export interface DisruptionMode {
  single?: SingleDisruptionMode;
  all?: AllDisruptionMode;
}
/** Scheduling of the pods as a gang: none is placed until enough of them fit. */
export interface GangSchedulingPolicy {
  minCount: number;
}
/** A set of pods that the scheduler treats as one. Controllers, such as those of jobs, create it from an entry of podGroupTemplates in a Workload. Beta, behind the gate GenericWorkload. */
export interface PodGroup {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: PodGroupSpec;
  status?: PodGroupStatus;
}
/** List of pod groups. */
export interface PodGroupList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PodGroup[] | null;
}
/** A ResourceClaim that the pods of a group share, given by its own name or by a template. A pod uses it through an entry of its spec.resourceClaims that equals this one in every member. */
export interface PodGroupResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}
/** Tells which ResourceClaim was made for an entry of spec.resourceClaims that names a template. */
export interface PodGroupResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}
/** Limits on where the pods of a group may be placed. */
export interface PodGroupSchedulingConstraints {
  topology?: TopologyConstraint[];
}
/** How the pods of a group are scheduled: one by one or as a gang. Exactly one member is set, and the choice is final. */
export interface PodGroupSchedulingPolicy {
  basic?: BasicSchedulingPolicy;
  gang?: GangSchedulingPolicy;
}
/** How a group of pods is scheduled, placed and disrupted, and which device claims it shares. After creation only minCount of a gang policy can change. */
export interface PodGroupSpec {
  parentCompositePodGroupName?: string;
  workloadRef?: WorkloadReference;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints;
  resourceClaims?: PodGroupResourceClaim[];
  disruptionMode?: DisruptionMode;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: "PreemptLowerPriority" | "Never";
}
/** What is known of the group: whether it was scheduled, and which claims were made for it. */
export interface PodGroupStatus {
  conditions?: meta_v1.Condition[];
  resourceClaimStatuses?: PodGroupResourceClaimStatus[];
}
/** Pattern inside a Workload from which controllers make pod groups. After creation only minCount of a gang policy can change. */
export interface PodGroupTemplate {
  name: string;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints | null;
  resourceClaims?: PodGroupResourceClaim[];
  disruptionMode?: DisruptionMode;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: "PreemptLowerPriority" | "Never";
}
/** Gives a priority number a name. Pods use the name in spec.priorityClassName; pods with a higher number are scheduled earlier and may push out others. Not namespaced; names that begin with system- are reserved. */
export interface PriorityClass {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  value?: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: "PreemptLowerPriority" | "Never";
}
/** List of priority classes. */
export interface PriorityClassList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PriorityClass[] | null;
}
/** Marker without members. Each child group can be disrupted without the others. */
export type SingleCompositeDisruptionMode = Record<string, never>;
/** Marker without members. Each pod of a group can be disrupted without the others. */
export type SingleDisruptionMode = Record<string, never>;
/** Demands that the pods of one group land in the same topology domain, such as a zone or a rack. */
export interface TopologyConstraint {
  key: string;
}
/** Points at an object of any kind in the same namespace. */
export interface TypedLocalObjectReference {
  apiGroup?: string;
  kind: string;
  name: string;
}
/** Tells the scheduler how the pods of an application belong together: which groups there are, and how each is scheduled, placed and disrupted. Controllers create pod groups from its templates. Beta, behind the gate GenericWorkload. */
export interface Workload {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: WorkloadSpec;
}
/** List of workloads. */
export interface WorkloadList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Workload[] | null;
}
/** Names the Workload, and the template in it, that a pod group or composite group was made from. */
export interface WorkloadReference {
  workloadName: string;
  templateName: string;
}
/** The templates for the groups of a workload. Exactly one of the two lists of templates is set. */
export interface WorkloadSpec {
  controllerRef?: TypedLocalObjectReference;
  podGroupTemplates?: PodGroupTemplate[] | null;
  compositePodGroupTemplates?: CompositePodGroupTemplate[];
}
