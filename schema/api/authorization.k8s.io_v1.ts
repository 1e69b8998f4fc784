// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `authorization.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "authorization.k8s.io",
  version: "v1",
  short: "authorization.v1",
  protobuf: true,
  kinds: String.raw`{
"LocalSubjectAccessReview":{"introduced":"1.19"},
"SelfSubjectAccessReview":{"introduced":"1.19"},
"SelfSubjectRulesReview":{"introduced":"1.19"},
"SubjectAccessReview":{"introduced":"1.6"}
}`,
  messages: String.raw`{
"ExtraValue":{"w":"list","nullable":true,"f":[" 1 string r"]},
"FieldSelectorAttributes":{"f":["rawSelector 1 string Oe",["requirements 2 meta.v1.FieldSelectorRequirement rOe",{"listType":"atomic"}]]},
"LabelSelectorAttributes":{"f":["rawSelector 1 string Oe",["requirements 2 meta.v1.LabelSelectorRequirement rOe",{"listType":"atomic"}]]},
"LocalSubjectAccessReview":{"t":1,"validate":{"supportsSubresource":"/status"},"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SubjectAccessReviewSpec R","status 3 .SubjectAccessReviewStatus Oe"]},
"NonResourceAttributes":{"f":["path 1 string Oe","verb 2 string Oe"]},
"NonResourceRule":{"f":[["verbs 1 string rR",{"listType":"atomic"}],["nonResourceURLs 2 string rOe",{"listType":"atomic"}]]},
"ResourceAttributes":{"f":["namespace 1 string Oe","verb 2 string Oe","group 3 string Oe","version 4 string Oe","resource 5 string Oe","subresource 6 string Oe","name 7 string Oe","fieldSelector 8 .FieldSelectorAttributes pOe","labelSelector 9 .LabelSelectorAttributes pOe"]},
"ResourceRule":{"f":[["verbs 1 string rR",{"listType":"atomic"}],["apiGroups 2 string rOe",{"listType":"atomic"}],["resources 3 string rOe",{"listType":"atomic"}],["resourceNames 4 string rOe",{"listType":"atomic"}]]},
"SelfSubjectAccessReview":{"t":1,"validate":{"supportsSubresource":"/status"},"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SelfSubjectAccessReviewSpec R","status 3 .SubjectAccessReviewStatus Oe"]},
"SelfSubjectAccessReviewSpec":{"f":[["resourceAttributes 1 .ResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}],["nonResourceAttributes 2 .NonResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}]]},
"SelfSubjectRulesReview":{"t":1,"validate":{"supportsSubresource":"/status"},"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SelfSubjectRulesReviewSpec R","status 3 .SubjectRulesReviewStatus Oe"]},
"SelfSubjectRulesReviewSpec":{"f":["namespace 1 string e"]},
"SubjectAccessReview":{"t":1,"validate":{"supportsSubresource":"/status"},"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .SubjectAccessReviewSpec R","status 3 .SubjectAccessReviewStatus Oe"]},
"SubjectAccessReviewSpec":{"f":[["resourceAttributes 1 .ResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}],["nonResourceAttributes 2 .NonResourceAttributes pOe",{"validate":{"alpha@1.37:optional":true,"alpha@1.37:unionMember":true}}],"user 3 string Oe",["groups 4 string rOe",{"listType":"atomic"}],"extra 5 .ExtraValue Oem","uid 6 string Oe"]},
"SubjectAccessReviewStatus":{"f":["allowed 1 bool R","denied 4 bool Oe","reason 2 string Oe","evaluationError 3 string Oe"]},
"SubjectRulesReviewStatus":{"f":[["resourceRules 1 .ResourceRule rR",{"listType":"atomic"}],["nonResourceRules 2 .NonResourceRule rR",{"listType":"atomic"}],"incomplete 3 bool R","evaluationError 4 string Oe"]}
}`,
};

export type ExtraValue = string[];
export interface FieldSelectorAttributes {
  rawSelector?: string;
  requirements?: meta_v1.FieldSelectorRequirement[];
}
export interface LabelSelectorAttributes {
  rawSelector?: string;
  requirements?: meta_v1.LabelSelectorRequirement[];
}
export interface LocalSubjectAccessReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}
export interface NonResourceRule {
  verbs: string[] | null;
  nonResourceURLs?: string[];
}
export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
}
export interface ResourceRule {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
}
export interface SelfSubjectAccessReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}
export interface SelfSubjectRulesReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}
export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}
export interface SubjectAccessReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, ExtraValue>;
  uid?: string;
}
export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}
export interface SubjectRulesReviewStatus {
  resourceRules: ResourceRule[] | null;
  nonResourceRules: NonResourceRule[] | null;
  incomplete: boolean;
  evaluationError?: string;
}
