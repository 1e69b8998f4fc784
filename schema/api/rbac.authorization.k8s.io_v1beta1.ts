// Written by scripts/import_facts.ts from the public API definitions. Do not edit.
import type { ApiModule } from "../model/table.ts";
import type * as meta_v1 from "./meta_v1.ts";
/** Descriptors of `rbac.v1beta1`, parsed on first use. */
export const MODULE: ApiModule = {
  group: "rbac.authorization.k8s.io",
  version: "v1beta1",
  short: "rbac.v1beta1",
  protobuf: true,
  kinds: String.raw`{
"ClusterRole":{"list":"ClusterRoleList","introduced":"1.6","deprecated":"1.17","removed":"1.22","replacement":{"group":"rbac.authorization.k8s.io","version":"v1","kind":"ClusterRole"}},
"ClusterRoleBinding":{"list":"ClusterRoleBindingList","introduced":"1.6","deprecated":"1.17","removed":"1.22","replacement":{"group":"rbac.authorization.k8s.io","version":"v1","kind":"ClusterRoleBinding"}},
"Role":{"list":"RoleList","introduced":"1.6","deprecated":"1.17","removed":"1.22","replacement":{"group":"rbac.authorization.k8s.io","version":"v1","kind":"Role"}},
"RoleBinding":{"list":"RoleBindingList","introduced":"1.6","deprecated":"1.17","removed":"1.22","replacement":{"group":"rbac.authorization.k8s.io","version":"v1","kind":"RoleBinding"}}
}`,
  messages: String.raw`{
"AggregationRule":{"f":[["clusterRoleSelectors 1 meta.v1.LabelSelector rOe",{"listType":"atomic"}]]},
"ClusterRole":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["rules 2 .PolicyRule rO",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],"aggregationRule 3 .AggregationRule pOe"]},
"ClusterRoleBinding":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["subjects 2 .Subject rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],["roleRef 3 .RoleRef R",{"validate":{"alpha@1.37:immutable":true}}]]},
"ClusterRoleBindingList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ClusterRoleBinding rR"]},
"ClusterRoleList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .ClusterRole rR"]},
"PolicyRule":{"f":[["verbs 1 string rR",{"listType":"atomic","validate":{"beta@1.37:required":true}}],["apiGroups 2 string rOe",{"listType":"atomic"}],["resources 3 string rOe",{"listType":"atomic"}],["resourceNames 4 string rOe",{"listType":"atomic"}],["nonResourceURLs 5 string rOe",{"listType":"atomic"}]]},
"Role":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["rules 2 .PolicyRule rO",{"listType":"atomic","validate":{"beta@1.37:optional":true}}]]},
"RoleBinding":{"t":1,"f":["metadata 1 meta.v1.ObjectMeta Oe",["subjects 2 .Subject rOe",{"listType":"atomic","validate":{"beta@1.37:optional":true}}],["roleRef 3 .RoleRef R",{"validate":{"alpha@1.37:immutable":true}}]]},
"RoleBindingList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .RoleBinding rR"]},
"RoleList":{"t":1,"f":["metadata 1 meta.v1.ListMeta Oe","items 2 .Role rR"]},
"RoleRef":{"f":["apiGroup 1 string O","kind 2 string R",["name 3 string R",{"validate":{"beta@1.37:required":true}}]]},
"Subject":{"f":["kind 1 string R","apiGroup 2 string Oe",["name 3 string R",{"validate":{"beta@1.37:required":true}}],"namespace 4 string Oe"]}
}`,
};

/** Tells from which other cluster roles a cluster role is put together. */
export interface AggregationRule {
  clusterRoleSelectors?: meta_v1.LabelSelector[];
}
/** A set of permissions without a namespace. Bound by a ClusterRoleBinding it holds everywhere; bound by a RoleBinding, in that namespace only. Nobody may grant in it more than they hold, unless allowed the verb escalate. */
export interface ClusterRole {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  rules?: PolicyRule[] | null;
  aggregationRule?: AggregationRule;
}
/** Gives the permissions of a cluster role to users, groups and service accounts, in all namespaces and on cluster-wide resources. Whoever writes it must hold them too, or be allowed the verb bind. */
export interface ClusterRoleBinding {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
}
/** List of cluster role bindings. */
export interface ClusterRoleBindingList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ClusterRoleBinding[] | null;
}
/** List of cluster roles. */
export interface ClusterRoleList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: ClusterRole[] | null;
}
/** A set of verbs on a set of resources, or on a set of other paths. A rule is for one sort only. */
export interface PolicyRule {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}
/** A set of permissions inside one namespace. A RoleBinding of the same namespace gives it to somebody. */
export interface Role {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  rules?: PolicyRule[] | null;
}
/** Gives the permissions of a role to users, groups and service accounts, inside its own namespace only. Whoever writes it must hold them too, or be allowed the verb bind. */
export interface RoleBinding {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
}
/** List of role bindings. */
export interface RoleBindingList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: RoleBinding[] | null;
}
/** List of roles. */
export interface RoleList {
  apiVersion?: string;
  kind?: string;
  metadata?: meta_v1.ListMeta;
  items: Role[] | null;
}
/** Names the role that a binding gives. */
export interface RoleRef {
  apiGroup?: string;
  kind: string;
  name: string;
}
/** Somebody to whom a binding gives a role. Users and groups are plain names; no object stands behind them. */
export interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}
