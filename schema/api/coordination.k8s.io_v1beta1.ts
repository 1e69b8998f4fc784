// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `coordination.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "coordination.k8s.io",
  version: "v1beta1",
  short: "coordination.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"Lease":{"list":"LeaseList","introduced":"1.12","deprecated":"1.19","removed":"1.22","replacement":{"group":"coordination.k8s.io","version":"v1","kind":"Lease"}},
"LeaseCandidate":{"list":"LeaseCandidateList","introduced":"1.33","deprecated":"1.36","removed":"1.39"}
}`,
  messages: String.raw`{
"Lease":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .LeaseSpec Oe"]},
"LeaseCandidate":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .LeaseCandidateSpec Re"]},
"LeaseCandidateList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .LeaseCandidate rR"]},
"LeaseCandidateSpec":{"f":["leaseName 1 string R","pingTime 2 meta.v1.MicroTime pOe","renewTime 3 meta.v1.MicroTime pOe","binaryVersion 4 string R","emulationVersion 5 string Oe",["strategy 6 string Re",{"alias":"coordination.v1.CoordinatedLeaseStrategy"}]]},
"LeaseList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Lease rR"]},
"LeaseSpec":{"f":["holderIdentity 1 string pOe","leaseDurationSeconds 2 int32 pOe","acquireTime 3 meta.v1.MicroTime pOe","renewTime 4 meta.v1.MicroTime pOe","leaseTransitions 5 int32 pOe",["strategy 6 string pOe",{"alias":"coordination.v1.CoordinatedLeaseStrategy"}],"preferredHolder 7 string pOe"]}
}`,
};

/** A claim that one holder keeps by renewing it. Components use it to choose a leader, and node agents to show that their node is alive. The API server only stores it; those who share it must follow the rules. */
export interface Lease {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: LeaseSpec;
}
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
/** List of leases. */
export interface LeaseList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Lease[] | null;
}
/** Who holds a lease and until when. */
export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: meta_v1.MicroTime;
  renewTime?: meta_v1.MicroTime;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}
