// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as intstr from "./intstr.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `networking.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "networking.k8s.io",
  version: "v1beta1",
  short: "networking.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"IPAddress":{"list":"IPAddressList","introduced":"1.31","deprecated":"1.34","removed":"1.37"},
"Ingress":{"list":"IngressList","introduced":"1.14","deprecated":"1.19","removed":"1.22","replacement":{"group":"networking.k8s.io","version":"v1","kind":"Ingress"}},
"IngressClass":{"list":"IngressClassList","introduced":"1.18","deprecated":"1.19","removed":"1.22","replacement":{"group":"networking.k8s.io","version":"v1","kind":"IngressClassList"}},
"ServiceCIDR":{"list":"ServiceCIDRList","introduced":"1.31","deprecated":"1.34","removed":"1.37"}
}`,
  messages: String.raw`{
"HTTPIngressPath":{"f":["path 1 string Oe",["pathType 3 string pe",{"alias":"PathType"}],"backend 2 .IngressBackend R"]},
"HTTPIngressRuleValue":{"f":[["paths 1 .HTTPIngressPath rR",{"listType":"atomic"}]]},
"IPAddress":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .IPAddressSpec Re"]},
"IPAddressList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .IPAddress rR"]},
"IPAddressSpec":{"f":[["parentRef 1 .ParentReference pRe",{"validate":{"beta@1.37:required":true,"beta@1.37:immutable":true}}]]},
"Ingress":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .IngressSpec Oe","status 3 .IngressStatus Oe"]},
"IngressBackend":{"f":["serviceName 1 string Oe","servicePort 2 intstr.IntOrString Oe","resource 3 core.v1.TypedLocalObjectReference pOe"]},
"IngressClass":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .IngressClassSpec Oe"]},
"IngressClassList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .IngressClass rR"]},
"IngressClassParametersReference":{"f":["apiGroup 1 string pOe",["kind 2 string R",{"validate":{"beta@1.37:required":true}}],["name 3 string R",{"validate":{"beta@1.37:required":true}}],"scope 4 string p","namespace 5 string pOe"]},
"IngressClassSpec":{"f":["controller 1 string e",["parameters 2 .IngressClassParametersReference pOe",{"validate":{"beta@1.37:optional":true}}]]},
"IngressList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Ingress rR"]},
"IngressLoadBalancerIngress":{"f":["ip 1 string Oe","hostname 2 string Oe",["ports 4 .IngressPortStatus rOe",{"listType":"atomic"}]]},
"IngressLoadBalancerStatus":{"f":[["ingress 1 .IngressLoadBalancerIngress rOe",{"listType":"atomic"}]]},
"IngressPortStatus":{"f":["port 1 int32 R",["protocol 2 string R",{"enum":["TCP","UDP","SCTP"],"alias":"core.v1.Protocol"}],"error 3 string pOe"]},
"IngressRule":{"f":["host 1 string Oe"," 2 .IngressRuleValue i"]},
"IngressRuleValue":{"f":["http 1 .HTTPIngressRuleValue pOe"]},
"IngressSpec":{"f":["ingressClassName 4 string pOe","backend 1 .IngressBackend pOe",["tls 2 .IngressTLS rOe",{"listType":"atomic"}],["rules 3 .IngressRule rOe",{"listType":"atomic"}]]},
"IngressStatus":{"f":["loadBalancer 1 .IngressLoadBalancerStatus Oe"]},
"IngressTLS":{"f":[["hosts 1 string rOe",{"listType":"atomic"}],"secretName 2 string Oe"]},
"ParentReference":{"f":["group 1 string Oe",["resource 2 string Re",{"validate":{"beta@1.37:required":true}}],"namespace 3 string Oe",["name 4 string Re",{"validate":{"beta@1.37:required":true}}]]},
"ServiceCIDR":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ServiceCIDRSpec Oe","status 3 .ServiceCIDRStatus Oe"]},
"ServiceCIDRList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ServiceCIDR rR"]},
"ServiceCIDRSpec":{"f":[["cidrs 1 string rOe",{"listType":"atomic"}]]},
"ServiceCIDRStatus":{"f":[["conditions 1 meta.v1.Condition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:eachVal>opaqueType":true}}]]}
}`,
};

/** Sends requests with a certain path to a backend. */
export interface HTTPIngressPath {
  path?: string;
  pathType?: string;
  backend: IngressBackend;
}
/** The paths under one host, each with the backend it leads to. */
export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[] | null;
}
/** Records that one address is taken, and by what. Its own name is the address in canonical form, as 10.96.0.10 or fd00:1::a. The API server makes them for services. */
export interface IPAddress {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: IPAddressSpec;
}
/** List of IP addresses. */
export interface IPAddressList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: IPAddress[] | null;
}
/** Which object holds the address. */
export interface IPAddressSpec {
  parentRef?: ParentReference;
}
/** Leads HTTP traffic from outside to services, by host and path, and can end TLS. It does nothing unless an ingress controller serves its class. */
export interface Ingress {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: IngressSpec;
  status?: IngressStatus;
}
/** Where requests are sent. Give exactly one of service and resource. */
export interface IngressBackend {
  serviceName?: string;
  servicePort?: intstr.IntOrString;
  resource?: core_v1.TypedLocalObjectReference;
}
/** Names a kind of ingress and the controller that serves it. One class may be marked as the default by an annotation; new ingresses without a class then get it. */
export interface IngressClass {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: IngressClassSpec;
}
/** List of ingress classes. */
export interface IngressClassList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: IngressClass[] | null;
}
/** Points to an object with settings for the controller of an ingress class. */
export interface IngressClassParametersReference {
  apiGroup?: string;
  kind: string;
  name: string;
  scope?: string | null;
  namespace?: string;
}
/** Which controller serves the class, and with which settings. */
export interface IngressClassSpec {
  controller?: string;
  parameters?: IngressClassParametersReference;
}
/** List of ingresses. */
export interface IngressList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Ingress[] | null;
}
/** One address under which an ingress can be reached. */
export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
}
/** The addresses of the load balancer in front of an ingress. */
export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}
/** State of one port of a load balancer. */
export interface IngressPortStatus {
  port: number;
  protocol: "TCP" | "UDP" | "SCTP";
  error?: string;
}
/** What happens to requests for one host, or for all hosts. */
export interface IngressRule {
  host?: string;
  http?: HTTPIngressRuleValue;
}
export interface IngressRuleValue {
  http?: HTTPIngressRuleValue;
}
/** Which controller serves the ingress, and which requests go where. Give defaultBackend, rules, or both. */
export interface IngressSpec {
  ingressClassName?: string;
  backend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
}
/** Where an ingress can be reached, as its controller reports it. */
export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}
/** A certificate and the hosts it is used for. */
export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}
/** Points to the object that holds an address. */
export interface ParentReference {
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}
/** Ranges from which services get their cluster IPs. Several may exist, so that more addresses can be added to a running cluster. */
export interface ServiceCIDR {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}
/** List of service CIDRs. */
export interface ServiceCIDRList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ServiceCIDR[] | null;
}
/** The ranges that a service CIDR adds. */
export interface ServiceCIDRSpec {
  cidrs?: string[];
}
/** Whether the ranges of a service CIDR can be used. */
export interface ServiceCIDRStatus {
  conditions?: meta_v1.Condition[];
}
