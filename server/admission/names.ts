/** Names of the admission plugins, in the order in which they run (specification, "Request processing options"). */

/** All plugins. What can refuse for reasons of its own comes before what asks others, and quotas are charged last. */
export const PLUGIN_NAMES = [
  "AlwaysAdmit",
  "NamespaceAutoProvision",
  "NamespaceLifecycle",
  "NamespaceExists",
  "LimitPodHardAntiAffinityTopology",
  "LimitRanger",
  "ServiceAccount",
  "NodeRestriction",
  "TaintNodesByCondition",
  "AlwaysPullImages",
  "ImagePolicyWebhook",
  "PodSecurity",
  "PodNodeSelector",
  "Priority",
  "DefaultTolerationSeconds",
  "PodTolerationRestriction",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "DefaultStorageClass",
  "StorageObjectInUseProtection",
  "PodGroupProtection",
  "OwnerReferencesPermissionEnforcement",
  "PersistentVolumeClaimResize",
  "RuntimeClass",
  "CertificateApproval",
  "CertificateSigning",
  "ClusterTrustBundleAttest",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "DenyServiceExternalIPs",
  "PodTopologyLabels",
  "NodeDeclaredFeatureValidator",
  "PodResizeValidator",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionWebhook",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionWebhook",
  "ResourceQuota",
  "AlwaysDeny",
] as const;

/** Name of a plugin. */
export type PluginName = typeof PLUGIN_NAMES[number];

/** Plugins that run only when they are asked for. */
export const OFF_BY_DEFAULT: ReadonlySet<string> = new Set<PluginName>([
  "AlwaysAdmit",
  "AlwaysDeny",
  "AlwaysPullImages",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "LimitPodHardAntiAffinityTopology",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "NodeRestriction",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodTolerationRestriction",
]);

/** The options that choose. */
export interface PluginChoice {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly admissionControl: readonly string[];
}

/** Names of the plugins to run, whatever order they were given in. Unknown names are left out: {@linkcode unknownPlugins} tells them. */
export function chosenPlugins(o: PluginChoice): PluginName[] {
  const exact = o.admissionControl.length > 0;
  return PLUGIN_NAMES.filter((n) =>
    exact
      ? o.admissionControl.includes(n)
      : o.enableAdmissionPlugins.includes(n) || (!OFF_BY_DEFAULT.has(n) && !o.disableAdmissionPlugins.includes(n))
  );
}

/** What is wrong with the names given: one text an option. */
export function unknownPlugins(o: PluginChoice): string[] {
  const options = [
    ["enable-admission-plugins", o.enableAdmissionPlugins],
    ["disable-admission-plugins", o.disableAdmissionPlugins],
    ["admission-control", o.admissionControl],
  ] as const;
  const known: readonly string[] = PLUGIN_NAMES;
  return options.flatMap(([option, names]) => {
    const bad = names.filter((n) => !known.includes(n));
    if (bad.length === 0) return [];
    const list = bad.map((n) => JSON.stringify(n)).join(", ");
    return [`--${option}: ${list}: no such plugin; known are ${[...known].sort().join(", ")}`];
  });
}
