// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `componentconfig.v1alpha1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "",
  version: "v1alpha1",
  short: "componentconfig.v1alpha1",
  protobuf: false,
  kinds: String.raw`{

}`,
  messages: String.raw`{
"ClientConnectionConfiguration":{"f":["kubeconfig 0 string R","acceptContentTypes 0 string R","contentType 0 string R","qps 0 float R","burst 0 int32 R"]},
"DebuggingConfiguration":{"f":["enableProfiling 0 bool pe","enableContentionProfiling 0 bool pe"]},
"LeaderElectionConfiguration":{"f":["leaderElect 0 bool p","leaseDuration 0 meta.v1.Duration R","renewDeadline 0 meta.v1.Duration R","retryPeriod 0 meta.v1.Duration R","resourceLock 0 string R","resourceName 0 string R","resourceNamespace 0 string R"]}
}`,
};

export interface ClientConnectionConfiguration {
  kubeconfig: string;
  acceptContentTypes: string;
  contentType: string;
  qps: number;
  burst: number;
}
export interface DebuggingConfiguration {
  enableProfiling?: boolean;
  enableContentionProfiling?: boolean;
}
export interface LeaderElectionConfiguration {
  leaderElect?: boolean | null;
  leaseDuration: meta_v1.Duration;
  renewDeadline: meta_v1.Duration;
  retryPeriod: meta_v1.Duration;
  resourceLock: string;
  resourceName: string;
  resourceNamespace: string;
}
