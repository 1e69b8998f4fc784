// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as authentication_k8s_io_v1 from "./authentication.k8s.io_v1.ts";
import type * as meta_v1 from "./meta_v1.ts";
import type * as runtime from "./runtime.ts";
/** Descriptors of `audit.v1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "audit.k8s.io",
  version: "v1",
  short: "audit.v1",
  protobuf: true,
  kinds: String.raw`{
"Event":{"list":"EventList"},
"Policy":{"list":"PolicyList"}
}`,
  messages: String.raw`{
"AuthenticationMetadata":{"f":["impersonationConstraint 1 string Oe"]},
"Event":{"t":1,"f":[["level 1 string R",{"alias":"Level"}],["auditID 2 string R",{"alias":"types.UID"}],["stage 3 string R",{"alias":"Stage"}],"requestURI 4 string R","verb 5 string R","user 6 authentication.v1.UserInfo R","impersonatedUser 7 authentication.v1.UserInfo pOe","authenticationMetadata 17 .AuthenticationMetadata pOe",["sourceIPs 8 string rOe",{"listType":"atomic"}],"userAgent 16 string Oe","objectRef 9 .ObjectReference pOe","responseStatus 10 meta.v1.Status pOe","requestObject 11 runtime.Unknown pOe","responseObject 12 runtime.Unknown pOe","requestReceivedTimestamp 13 meta.v1.MicroTime O","stageTimestamp 14 meta.v1.MicroTime O","annotations 15 string Oem"]},
"EventList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Event rR"]},
"GroupResources":{"f":["group 1 string Oe",["resources 2 string rOe",{"listType":"atomic"}],["resourceNames 3 string rOe",{"listType":"atomic"}]]},
"ObjectReference":{"f":["resource 1 string Oe","namespace 2 string Oe","name 3 string Oe",["uid 4 string Oe",{"alias":"types.UID"}],"apiGroup 5 string Oe","apiVersion 6 string Oe","resourceVersion 7 string Oe","subresource 8 string Oe"]},
"Policy":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["rules 2 .PolicyRule rR",{"listType":"atomic"}],["omitStages 3 string rOe",{"alias":"Stage","listType":"atomic"}],"omitManagedFields 4 bool Oe"]},
"PolicyList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Policy rR"]},
"PolicyRule":{"f":[["level 1 string R",{"alias":"Level"}],["users 2 string rOe",{"listType":"atomic"}],["userGroups 3 string rOe",{"listType":"atomic"}],["verbs 4 string rOe",{"listType":"atomic"}],["resources 5 .GroupResources rOe",{"listType":"atomic"}],["namespaces 6 string rOe",{"listType":"atomic"}],["nonResourceURLs 7 string rOe",{"listType":"atomic"}],["omitStages 8 string rOe",{"alias":"Stage","listType":"atomic"}],"omitManagedFields 9 bool pOe"]}
}`,
};

export interface AuthenticationMetadata {
  impersonationConstraint?: string;
}
export interface Event {
  apiVersion?: string;
  kind?: string;
  level: string;
  auditID: string;
  stage: string;
  requestURI: string;
  verb: string;
  user: authentication_k8s_io_v1.UserInfo;
  impersonatedUser?: authentication_k8s_io_v1.UserInfo;
  authenticationMetadata?: AuthenticationMetadata;
  sourceIPs?: string[];
  userAgent?: string;
  objectRef?: ObjectReference;
  responseStatus?: meta_v1.Status;
  requestObject?: runtime.Unknown;
  responseObject?: runtime.Unknown;
  requestReceivedTimestamp?: meta_v1.MicroTime;
  stageTimestamp?: meta_v1.MicroTime;
  annotations?: Record<string, string>;
}
/** List of events. */
export interface EventList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Event[] | null;
}
export interface GroupResources {
  group?: string;
  resources?: string[];
  resourceNames?: string[];
}
export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}
export interface Policy {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  rules: PolicyRule[] | null;
  omitStages?: string[];
  omitManagedFields?: boolean;
}
/** List of policies. */
export interface PolicyList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Policy[] | null;
}
export interface PolicyRule {
  level: string;
  users?: string[];
  userGroups?: string[];
  verbs?: string[];
  resources?: GroupResources[];
  namespaces?: string[];
  nonResourceURLs?: string[];
  omitStages?: string[];
  omitManagedFields?: boolean;
}
