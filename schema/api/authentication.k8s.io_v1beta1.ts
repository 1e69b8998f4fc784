// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as authentication_k8s_io_v1 from "./authentication.k8s.io_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `authentication.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "authentication.k8s.io",
  version: "v1beta1",
  short: "authentication.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"SelfSubjectReview":{"introduced":"1.27","deprecated":"1.30","removed":"1.33"},
"TokenReview":{"introduced":"1.4","deprecated":"1.19","removed":"1.22","replacement":{"group":"authentication.k8s.io","version":"v1","kind":"TokenReview"}}
}`,
  messages: String.raw`{
"ExtraValue":{"w":"list","nullable":true,"f":[" 1 string r"]},
"SelfSubjectReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"status 2 .SelfSubjectReviewStatus Oe"]},
"SelfSubjectReviewStatus":{"f":["userInfo 1 authentication.v1.UserInfo Oe"]},
"TokenReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .TokenReviewSpec R","status 3 .TokenReviewStatus Oe"]},
"TokenReviewSpec":{"f":["token 1 string Re",["audiences 2 string rOe",{"listType":"atomic"}]]},
"TokenReviewStatus":{"f":["authenticated 1 bool Oe","user 2 .UserInfo Oe",["audiences 4 string rOe",{"listType":"atomic"}],"error 3 string Oe"]},
"UserInfo":{"f":["username 1 string Oe","uid 2 string Oe",["groups 3 string rOe",{"listType":"atomic"}],"extra 4 .ExtraValue Oem"]}
}`,
};

export type ExtraValue = string[];
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
/** Asks the API server whether a token is good and to whom it belongs. The answer comes back in the status; nothing is stored. The API server also sends it to an authentication webhook. */
export interface TokenReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec: TokenReviewSpec;
  status?: TokenReviewStatus;
}
/** The token to check, and for whom it must be meant. */
export interface TokenReviewSpec {
  token?: string;
  audiences?: string[];
}
/** The outcome of checking a token. */
export interface TokenReviewStatus {
  authenticated?: boolean;
  user?: UserInfo;
  audiences?: string[];
  error?: string;
}
/** A user as the API server sees one after the login was checked. */
export interface UserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, ExtraValue>;
}
