// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `flowcontrol.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1beta1",
  short: "flowcontrol.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"FlowSchema":{"list":"FlowSchemaList","introduced":"1.20","deprecated":"1.23","removed":"1.26","replacement":{"group":"flowcontrol.apiserver.k8s.io","version":"v1beta3","kind":"FlowSchema"}},
"PriorityLevelConfiguration":{"list":"PriorityLevelConfigurationList","introduced":"1.20","deprecated":"1.23","removed":"1.26","replacement":{"group":"flowcontrol.apiserver.k8s.io","version":"v1beta3","kind":"PriorityLevelConfiguration"}}
}`,
  messages: String.raw`{
"ExemptPriorityLevelConfiguration":{"f":["nominalConcurrencyShares 1 int32 pOe","lendablePercent 2 int32 pOe"]},
"FlowDistinguisherMethod":{"f":[["type 1 string R",{"alias":"FlowDistinguisherMethodType"}]]},
"FlowSchema":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .FlowSchemaSpec Re","status 3 .FlowSchemaStatus Oe"]},
"FlowSchemaCondition":{"f":[["type 1 string Re",{"alias":"FlowSchemaConditionType"}],["status 2 string Oe",{"alias":"ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"FlowSchemaList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .FlowSchema rR"]},
"FlowSchemaSpec":{"f":["priorityLevelConfiguration 1 .PriorityLevelConfigurationReference R","matchingPrecedence 2 int32 O","distinguisherMethod 3 .FlowDistinguisherMethod pOe",["rules 4 .PolicyRulesWithSubjects rOe",{"listType":"atomic"}]]},
"FlowSchemaStatus":{"f":[["conditions 1 .FlowSchemaCondition rOe",{"listType":"map","listMapKeys":["type"]}]]},
"GroupSubject":{"f":["name 1 string R"]},
"LimitResponse":{"union":true,"f":[["type 1 string Ru",{"alias":"LimitResponseType","validate":{"beta@1.37:required":true,"beta@1.37:modeDiscriminator":true}}],["queuing 2 .QueuingConfiguration pOe",{"validate":{"beta@1.37:optional":true,"beta@1.37:ifMode(Queue)>required":true}}]]},
"LimitedPriorityLevelConfiguration":{"f":["assuredConcurrencyShares 1 int32 O","limitResponse 2 .LimitResponse Re","lendablePercent 3 int32 pOe","borrowingLimitPercent 4 int32 pOe"]},
"NonResourcePolicyRule":{"f":[["verbs 1 string rR",{"listType":"set"}],["nonResourceURLs 6 string rR",{"listType":"set"}]]},
"PolicyRulesWithSubjects":{"f":[["subjects 1 .Subject rR",{"listType":"atomic"}],["resourceRules 2 .ResourcePolicyRule rOe",{"listType":"atomic"}],["nonResourceRules 3 .NonResourcePolicyRule rOe",{"listType":"atomic"}]]},
"PriorityLevelConfiguration":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .PriorityLevelConfigurationSpec Re","status 3 .PriorityLevelConfigurationStatus Oe"]},
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

/** How a priority level without limits weighs upon the other levels. Of the built-in level named exempt, only this part may be changed. */
export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}
/** Says by what the requests of one flow schema are split into separate flows, so that one flow cannot crowd out the next. */
export interface FlowDistinguisherMethod {
  type: string;
}
/** Picks requests to the API server by who sends them and what they ask for, and puts them on a priority level. A request is handled by exactly one schema, the first match in order of matchingPrecedence. */
export interface FlowSchema {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: FlowSchemaSpec;
  status?: FlowSchemaStatus;
}
/** One finding about a flow schema. */
export interface FlowSchemaCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of flow schemas. */
export interface FlowSchemaList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: FlowSchema[] | null;
}
/** Which requests a flow schema matches, and where it sends them. */
export interface FlowSchemaSpec {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: PolicyRulesWithSubjects[];
}
/** What the API server found out about a flow schema. */
export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[];
}
/** A user group whose members' requests are matched. */
export interface GroupSubject {
  name: string;
}
/** What happens to a request when its level has no free seat. */
export interface LimitResponse {
  type: string;
  queuing?: QueuingConfiguration;
}
/** How many seats a limited level has, what it lends and borrows, and what becomes of requests that find no seat. */
export interface LimitedPriorityLevelConfiguration {
  assuredConcurrencyShares?: number;
  limitResponse?: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}
/** Matches requests for paths that are not API resources, such as /healthz. A verb and a path of the lists must both match. */
export interface NonResourcePolicyRule {
  verbs: string[] | null;
  nonResourceURLs: string[] | null;
}
/** One test on a request. It passes when a subject fits the sender, and a resource rule or non-resource rule fits what is asked for. */
export interface PolicyRulesWithSubjects {
  subjects: Subject[] | null;
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
}
/** A class of requests with its own share of the API server's capacity. Flow schemas decide which requests belong to it. */
export interface PriorityLevelConfiguration {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: PriorityLevelConfigurationSpec;
  status?: PriorityLevelConfigurationStatus;
}
/** One finding about a priority level. */
export interface PriorityLevelConfigurationCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of priority level configurations. */
export interface PriorityLevelConfigurationList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: PriorityLevelConfiguration[] | null;
}
/** Names the priority level that a flow schema uses. */
export interface PriorityLevelConfigurationReference {
  name: string;
}
/** Whether and how the requests of a priority level are limited. */
export interface PriorityLevelConfigurationSpec {
  type: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}
/** What was found out about a priority level. */
export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[];
}
/** The queues of a limited level, and how requests are dealt out to them. */
export interface QueuingConfiguration {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}
/** Matches requests on API resources. Verb, API group, resource and scope must all match. */
export interface ResourcePolicyRule {
  verbs: string[] | null;
  apiGroups: string[] | null;
  resources: string[] | null;
  clusterScope?: boolean;
  namespaces?: string[] | null;
}
/** A service account, or all those of a namespace, whose requests are matched. */
export interface ServiceAccountSubject {
  namespace: string;
  name: string;
}
/** A sender of requests: a user, a group or a service account. Fill in only the part that kind calls for. */
export interface Subject {
  kind: string;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
}
/** A user whose requests are matched. */
export interface UserSubject {
  name: string;
}
