// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as intstr from "./intstr.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `policy.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "policy",
  version: "v1beta1",
  short: "policy.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"Eviction":{"introduced":"1.5","deprecated":"1.22","removed":"1.25"},
"PodDisruptionBudget":{"list":"PodDisruptionBudgetList","introduced":"1.5","deprecated":"1.21","removed":"1.25","replacement":{"group":"policy","version":"v1","kind":"PodDisruptionBudget"}}
}`,
  messages: String.raw`{
"Eviction":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"deleteOptions 2 meta.v1.DeleteOptions pOe"]},
"PodDisruptionBudget":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PodDisruptionBudgetSpec Oe","status 3 .PodDisruptionBudgetStatus Oe"]},
"PodDisruptionBudgetList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PodDisruptionBudget rR"]},
"PodDisruptionBudgetSpec":{"f":["minAvailable 1 intstr.IntOrString pOe","selector 2 meta.v1.LabelSelector pOe","maxUnavailable 3 intstr.IntOrString pOe",["unhealthyPodEvictionPolicy 4 string pOe",{"enum":["IfHealthyBudget","AlwaysAllow"],"alias":"UnhealthyPodEvictionPolicyType"}]]},
"PodDisruptionBudgetStatus":{"f":["observedGeneration 1 int64 Oe","disruptedPods 2 meta.v1.Time Oem","disruptionsAllowed 3 int32 O","currentHealthy 4 int32 O","desiredHealthy 5 int32 O","expectedPods 6 int32 O",["conditions 7 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type"}}]]}
}`,
};

/** Asks to remove one pod without breaking the disruption budgets that cover it. It is posted to the eviction subresource of the pod and not stored; a budget that has nothing left answers 429. */
export interface Eviction {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  deleteOptions?: meta_v1.DeleteOptions;
}
/** Bounds how many pods of an application may be taken away on purpose at the same time, as when nodes are drained. Crashes and lost nodes count against it but are not held up by it. */
export interface PodDisruptionBudget {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
}
/** List of pod disruption budgets. */
export interface PodDisruptionBudgetList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PodDisruptionBudget[] | null;
}
/** Which pods are protected, and how many of them have to stay or may be missing. */
export interface PodDisruptionBudgetSpec {
  minAvailable?: intstr.IntOrString;
  selector?: meta_v1.LabelSelector;
  maxUnavailable?: intstr.IntOrString;
  unhealthyPodEvictionPolicy?: "IfHealthyBudget" | "AlwaysAllow";
}
/** How many pods are healthy, and how many evictions the budget still has room for. */
export interface PodDisruptionBudgetStatus {
  observedGeneration?: Int64;
  disruptedPods?: Record<string, meta_v1.Time>;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  conditions?: meta_v1.Condition[];
}
