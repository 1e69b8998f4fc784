/** The table of admission plugins (specification, "Request processing options"). docs/admission.md is written from it. */
import { OFF_BY_DEFAULT, PLUGIN_NAMES, type PluginName } from "./names.ts";
import { idle } from "./plugins/_idle.ts";
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
import type { Plugin, PluginContext, PluginRow } from "./types.ts";

interface Row {
  readonly summary: string;
  readonly make: (ctx: PluginContext) => Plugin;
}

/** Said of plugins whose effect is yet to be built. */
const LATER = "Has its place and its switch; has no effect yet.";

const ROWS: Partial<Readonly<Record<PluginName, Row>>> = {
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
    summary: `Asks a webhook whether a pod's images may run. ${LATER}`,
    make: idle("ImagePolicyWebhook"),
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
    summary: `Runs mutating admission policies. ${LATER}`,
    make: idle("MutatingAdmissionPolicy"),
  },
  MutatingAdmissionWebhook: {
    summary: `Calls mutating admission webhooks. ${LATER}`,
    make: idle("MutatingAdmissionWebhook"),
  },
  ValidatingAdmissionPolicy: {
    summary: `Runs validating admission policies. ${LATER}`,
    make: idle("ValidatingAdmissionPolicy"),
  },
  ValidatingAdmissionWebhook: {
    summary: `Calls validating admission webhooks. ${LATER}`,
    make: idle("ValidatingAdmissionWebhook"),
  },
  ResourceQuota: {
    summary: "Charges objects to the ResourceQuota objects of the namespace, and refuses what exceeds them.",
    make: resourceQuota,
  },
};

/** All plugins in their order. */
export const PLUGINS: readonly PluginRow[] = PLUGIN_NAMES.map((name) => ({
  name,
  enabledByDefault: !OFF_BY_DEFAULT.has(name),
  ...(ROWS[name] ?? { summary: LATER, make: idle(name) }),
}));
