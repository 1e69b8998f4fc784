// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as quantity from "./quantity.ts";
/** Descriptors of `node.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "node.k8s.io",
  version: "v1beta1",
  short: "node.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"RuntimeClass":{"list":"RuntimeClassList","introduced":"1.13","deprecated":"1.22","removed":"1.25"}
}`,
  messages: String.raw`{
"Overhead":{"f":[["podFixed 1 quantity.Quantity Oem",{"alias":"core.v1.ResourceList"}]]},
"RuntimeClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["handler 2 string R",{"validate":{"beta@1.37:format":"k8s-short-name","beta@1.37:immutable":true,"beta@1.37:required":true}}],"overhead 3 .Overhead pOe",["scheduling 4 .Scheduling pOe",{"validate":{"alpha@1.37:optional":true}}]]},
"RuntimeClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .RuntimeClass rR"]},
"Scheduling":{"f":[["nodeSelector 1 string Oem",{"mapType":"atomic"}],["tolerations 2 core.v1.Toleration rOe",{"listType":"atomic","validate":{"alpha@1.37:optional":true}}]]}
}`,
};

/** What a pod costs by itself, on top of its containers, when run with a runtime class. */
export interface Overhead {
  podFixed?: Record<string, quantity.Quantity>;
}
/** A way of running containers that pods can choose with runtimeClassName. A pod that names a class which does not exist is refused. */
export interface RuntimeClass {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  handler: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
}
/** List of runtime classes. */
export interface RuntimeClassList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: RuntimeClass[] | null;
}
/** Which nodes can run pods of a runtime class. It is worked into each pod when the pod is created. */
export interface Scheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: core_v1.Toleration[];
}
