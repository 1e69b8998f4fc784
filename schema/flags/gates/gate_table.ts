/** Feature gates and how they came to be (specification, "Versioning", 6). A table, hence its length. */

/** How mature a gate is. */
export type Stage = "ALPHA" | "BETA" | "GA" | "DEPRECATED";

/** A gate's stage and default in one version. */
export interface GateState {
  readonly stage: Stage;
  readonly on: boolean;
  /** It cannot be set to anything but its default. */
  readonly locked: boolean;
}

/**
 * Names by history: stage and default, each since the version before them; without one since 1.34 or longer. What is stable
 * is locked unless it is `free`; what is not is not unless it says so.
 */
const HISTORIES: Readonly<Record<string, string>> = {
  "1.35 ALPHA off": `
    CloudControllerManagerWatchBasedRoutesReconciliation GangScheduling ImageVolumeWithDigest MutablePVNodeAffinity
    TaintTolerationComparisonOperators UserNamespacesHostNetworkSupport
  `,
  "1.36 ALPHA off": `
    CRIListStreaming ControllerManagerReleaseLeaderElectionLockOnExit DRAListTypeAttributes
    DRANodeAllocatableResources DRAResourcePoolStatus ShardedListAndWatch TopologyAwareWorkloadScheduling
    WorkloadAwarePreemption WorkloadWithJob
  `,
  "1.37 ALPHA off": `
    APIServerWebhookAuthenticationToken AtomicWriteVolumeUserFields CompositePodGroup
    ConsistentListFromCacheSkipTimeoutFallback DRADerivedAttributes DRADeviceCompatibilityGroups
    DRAOptionalNodeOperations DRAPartitionableDevicesType DefaultPodSysctls EmptyDirVolumeMode EvictionRequestAPI
    GRPCContainerProbeTLS H2CContainerProbe InPlacePodVerticalScalingMemoryBackedVolumes
    InPlacePodVerticalScalingSchedulerPreemption InterPodAffinityHostnameFastPath
    KubeProxyNFTablesLocalhostNodePorts KubeletAllocatedPodsEndpoint NodeLifecycleConditions
    PodGroupPreemptionPolicy SchedulerPreQueueingHints StatefulSetRecreateStrategy VolumeBindMountOptions
  `,
  "ALPHA off": `
    APIServingWithRoutine CBORServingAndStorage CPUManagerPolicyAlphaOptions CSIVolumeHealth ClientsAllowCBOR
    ClientsPreferCBOR CloudControllerManagerWebhook ContainerStopSignals CrossNamespaceVolumeDataSource EventedPLEG
    InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory LoggingAlphaOptions
    PodLogsQuerySplitStreams QOSReserved ReduceDefaultCrashLoopBackOffDecay RuntimeClassInImageCriApi
    StorageVersionAPI TopologyManagerPolicyAlphaOptions WindowsCPUAndMemoryAffinity
  `,
  "BETA off": `
    CoordinatedLeaderElection LocalStorageCapacityIsolationFSQuotaMonitoring SchedulerAsyncAPICalls
  `,
  "1.35 ALPHA off, 1.37 BETA off": `GenericWorkload`,
  "1.36 ALPHA off, 1.37 BETA off": `DRAFractionalCapacityRange DRAWorkloadResourceClaims PodLevelResourceManagers`,
  "ALPHA off, 1.37 BETA off": `PodAndContainerStatsFromCRI`,
  "1.35 BETA on": `
    AuthorizePodWebsocketUpgradeCreatePermission InOrderInformersBatchProcess OpportunisticBatching
    StructuredAuthenticationConfigurationJWKSMetrics
  `,
  "1.36 BETA on": `
    AtomicFIFO ClientsAllowCARotation ClientsAllowTLSCacheGC DRAResourceClaimGranularStatusAuthorization
    DeclarativeValidationBeta ExtendWebSocketsToKubelet ReloadKubeletClientCAFile ResourceHealthStatusMessage
    StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
    StaleControllerConsistencyStatefulSet UnlockWhileProcessingFIFO
  `,
  "1.37 BETA on": `
    EtcdRangeStream ExcludeAdmissionWebhookVirtualResources HPAGeneration HPAOptimizedSelectorStore
    HugepageAwareEviction NFTablesNetlink NodeControllerLeaseCircuitBreaker PodLevelResourcesFixDefaulting
    PodLevelResourcesFixKubeletQOSClass StaleControllerConsistencyHPA WatchListCompression
    WebhookRoundTripLoadBalancing
  `,
  "BETA on": `
    APIResponseCompression APIServerIdentity AllowParsingUserUIDFromCertAuth CPUManagerPolicyBetaOptions
    ContainerCheckpoint ContextualLogging DRASchedulerFilterTimeout DetectCacheInconsistency GracefulNodeShutdown
    GracefulNodeShutdownBasedOnPodPriority KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders
    ListFromCacheSnapshot LoggingBetaOptions MatchLabelKeysInPodTopologySpread
    MatchLabelKeysInPodTopologySpreadSelectorMerge OpenAPIEnums PodDeletionCost PodLevelResources
    PortForwardWebsockets PreventStaticPodAPIReferences ReloadKubeletServerCertificateFile RemoteRequestHeaderUID
    RotateKubeletServerCertificate SchedulerAsyncPreemption SchedulerPopFromBackoffQ
    ServiceAccountNodeAudienceRestriction SizeBasedListCostEstimate StatefulSetSemanticRevisionComparison
    StorageVersionHash StructuredAuthenticationConfigurationEgressSelector TokenRequestServiceAccountUIDValidation
    TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
    WatchList WindowsGracefulNodeShutdown
  `,
  "1.35 ALPHA off, 1.36 BETA on": `
    ConstrainedImpersonation InPlacePodLevelResourcesVerticalScaling MutablePodResourcesForSuspendedJobs
    MutableSchedulingDirectivesForSuspendedJobs RestartAllContainersOnContainerExits
  `,
  "1.35 ALPHA off, 1.37 BETA on": `VolumeLimitScaling`,
  "1.35 BETA off, 1.36 BETA on": `CRDObservedGenerationTracking`,
  "1.36 ALPHA off, 1.37 BETA on": `
    ManifestBasedAdmissionControlConfig NativeHistograms PersistentVolumeClaimUnusedSinceTime PodsAPI
  `,
  "ALPHA off, 1.35 BETA on": `
    ClearingNominatedNodeNameAfterBinding ContainerRestartRules DeploymentReplicaSetTerminatingReplicas EnvFiles
    KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages NominatedNodeNameForExpectation
    PodTopologyLabelsAdmission
  `,
  "ALPHA off, 1.36 BETA on": `
    ComponentFlagz ComponentStatusz DRAConsumableCapacity DRADeviceBindingConditions DRAPartitionableDevices
    ResourceHealthStatus StrictIPCIDRValidation UnknownVersionInteroperabilityProxy
  `,
  "ALPHA off, 1.37 BETA on": `
    AllowUnsafeMalformedObjectDeletion HPAScaleToZero KubeletInUserNamespace MemoryQoS StorageCapacityScoring
  `,
  "BETA off, 1.35 BETA on": `WatchListClient`,
  "BETA off, 1.37 BETA on": `ConcurrentWatchObjectDecode`,
  "ALPHA off, 1.35 BETA off, 1.37 BETA on": `MaxUnavailableStatefulSet`,
  "GA on": `
    APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AuthorizeNodeWithSelectors
    AuthorizeWithSelectors BtreeWatchCache CPUManagerPolicyOptions CRDValidationRatcheting CSIMigrationPortworx
    CSIStorageCapacity ConsistentListFromCache CronJobsScheduledAnnotation CustomResourceFieldSelectors
    HonorPVReclaimPolicy JobBackoffLimitPerIndex JobPodReplacementPolicy JobSuccessPolicy KubeletCgroupDriverFromCRI
    KubeletTracing LoadBalancerIPMode LogarithmicScaleDown MatchLabelKeysInPodAffinity MemoryManager
    MultiCIDRServiceAllocator NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread NodeSwap
    OrderedNamespaceDeletion PodIndexLabel PodLifecycleSleepAction PodLifecycleSleepActionAllowZero
    PodSchedulingReadiness ProbeHostPodSecurityStandards RecoverVolumeExpansionFailure RecursiveReadOnlyMounts
    RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation ResilientWatchCacheInitialization
    RetryGenerateName SchedulerQueueingHints SeparateTaintEvictionController ServiceAccountTokenJTI
    ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
    ServiceTrafficDistribution SidecarContainers SizeMemoryBackedVolumes StatefulSetAutoDeletePVC
    StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StrictCostEnforcementForVAP
    StrictCostEnforcementForWebhooks StructuredAuthenticationConfiguration StructuredAuthorizationConfiguration
    TopologyAwareHints TopologyManagerPolicyOptions WinDSR WinOverlay
  `,
  "GA on free": `AllowServiceExternalIPs`,
  "1.35 BETA on, 1.36 GA on": `CSIServiceAccountTokenSecrets`,
  "1.36 BETA on, 1.37 GA on": `InPlacePodVerticalScalingInitContainers PLEGOnDemandRelist`,
  "ALPHA off, 1.35 GA on free": `InformerResourceVersion`,
  "ALPHA off, 1.36 GA on free": `CustomCPUCFSQuotaPeriod`,
  "BETA off, 1.36 GA on": `NodeLogQuery`,
  "BETA off, 1.36 GA on free": `MutatingAdmissionPolicy`,
  "BETA off, 1.37 GA on free": `ClusterTrustBundle ClusterTrustBundleProjection SELinuxMount`,
  "BETA on, 1.35 GA on": `
    ImageMaximumGCAge InPlacePodVerticalScaling JobManagedBy PodObservedGenerationTracking
    PreferSameTrafficDistribution SupplementalGroupsPolicy SystemdWatchdog
  `,
  "BETA on, 1.36 GA on": `
    DRAAdminAccess DeclarativeValidation ExternalServiceAccountTokenSigner InOrderInformers KubeletFineGrainedAuthz
    KubeletPSI KubeletPodResourcesDynamicResources KubeletPodResourcesGet ProcMountType SELinuxChangePolicy
    SELinuxMountReadWriteOncePod UserNamespacesSupport
  `,
  "BETA on, 1.37 GA on": `DRAResourceClaimDeviceStatus PodReadyToStartContainersCondition`,
  "GA on free, 1.35 GA on": `DisableAllocatorDualWrite DynamicResourceAllocation ExecProbeTimeout`,
  "GA on free, 1.36 GA on": `VolumeAttributesClass`,
  "1.35 ALPHA off, 1.36 BETA off, 1.37 GA on free": `DRADeviceTaintRules`,
  "1.35 ALPHA off, 1.36 BETA on, 1.37 GA on": `NodeDeclaredFeatures`,
  "ALPHA off, 1.35 BETA off, 1.37 GA on free": `PodCertificateRequest StorageVersionMigrator`,
  "ALPHA off, 1.35 BETA on, 1.37 GA on": `HPAConfigurableTolerance HostnameOverride`,
  "ALPHA off, 1.36 BETA on, 1.37 GA on": `DRAExtendedResource RelaxedServiceNameValidation`,
  "ALPHA off, 1.36 BETA on, 1.37 GA on free": `DRADeviceTaints`,
  "BETA off, 1.35 BETA on, 1.36 GA on": `ImageVolume MutableCSINodeAllocatableCount`,
  "BETA off, 1.36 BETA on, 1.37 GA on": `WatchCacheInitializationPostStartHook`,
  "BETA on, 1.36 GA on free, 1.37 GA on": `DRAPrioritizedList`,
  "DEPRECATED off": `
    AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests AllowServiceLBStatusOnNonLB
    InPlacePodVerticalScalingAllocatedStatus KMSv1 KubeletRegistrationGetOnExistsOnly
    WatchFromStorageWithoutResourceVersion WindowsHostNetwork
  `,
  "DEPRECATED off, 1.35 DEPRECATED off locked": `AllowOverwriteTerminationGracePeriodSeconds`,
  "DEPRECATED off, 1.36 DEPRECATED off locked": `GitRepoVolumeDriver SeparateCacheWatchRPC`,
  "GA on free, 1.35 DEPRECATED off": `ChangeContainerStatusOnKubeletRestart`,
  "BETA off, 1.36 DEPRECATED off, 1.37 DEPRECATED off locked": `DeclarativeValidationTakeover`,
  "DEPRECATED on": `KubeletPodResourcesListUseActivePods StorageNamespaceIndex`,
  "DEPRECATED on, 1.35 DEPRECATED on locked": `AggregatedDiscoveryRemoveBetaType`,
  "DEPRECATED on, 1.36 DEPRECATED on locked": `DisableNodeKubeProxyVersion`,
  "GA off free, 1.36 DEPRECATED on": `ServiceCIDRStatusFieldWiping`,
  "GA on free, 1.37 DEPRECATED on": `KubeProxyIPVS`,
  "BETA on, 1.36 DEPRECATED on, 1.37 DEPRECATED on locked": `DisableCPUQuotaWithExclusiveCPUs`,
};

/** The version that the gates above without one are older than. */
const BEFORE = 0;

/** A gate's states, oldest first, each with the minor version that it begins in. */
type History = readonly (readonly [minor: number, state: GateState])[];

function readHistory(text: string): History {
  return text.split(", ").map((entry) => {
    const words = entry.split(" "), since = words[0]!.startsWith("1.") ? Number(words.shift()!.slice(2)) : BEFORE;
    const stage = words[0] as Stage, locked = stage === "GA" ? !words.includes("free") : words.includes("locked");
    return [since, { stage, on: words.includes("on"), locked }];
  });
}

const GATES: ReadonlyMap<string, History> = new Map(
  Object.entries(HISTORIES).flatMap(([text, names]) => {
    const history = readHistory(text);
    return names.trim().split(/\s+/).map((name) => [name, history] as const);
  }),
);

/**
 * On by default in 1.37, but not here: they change what clients of 1.36 are answered (generations, defaults, refusals, what a
 * cluster starts with), which this server keeps until it is asked for the new.
 */
export const HELD: ReadonlySet<string> = new Set([
  "ClusterTrustBundle",
  "ClusterTrustBundleProjection",
  "DRADeviceTaintRules",
  "HPAGeneration",
  "HPAScaleToZero",
  "MaxUnavailableStatefulSet",
  "PodCertificateRequest",
  "PodLevelResourcesFixDefaulting",
  "PodLevelResourcesFixKubeletQOSClass",
  "SELinuxMount",
  "StorageVersionMigrator",
  "VolumeLimitScaling",
]);

/** A gate that is to come: known, but it cannot be turned on. */
const TO_COME: GateState = { stage: "ALPHA", on: false, locked: true };
/** All of a stage at once. */
const ALL: readonly (readonly [string, GateState])[] = [
  ["AllAlpha", { stage: "ALPHA", on: false, locked: false }],
  ["AllBeta", { stage: "BETA", on: false, locked: false }],
];

const stateIn = (history: History, minor: number) => history.findLast(([since]) => since <= minor)?.[1];

function stateOf(name: string, history: History, minor: number): GateState {
  const state = stateIn(history, minor) ?? TO_COME;
  if (!HELD.has(name) || !state.on) return state;
  return { stage: state.stage === "GA" ? "BETA" : state.stage, on: false, locked: false };
}

/** Gates by name in version `1.<minor>`, those that it has not got yet too. */
export const gatesOf = (minor: number): ReadonlyMap<string, GateState> =>
  new Map([...ALL, ...[...GATES].map(([name, h]) => [name, stateOf(name, h, minor)] as const)]);

/** Gates that version `1.<minor>` has not got yet: known, always off. */
export const newerGates = (minor: number): ReadonlySet<string> =>
  new Set([...GATES].filter(([, h]) => stateIn(h, minor) === undefined).map(([name]) => name));
