// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `lifecycle.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "lifecycle.k8s.io",
  version: "v1alpha1",
  short: "lifecycle.v1alpha1",
  protobuf: true,
  kinds: String.raw`{
"Eviction":{"list":"EvictionList","introduced":"1.37","deprecated":"1.40","removed":"1.43"},
"EvictionRequest":{"list":"EvictionRequestList","introduced":"1.37","deprecated":"1.40","removed":"1.43"}
}`,
  messages: String.raw`{
"Eviction":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"beta@1.37:subfield(name)>format":"k8s-long-name"}}],"spec 2 .EvictionSpec R","status 3 .EvictionStatus Oe"]},
"EvictionList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Eviction rR"]},
"EvictionPodReference":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-long-name"}}],["uid 2 string R",{"alias":"types.UID","validate":{"required":true,"format":"k8s-uuid"}}]]},
"EvictionRequest":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"beta@1.37:subfield(name)>format":"k8s-long-name"}}],"spec 2 .EvictionRequestSpec R","status 3 .EvictionRequestStatus Oe"]},
"EvictionRequestList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .EvictionRequest rR"]},
"EvictionRequestPodReference":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-long-name"}}],["uid 2 string R",{"alias":"types.UID","validate":{"required":true,"format":"k8s-uuid"}}]]},
"EvictionRequestSpec":{"f":[["target 1 .EvictionRequestTarget R",{"validate":{"immutable":true}}],["requester 2 string R",{"validate":{"required":true,"immutable":true,"format":"k8s-prefixed-label-key","customValidation":true}}],["intent 3 string R",{"enum":["Eviction","Withdrawn"],"alias":"EvictionRequestIntent","validate":{"enum":true,"required":true}}]]},
"EvictionRequestStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type","maxItems":100}}],["observedGeneration 2 int64 pOe",{"validate":{"optional":true,"minimum":1,"update":"NoUnset","monotonic":true}}]]},
"EvictionRequestTarget":{"union":true,"f":[["pod 1 .EvictionRequestPodReference pOe",{"validate":{"optional":true,"unionMember":true}}]]},
"EvictionSpec":{"f":[["target 1 .EvictionTarget R",{"validate":{"immutable":true}}]]},
"EvictionStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type","maxItems":100}}],["observedGeneration 2 int64 pOe",{"validate":{"optional":true,"minimum":1,"monotonic":true,"update":"NoUnset"}}],["requesters 3 .Requester rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":100}}],["targetResponders 4 .TargetResponder rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":11}}],["responders 5 .ResponderStatus rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"],"validate":{"optional":true,"listType":"map","listMapKey":"name","maxItems":11}}]]},
"EvictionTarget":{"union":true,"f":[["pod 1 .EvictionPodReference pOe",{"validate":{"optional":true,"unionMember":true}}]]},
"Requester":{"structType":"atomic","f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-prefixed-label-key"}}],["intent 2 string R",{"enum":["Eviction","Withdrawn"],"alias":"RequesterIntent","validate":{"enum":true,"required":true}}]]},
"ResponderStatus":{"structType":"granular","f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-prefixed-label-key"}}],["startTime 2 meta.v1.Time pOe",{"validate":{"optional":true,"update":["NoModify","NoUnset"]}}],["heartbeatTime 3 meta.v1.Time pOe",{"validate":{"optional":true}}],["expectedCompletionTime 4 meta.v1.Time pOe",{"validate":{"optional":true}}],["completionTime 5 meta.v1.Time pOe",{"validate":{"optional":true,"update":["NoModify","NoUnset"]}}],["message 6 string pOe",{"validate":{"optional":true,"maxLength":4000}}]]},
"TargetResponder":{"structType":"atomic","f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-prefixed-label-key"}}],["priority 2 int32 pR",{"validate":{"required":true,"minimum":0,"maximum":100000,"update":["NoModify","NoUnset"]}}],["state 3 string R",{"enum":["Inactive","Active","Interrupted","Canceled","Completed"],"alias":"ResponderStateType","validate":{"enum":true,"required":true}}]]}
}`,
};

/** The course of removing one target, such as a pod, gracefully: who asked for it, which responders act on it, and how far they are. The controller creates it from the EvictionRequests for that target and deletes it some time after the last of them is gone. Alpha, behind the gate EvictionRequestAPI. */
export interface Eviction {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: EvictionSpec;
  status?: EvictionStatus;
}
/** List of evictions. */
export interface EvictionList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Eviction[] | null;
}
/** Points at one pod in the namespace of the eviction. Name and UID must both fit, so that a successor with the same name is not meant. */
export interface EvictionPodReference {
  name: string;
  uid: string;
}
/** A wish of one requester that a target, such as a pod, be removed gracefully. The controller gathers all requests for a target into one Eviction, on which responders then act; deleting a request withdraws it. Alpha, behind the gate EvictionRequestAPI. */
export interface EvictionRequest {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: EvictionRequestSpec;
  status?: EvictionRequestStatus;
}
/** List of eviction requests. */
export interface EvictionRequestList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: EvictionRequest[] | null;
}
/** Points at one pod in the namespace of the eviction request. Name and UID must both fit, so that a successor with the same name is not meant. */
export interface EvictionRequestPodReference {
  name: string;
  uid: string;
}
/** Who wants which target evicted, and whether that wish still stands. Only intent can be changed after creation. */
export interface EvictionRequestSpec {
  target: EvictionRequestTarget;
  requester: string;
  intent: "Eviction" | "Withdrawn";
}
/** What became of the eviction request, as the controller reports it. */
export interface EvictionRequestStatus {
  conditions?: meta_v1.Condition[];
  observedGeneration?: Int64;
}
/** The object that the request is about. Exactly one member is set; today only pod exists. */
export interface EvictionRequestTarget {
  pod?: EvictionRequestPodReference;
}
/** What the eviction removes. It cannot be changed after creation. */
export interface EvictionSpec {
  target: EvictionTarget;
}
/** How the eviction stands: who asked for it, the responders in line, and their reports. Written by the controller and by the responder whose turn it is. */
export interface EvictionStatus {
  conditions?: meta_v1.Condition[];
  observedGeneration?: Int64;
  requesters?: Requester[];
  targetResponders?: TargetResponder[];
  responders?: ResponderStatus[];
}
/** The object that the eviction is about. Exactly one member is set; today only pod exists. */
export interface EvictionTarget {
  pod?: EvictionPodReference;
}
/** One party that asked for an eviction, and whether it still wants it. */
export interface Requester {
  name: string;
  intent: "Eviction" | "Withdrawn";
}
/** Progress report of one responder. The controller creates it; the responder keeps it up to date while its state is Active. */
export interface ResponderStatus {
  name: string;
  startTime?: meta_v1.Time;
  heartbeatTime?: meta_v1.Time;
  expectedCompletionTime?: meta_v1.Time;
  completionTime?: meta_v1.Time;
  message?: string;
}
/** A responder that may act on the eviction, its place in the line, and its state. */
export interface TargetResponder {
  name: string;
  priority?: number | null;
  state: "Inactive" | "Active" | "Interrupted" | "Canceled" | "Completed";
}
