// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `flowcontrol.v1beta2`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1beta2",
  short: "flowcontrol.v1beta2",
  protobuf: true,
  kinds: String.raw`{
"FlowSchema":{"list":"FlowSchemaList","introduced":"1.23","deprecated":"1.26","removed":"1.29","replacement":{"group":"flowcontrol.apiserver.k8s.io","version":"v1beta3","kind":"FlowSchema"}},
"PriorityLevelConfiguration":{"list":"PriorityLevelConfigurationList","introduced":"1.23","deprecated":"1.26","removed":"1.29","replacement":{"group":"flowcontrol.apiserver.k8s.io","version":"v1beta3","kind":"PriorityLevelConfiguration"}}
}`,
  messages: String.raw`{
"ExemptPriorityLevelConfiguration":{"f":["nominalConcurrencyShares 1 int32 pOe","lendablePercent 2 int32 pOe"]},
"FlowDistinguisherMethod":{"f":[["type 1 string R",{"alias":"FlowDistinguisherMethodType"}]]},
"FlowSchema":{"t":1,"validate":{"supportsSubresource":"/status"},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .FlowSchemaSpec Re","status 3 .FlowSchemaStatus Oe"]},
"FlowSchemaCondition":{"f":[["type 1 string Re",{"alias":"FlowSchemaConditionType"}],["status 2 string Oe",{"alias":"ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"FlowSchemaList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .FlowSchema rR"]},
"FlowSchemaSpec":{"f":["priorityLevelConfiguration 1 .PriorityLevelConfigurationReference R","matchingPrecedence 2 int32 O","distinguisherMethod 3 .FlowDistinguisherMethod pOe",["rules 4 .PolicyRulesWithSubjects rOe",{"listType":"atomic"}]]},
"FlowSchemaStatus":{"f":[["conditions 1 .FlowSchemaCondition rOe",{"listType":"map","listMapKeys":["type"]}]]},
"GroupSubject":{"f":["name 1 string R"]},
"LimitResponse":{"union":true,"f":[["type 1 string Ru",{"alias":"LimitResponseType","validate":{"beta@1.37:required":true,"beta@1.37:modeDiscriminator":true}}],["queuing 2 .QueuingConfiguration pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:ifMode(Queue)>required":true}}]]},
"LimitedPriorityLevelConfiguration":{"f":["assuredConcurrencyShares 1 int32 O","limitResponse 2 .LimitResponse Re","lendablePercent 3 int32 pOe","borrowingLimitPercent 4 int32 pOe"]},
"NonResourcePolicyRule":{"f":[["verbs 1 string rR",{"listType":"set"}],["nonResourceURLs 6 string rR",{"listType":"set"}]]},
"PolicyRulesWithSubjects":{"f":[["subjects 1 .Subject rR",{"listType":"atomic"}],["resourceRules 2 .ResourcePolicyRule rOe",{"listType":"atomic"}],["nonResourceRules 3 .NonResourcePolicyRule rOe",{"listType":"atomic"}]]},
"PriorityLevelConfiguration":{"t":1,"validate":{"supportsSubresource":"/status"},"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PriorityLevelConfigurationSpec Re","status 3 .PriorityLevelConfigurationStatus Oe"]},
"PriorityLevelConfigurationCondition":{"f":[["type 1 string Re",{"alias":"PriorityLevelConfigurationConditionType"}],["status 2 string Oe",{"alias":"ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"PriorityLevelConfigurationList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .PriorityLevelConfiguration rR"]},
"PriorityLevelConfigurationReference":{"f":["name 1 string R"]},
"PriorityLevelConfigurationSpec":{"union":true,"f":[["type 1 string Ru",{"alias":"PriorityLevelEnablement","validate":{"beta@1.37:required":true,"beta@1.37:modeDiscriminator":true}}],["limited 2 .LimitedPriorityLevelConfiguration pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:ifMode(Limited)>required":true}}],["exempt 3 .ExemptPriorityLevelConfiguration pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:ifMode(Exempt)>optional":true}}]]},
"PriorityLevelConfigurationStatus":{"f":[["conditions 1 .PriorityLevelConfigurationCondition rOe",{"listType":"map","listMapKeys":["type"]}]]},
"QueuingConfiguration":{"f":["queues 1 int32 O","handSize 2 int32 O","queueLengthLimit 3 int32 O"]},
"ResourcePolicyRule":{"f":[["verbs 1 string rR",{"listType":"set"}],["apiGroups 2 string rR",{"listType":"set"}],["resources 3 string rR",{"listType":"set"}],"clusterScope 4 bool Oe",["namespaces 5 string rO",{"listType":"set"}]]},
"ServiceAccountSubject":{"f":["namespace 1 string R","name 2 string R"]},
"Subject":{"union":true,"f":[["kind 1 string Ru",{"alias":"SubjectKind"}],"user 2 .UserSubject pOe","group 3 .GroupSubject pOe","serviceAccount 4 .ServiceAccountSubject pOe"]},
"UserSubject":{"f":["name 1 string R"]}
}`,
};

export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}
export interface FlowDistinguisherMethod {
  type: string;
}
export interface FlowSchema {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: FlowSchemaSpec;
  status?: FlowSchemaStatus;
}
export interface FlowSchemaCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
export interface FlowSchemaList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: FlowSchema[] | null;
}
export interface FlowSchemaSpec {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: PolicyRulesWithSubjects[];
}
export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[];
}
export interface GroupSubject {
  name: string;
}
export interface LimitResponse {
  type: string;
  queuing?: QueuingConfiguration;
}
export interface LimitedPriorityLevelConfiguration {
  assuredConcurrencyShares?: number;
  limitResponse?: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}
export interface NonResourcePolicyRule {
  verbs: string[] | null;
  nonResourceURLs: string[] | null;
}
export interface PolicyRulesWithSubjects {
  subjects: Subject[] | null;
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
}
export interface PriorityLevelConfiguration {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PriorityLevelConfigurationSpec;
  status?: PriorityLevelConfigurationStatus;
}
export interface PriorityLevelConfigurationCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
export interface PriorityLevelConfigurationList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PriorityLevelConfiguration[] | null;
}
export interface PriorityLevelConfigurationReference {
  name: string;
}
export interface PriorityLevelConfigurationSpec {
  type: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}
export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[];
}
export interface QueuingConfiguration {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}
export interface ResourcePolicyRule {
  verbs: string[] | null;
  apiGroups: string[] | null;
  resources: string[] | null;
  clusterScope?: boolean;
  namespaces?: string[] | null;
}
export interface ServiceAccountSubject {
  namespace: string;
  name: string;
}
export interface Subject {
  kind: string;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
}
export interface UserSubject {
  name: string;
}
