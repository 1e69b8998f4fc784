// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `apiregistration.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "apiregistration.k8s.io",
  version: "v1beta1",
  short: "apiregistration.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"APIService":{"list":"APIServiceList","introduced":"1.7","deprecated":"1.19","removed":"1.22","replacement":{"group":"apiregistration.k8s.io","version":"v1","kind":"APIService"}}
}`,
  messages: String.raw`{
"APIService":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe","spec 2 .APIServiceSpec e","status 3 .APIServiceStatus e"]},
"APIServiceCondition":{"f":[["type 1 string R",{"alias":"APIServiceConditionType"}],["status 2 string R",{"alias":"ConditionStatus"}],"lastTransitionTime 3 meta.v1.Time Oe","reason 4 string Oe","message 5 string Oe"]},
"APIServiceList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .APIService rR"]},
"APIServiceSpec":{"f":["service 1 .ServiceReference pOe","group 2 string e","version 3 string e","insecureSkipTLSVerify 4 bool e",["caBundle 5 bytes Oe",{"listType":"atomic"}],"groupPriorityMinimum 7 int32 R","versionPriority 8 int32 R"]},
"APIServiceStatus":{"f":[["conditions 1 .APIServiceCondition rOe",{"patchStrategy":"merge","patchMergeKey":"type","listType":"map","listMapKeys":["type"]}]]},
"ServiceReference":{"f":["namespace 1 string e","name 2 string e","port 3 int32 pOe"]}
}`,
};

/** Says who answers for one group and version: the API server itself, or another one behind a service. Its name is the version, a dot and the group. */
export interface APIService {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  spec?: APIServiceSpec;
  status?: APIServiceStatus;
}
/** One statement about an APIService, and since when it holds. */
export interface APIServiceCondition {
  type: string;
  status: string;
  lastTransitionTime?: meta_v1.Time;
  reason?: string;
  message?: string;
}
/** List of API services. */
export interface APIServiceList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: APIService[] | null;
}
/** The group and version, and the server that answers for them. Such a server is only spoken to over TLS. */
export interface APIServiceSpec {
  service?: ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: string;
  groupPriorityMinimum: number;
  versionPriority: number;
}
/** Whether the server that answers for the group and version can be reached. */
export interface APIServiceStatus {
  conditions?: APIServiceCondition[];
}
/** The service behind which a server for part of the API answers. */
export interface ServiceReference {
  namespace?: string;
  name?: string;
  port?: number;
}
