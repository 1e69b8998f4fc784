// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as authentication_k8s_io_v1 from "./authentication.k8s.io_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `admission.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "admission.k8s.io",
  version: "v1beta1",
  short: "admission.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"AdmissionReview":{"introduced":"1.9","deprecated":"1.19","removed":"1.22","replacement":{"group":"admission.k8s.io","version":"v1","kind":"AdmissionReview"}}
}`,
  messages: String.raw`{
"AdmissionRequest":{"f":[["uid 1 string O",{"alias":"types.UID"}],"kind 2 meta.v1.GroupVersionKind O","resource 3 meta.v1.GroupVersionResource O","subResource 4 string Oe","requestKind 13 meta.v1.GroupVersionKind pOe","requestResource 14 meta.v1.GroupVersionResource pOe","requestSubResource 15 string Oe","name 5 string Oe","namespace 6 string Oe",["operation 7 string O",{"alias":"Operation"}],"userInfo 8 authentication.v1.UserInfo O","object 9 runtime.RawExtension Oe","oldObject 10 runtime.RawExtension Oe","dryRun 11 bool pOe","options 12 runtime.RawExtension Oe"]},
"AdmissionResponse":{"f":[["uid 1 string O",{"alias":"types.UID"}],"allowed 2 bool O","status 3 meta.v1.Status pOe","patch 4 bytes Oe",["patchType 5 string pOe",{"alias":"PatchType"}],"auditAnnotations 6 string Oem",["warnings 7 string rOe",{"listType":"atomic"}]]},
"AdmissionReview":{"t":1,"f":["request 1 .AdmissionRequest pOe","response 2 .AdmissionResponse pOe"]}
}`,
};

export interface AdmissionRequest {
  uid?: string;
  kind?: meta_v1.GroupVersionKind;
  resource?: meta_v1.GroupVersionResource;
  subResource?: string;
  requestKind?: meta_v1.GroupVersionKind;
  requestResource?: meta_v1.GroupVersionResource;
  requestSubResource?: string;
  name?: string;
  namespace?: string;
  operation?: string;
  userInfo?: authentication_k8s_io_v1.UserInfo;
  object?: runtime.RawExtension;
  oldObject?: runtime.RawExtension;
  dryRun?: boolean;
  options?: runtime.RawExtension;
}
export interface AdmissionResponse {
  uid?: string;
  allowed?: boolean;
  status?: meta_v1.Status;
  patch?: string;
  patchType?: string;
  auditAnnotations?: Record<string, string>;
  warnings?: string[];
}
export interface AdmissionReview {
  apiVersion?: string;
  kind?: string;
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}
