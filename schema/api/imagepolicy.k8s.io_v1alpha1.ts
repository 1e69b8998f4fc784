// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `imagepolicy.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "imagepolicy.k8s.io",
  version: "v1alpha1",
  short: "imagepolicy.v1alpha1",
  protobuf: true,
  kinds: String.raw`{
"ImageReview":{}
}`,
  messages: String.raw`{
"ImageReview":{"t":1,"f":[["metadata 1 meta.v1.ObjectMeta Oe",{"validate":{"opaqueType":true}}],"spec 2 .ImageReviewSpec O","status 3 .ImageReviewStatus Oe"]},
"ImageReviewContainerSpec":{"f":["image 1 string Oe"]},
"ImageReviewSpec":{"f":[["containers 1 .ImageReviewContainerSpec rOe",{"listType":"atomic"}],"annotations 2 string Oem","namespace 3 string Oe"]},
"ImageReviewStatus":{"f":["allowed 1 bool O","reason 2 string Oe","auditAnnotations 3 string Oem"]}
}`,
};

export interface ImageReview {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: ImageReviewSpec;
  status?: ImageReviewStatus;
}
export interface ImageReviewContainerSpec {
  image?: string;
}
export interface ImageReviewSpec {
  containers?: ImageReviewContainerSpec[];
  annotations?: Record<string, string>;
  namespace?: string;
}
export interface ImageReviewStatus {
  allowed?: boolean;
  reason?: string;
  auditAnnotations?: Record<string, string>;
}
