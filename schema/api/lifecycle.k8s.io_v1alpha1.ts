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
"Eviction":{"t":1,"validate":{"supportsSubresource":"/status"},"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"beta@1.37:subfield(name)>format":"k8s-long-name"}}],"spec 2 .EvictionSpec R","status 3 .EvictionStatus Oe"]},
"EvictionList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Eviction rR"]},
"EvictionPodReference":{"f":[["name 1 string R",{"validate":{"required":true,"format":"k8s-long-name"}}],["uid 2 string R",{"alias":"types.UID","validate":{"required":true,"format":"k8s-uuid"}}]]},
"EvictionRequest":{"t":1,"validate":{"supportsSubresource":"/status"},"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"beta@1.37:subfield(name)>format":"k8s-long-name"}}],"spec 2 .EvictionRequestSpec R","status 3 .EvictionRequestStatus Oe"]},
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

export interface Eviction {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: EvictionSpec;
  status?: EvictionStatus;
}
export interface EvictionList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Eviction[] | null;
}
export interface EvictionPodReference {
  name: string;
  uid: string;
}
export interface EvictionRequest {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: EvictionRequestSpec;
  status?: EvictionRequestStatus;
}
export interface EvictionRequestList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: EvictionRequest[] | null;
}
export interface EvictionRequestPodReference {
  name: string;
  uid: string;
}
export interface EvictionRequestSpec {
  target: EvictionRequestTarget;
  requester: string;
  intent: "Eviction" | "Withdrawn";
}
export interface EvictionRequestStatus {
  conditions?: meta_v1.Condition[];
  observedGeneration?: Int64;
}
export interface EvictionRequestTarget {
  pod?: EvictionRequestPodReference;
}
export interface EvictionSpec {
  target: EvictionTarget;
}
export interface EvictionStatus {
  conditions?: meta_v1.Condition[];
  observedGeneration?: Int64;
  requesters?: Requester[];
  targetResponders?: TargetResponder[];
  responders?: ResponderStatus[];
}
export interface EvictionTarget {
  pod?: EvictionPodReference;
}
export interface Requester {
  name: string;
  intent: "Eviction" | "Withdrawn";
}
export interface ResponderStatus {
  name: string;
  startTime?: meta_v1.Time;
  heartbeatTime?: meta_v1.Time;
  expectedCompletionTime?: meta_v1.Time;
  completionTime?: meta_v1.Time;
  message?: string;
}
export interface TargetResponder {
  name: string;
  priority?: number | null;
  state: "Inactive" | "Active" | "Interrupted" | "Canceled" | "Completed";
}
