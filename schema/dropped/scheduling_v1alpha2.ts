/**
 * Descriptors of `scheduling.v1alpha2`, which version 1.36 of the public API had and 1.37 has not: the facts of its
 * definitions, in the form of the modules of `schema/api`.
 */
import type { ApiModule, ResourceRow } from "../model/table.ts";

const GROUP = "scheduling.k8s.io", VERSION = "v1alpha2";

/** The module. */
export const MODULE: ApiModule = {
  group: GROUP,
  version: VERSION,
  short: "scheduling.v1alpha2",
  protobuf: true,
  kinds: String.raw`{
"PodGroup":{"list":"PodGroupList","introduced":"1.36","removed":"1.37"},
"Workload":{"list":"WorkloadList","introduced":"1.36","removed":"1.37"}
}`,
  messages: String.raw`{
"BasicSchedulingPolicy":{"f":[]},
"GangSchedulingPolicy":{"f":[["minCount 1 int32 R",{"validate":{"required":true,"minimum":1}}]]},
"PodGroup":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PodGroupSpec R","status 3 .PodGroupStatus Oe"]},
"PodGroupList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PodGroup rR"]},
"PodGroupResourceClaim":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-short-name"}}],["resourceClaimName 2 string pOe",{"validate":{"optional":true,"unionMember":true,"format":"k8s-long-name"}}],["resourceClaimTemplateName 3 string pOe",{"validate":{"optional":true,"unionMember":true,"format":"k8s-long-name"}}]]},
"PodGroupResourceClaimStatus":{"f":["name 1 string R",["resourceClaimName 2 string pOe",{"validate":{"optional":true,"format":"k8s-long-name"}}]]},
"PodGroupSchedulingConstraints":{"f":[["topology 1 .TopologyConstraint rOe",{"listType":"atomic","validate":{"optional":true,"maxItems":1,"listType":"atomic"}}]]},
"PodGroupSchedulingPolicy":{"union":true,"f":[["basic 1 .BasicSchedulingPolicy pOe",{"validate":{"optional":true,"unionMember":true}}],["gang 2 .GangSchedulingPolicy pOe",{"validate":{"optional":true,"unionMember":true}}]]},
"PodGroupSpec":{"f":[["podGroupTemplateRef 1 .PodGroupTemplateReference pO",{"validate":{"optional":true,"immutable":true}}],["schedulingPolicy 2 .PodGroupSchedulingPolicy R",{"validate":{"immutable":true}}],["schedulingConstraints 3 .PodGroupSchedulingConstraints pOe",{"validate":{"ifDisabled(TopologyAwareWorkloadScheduling)>forbidden":true,"ifEnabled(TopologyAwareWorkloadScheduling)>optional":true,"ifEnabled(TopologyAwareWorkloadScheduling)>immutable":true}}],["resourceClaims 4 .PodGroupResourceClaim rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":4,"immutable":true}}],["disruptionMode 5 string pOe",{"default":"Pod","enum":["Pod","PodGroup"],"alias":"DisruptionMode","validate":{"enum":true,"ifDisabled(WorkloadAwarePreemption)>forbidden":true,"ifEnabled(WorkloadAwarePreemption)>optional":true,"ifEnabled(WorkloadAwarePreemption)>immutable":true}}],["priorityClassName 6 string Oe",{"validate":{"ifDisabled(WorkloadAwarePreemption)>forbidden":true,"ifEnabled(WorkloadAwarePreemption)>optional":true,"ifEnabled(WorkloadAwarePreemption)>format":"k8s-long-name","ifEnabled(WorkloadAwarePreemption)>immutable":true}}],["priority 7 int32 pOe",{"validate":{"ifDisabled(WorkloadAwarePreemption)>forbidden":true,"ifEnabled(WorkloadAwarePreemption)>optional":true,"ifEnabled(WorkloadAwarePreemption)>immutable":true,"ifEnabled(WorkloadAwarePreemption)>maximum":1000000000,"ifEnabled(WorkloadAwarePreemption)>minimum":-2147483648}}]]},
"PodGroupStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],["resourceClaimStatuses 2 .PodGroupResourceClaimStatus rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":4}}]]},
"PodGroupTemplate":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-short-name"}}],"schedulingPolicy 2 .PodGroupSchedulingPolicy R",["schedulingConstraints 3 .PodGroupSchedulingConstraints pO",{"validate":{"ifDisabled(TopologyAwareWorkloadScheduling)>forbidden":true,"ifEnabled(TopologyAwareWorkloadScheduling)>optional":true}}],["resourceClaims 4 .PodGroupResourceClaim rOe",{"patchStrategy":"merge,retainKeys","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":4,"immutable":true}}],["disruptionMode 5 string pOe",{"enum":["Pod","PodGroup"],"alias":"DisruptionMode","validate":{"enum":true,"ifDisabled(WorkloadAwarePreemption)>forbidden":true,"ifEnabled(WorkloadAwarePreemption)>optional":true}}],["priorityClassName 6 string Oe",{"validate":{"ifDisabled(WorkloadAwarePreemption)>forbidden":true,"ifEnabled(WorkloadAwarePreemption)>optional":true,"ifEnabled(WorkloadAwarePreemption)>format":"k8s-long-name"}}],["priority 7 int32 pOe",{"validate":{"ifDisabled(WorkloadAwarePreemption)>forbidden":true,"ifEnabled(WorkloadAwarePreemption)>optional":true,"ifEnabled(WorkloadAwarePreemption)>maximum":1000000000,"ifEnabled(WorkloadAwarePreemption)>minimum":-2147483648}}]]},
"PodGroupTemplateReference":{"union":true,"f":[["workload 1 .WorkloadPodGroupTemplateReference pO",{"validate":{"optional":true,"unionMember":true}}]]},
"TopologyConstraint":{"f":[["key 1 string R",{"validate":{"required":true,"format":"k8s-label-key"}}]]},
"TypedLocalObjectReference":{"f":[["apiGroup 1 string Oe",{"validate":{"optional":true,"format":"k8s-long-name"}}],["kind 2 string R",{"validate":{"required":true,"format":"k8s-path-segment-name"}}],["name 3 string R",{"validate":{"required":true,"format":"k8s-path-segment-name"}}]]},
"Workload":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .WorkloadSpec R"]},
"WorkloadList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Workload rR"]},
"WorkloadPodGroupTemplateReference":{"f":[["workloadName 1 string R",{"validate":{"required":true,"format":"k8s-long-name"}}],["podGroupTemplateName 2 string R",{"validate":{"required":true,"format":"k8s-short-name"}}]]},
"WorkloadSpec":{"f":[["controllerRef 1 .TypedLocalObjectReference pOe",{"validate":{"optional":true,"immutable":true}}],["podGroupTemplates 2 .PodGroupTemplate rR",{"listType":"map","listMapKeys":["name"],"validate":{"required":true,"listType":"map","listMapKey":"name","maxItems":8,"immutable":true}}]]}
}`,
};

const row = (resource: string, kind: string, singular: string, subresources: ResourceRow["subresources"]) => ({
  group: GROUP,
  version: VERSION,
  resource,
  kind,
  singular,
  namespaced: true,
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  shortNames: [],
  categories: [],
  default: false,
  subresources,
});

/** What it served. */
export const RESOURCES: readonly ResourceRow[] = [
  row("podgroups", "PodGroup", "podgroup", [
    { name: "status", group: GROUP, version: VERSION, kind: "PodGroup", verbs: ["get", "patch", "update"] },
  ]),
  row("workloads", "Workload", "workload", []),
];
