// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `scheduling.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "scheduling.k8s.io",
  version: "v1",
  short: "scheduling.v1",
  protobuf: true,
  kinds: String.raw`{
"PriorityClass":{"list":"PriorityClassList","introduced":"1.14"}
}`,
  messages: String.raw`{
"PriorityClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","value 2 int32 O","globalDefault 3 bool Oe","description 4 string Oe",["preemptionPolicy 5 string pOe",{"enum":["PreemptLowerPriority","Never"],"alias":"core.v1.PreemptionPolicy"}]]},
"PriorityClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PriorityClass rR"]}
}`,
};

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
