/** Options and fields whose effect is not built: they are refused when they are given, so that none is passed over in silence. */

/** Names of flags, and of fields of the configuration file that have none. What is built is taken out. */
export const NOT_YET: ReadonlySet<string> = new Set(
  `
  bootstrap-orchconfig root-dir cert-dir lock-file exit-on-lock-contention runonce address port read-only-port
  healthz-bind-address healthz-port enable-server enable-debugging-handlers streaming-connection-idle-timeout
  tls-cert-file tls-private-key-file tls-cipher-suites tls-min-version rotate-certificates
  rotate-server-certificates anonymous-auth authentication-token-webhook authentication-token-webhook-cache-ttl
  authorization-mode authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
  client-ca-file hostname-override node-ip node-labels register-node register-with-taints provider-id cloud-provider
  node-status-update-frequency node-status-max-images orch-api-qps orch-api-burst orch-api-content-type event-qps
  event-burst max-pods pods-per-core pod-max-pids pod-manifest-path manifest-url manifest-url-header
  file-check-frequency http-check-frequency sync-frequency allowed-unsafe-sysctls seccomp-default
  container-runtime-endpoint image-service-endpoint runtime-request-timeout serialize-image-pulls registry-qps
  registry-burst image-credential-provider-bin-dir image-credential-provider-config image-gc-high-threshold
  image-gc-low-threshold minimum-image-ttl-duration maximum-dead-containers maximum-dead-containers-per-container
  container-log-max-files container-log-max-size runtime-cgroups system-cgroups kubelet-cgroups cgroup-driver
  cgroup-root cgroups-per-qos fail-cgroupv1 fail-swap-on cpu-manager-policy cpu-manager-policy-options
  cpu-manager-reconcile-period cpu-cfs-quota cpu-cfs-quota-period memory-manager-policy topology-manager-policy
  topology-manager-policy-options topology-manager-scope orch-reserved system-reserved orch-reserved-cgroup
  system-reserved-cgroup reserved-cpus reserved-memory enforce-node-allocatable qos-reserved eviction-hard
  eviction-soft eviction-soft-grace-period eviction-minimum-reclaim eviction-max-pod-grace-period
  eviction-pressure-transition-period cluster-dns cluster-domain resolv-conf make-iptables-util-chains
  pod-cidr volume-stats-agg-period volume-plugin-dir enable-controller-attach-detach
  local-storage-capacity-isolation max-open-files oom-score-adj protect-kernel-defaults kernel-memcg-notification
  podLogsDir imagePullCredentialsVerificationPolicy preloadedImagesVerificationAllowlist nodeStatusReportFrequency
  nodeLeaseDurationSeconds imageMaximumGCAge singleProcessOOMKill maxParallelImagePulls
  swapBehavior containerLogMaxWorkers containerLogMonitorInterval configMapAndSecretChangeDetectionStrategy
  showHiddenMetricsForVersion defaultPodSysctls enableSystemLogHandler enableSystemLogQuery shutdownGracePeriod
  shutdownGracePeriodCriticalPods shutdownGracePeriodByPodPriority maxContainerRestartPeriod enableProfilingHandler
  enableDebugFlagsHandler memoryThrottlingFactor memoryReservationPolicy tracing idsPerPod
`.trim().split(/\s+/),
);
