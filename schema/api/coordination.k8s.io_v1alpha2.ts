// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `coordination.v1alpha2`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "coordination.k8s.io",
  version: "v1alpha2",
  short: "coordination.v1alpha2",
  protobuf: true,
  kinds: String.raw`{
"LeaseCandidate":{"list":"LeaseCandidateList","introduced":"1.32","deprecated":"1.35","removed":"1.38"}
}`,
  messages: String.raw`{
"LeaseCandidate":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .LeaseCandidateSpec Re"]},
"LeaseCandidateList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .LeaseCandidate rR"]},
"LeaseCandidateSpec":{"f":["leaseName 1 string R","pingTime 2 meta.v1.MicroTime pOe","renewTime 3 meta.v1.MicroTime pOe","binaryVersion 4 string R","emulationVersion 5 string Oe",["strategy 6 string Re",{"alias":"coordination.v1.CoordinatedLeaseStrategy"}]]}
}`,
};

/** Puts a process up for the holding of a lease, so that the control plane can choose the best leader among all candidates. */
export interface LeaseCandidate {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: LeaseCandidateSpec;
}
/** List of lease candidates. */
export interface LeaseCandidateList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: LeaseCandidate[] | null;
}
/** For which lease a candidate stands, and what is known of it. */
export interface LeaseCandidateSpec {
  leaseName: string;
  pingTime?: meta_v1.MicroTime;
  renewTime?: meta_v1.MicroTime;
  binaryVersion: string;
  emulationVersion?: string;
  strategy?: string;
}
