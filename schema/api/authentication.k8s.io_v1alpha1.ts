// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as authentication_k8s_io_v1 from "./authentication.k8s.io_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `authentication.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "authentication.k8s.io",
  version: "v1alpha1",
  short: "authentication.v1alpha1",
  protobuf: true,
  kinds: String.raw`{
"SelfSubjectReview":{"introduced":"1.26","deprecated":"1.29","removed":"1.32"}
}`,
  messages: String.raw`{
"SelfSubjectReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"status 2 .SelfSubjectReviewStatus Oe"]},
"SelfSubjectReviewStatus":{"f":["userInfo 1 authentication.v1.UserInfo Oe"]}
}`,
};

/** Answers the question who you are to the API server. Post it empty and read the status; nothing is stored. Under impersonation the answer is the user you act as. */
export interface SelfSubjectReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  status?: SelfSubjectReviewStatus;
}
/** How the API server sees the sender of the request. */
export interface SelfSubjectReviewStatus {
  userInfo?: authentication_k8s_io_v1.UserInfo;
}
