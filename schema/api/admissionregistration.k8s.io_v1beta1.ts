// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type { Int64 } from "../model/types.ts";
import type * as admissionregistration_k8s_io_v1 from "./admissionregistration.k8s.io_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `admissionregistration.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "admissionregistration.k8s.io",
  version: "v1beta1",
  short: "admissionregistration.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"MutatingAdmissionPolicy":{"list":"MutatingAdmissionPolicyList","introduced":"1.34","deprecated":"1.37","removed":"1.40","replacement":{"group":"admissionregistration.k8s.io","version":"v1","kind":"MutatingAdmissionPolicy"}},
"MutatingAdmissionPolicyBinding":{"list":"MutatingAdmissionPolicyBindingList","introduced":"1.34","deprecated":"1.37","removed":"1.40","replacement":{"group":"admissionregistration.k8s.io","version":"v1","kind":"MutatingAdmissionPolicyBinding"}},
"MutatingWebhookConfiguration":{"list":"MutatingWebhookConfigurationList","introduced":"1.9","deprecated":"1.16","removed":"1.22","replacement":{"group":"admissionregistration.k8s.io","version":"v1","kind":"MutatingWebhookConfiguration"}},
"ValidatingAdmissionPolicy":{"list":"ValidatingAdmissionPolicyList","introduced":"1.28","deprecated":"1.31","removed":"1.34"},
"ValidatingAdmissionPolicyBinding":{"list":"ValidatingAdmissionPolicyBindingList","introduced":"1.28","deprecated":"1.31","removed":"1.34"},
"ValidatingWebhookConfiguration":{"list":"ValidatingWebhookConfigurationList","introduced":"1.9","deprecated":"1.16","removed":"1.22","replacement":{"group":"admissionregistration.k8s.io","version":"v1","kind":"ValidatingWebhookConfiguration"}}
}`,
  messages: String.raw`{
"ApplyConfiguration":{"f":["expression 1 string e"]},
"AuditAnnotation":{"f":["key 1 string R","valueExpression 2 string R"]},
"ExpressionWarning":{"f":["fieldRef 2 string R","warning 3 string R"]},
"JSONPatch":{"f":["expression 1 string e"]},
"MatchCondition":{"f":["name 1 string R","expression 2 string R"]},
"MatchResources":{"structType":"atomic","f":["namespaceSelector 1 meta.v1.LabelSelector pOe","objectSelector 2 meta.v1.LabelSelector pOe",["resourceRules 3 .NamedRuleWithOperations rOe",{"listType":"atomic"}],["excludeResourceRules 4 .NamedRuleWithOperations rOe",{"listType":"atomic"}],["matchPolicy 7 string pOe",{"alias":"MatchPolicyType"}]]},
"MutatingAdmissionPolicy":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .MutatingAdmissionPolicySpec e"]},
"MutatingAdmissionPolicyBinding":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .MutatingAdmissionPolicyBindingSpec e"]},
"MutatingAdmissionPolicyBindingList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .MutatingAdmissionPolicyBinding rR"]},
"MutatingAdmissionPolicyBindingSpec":{"f":["policyName 1 string e","paramRef 2 .ParamRef pOe","matchResources 3 .MatchResources pOe"]},
"MutatingAdmissionPolicyList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .MutatingAdmissionPolicy rR"]},
"MutatingAdmissionPolicySpec":{"f":["paramKind 1 .ParamKind pOe","matchConstraints 2 .MatchResources pe",["variables 3 .Variable rOe",{"listType":"atomic"}],["mutations 4 .Mutation rOe",{"listType":"atomic"}],["failurePolicy 5 string pOe",{"alias":"FailurePolicyType"}],["matchConditions 6 .MatchCondition rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["reinvocationPolicy 7 string e",{"enum":["Never","IfNeeded"],"alias":"ReinvocationPolicyType"}]]},
"MutatingWebhook":{"f":["name 1 string R","clientConfig 2 .WebhookClientConfig R",["rules 3 admissionregistration.v1.RuleWithOperations re",{"alias":"RuleWithOperations","listType":"atomic"}],["failurePolicy 4 string pOe",{"alias":"FailurePolicyType"}],["matchPolicy 9 string pOe",{"alias":"MatchPolicyType"}],"namespaceSelector 5 meta.v1.LabelSelector pOe","objectSelector 11 meta.v1.LabelSelector pOe",["sideEffects 6 string pOe",{"alias":"SideEffectClass"}],"timeoutSeconds 7 int32 pOe",["admissionReviewVersions 8 string rOe",{"listType":"atomic"}],["reinvocationPolicy 10 string pOe",{"enum":["Never","IfNeeded"],"alias":"ReinvocationPolicyType"}],["matchConditions 12 .MatchCondition rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}]]},
"MutatingWebhookConfiguration":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["webhooks 2 .MutatingWebhook rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}]]},
"MutatingWebhookConfigurationList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .MutatingWebhookConfiguration rR"]},
"Mutation":{"f":[["patchType 2 string Ru",{"enum":["ApplyConfiguration","JSONPatch"],"alias":"PatchType"}],"applyConfiguration 3 .ApplyConfiguration pe","jsonPatch 4 .JSONPatch pe"]},
"NamedRuleWithOperations":{"structType":"atomic","f":[["resourceNames 1 string rOe",{"listType":"atomic"}],[" 2 admissionregistration.v1.RuleWithOperations i",{"alias":"RuleWithOperations"}]]},
"ParamKind":{"structType":"atomic","f":["apiVersion 1 string e","kind 2 string e"]},
"ParamRef":{"structType":"atomic","f":["name 1 string e","namespace 2 string Oe","selector 3 meta.v1.LabelSelector pOe",["parameterNotFoundAction 4 string pe",{"alias":"ParameterNotFoundActionType"}]]},
"Rule":{"f":[["apiGroups 0 string re",{"listType":"atomic"}],["apiVersions 0 string re",{"listType":"atomic"}],["resources 0 string re",{"listType":"atomic"}],["scope 0 string pOe",{"enum":["Cluster","Namespaced","*"],"alias":"ScopeType"}]]},
"RuleWithOperations":{"f":[["operations 0 string re",{"listType":"atomic","enum":["*","CREATE","UPDATE","DELETE","CONNECT"],"alias":"OperationType"}]," 0 admissionregistration.v1.Rule i"]},
"ServiceReference":{"f":["namespace 1 string R","name 2 string R","path 3 string pOe","port 4 int32 pOe"]},
"TypeChecking":{"f":[["expressionWarnings 1 .ExpressionWarning rOe",{"listType":"atomic"}]]},
"ValidatingAdmissionPolicy":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ValidatingAdmissionPolicySpec e","status 3 .ValidatingAdmissionPolicyStatus Oe"]},
"ValidatingAdmissionPolicyBinding":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .ValidatingAdmissionPolicyBindingSpec Re"]},
"ValidatingAdmissionPolicyBindingList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ValidatingAdmissionPolicyBinding rR"]},
"ValidatingAdmissionPolicyBindingSpec":{"f":[["policyName 1 string Re",{"validate":{"beta@1.37:required":true}}],"paramRef 2 .ParamRef pOe","matchResources 3 .MatchResources pOe",["validationActions 4 string rRe",{"listType":"set","enum":["Deny","Warn","Audit"],"alias":"ValidationAction","validate":{"beta@1.37:required":true}}]]},
"ValidatingAdmissionPolicyList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ValidatingAdmissionPolicy rR"]},
"ValidatingAdmissionPolicySpec":{"f":["paramKind 1 .ParamKind pOe","matchConstraints 2 .MatchResources pe",["validations 3 .Validation rOe",{"listType":"atomic"}],["failurePolicy 4 string pOe",{"alias":"FailurePolicyType"}],["auditAnnotations 5 .AuditAnnotation rOe",{"listType":"atomic"}],["matchConditions 6 .MatchCondition rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}],["variables 7 .Variable rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}]]},
"ValidatingAdmissionPolicyStatus":{"f":["observedGeneration 1 int64 Oe","typeChecking 2 .TypeChecking pOe",["conditions 3 meta.v1.Condition rOe",{"listType":"map","listMapKeys":["type"],"validate":{"alpha@1.37:optional":true,"alpha@1.37:listType":"map","alpha@1.37:listMapKey":"type"}}]]},
"ValidatingWebhook":{"f":["name 1 string R","clientConfig 2 .WebhookClientConfig R",["rules 3 admissionregistration.v1.RuleWithOperations re",{"listType":"atomic"}],["failurePolicy 4 string pOe",{"alias":"FailurePolicyType"}],["matchPolicy 9 string pOe",{"alias":"MatchPolicyType"}],"namespaceSelector 5 meta.v1.LabelSelector pOe","objectSelector 10 meta.v1.LabelSelector pOe",["sideEffects 6 string pOe",{"alias":"SideEffectClass","listType":"atomic"}],"timeoutSeconds 7 int32 pOe",["admissionReviewVersions 8 string rOe",{"listType":"atomic"}],["matchConditions 11 .MatchCondition rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}]]},
"ValidatingWebhookConfiguration":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["webhooks 2 .ValidatingWebhook rOe",{"patchStrategy":"merge","patchMergeKey":"name","listType":"map","listMapKeys":["name"]}]]},
"ValidatingWebhookConfigurationList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ValidatingWebhookConfiguration rR"]},
"Validation":{"f":["expression 1 string R","message 2 string Oe",["reason 3 string pOe",{"alias":"meta.v1.StatusReason"}],"messageExpression 4 string Oe"]},
"Variable":{"structType":"atomic","f":["name 1 string R","expression 2 string R"]},
"WebhookClientConfig":{"f":["url 3 string pOe","service 1 .ServiceReference pOe","caBundle 2 bytes Oe"]}
}`,
};

/** A change to an object that is merged into it as server-side apply would do. */
export interface ApplyConfiguration {
  expression?: string;
}
/** A note that a policy leaves in the audit event of a request. */
export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}
/** Something doubtful that the type check found in one expression of a policy. */
export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}
/** A change to an object in the form of a JSON patch. */
export interface JSONPatch {
  expression?: string;
}
/** A named condition on a request, finer than rules and selectors can say it. */
export interface MatchCondition {
  name: string;
  expression: string;
}
/** Which requests a policy or binding is about. Rules and both selectors must all agree, and what is excluded stays excluded. */
export interface MatchResources {
  namespaceSelector?: meta_v1.LabelSelector;
  objectSelector?: meta_v1.LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: string;
}
/** Changes objects in requests by CEL expressions, within the API server and before they are stored. It does nothing until a binding refers to it. */
export interface MutatingAdmissionPolicy {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: MutatingAdmissionPolicySpec;
}
/** Puts a policy that changes objects to work, and states for what and with which parameters. */
export interface MutatingAdmissionPolicyBinding {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: MutatingAdmissionPolicyBindingSpec;
}
/** List of mutating admission policy bindings. */
export interface MutatingAdmissionPolicyBindingList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: MutatingAdmissionPolicyBinding[] | null;
}
/** Which policy is put to work, on what, and with which parameters. */
export interface MutatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
}
/** List of mutating admission policies. */
export interface MutatingAdmissionPolicyList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: MutatingAdmissionPolicy[] | null;
}
/** Which requests the policy matches, and what it changes in their objects. */
export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Variable[];
  mutations?: Mutation[];
  failurePolicy?: string;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: "Never" | "IfNeeded";
}
/** A service outside the API server that is asked about requests and may refuse them or change their objects. */
export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: admissionregistration_k8s_io_v1.RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: meta_v1.LabelSelector;
  objectSelector?: meta_v1.LabelSelector;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[];
  reinvocationPolicy?: "Never" | "IfNeeded";
  matchConditions?: MatchCondition[];
}
/** Makes webhooks known that may refuse requests or change the objects in them. */
export interface MutatingWebhookConfiguration {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  webhooks?: MutatingWebhook[];
}
/** List of mutating webhook configurations. */
export interface MutatingWebhookConfigurationList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: MutatingWebhookConfiguration[] | null;
}
/** One change that a policy makes to an object. */
export interface Mutation {
  patchType: "ApplyConfiguration" | "JSONPatch";
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
}
/** Operations and resources, and if wanted the names of single objects. */
export interface NamedRuleWithOperations {
  resourceNames?: string[];
  operations?: ("*" | "CREATE" | "UPDATE" | "DELETE" | "CONNECT")[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: "Cluster" | "Namespaced" | "*";
}
/** Kind of the objects from which a policy gets its parameters. */
export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}
/** The objects that a binding hands to its policy as parameters. Exactly one of name and selector must be given. */
export interface ParamRef {
  name?: string;
  namespace?: string;
  selector?: meta_v1.LabelSelector;
  parameterNotFoundAction?: string;
}
export interface Rule {
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: "Cluster" | "Namespaced" | "*";
}
/** Operations and resources that a webhook is asked about. */
export interface RuleWithOperations {
  operations?: ("*" | "CREATE" | "UPDATE" | "DELETE" | "CONNECT")[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: "Cluster" | "Namespaced" | "*";
}
/** A service of the cluster behind which a webhook answers. */
export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}
/** What the type check of a policy has found. A policy without findings has an empty one. */
export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[];
}
/** Judges requests by CEL expressions, within the API server. It changes nothing in the objects, and does nothing until a binding refers to it. */
export interface ValidatingAdmissionPolicy {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
}
/** Puts a policy that judges requests to work, and states for what, with which parameters and with what consequences. */
export interface ValidatingAdmissionPolicyBinding {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ValidatingAdmissionPolicyBindingSpec;
}
/** List of validating admission policy bindings. */
export interface ValidatingAdmissionPolicyBindingList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ValidatingAdmissionPolicyBinding[] | null;
}
/** Which policy is put to work, on what, and what follows when it objects. */
export interface ValidatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: ("Deny" | "Warn" | "Audit")[];
}
/** List of validating admission policies. */
export interface ValidatingAdmissionPolicyList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ValidatingAdmissionPolicy[] | null;
}
/** Which requests the policy matches, and what must hold for them. */
export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Validation[];
  failurePolicy?: string;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: Variable[];
}
/** What the type check has found in a policy. */
export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: Int64;
  typeChecking?: TypeChecking;
  conditions?: meta_v1.Condition[];
}
/** A service outside the API server that is asked about requests and may refuse them. It changes nothing in the objects. */
export interface ValidatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: admissionregistration_k8s_io_v1.RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: meta_v1.LabelSelector;
  objectSelector?: meta_v1.LabelSelector;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[];
  matchConditions?: MatchCondition[];
}
/** Makes webhooks known that may refuse requests, but not change what is in them. */
export interface ValidatingWebhookConfiguration {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  webhooks?: ValidatingWebhook[];
}
/** List of validating webhook configurations. */
export interface ValidatingWebhookConfigurationList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ValidatingWebhookConfiguration[] | null;
}
/** One thing that must hold for a request. */
export interface Validation {
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
}
/** An expression under a name, for use in other expressions of the policy. */
export interface Variable {
  name: string;
  expression: string;
}
/** How the API server reaches a webhook, always over TLS. Exactly one of url and service must be given. */
export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: string;
}
