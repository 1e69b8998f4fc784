/** Feature gates that need others. */

/** By a gate, those that cannot be on without it. */
const NEEDED_BY: Readonly<Record<string, string>> = {
  APIServerIdentity: `StorageVersionAPI UnknownVersionInteroperabilityProxy`,
  AtomicFIFO: `
    NodeControllerLeaseCircuitBreaker StaleControllerConsistencyDaemonSet StaleControllerConsistencyHPA
    StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet
  `,
  ClusterTrustBundle: `ClusterTrustBundleProjection`,
  ContainerRestartRules: `RestartAllContainersOnContainerExits`,
  DRAConsumableCapacity: `DRAFractionalCapacityRange`,
  DRADeviceTaints: `DRADeviceTaintRules`,
  DRAPartitionableDevices: `DRADeviceCompatibilityGroups DRAPartitionableDevicesType`,
  DRAResourceClaimDeviceStatus: `DRADeviceBindingConditions DRAResourceClaimGranularStatusAuthorization`,
  DRAResourcePoolStatus: `DRAPartitionableDevicesType`,
  DeclarativeValidation: `DeclarativeValidationBeta DeclarativeValidationTakeover`,
  DynamicResourceAllocation: `
    DRAAdminAccess DRAConsumableCapacity DRADerivedAttributes DRADeviceBindingConditions
    DRADeviceCompatibilityGroups DRADeviceTaints DRAExtendedResource DRAListTypeAttributes
    DRANodeAllocatableResources DRAOptionalNodeOperations DRAPartitionableDevices DRAPartitionableDevicesType
    DRAPrioritizedList DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus DRASchedulerFilterTimeout
    DRAWorkloadResourceClaims ResourceHealthStatus
  `,
  GenericWorkload: `
    CompositePodGroup DRAWorkloadResourceClaims PodGroupPreemptionPolicy TopologyAwareWorkloadScheduling
    WorkloadWithJob
  `,
  GracefulNodeShutdown: `GracefulNodeShutdownBasedOnPodPriority WindowsGracefulNodeShutdown`,
  ImageVolume: `ImageVolumeWithDigest`,
  InPlacePodVerticalScaling: `
    InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScalingExclusiveCPUs
    InPlacePodVerticalScalingExclusiveMemory InPlacePodVerticalScalingInitContainers
    InPlacePodVerticalScalingMemoryBackedVolumes InPlacePodVerticalScalingSchedulerPreemption
    KubeletAllocatedPodsEndpoint
  `,
  MatchLabelKeysInPodTopologySpread: `MatchLabelKeysInPodTopologySpreadSelectorMerge`,
  MultiCIDRServiceAllocator: `DisableAllocatorDualWrite`,
  NodeDeclaredFeatures: `
    DRAOptionalNodeOperations ExtendWebSocketsToKubelet H2CContainerProbe InPlacePodLevelResourcesVerticalScaling
    InPlacePodVerticalScalingInitContainers InPlacePodVerticalScalingMemoryBackedVolumes
    RestartAllContainersOnContainerExits UserNamespacesHostNetworkSupport
  `,
  PLEGOnDemandRelist: `EventedPLEG`,
  PodLevelResources: `
    InPlacePodLevelResourcesVerticalScaling PodLevelResourceManagers PodLevelResourcesFixDefaulting
    PodLevelResourcesFixKubeletQOSClass
  `,
  ResourceHealthStatus: `ResourceHealthStatusMessage`,
  ServiceAccountTokenNodeBindingValidation: `ServiceAccountTokenNodeBinding`,
  TopologyAwareWorkloadScheduling: `CompositePodGroup`,
  UserNamespacesSupport: `ProcMountType UserNamespacesHostNetworkSupport`,
};

const ROWS: readonly (readonly [needed: string, by: readonly string[]])[] = Object.entries(NEEDED_BY).map((
  [needed, names],
) => [needed, names.trim().split(/\s+/)]);

/** What is wrong with gates as they are: texts that name a gate and those that it needs. */
export function unmetNeeds(enabled: (gate: string) => boolean): string[] {
  const unmet = new Map<string, string[]>();
  for (const [needed, by] of ROWS) {
    if (enabled(needed)) continue;
    for (const gate of by) if (enabled(gate)) unmet.set(gate, [...(unmet.get(gate) ?? []), needed]);
  }
  return [...unmet].map(([gate, needs]) => `${gate} is on, but needs what is off: ${needs.join(", ")}`);
}
