// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as core_v1 from "./core_v1.ts";
import type * as intstr from "./intstr.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `extensions.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "extensions",
  version: "v1beta1",
  short: "extensions.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"DaemonSet":{"list":"DaemonSetList","introduced":"1.1","deprecated":"1.8","removed":"1.16","replacement":{"group":"apps","version":"v1","kind":"DaemonSet"}},
"Deployment":{"list":"DeploymentList","introduced":"1.1","deprecated":"1.8","removed":"1.16","replacement":{"group":"apps","version":"v1","kind":"Deployment"}},
"DeploymentRollback":{"introduced":"1.2","deprecated":"1.8","removed":"1.16"},
"Ingress":{"list":"IngressList","introduced":"1.1","deprecated":"1.14","removed":"1.22","replacement":{"group":"networking.k8s.io","version":"v1","kind":"Ingress"}},
"NetworkPolicy":{"list":"NetworkPolicyList","introduced":"1.3","deprecated":"1.9","removed":"1.16","replacement":{"group":"networking.k8s.io","version":"v1","kind":"NetworkPolicy"}},
"ReplicaSet":{"list":"ReplicaSetList","introduced":"1.2","deprecated":"1.8","removed":"1.16","replacement":{"group":"apps","version":"v1","kind":"ReplicaSet"}},
"Scale":{"introduced":"1.1","deprecated":"1.2","removed":"1.16"}
}`,
  messages: String.raw`{
"DaemonSet":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .DaemonSetSpec Oe","status 3 .DaemonSetStatus Oe"]},
"DaemonSetCondition":{"f":[["type 1 string R",{"alias":"DaemonSetConditionType"}],["status 2 string R",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"DaemonSetList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .DaemonSet rR"]},
"DaemonSetSpec":{"f":["selector 1 meta.v1.LabelSelector pOe","template 2 core.v1.PodTemplateSpec R","updateStrategy 3 .DaemonSetUpdateStrategy Oe","minReadySeconds 4 int32 Oe","templateGeneration 5 int64 Oe","revisionHistoryLimit 6 int32 pOe"]},
"DaemonSetStatus":{"f":["currentNumberScheduled 1 int32 R","numberMisscheduled 2 int32 R","desiredNumberScheduled 3 int32 R","numberReady 4 int32 R","observedGeneration 5 int64 Oe","updatedNumberScheduled 6 int32 Oe","numberAvailable 7 int32 Oe","numberUnavailable 8 int32 Oe","collisionCount 9 int32 pOe",["conditions 10 .DaemonSetCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"DaemonSetUpdateStrategy":{"f":[["type 1 string Oe",{"alias":"DaemonSetUpdateStrategyType"}],"rollingUpdate 2 .RollingUpdateDaemonSet pOe"]},
"Deployment":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .DeploymentSpec Oe","status 3 .DeploymentStatus Oe"]},
"DeploymentCondition":{"f":[["type 1 string R",{"alias":"DeploymentConditionType"}],["status 2 string R",{"alias":"core.v1.ConditionStatus"}],"lastUpdateTime 6 meta.v1.Time e","lastTransitionTime 7 meta.v1.Time e","reason 4 string e","message 5 string e"]},
"DeploymentList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Deployment rR"]},
"DeploymentRollback":{"t":1,"f":["name 1 string R","updatedAnnotations 2 string Oem","rollbackTo 3 .RollbackConfig R"]},
"DeploymentSpec":{"f":["replicas 1 int32 pOe","selector 2 meta.v1.LabelSelector pOe","template 3 core.v1.PodTemplateSpec R",["strategy 4 .DeploymentStrategy Oe",{"patchStrategy":"retainKeys"}],"minReadySeconds 5 int32 Oe","revisionHistoryLimit 6 int32 pOe","paused 7 bool Oe","rollbackTo 8 .RollbackConfig pOe","progressDeadlineSeconds 9 int32 pOe"]},
"DeploymentStatus":{"f":["observedGeneration 1 int64 Oe","replicas 2 int32 Oe","updatedReplicas 3 int32 Oe","readyReplicas 7 int32 Oe","availableReplicas 4 int32 Oe","unavailableReplicas 5 int32 Oe","terminatingReplicas 9 int32 pOe",["conditions 6 .DeploymentCondition re",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}],"collisionCount 8 int32 pOe"]},
"DeploymentStrategy":{"f":[["type 1 string Oe",{"alias":"DeploymentStrategyType"}],"rollingUpdate 2 .RollingUpdateDeployment pOe"]},
"HTTPIngressPath":{"f":["path 1 string Oe",["pathType 3 string pe",{"alias":"PathType"}],"backend 2 .IngressBackend R"]},
"HTTPIngressRuleValue":{"f":[["paths 1 .HTTPIngressPath rR",{"listType":"atomic"}]]},
"IPBlock":{"f":[["cidr 1 string R",{"validate":{"beta@1.37:required":true}}],["except 2 string rOe",{"listType":"atomic"}]]},
"Ingress":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .IngressSpec Oe","status 3 .IngressStatus Oe"]},
"IngressBackend":{"f":["serviceName 1 string Oe","servicePort 2 intstr.IntOrString Oe","resource 3 core.v1.TypedLocalObjectReference pOe"]},
"IngressList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Ingress rR"]},
"IngressLoadBalancerIngress":{"f":["ip 1 string Oe","hostname 2 string Oe",["ports 4 .IngressPortStatus rOe",{"listType":"atomic"}]]},
"IngressLoadBalancerStatus":{"f":[["ingress 1 .IngressLoadBalancerIngress rOe",{"listType":"atomic"}]]},
"IngressPortStatus":{"f":["port 1 int32 R",["protocol 2 string R",{"enum":["TCP","UDP","SCTP"],"alias":"core.v1.Protocol"}],"error 3 string pOe"]},
"IngressRule":{"f":["host 1 string Oe"," 2 .IngressRuleValue i"]},
"IngressRuleValue":{"f":["http 1 .HTTPIngressRuleValue pe"]},
"IngressSpec":{"f":["ingressClassName 4 string pOe","backend 1 .IngressBackend pOe",["tls 2 .IngressTLS rOe",{"listType":"atomic"}],["rules 3 .IngressRule rOe",{"listType":"atomic"}]]},
"IngressStatus":{"f":["loadBalancer 1 .IngressLoadBalancerStatus Oe"]},
"IngressTLS":{"f":[["hosts 1 string rOe",{"listType":"atomic"}],"secretName 2 string Oe"]},
"NetworkPolicy":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .NetworkPolicySpec Oe"]},
"NetworkPolicyEgressRule":{"f":[["ports 1 .NetworkPolicyPort rOe",{"listType":"atomic"}],["to 2 .NetworkPolicyPeer rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}]]},
"NetworkPolicyIngressRule":{"f":[["ports 1 .NetworkPolicyPort rOe",{"listType":"atomic"}],["from 2 .NetworkPolicyPeer rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}]]},
"NetworkPolicyList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .NetworkPolicy rR"]},
"NetworkPolicyPeer":{"f":["podSelector 1 meta.v1.LabelSelector pOe","namespaceSelector 2 meta.v1.LabelSelector pOe",["ipBlock 3 .IPBlock pOe",{"validate":{"beta@1.37:optional":true}}]]},
"NetworkPolicyPort":{"f":[["protocol 1 string pOe",{"enum":["TCP","UDP","SCTP"],"alias":"core.v1.Protocol"}],"port 2 intstr.IntOrString pOe","endPort 3 int32 pOe"]},
"NetworkPolicySpec":{"f":["podSelector 1 meta.v1.LabelSelector R",["ingress 2 .NetworkPolicyIngressRule rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],["egress 3 .NetworkPolicyEgressRule rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],["policyTypes 4 string rOe",{"alias":"PolicyType","listType":"atomic"}]]},
"ReplicaSet":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ReplicaSetSpec Oe","status 3 .ReplicaSetStatus Oe"]},
"ReplicaSetCondition":{"f":[["type 1 string R",{"alias":"ReplicaSetConditionType"}],["status 2 string R",{"alias":"core.v1.ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"ReplicaSetList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ReplicaSet rR"]},
"ReplicaSetSpec":{"f":["replicas 1 int32 pOe","minReadySeconds 4 int32 Oe","selector 2 meta.v1.LabelSelector pOe","template 3 core.v1.PodTemplateSpec Oe"]},
"ReplicaSetStatus":{"f":["replicas 1 int32 R","fullyLabeledReplicas 2 int32 Oe","readyReplicas 4 int32 Oe","availableReplicas 5 int32 Oe","terminatingReplicas 7 int32 pOe","observedGeneration 3 int64 Oe",["conditions 6 .ReplicaSetCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"RollbackConfig":{"f":["revision 1 int64 Oe"]},
"RollingUpdateDaemonSet":{"f":["maxUnavailable 1 intstr.IntOrString pOe","maxSurge 2 intstr.IntOrString pOe"]},
"RollingUpdateDeployment":{"f":["maxUnavailable 1 intstr.IntOrString pOe","maxSurge 2 intstr.IntOrString pOe"]},
"Scale":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ScaleSpec Oe","status 3 .ScaleStatus Oe"]},
"ScaleSpec":{"f":[["replicas 1 int32 Oe",{"default":0,"validate":{"beta@1.37:optional":true,"beta@1.37:minimum":0}}]]},
"ScaleStatus":{"f":["replicas 1 int32 R",["selector 2 string Oem",{"mapType":"atomic"}],"targetSelector 3 string Oe"]}
}`,
};

export interface DaemonSet {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: DaemonSetSpec;
  status?: DaemonSetStatus;
}
export interface DaemonSetCondition {
  type: string;
  status: string;
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
export interface DaemonSetSpec {
  selector?: meta_v1.LabelSelector;
  template: core_v1.PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  templateGeneration?: Int64;
  revisionHistoryLimit?: number;
}
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
export interface DaemonSetUpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDaemonSet;
}
export interface Deployment {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}
export interface DeploymentCondition {
  type: string;
  status: string;
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
export interface DeploymentRollback {
  apiVersion?: string;
  kind?: string;
  name: string;
  updatedAnnotations?: Record<string, string>;
  rollbackTo: RollbackConfig;
}
export interface DeploymentSpec {
  replicas?: number;
  selector?: meta_v1.LabelSelector;
  template: core_v1.PodTemplateSpec;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  rollbackTo?: RollbackConfig;
  progressDeadlineSeconds?: number;
}
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
export interface DeploymentStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDeployment;
}
export interface HTTPIngressPath {
  path?: string;
  pathType?: string;
  backend: IngressBackend;
}
export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[] | null;
}
export interface IPBlock {
  cidr: string;
  except?: string[];
}
export interface Ingress {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: IngressSpec;
  status?: IngressStatus;
}
export interface IngressBackend {
  serviceName?: string;
  servicePort?: intstr.IntOrString;
  resource?: core_v1.TypedLocalObjectReference;
}
/** List of ingresses. */
export interface IngressList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Ingress[] | null;
}
export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
}
export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}
export interface IngressPortStatus {
  port: number;
  protocol: "TCP" | "UDP" | "SCTP";
  error?: string;
}
export interface IngressRule {
  host?: string;
  http?: HTTPIngressRuleValue;
}
export interface IngressRuleValue {
  http?: HTTPIngressRuleValue;
}
export interface IngressSpec {
  ingressClassName?: string;
  backend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
}
export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}
export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}
export interface NetworkPolicy {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: NetworkPolicySpec;
}
export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
}
export interface NetworkPolicyIngressRule {
  ports?: NetworkPolicyPort[];
  from?: NetworkPolicyPeer[];
}
/** List of network policies. */
export interface NetworkPolicyList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: NetworkPolicy[] | null;
}
export interface NetworkPolicyPeer {
  podSelector?: meta_v1.LabelSelector;
  namespaceSelector?: meta_v1.LabelSelector;
  ipBlock?: IPBlock;
}
export interface NetworkPolicyPort {
  protocol?: "TCP" | "UDP" | "SCTP";
  port?: intstr.IntOrString;
  endPort?: number;
}
export interface NetworkPolicySpec {
  podSelector: meta_v1.LabelSelector;
  ingress?: NetworkPolicyIngressRule[];
  egress?: NetworkPolicyEgressRule[];
  policyTypes?: string[];
}
export interface ReplicaSet {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}
export interface ReplicaSetCondition {
  type: string;
  status: string;
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
export interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: meta_v1.LabelSelector;
  template?: core_v1.PodTemplateSpec;
}
export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicaSetCondition[];
}
export interface RollbackConfig {
  revision?: Int64;
}
export interface RollingUpdateDaemonSet {
  maxUnavailable?: intstr.IntOrString;
  maxSurge?: intstr.IntOrString;
}
export interface RollingUpdateDeployment {
  maxUnavailable?: intstr.IntOrString;
  maxSurge?: intstr.IntOrString;
}
export interface Scale {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}
export interface ScaleSpec {
  replicas?: number;
}
export interface ScaleStatus {
  replicas: number;
  selector?: Record<string, string>;
  targetSelector?: string;
}
