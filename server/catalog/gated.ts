/** Resources that are served while their gate is on alone, whatever `--runtime-config` says. */

/** Gates by public id of the resource, with the minor release from which on it needs none. */
const GATED: Readonly<Record<string, readonly [gate: string, until?: number]>> = {
  "workloads.scheduling.k8s.io": ["GenericWorkload"],
  "podgroups.scheduling.k8s.io": ["GenericWorkload"],
  "compositepodgroups.scheduling.k8s.io": ["CompositePodGroup"],
  "evictions.lifecycle.k8s.io": ["EvictionRequestAPI"],
  "evictionrequests.lifecycle.k8s.io": ["EvictionRequestAPI"],
  "clustertrustbundles.certificates.k8s.io": ["ClusterTrustBundle", 37],
  "podcertificaterequests.certificates.k8s.io": ["PodCertificateRequest", 37],
  "storageversionmigrations.storagemigration.k8s.io": ["StorageVersionMigrator", 37],
};

/** The gate that a resource needs in version `1.<minor>`; undefined where it needs none. */
export function gateOf(id: string, minor: number): string | undefined {
  const [gate, until = Infinity] = GATED[id] ?? [];
  return minor < until ? gate : undefined;
}
