/** Who gets which bootstrap role, and the roles inside namespaces. */
import type { BindingRow, NamespacedBindingRow, NamespacedRoleRow } from "./rows.ts";

/** Cluster role bindings; those of controllers follow from their roles. */
export const CLUSTER_BINDINGS: readonly BindingRow[] = [
  { name: "cluster-admin", subjects: ["group:system:masters"] },
  { name: "system:basic-user", subjects: ["group:system:authenticated"] },
  {
    name: "system:cluster-trust-bundle-discovery",
    gate: "ClusterTrustBundle",
    subjects: ["group:system:serviceaccounts"],
  },
  { name: "system:discovery", subjects: ["group:system:authenticated"] },
  { name: "system:kube-controller-manager", subjects: ["user:system:kube-controller-manager"] },
  { name: "system:kube-dns", subjects: ["sa:kube-system/kube-dns"] },
  { name: "system:kube-scheduler", subjects: ["user:system:kube-scheduler"] },
  { name: "system:monitoring", subjects: ["group:system:monitoring"] },
  { name: "system:node", subjects: [] },
  { name: "system:node-proxier", subjects: ["user:system:kube-proxy"] },
  { name: "system:public-info-viewer", subjects: ["group:system:authenticated", "group:system:unauthenticated"] },
  { name: "system:service-account-issuer-discovery", subjects: ["group:system:serviceaccounts"] },
  { name: "system:volume-scheduler", subjects: ["user:system:kube-scheduler"] },
];

/** Roles of system namespaces. */
export const NAMESPACED_ROLES: readonly NamespacedRoleRow[] = [
  {
    namespace: "kube-public",
    name: "system:controller:bootstrap-signer",
    rules: [["get list watch", "core", "configmaps"], ["update", "core", "configmaps", "cluster-info"], [
      "create patch update",
      "core events.k8s.io",
      "events",
    ]],
  },
  {
    namespace: "kube-system",
    name: "extension-apiserver-authentication-reader",
    rules: [["get list watch", "core", "configmaps", "extension-apiserver-authentication"]],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-controller-manager",
    rules: [["create get list update watch", "coordination.k8s.io", "leases"], [
      "create get list update watch",
      "coordination.k8s.io",
      "leasecandidates",
    ]],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-scheduler",
    rules: [["create get list update watch", "coordination.k8s.io", "leases"], [
      "create get list update watch",
      "coordination.k8s.io",
      "leasecandidates",
    ]],
  },
  {
    namespace: "kube-system",
    name: "system:controller:bootstrap-signer",
    rules: [["get list watch", "core", "secrets"]],
  },
  {
    namespace: "kube-system",
    name: "system:controller:cloud-provider",
    rules: [["create get list watch", "core", "configmaps"]],
  },
  {
    namespace: "kube-system",
    name: "system:controller:token-cleaner",
    rules: [["delete get list watch", "core", "secrets"], ["create patch update", "core events.k8s.io", "events"]],
  },
];

/** Bindings of system namespaces. */
export const NAMESPACED_BINDINGS: readonly NamespacedBindingRow[] = [
  {
    namespace: "kube-public",
    name: "system:controller:bootstrap-signer",
    subjects: ["sa:kube-system/bootstrap-signer"],
  },
  {
    namespace: "kube-system",
    name: "system::extension-apiserver-authentication-reader",
    role: "extension-apiserver-authentication-reader",
    subjects: ["user:system:kube-controller-manager", "user:system:kube-scheduler"],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-controller-manager",
    subjects: [
      "user:system:kube-controller-manager",
      "sa:kube-system/kube-controller-manager",
      "sa:kube-system/leader-election-controller",
    ],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-scheduler",
    subjects: ["user:system:kube-scheduler", "sa:kube-system/kube-scheduler"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:bootstrap-signer",
    subjects: ["sa:kube-system/bootstrap-signer"],
  },
  { namespace: "kube-system", name: "system:controller:cloud-provider", subjects: ["sa:kube-system/cloud-provider"] },
  { namespace: "kube-system", name: "system:controller:token-cleaner", subjects: ["sa:kube-system/token-cleaner"] },
];
