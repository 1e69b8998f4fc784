// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `discovery.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "discovery.k8s.io",
  version: "v1beta1",
  short: "discovery.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"EndpointSlice":{"list":"EndpointSliceList","introduced":"1.16","deprecated":"1.21","removed":"1.25","replacement":{"group":"discovery.k8s.io","version":"v1","kind":"EndpointSlice"}}
}`,
  messages: String.raw`{
"Endpoint":{"f":[["addresses 1 string rR",{"listType":"set","validate":{"beta@1.37:required":true,"beta@1.37:maxItems":100}}],"conditions 2 .EndpointConditions e","hostname 3 string pOe","targetRef 4 core.v1.ObjectReference pOe","topology 5 string Oem","nodeName 6 string pOe","hints 7 .EndpointHints pOe"]},
"EndpointConditions":{"f":["ready 1 bool pOe","serving 2 bool pOe","terminating 3 bool pOe"]},
"EndpointHints":{"f":[["forZones 1 .ForZone re",{"listType":"atomic"}],["forNodes 2 .ForNode re",{"listType":"atomic"}]]},
"EndpointPort":{"f":["name 1 string pe",["protocol 2 string pe",{"enum":["TCP","UDP","SCTP"],"alias":"core.v1.Protocol"}],"port 3 int32 pe","appProtocol 4 string pOe"]},
"EndpointSlice":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["addressType 4 string R",{"enum":["IPv4","IPv6","FQDN"],"alias":"AddressType","validate":{"beta@1.37:enum":true,"beta@1.37:required":true,"beta@1.37:immutable":true}}],["endpoints 2 .Endpoint rR",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],["ports 3 .EndpointPort rO",{"listType":"atomic"}]]},
"EndpointSliceList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .EndpointSlice rR"]},
"ForNode":{"f":["name 1 string R"]},
"ForZone":{"f":["name 1 string R"]}
}`,
};

/** One backend of a service, most often a pod. */
export interface Endpoint {
  addresses: string[] | null;
  conditions?: EndpointConditions;
  hostname?: string;
  targetRef?: core_v1.ObjectReference;
  topology?: Record<string, string>;
  nodeName?: string;
  hints?: EndpointHints;
}
/** Whether an endpoint takes traffic. */
export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}
/** From where an endpoint should be used, so that traffic stays near. */
export interface EndpointHints {
  forZones?: ForZone[];
  forNodes?: ForNode[];
}
/** One port that all endpoints of a slice offer. */
export interface EndpointPort {
  name?: string;
  protocol?: "TCP" | "UDP" | "SCTP";
  port?: number;
  appProtocol?: string;
}
/** Some of the backends of a service. A service may have several slices; together they are its endpoints. A label on the slice holds the name of the service, and a controller keeps the slices for services with a selector. */
export interface EndpointSlice {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  addressType: "IPv4" | "IPv6" | "FQDN";
  endpoints: Endpoint[] | null;
  ports?: EndpointPort[] | null;
}
/** List of endpoint slices. */
export interface EndpointSliceList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: EndpointSlice[] | null;
}
/** Names a node from which an endpoint should be used. */
export interface ForNode {
  name: string;
}
/** Names a zone from which an endpoint should be used. */
export interface ForZone {
  name: string;
}
