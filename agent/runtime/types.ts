/**
 * The container runtime's interface (CRI v1) as the agent uses it: messages by their public names in camel case, times in
 * nanoseconds as bigint, enumerations as the words of the tables below. In what the runtime answers a text, number or list is
 * never undefined (the zero of its type stands for "absent"); a message may be. In what it is asked, all may be left out.
 */

import type { StopSignal } from "./signals.ts";

/** States of a sandbox, by number. */
export const SANDBOX_STATES = ["READY", "NOTREADY"] as const;
/** States of a container, by number. */
export const CONTAINER_STATES = ["CREATED", "RUNNING", "EXITED", "UNKNOWN"] as const;
/** Whose namespace a process is in, by number. */
export const NAMESPACE_MODES = ["POD", "CONTAINER", "NODE", "TARGET"] as const;
/** How mounts spread, by number. */
export const PROPAGATIONS = ["PRIVATE", "HOST_TO_CONTAINER", "BIDIRECTIONAL"] as const;
/** Protocols of ports, by number. */
export const PROTOCOLS = ["TCP", "UDP", "SCTP"] as const;
/** Kinds of security profile, by number. */
export const PROFILES = ["RuntimeDefault", "Unconfined", "Localhost"] as const;
/** What becomes of an image's own groups, by number. */
export const GROUP_POLICIES = ["Merge", "Strict"] as const;

/** Of a sandbox. */
export type SandboxState = (typeof SANDBOX_STATES)[number];
/** Of a container. */
export type ContainerRunState = (typeof CONTAINER_STATES)[number];
/** Whose namespace a process is in. */
export type NamespaceMode = (typeof NAMESPACE_MODES)[number];
/** Labels, annotations and the like. */
export type Strings = Readonly<Record<string, string>>;

/** What image is meant. */
export interface ImageSpec {
  readonly image: string;
  readonly annotations?: Strings;
  readonly userSpecifiedImage?: string;
  readonly runtimeHandler?: string;
  readonly imageRef?: string;
}

/** What of the host a container sees, and where. */
export interface Mount {
  readonly containerPath: string;
  /** Empty for an image. */
  readonly hostPath: string;
  readonly readonly?: boolean;
  readonly selinuxRelabel?: boolean;
  readonly propagation?: (typeof PROPAGATIONS)[number];
  readonly recursiveReadOnly?: boolean;
  /** Whose files are whose, where users are the pod's own. */
  readonly uidMappings?: readonly IdMapping[];
  readonly gidMappings?: readonly IdMapping[];
  /** In the place of a path of the host: an image that is there. */
  readonly image?: ImageSpec;
  /** What of the image; empty: all. */
  readonly imageSubPath?: string;
  /** Such as `noexec`. */
  readonly mountOptions?: readonly string[];
}

/** Numbers of users or groups of the host, and what they are in a namespace. */
export interface IdMapping {
  readonly hostId: number;
  readonly containerId: number;
  readonly length: number;
}

/** Whose users a sandbox's are. */
export interface UserNamespace {
  readonly mode: NamespaceMode;
  readonly uids?: readonly IdMapping[];
  readonly gids?: readonly IdMapping[];
}

/** Namespaces of a container; absent: of the pod. */
export interface NamespaceOption {
  readonly network?: NamespaceMode;
  readonly pid?: NamespaceMode;
  readonly ipc?: NamespaceMode;
  readonly targetId?: string;
  readonly usernsOptions?: UserNamespace;
}

/** A profile of seccomp or AppArmor. */
export interface SecurityProfile {
  readonly profileType: (typeof PROFILES)[number];
  readonly localhostRef?: string;
}

/** A label of SELinux. */
export interface SELinuxOption {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
}

/** A number that may be absent, and may be zero. */
export interface Int64Value {
  readonly value: number;
}

/** Limits of a container. */
export interface LinuxContainerResources {
  /** µs */
  readonly cpuPeriod?: number;
  /** µs of each period; -1 without limit */
  readonly cpuQuota?: number;
  readonly cpuShares?: number;
  readonly memoryLimitInBytes?: number;
  readonly oomScoreAdj?: number;
  readonly cpusetCpus?: string;
  readonly cpusetMems?: string;
  readonly hugepageLimits?: readonly { readonly pageSize: string; readonly limit: number }[];
  /** Files of cgroup v2 and what to write there. */
  readonly unified?: Strings;
  readonly memorySwapLimitInBytes?: number;
}

/** As whom a sandbox runs. */
export interface LinuxSandboxSecurityContext {
  readonly namespaceOptions?: NamespaceOption;
  readonly selinuxOptions?: SELinuxOption;
  readonly runAsUser?: Int64Value;
  readonly runAsGroup?: Int64Value;
  readonly readonlyRootfs?: boolean;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: (typeof GROUP_POLICIES)[number];
  readonly privileged?: boolean;
  readonly seccomp?: SecurityProfile;
  readonly apparmor?: SecurityProfile;
}

/** What names a sandbox. */
export interface PodSandboxMetadata {
  readonly name: string;
  readonly uid: string;
  readonly namespace: string;
  readonly attempt?: number;
}

/** How a sandbox is to be. */
export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata;
  readonly hostname?: string;
  readonly logDirectory?: string;
  readonly dnsConfig?: {
    readonly servers: readonly string[];
    readonly searches: readonly string[];
    readonly options: readonly string[];
  };
  readonly portMappings?: readonly {
    readonly protocol?: (typeof PROTOCOLS)[number];
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly hostIp?: string;
  }[];
  readonly labels?: Strings;
  readonly annotations?: Strings;
  readonly linux?: {
    readonly cgroupParent?: string;
    readonly securityContext?: LinuxSandboxSecurityContext;
    readonly sysctls?: Strings;
    readonly overhead?: LinuxContainerResources;
    readonly resources?: LinuxContainerResources;
  };
}

/** A sandbox in a list. */
export interface PodSandbox {
  readonly id: string;
  readonly metadata: Required<PodSandboxMetadata>;
  readonly state: SandboxState;
  /** ns */
  readonly createdAt: bigint;
  readonly labels: Strings;
  readonly annotations: Strings;
  readonly runtimeHandler: string;
}

/** A sandbox by itself. */
export interface PodSandboxStatus extends PodSandbox {
  readonly network?: { readonly ip: string; readonly additionalIps: readonly { readonly ip: string }[] };
  readonly linux?: { readonly namespaces?: { readonly options?: NamespaceOption } };
}

/** As whom a container runs. */
export interface LinuxContainerSecurityContext {
  readonly capabilities?: {
    readonly addCapabilities?: readonly string[];
    readonly dropCapabilities?: readonly string[];
  };
  readonly privileged?: boolean;
  readonly namespaceOptions?: NamespaceOption;
  readonly selinuxOptions?: SELinuxOption;
  readonly runAsUser?: Int64Value;
  readonly runAsGroup?: Int64Value;
  readonly runAsUsername?: string;
  readonly readonlyRootfs?: boolean;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: (typeof GROUP_POLICIES)[number];
  readonly noNewPrivs?: boolean;
  readonly maskedPaths?: readonly string[];
  readonly readonlyPaths?: readonly string[];
  readonly seccomp?: SecurityProfile;
  readonly apparmor?: SecurityProfile;
}

/** What names a container in its sandbox. */
export interface ContainerMetadata {
  readonly name: string;
  readonly attempt?: number;
}

/** How a container is to be. */
export interface ContainerConfig {
  readonly stopSignal?: StopSignal;
  readonly metadata: ContainerMetadata;
  readonly image: ImageSpec;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly envs?: readonly { readonly key: string; readonly value: string }[];
  readonly mounts?: readonly Mount[];
  readonly devices?: readonly {
    readonly containerPath: string;
    readonly hostPath: string;
    readonly permissions: string;
  }[];
  /** By their names in the host's CDI specifications. */
  readonly cdiDevices?: readonly { readonly name: string }[];
  readonly labels?: Strings;
  readonly annotations?: Strings;
  /** Relative to the sandbox's log directory. */
  readonly logPath?: string;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
  readonly linux?: {
    readonly resources?: LinuxContainerResources;
    readonly securityContext?: LinuxContainerSecurityContext;
  };
}

/** A container in a list. */
export interface RuntimeContainer {
  readonly id: string;
  readonly podSandboxId: string;
  readonly metadata: Required<ContainerMetadata>;
  readonly image?: ImageSpec;
  readonly imageRef: string;
  readonly state: ContainerRunState;
  /** ns */
  readonly createdAt: bigint;
  readonly labels: Strings;
  readonly annotations: Strings;
  readonly imageId: string;
}

/** A container by itself. */
export interface RuntimeContainerStatus {
  readonly id: string;
  readonly metadata: Required<ContainerMetadata>;
  readonly state: ContainerRunState;
  /** ns; 0: not yet */
  readonly createdAt: bigint;
  readonly startedAt: bigint;
  readonly finishedAt: bigint;
  readonly exitCode: number;
  readonly image?: ImageSpec;
  readonly imageRef: string;
  readonly imageId: string;
  readonly reason: string;
  readonly message: string;
  readonly labels: Strings;
  readonly annotations: Strings;
  readonly mounts: readonly Mount[];
  readonly logPath: string;
  /** Empty: the runtime does not tell. */
  readonly stopSignal: StopSignal;
  readonly user?: {
    readonly linux?: { readonly uid: number; readonly gid: number; readonly supplementalGroups: readonly number[] };
  };
}

/** An image that is there; its size in bytes. */
export interface RuntimeImage {
  readonly id: string;
  readonly repoTags: readonly string[];
  readonly repoDigests: readonly string[];
  readonly size: number;
  readonly uid?: Int64Value;
  readonly username: string;
  readonly pinned: boolean;
}

/** Credentials of a pull. */
export interface AuthConfig {
  readonly username?: string;
  readonly password?: string;
  readonly auth?: string;
  readonly serverAddress?: string;
  readonly identityToken?: string;
  readonly registryToken?: string;
}

/** A command in a container, and its streams. */
export interface ExecRequest {
  readonly containerId: string;
  readonly cmd: readonly string[];
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** What a container uses. */
export interface ContainerStats {
  readonly attributes?: {
    readonly id: string;
    readonly metadata?: Required<ContainerMetadata>;
    readonly labels: Strings;
    readonly annotations: Strings;
  };
  /** Times in ns. */
  readonly cpu?: {
    readonly timestamp: bigint;
    readonly usageCoreNanoSeconds?: { readonly value: bigint };
    readonly usageNanoCores?: { readonly value: bigint };
  };
  readonly memory?: {
    readonly timestamp: bigint;
    readonly workingSetBytes?: { readonly value: bigint };
    readonly availableBytes?: { readonly value: bigint };
    readonly usageBytes?: { readonly value: bigint };
    readonly rssBytes?: { readonly value: bigint };
    readonly pageFaults?: { readonly value: bigint };
    readonly majorPageFaults?: { readonly value: bigint };
  };
  readonly writableLayer?: FilesystemUsage;
}

/** How full a file system is; its time in ns. */
export interface FilesystemUsage {
  readonly timestamp: bigint;
  readonly fsId?: { readonly mountpoint: string };
  readonly usedBytes?: { readonly value: bigint };
  readonly inodesUsed?: { readonly value: bigint };
}

/** Who the runtime is. */
export interface RuntimeVersion {
  readonly version: string;
  readonly runtimeName: string;
  readonly runtimeVersion: string;
  readonly runtimeApiVersion: string;
}

/** What the runtime says of itself. */
export interface RuntimeCondition {
  /** `RuntimeReady` or `NetworkReady`. */
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

/** What a handler of the runtime can do. */
export interface HandlerFeatures {
  readonly recursiveReadOnlyMounts: boolean;
  readonly userNamespaces: boolean;
}

/** Of a handler that does not tell. */
export const NO_FEATURES: HandlerFeatures = { recursiveReadOnlyMounts: false, userNamespaces: false };

/** A way in which the runtime runs sandboxes; the empty name is that of the default one. */
export interface RuntimeHandler {
  readonly name: string;
  readonly features: HandlerFeatures;
}

/** What the runtime can do whatever the handler. */
export interface RuntimeFeatures {
  readonly supplementalGroupsPolicy: boolean;
  readonly userNamespacesHostNetwork: boolean;
  readonly mountOptions: boolean;
}

/** How the runtime is, and what it can do: an older one does not tell its handlers. */
export interface RuntimeStatus {
  readonly conditions: readonly RuntimeCondition[];
  readonly handlers: readonly RuntimeHandler[];
  readonly features?: RuntimeFeatures;
}

/** A call that the runtime refused or did not answer: `code` is gRPC's name, `NotFound`, `DeadlineExceeded`, `Unavailable`… */
export class RuntimeError extends Error {
  override readonly name = "RuntimeError";

  constructor(readonly code: string, message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/**
 * The runtime. Every call throws {@linkcode RuntimeError}; each has the time limit of `--runtime-request-timeout` unless it says more,
 * `runPodSandbox` twice that.
 */
export interface Runtime {
  version(): Promise<RuntimeVersion>;
  status(): Promise<RuntimeStatus>;
  runPodSandbox(config: PodSandboxConfig, runtimeHandler: string): Promise<string>;
  stopPodSandbox(id: string): Promise<void>;
  removePodSandbox(id: string): Promise<void>;
  podSandboxStatus(id: string): Promise<PodSandboxStatus>;
  /** The process that holds its namespaces; undefined: the runtime does not tell. */
  sandboxPid(id: string): Promise<number | undefined>;
  listPodSandboxes(labels?: Strings): Promise<readonly PodSandbox[]>;
  createContainer(sandbox: string, config: ContainerConfig, sandboxConfig: PodSandboxConfig): Promise<string>;
  startContainer(id: string): Promise<void>;
  /** Signals, waits so many seconds, kills. The call's limit is that much longer. */
  stopContainer(id: string, seconds: number): Promise<void>;
  removeContainer(id: string): Promise<void>;
  listContainers(labels?: Strings): Promise<readonly RuntimeContainer[]>;
  containerStatus(id: string): Promise<RuntimeContainerStatus>;
  /** Writes what a container has in memory to a file. @param seconds its time; not above 0: that of any call */
  checkpointContainer(id: string, location: string, seconds: number): Promise<void>;
  updateContainerResources(id: string, linux: LinuxContainerResources): Promise<void>;
  reopenContainerLog(id: string): Promise<void>;
  /** @param seconds the command's time, the call's limit is that much longer; 0: that of the signal alone */
  execSync(
    id: string,
    cmd: readonly string[],
    seconds: number,
    signal?: AbortSignal,
  ): Promise<{ stdout: Uint8Array; stderr: Uint8Array; exitCode: number }>;
  /** URLs of the runtime's streaming server. */
  exec(request: ExecRequest): Promise<string>;
  attach(request: Omit<ExecRequest, "cmd">): Promise<string>;
  portForward(sandbox: string, ports: readonly number[]): Promise<string>;
  listContainerStats(labels?: Strings): Promise<readonly ContainerStats[]>;
  updateRuntimeConfig(podCidr: string): Promise<void>;
  listImages(): Promise<readonly RuntimeImage[]>;
  /** Undefined: it is not there. */
  imageStatus(image: ImageSpec): Promise<RuntimeImage | undefined>;
  /** No limit of its own: pulls take what they take. Returns the image's reference. */
  pullImage(
    image: ImageSpec,
    auth: AuthConfig | undefined,
    sandbox: PodSandboxConfig,
    signal?: AbortSignal,
  ): Promise<string>;
  removeImage(image: ImageSpec): Promise<void>;
  imageFilesystems(): Promise<readonly FilesystemUsage[]>;
  /** Ends calls under way and the connection. */
  close(): void;
}
