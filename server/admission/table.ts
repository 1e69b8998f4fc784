/** The table of admission plugins (specification, "Request processing options"). docs/admission.md is written from it. */
import { OFF_BY_DEFAULT, PLUGIN_NAMES, type PluginName } from "./names.ts";
import { alwaysAdmit } from "./plugins/always_admit.ts";
import { namespaceAutoProvision } from "./plugins/namespace_auto_provision.ts";
import { namespaceExists } from "./plugins/namespace_exists.ts";
import { limitPodHardAntiAffinityTopology } from "./plugins/limit_pod_hard_anti_affinity_topology.ts";
import { serviceAccount } from "./plugins/service_account.ts";
import { nodeRestriction } from "./plugins/node_restriction.ts";
import { alwaysPullImages } from "./plugins/always_pull_images.ts";
import { podNodeSelector } from "./plugins/pod_node_selector.ts";
import { podTolerationRestriction } from "./plugins/pod_toleration_restriction.ts";
import { eventRateLimit } from "./plugins/event_rate_limit.ts";
import { extendedResourceToleration } from "./plugins/extended_resource_toleration.ts";
import { podGroupProtection } from "./plugins/pod_group_protection.ts";
import { ownerReferencesPermissionEnforcement } from "./plugins/owner_references_permission_enforcement.ts";
import { persistentVolumeClaimResize } from "./plugins/persistent_volume_claim_resize.ts";
import { certificateApproval } from "./plugins/certificate_approval.ts";
import { certificateSigning } from "./plugins/certificate_signing.ts";
import { clusterTrustBundleAttest } from "./plugins/cluster_trust_bundle_attest.ts";
import { certificateSubjectRestriction } from "./plugins/certificate_subject_restriction.ts";
import { denyServiceExternalIPs } from "./plugins/deny_service_external_ips.ts";
import { podTopologyLabels } from "./plugins/pod_topology_labels.ts";
import { nodeDeclaredFeatureValidator } from "./plugins/node_declared_feature_validator.ts";
import { podResizeValidator } from "./plugins/pod_resize_validator.ts";
import { alwaysDeny } from "./plugins/always_deny.ts";
import { defaultIngressClass } from "./plugins/default_ingress_class.ts";
import { defaultStorageClass } from "./plugins/default_storage_class.ts";
import { defaultTolerationSeconds } from "./plugins/default_toleration_seconds.ts";
import { limitRanger } from "./plugins/limit_ranger.ts";
import { namespaceLifecycle } from "./plugins/namespace_lifecycle.ts";
import { podSecurity } from "./plugins/pod_security.ts";
import { priority } from "./plugins/priority.ts";
import { resourceQuota } from "./plugins/resource_quota.ts";
import { runtimeClass } from "./plugins/runtime_class.ts";
import { storageObjectInUseProtection } from "./plugins/storage_object_in_use_protection.ts";
import { taintNodesByCondition } from "./plugins/taint_nodes_by_condition.ts";
import { mutatingAdmissionPolicy } from "./plugins/mutating_admission_policy.ts";
import { validatingAdmissionPolicy } from "./plugins/validating_admission_policy.ts";
import { imagePolicyWebhook } from "./plugins/image_policy_webhook.ts";
import { mutatingAdmissionWebhook } from "./plugins/mutating_admission_webhook.ts";
import { validatingAdmissionWebhook } from "./plugins/validating_admission_webhook.ts";
import type { Plugin, PluginContext, PluginRow } from "./types.ts";

interface Row {
  readonly summary: string;
  readonly make: (ctx: PluginContext) => Plugin;
}

const ROWS: Readonly<Record<PluginName, Row>> = {
  NamespaceLifecycle: {
    summary:
      "Refuses to create objects in a namespace that does not exist or is being deleted, and to delete the system's namespaces.",
    make: namespaceLifecycle,
  },
  LimitRanger: {
    summary: "Fills in and checks resource requests and limits by the LimitRange objects of the namespace.",
    make: limitRanger,
  },
  TaintNodesByCondition: {
    summary: "Taints a new node as not ready.",
    make: taintNodesByCondition,
  },
  ImagePolicyWebhook: {
    summary: "Asks a webhook whether a pod's images may run.",
    make: imagePolicyWebhook,
  },
  PodSecurity: {
    summary: "Checks pods against the Pod Security level of their namespace: refuses, notes for the audit, or warns.",
    make: podSecurity,
  },
  Priority: {
    summary: "Gives a pod the priority and preemption policy of its class; allows one default class.",
    make: priority,
  },
  DefaultTolerationSeconds: {
    summary: "Gives pods tolerations of nodes that are not ready or not reached, for a time that two options set.",
    make: defaultTolerationSeconds,
  },
  DefaultStorageClass: {
    summary: "Gives a claim that names no storage class the default one.",
    make: defaultStorageClass,
  },
  StorageObjectInUseProtection: {
    summary: "Puts the finalizer on volumes, claims and attribute classes that keeps them while they are in use.",
    make: storageObjectInUseProtection,
  },
  RuntimeClass: {
    summary: "Gives a pod the overhead, node selector and tolerations of its runtime class.",
    make: runtimeClass,
  },
  DefaultIngressClass: {
    summary: "Gives an ingress that names no class the default one.",
    make: defaultIngressClass,
  },
  MutatingAdmissionPolicy: {
    summary: "Changes objects by the expressions of admission policies: merges in what they give, or patches.",
    make: mutatingAdmissionPolicy,
  },
  MutatingAdmissionWebhook: {
    summary:
      "Calls mutating admission webhooks, one after the other: each may change the object, or refuse the request.",
    make: mutatingAdmissionWebhook,
  },
  ValidatingAdmissionPolicy: {
    summary: "Checks requests by the expressions of admission policies: refuses, notes for the audit, or warns.",
    make: validatingAdmissionPolicy,
  },
  ValidatingAdmissionWebhook: {
    summary: "Calls validating admission webhooks, all at once: each may refuse the request.",
    make: validatingAdmissionWebhook,
  },
  AlwaysAdmit: { summary: "Admits everything. Without effect; kept for old command lines.", make: alwaysAdmit },
  NamespaceAutoProvision: {
    summary: "Creates a namespace that does not exist when something is created in it.",
    make: namespaceAutoProvision,
  },
  NamespaceExists: { summary: "Refuses writes in a namespace that does not exist.", make: namespaceExists },
  LimitPodHardAntiAffinityTopology: {
    summary: "Refuses pods that keep others off more than their node.",
    make: limitPodHardAntiAffinityTopology,
  },
  ServiceAccount: {
    summary: "Gives a pod its service account, the account's token as a volume, and its pull secrets.",
    make: serviceAccount,
  },
  NodeRestriction: { summary: "Lets a node's agent write only what belongs to its own node.", make: nodeRestriction },
  AlwaysPullImages: {
    summary: "Has the images of pods pulled each time, so that only who may pull an image runs it.",
    make: alwaysPullImages,
  },
  PodNodeSelector: {
    summary: "Adds the node selector of the namespace or the cluster to pods.",
    make: podNodeSelector,
  },
  PodTolerationRestriction: {
    summary: "Adds the default tolerations of a namespace to its pods, and bounds what they tolerate.",
    make: podTolerationRestriction,
  },
  EventRateLimit: {
    summary: "Bounds how many events are taken a second: in all, by namespace, user, or source and object.",
    make: eventRateLimit,
  },
  ExtendedResourceToleration: {
    summary: "Has pods that ask for an extended resource tolerate the taint of nodes that have it.",
    make: extendedResourceToleration,
  },
  PodGroupProtection: {
    summary: "Keeps pod groups while they have members, and takes no members for groups that are being deleted.",
    make: podGroupProtection,
  },
  OwnerReferencesPermissionEnforcement: {
    summary: "Lets only who may delete an object name its owner, and only who may finalize the owner block it.",
    make: ownerReferencesPermissionEnforcement,
  },
  PersistentVolumeClaimResize: {
    summary: "Lets only bound claims grow whose storage class allows it.",
    make: persistentVolumeClaimResize,
  },
  CertificateApproval: {
    summary: "Lets only who may approve for a signer approve or deny requests to it.",
    make: certificateApproval,
  },
  CertificateSigning: { summary: "Lets only who may sign for a signer give certificates.", make: certificateSigning },
  ClusterTrustBundleAttest: {
    summary: "Lets only who may attest for a signer publish its roots.",
    make: clusterTrustBundleAttest,
  },
  CertificateSubjectRestriction: {
    summary: "Refuses requests for client certificates in the group system:masters.",
    make: certificateSubjectRestriction,
  },
  DenyServiceExternalIPs: { summary: "Refuses new external addresses of services.", make: denyServiceExternalIPs },
  PodTopologyLabels: { summary: "Copies zone and region of a pod's node to the pod.", make: podTopologyLabels },
  NodeDeclaredFeatureValidator: {
    summary: "Refuses updates of pods that need a feature which their node does not declare.",
    make: nodeDeclaredFeatureValidator,
  },
  PodResizeValidator: { summary: "Refuses to resize pods beyond their node.", make: podResizeValidator },
  AlwaysDeny: { summary: "Refuses every write. For tests.", make: alwaysDeny },
  ResourceQuota: {
    summary: "Charges objects to the ResourceQuota objects of the namespace, and refuses what exceeds them.",
    make: resourceQuota,
  },
};

/** All plugins in their order. */
export const PLUGINS: readonly PluginRow[] = PLUGIN_NAMES.map((name) => ({
  name,
  enabledByDefault: !OFF_BY_DEFAULT.has(name),
  ...ROWS[name],
}));
