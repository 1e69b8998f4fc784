/** Feature gates of version 1.37 with stage and default (specification, "Versioning", 6). A table, hence its length. */

/** How mature a gate is. GA gates are locked on. */
export type Stage = "ALPHA" | "BETA" | "GA" | "DEPRECATED";

/** A gate's stage and default in one version. */
export interface GateState {
  readonly stage: Stage;
  readonly on: boolean;
}

const words = (text: string) => text.trim().split(/\s+/);

/** Off by default, may go. */
const ALPHA = words(`
  APIServingWithRoutine CBORServingAndStorage CPUManagerPolicyAlphaOptions CRIListStreaming CSIVolumeHealth
  ClientsAllowCBOR ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation
  CloudControllerManagerWebhook ContainerStopSignals ControllerManagerReleaseLeaderElectionLockOnExit
  CrossNamespaceVolumeDataSource DRAListTypeAttributes DRANodeAllocatableResources DRAResourcePoolStatus
  DRAWorkloadResourceClaims EventedPLEG GangScheduling GenericWorkload HPAScaleToZero ImageVolumeWithDigest
  InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory KubeletInUserNamespace
  LoggingAlphaOptions MemoryQoS MutablePVNodeAffinity NativeHistograms
  PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI PodLevelResourceManagers
  PodLogsQuerySplitStreams PodsAPI QOSReserved ReduceDefaultCrashLoopBackOffDecay RuntimeClassInImageCriApi
  ShardedListAndWatch StorageCapacityScoring StorageVersionAPI TaintTolerationComparisonOperators
  TopologyAwareWorkloadScheduling TopologyManagerPolicyAlphaOptions UserNamespacesHostNetworkSupport
  VolumeLimitScaling WindowsCPUAndMemoryAffinity WorkloadAwarePreemption WorkloadWithJob
`);
/** New in 1.37. */
const ALPHA_SINCE_137 = words(`
  APIServerWebhookAuthenticationToken AtomicWriteVolumeUserFields CompositePodGroup
  ConsistentListFromCacheSkipTimeoutFallback DRAOptionalNodeOperations DRAPartitionableDevicesType
  EmptyDirVolumeMode EvictionRequestAPI GRPCContainerProbeTLS H2CContainerProbe
  DefaultPodSysctls InPlacePodVerticalScalingMemoryBackedVolumes InPlacePodVerticalScalingSchedulerPreemption
  InterPodAffinityHostnameFastPath KubeProxyNFTablesLocalhostNodePorts KubeletAllocatedPodsEndpoint
  PodGroupPreemptionPolicy SchedulerPreQueueingHints VolumeBindMountOptions
`);
/** Off by default because an API or a dependency is. */
const BETA_OFF = words(`
  ClusterTrustBundle ClusterTrustBundleProjection CoordinatedLeaderElection
  DRADeviceTaintRules LocalStorageCapacityIsolationFSQuotaMonitoring MaxUnavailableStatefulSet
  PodCertificateRequest SELinuxMount SchedulerAsyncAPICalls StorageVersionMigrator
`);
/** On by default. */
const BETA = words(`
  APIResponseCompression APIServerIdentity AllowParsingUserUIDFromCertAuth AtomicFIFO
  AuthorizePodWebsocketUpgradeCreatePermission CPUManagerPolicyBetaOptions CRDObservedGenerationTracking
  ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation ClientsAllowTLSCacheGC ComponentFlagz
  ComponentStatusz ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules ContextualLogging
  DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints DRAExtendedResource DRAPartitionableDevices
  DRAResourceClaimDeviceStatus DRAResourceClaimGranularStatusAuthorization DRASchedulerFilterTimeout
  DeclarativeValidationBeta DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency EnvFiles
  ExtendWebSocketsToKubelet GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance
  HostnameOverride InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling
  InPlacePodVerticalScalingInitContainers KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages
  KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot
  LoggingBetaOptions MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge
  MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs NodeDeclaredFeatures
  NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching PLEGOnDemandRelist PodDeletionCost
  PodLevelResources PodReadyToStartContainersCondition PodTopologyLabelsAdmission PortForwardWebsockets
  PreventStaticPodAPIReferences RelaxedServiceNameValidation ReloadKubeletClientCAFile
  ReloadKubeletServerCertificateFile RemoteRequestHeaderUID ResourceHealthStatus ResourceHealthStatusMessage
  RestartAllContainersOnContainerExits RotateKubeletServerCertificate SchedulerAsyncPreemption
  SchedulerPopFromBackoffQ ServiceAccountNodeAudienceRestriction SizeBasedListCostEstimate
  StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
  StaleControllerConsistencyStatefulSet StatefulSetSemanticRevisionComparison StorageVersionHash
  StrictIPCIDRValidation StructuredAuthenticationConfigurationEgressSelector
  StructuredAuthenticationConfigurationJWKSMetrics TokenRequestServiceAccountUIDValidation
  TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
  UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO WatchList
  WatchListClient WindowsGracefulNodeShutdown ConcurrentWatchObjectDecode ManifestBasedAdmissionControlConfig
`);
/** New in 1.37, on by default. */
const BETA_SINCE_137 = words(`
  EtcdRangeStream ExcludeAdmissionWebhookVirtualResources HPAOptimizedSelectorStore HugepageAwareEviction
  NFTablesNetlink NodeControllerLeaseCircuitBreaker PodLevelResourcesFixKubeletQOSClass StaleControllerConsistencyHPA
  WatchListCompression WebhookRoundTripLoadBalancing
`);
/** Stable: always on. */
const GA = words(`
  APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AuthorizeNodeWithSelectors
  AuthorizeWithSelectors BtreeWatchCache CPUManagerPolicyOptions CRDValidationRatcheting CSIMigrationPortworx
  CSIServiceAccountTokenSecrets CSIStorageCapacity ConsistentListFromCache CronJobsScheduledAnnotation
  CustomResourceFieldSelectors DRAAdminAccess DRAPrioritizedList DeclarativeValidation DisableAllocatorDualWrite
  DynamicResourceAllocation ExecProbeTimeout ExternalServiceAccountTokenSigner HonorPVReclaimPolicy
  ImageMaximumGCAge ImageVolume InPlacePodVerticalScaling JobBackoffLimitPerIndex JobManagedBy
  JobPodReplacementPolicy JobSuccessPolicy KubeletCgroupDriverFromCRI KubeletFineGrainedAuthz KubeletPSI
  KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletTracing LoadBalancerIPMode
  LogarithmicScaleDown MatchLabelKeysInPodAffinity MemoryManager MultiCIDRServiceAllocator
  MutableCSINodeAllocatableCount MutatingAdmissionPolicy NFTablesProxyMode
  NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap OrderedNamespaceDeletion PodIndexLabel
  PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodObservedGenerationTracking PodSchedulingReadiness
  PreferSameTrafficDistribution ProbeHostPodSecurityStandards ProcMountType RecoverVolumeExpansionFailure
  RecursiveReadOnlyMounts RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation
  ResilientWatchCacheInitialization RetryGenerateName SELinuxChangePolicy SELinuxMountReadWriteOncePod
  SchedulerQueueingHints SeparateTaintEvictionController ServiceAccountTokenJTI ServiceAccountTokenNodeBinding
  ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo ServiceTrafficDistribution
  SidecarContainers SizeMemoryBackedVolumes StatefulSetAutoDeletePVC StreamingCollectionEncodingToJSON
  StreamingCollectionEncodingToProtobuf StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks
  StructuredAuthenticationConfiguration StructuredAuthorizationConfiguration SupplementalGroupsPolicy
  SystemdWatchdog TopologyAwareHints TopologyManagerPolicyOptions UserNamespacesSupport VolumeAttributesClass
  WinDSR WinOverlay WatchCacheInitializationPostStartHook
`);
/** Kept for going back; on. */
const DEPRECATED_ON = words(`
  AggregatedDiscoveryRemoveBetaType DisableNodeKubeProxyVersion KubeletPodResourcesListUseActivePods
  StorageNamespaceIndex
`);
/** Kept for going back; off. */
const DEPRECATED_OFF = words(`
  AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests AllowOverwriteTerminationGracePeriodSeconds
  AllowServiceLBStatusOnNonLB GitRepoVolumeDriver InPlacePodVerticalScalingAllocatedStatus KMSv1
  KubeletRegistrationGetOnExistsOnly SeparateCacheWatchRPC WatchFromStorageWithoutResourceVersion
  WindowsHostNetwork
`);

/** Gates that were otherwise before 1.37. */
const BEFORE_137: Readonly<Record<string, GateState>> = {
  AllowUnsafeMalformedObjectDeletion: { stage: "ALPHA", on: false },
  ConcurrentWatchObjectDecode: { stage: "BETA", on: false },
  ManifestBasedAdmissionControlConfig: { stage: "ALPHA", on: false },
  WatchCacheInitializationPostStartHook: { stage: "BETA", on: true },
};

function* states(minor: number): Generator<[string, GateState]> {
  const each = function* (names: readonly string[], stage: Stage, on: boolean): Generator<[string, GateState]> {
    for (const name of names) yield [name, { stage, on }];
  };
  yield* each(["AllAlpha", ...ALPHA], "ALPHA", false);
  yield* each(["AllBeta", ...BETA_OFF], "BETA", false);
  yield* each([...BETA, "AllowUnsafeMalformedObjectDeletion"], "BETA", true);
  yield* each(GA, "GA", true);
  yield* each(DEPRECATED_ON, "DEPRECATED", true);
  yield* each(DEPRECATED_OFF, "DEPRECATED", false);
  // Under an older emulated version a newer gate is known but off, and cannot be turned on.
  yield* each(ALPHA_SINCE_137, "ALPHA", false);
  yield* each(BETA_SINCE_137, minor >= 37 ? "BETA" : "ALPHA", minor >= 37);
  if (minor < 37) yield* Object.entries(BEFORE_137);
}

/** Gates by name in version `1.<minor>`. Older versions differ in what is known to have changed since 1.36. */
export const gatesOf = (minor: number): ReadonlyMap<string, GateState> => new Map(states(minor));

/** Gates that version `1.<minor>` has not got yet: known, always off. */
export const newerGates = (minor: number): ReadonlySet<string> =>
  new Set(minor < 37 ? [...ALPHA_SINCE_137, ...BETA_SINCE_137] : []);
