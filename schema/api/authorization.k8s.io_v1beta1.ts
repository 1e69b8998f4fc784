// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as authorization_k8s_io_v1 from "./authorization.k8s.io_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `authorization.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "authorization.k8s.io",
  version: "v1beta1",
  short: "authorization.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"LocalSubjectAccessReview":{"introduced":"1.2","deprecated":"1.19","removed":"1.22","replacement":{"group":"authorization.k8s.io","version":"v1","kind":"LocalSubjectAccessReview"}},
"SelfSubjectAccessReview":{"introduced":"1.2","deprecated":"1.19","removed":"1.22","replacement":{"group":"authorization.k8s.io","version":"v1","kind":"SelfSubjectAccessReview"}},
"SelfSubjectRulesReview":{"introduced":"1.8","deprecated":"1.19","removed":"1.22","replacement":{"group":"authorization.k8s.io","version":"v1","kind":"SelfSubjectRulesReview"}},
"SubjectAccessReview":{"introduced":"1.2","deprecated":"1.19","removed":"1.22","replacement":{"group":"authorization.k8s.io","version":"v1","kind":"SubjectAccessReview"}}
}`,
  messages: String.raw`{
"ExtraValue":{"w":"list","nullable":true,"f":[" 1 string r"]},
"LocalSubjectAccessReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SubjectAccessReviewSpec R","status 3 .SubjectAccessReviewStatus Oe"]},
"NonResourceAttributes":{"f":["path 1 string Oe","verb 2 string Oe"]},
"NonResourceRule":{"f":[["verbs 1 string rR",{"listType":"atomic"}],["nonResourceURLs 2 string rOe",{"listType":"atomic"}]]},
"ResourceAttributes":{"f":["namespace 1 string Oe","verb 2 string Oe","group 3 string Oe","version 4 string Oe","resource 5 string Oe","subresource 6 string Oe","name 7 string Oe","fieldSelector 8 authorization.v1.FieldSelectorAttributes pOe","labelSelector 9 authorization.v1.LabelSelectorAttributes pOe"]},
"ResourceRule":{"f":[["verbs 1 string rR",{"listType":"atomic"}],["apiGroups 2 string rOe",{"listType":"atomic"}],["resources 3 string rOe",{"listType":"atomic"}],["resourceNames 4 string rOe",{"listType":"atomic"}]]},
"SelfSubjectAccessReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SelfSubjectAccessReviewSpec R","status 3 .SubjectAccessReviewStatus Oe"]},
"SelfSubjectAccessReviewSpec":{"f":[["resourceAttributes 1 .ResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}],["nonResourceAttributes 2 .NonResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}]]},
"SelfSubjectRulesReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SelfSubjectRulesReviewSpec R","status 3 .SubjectRulesReviewStatus Oe"]},
"SelfSubjectRulesReviewSpec":{"f":["namespace 1 string e"]},
"SubjectAccessReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SubjectAccessReviewSpec R","status 3 .SubjectAccessReviewStatus Oe"]},
"SubjectAccessReviewSpec":{"f":[["resourceAttributes 1 .ResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}],["nonResourceAttributes 2 .NonResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}],"user 3 string Oe",["group 4 string rOe",{"listType":"atomic"}],"extra 5 .ExtraValue Oem","uid 6 string Oe"]},
"SubjectAccessReviewStatus":{"f":["allowed 1 bool R","denied 4 bool Oe","reason 2 string Oe","evaluationError 3 string Oe"]},
"SubjectRulesReviewStatus":{"f":[["resourceRules 1 .ResourceRule rR",{"listType":"atomic"}],["nonResourceRules 2 .NonResourceRule rR",{"listType":"atomic"}],"incomplete 3 bool R","evaluationError 4 string Oe"]}
}`,
};

export type ExtraValue = string[];
/** Asks whether somebody may do something in one namespace. The answer comes back in the status; nothing is stored. Being namespaced, the right to ask can be given for one namespace. */
export interface LocalSubjectAccessReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
/** A request for a path that is no API resource. */
export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}
/** Allowed verbs on paths that are no API resources. */
export interface NonResourceRule {
  verbs: string[] | null;
  nonResourceURLs?: string[];
}
/** A request on an API resource, as the authorizer sees it. */
export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: authorization_k8s_io_v1.FieldSelectorAttributes;
  labelSelector?: authorization_k8s_io_v1.LabelSelectorAttributes;
}
/** Allowed verbs on API resources. */
export interface ResourceRule {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
}
/** Asks whether you yourself may do something. The answer comes back in the status; nothing is stored. */
export interface SelfSubjectAccessReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
/** What you want to do: set either resourceAttributes or nonResourceAttributes. */
export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}
/** Asks for a list of all you may do in a namespace. Good for showing or hiding buttons; to decide upon access for others use SubjectAccessReview, as the list can be incomplete and soon out of date. */
export interface SelfSubjectRulesReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}
/** Where your permissions are asked for. */
export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}
/** Asks whether a user or group may do something, in any namespace or cluster-wide. The answer comes back in the status; nothing is stored. The API server also sends it to an authorization webhook. */
export interface SubjectAccessReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
/** Who wants to do what. Set one of resourceAttributes and nonResourceAttributes, and at least one of user and groups. */
export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  group?: string[];
  extra?: Record<string, ExtraValue>;
  uid?: string;
}
/** Whether the request would be let through. */
export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}
/** What the user may do. All that is listed is allowed; what is not listed may be allowed too if incomplete is true. */
export interface SubjectRulesReviewStatus {
  resourceRules: ResourceRule[] | null;
  nonResourceRules: NonResourceRule[] | null;
  incomplete: boolean;
  evaluationError?: string;
}
