/** Messages of CRI v1 that {@linkcode Runtime} knows, as tables of the wire. */
import type { Table, Words } from "../../schema/grpc/wire.ts";
import { STOP_SIGNALS } from "./signals.ts";
import {
  CONTAINER_STATES,
  GROUP_POLICIES,
  NAMESPACE_MODES,
  PROFILES,
  PROPAGATIONS,
  PROTOCOLS,
  SANDBOX_STATES,
} from "./types.ts";

const NAMESPACE_MODE: Words = { words: NAMESPACE_MODES };
const GROUP_POLICY: Words = { words: GROUP_POLICIES };
const INT64: Table = [[1, "value", "int"]];
const UINT64: Table = [[1, "value", "uint64"]];

/** What image is meant. */
export const IMAGE_SPEC: Table = [
  [1, "image", "string"],
  [2, "annotations", "strings"],
  [18, "userSpecifiedImage", "string"],
  [19, "runtimeHandler", "string"],
  [20, "imageRef", "string"],
];

const ID_MAPPING: Table = [[1, "hostId", "int"], [2, "containerId", "int"], [3, "length", "int"]];

const MOUNT: Table = [
  [1, "containerPath", "string"],
  [2, "hostPath", "string"],
  [3, "readonly", "bool"],
  [4, "selinuxRelabel", "bool"],
  [5, "propagation", { words: PROPAGATIONS }],
  [6, "uidMappings", ID_MAPPING, "repeated"],
  [7, "gidMappings", ID_MAPPING, "repeated"],
  [8, "recursiveReadOnly", "bool"],
  [9, "image", IMAGE_SPEC],
  [10, "imageSubPath", "string"],
  [11, "mountOptions", "string", "repeated"],
];

const NAMESPACE_OPTION: Table = [
  [1, "network", NAMESPACE_MODE],
  [2, "pid", NAMESPACE_MODE],
  [3, "ipc", NAMESPACE_MODE],
  [4, "targetId", "string"],
  [5, "usernsOptions", [
    [1, "mode", NAMESPACE_MODE],
    [2, "uids", ID_MAPPING, "repeated"],
    [3, "gids", ID_MAPPING, "repeated"],
  ]],
];

const PROFILE: Table = [[1, "profileType", { words: PROFILES }], [2, "localhostRef", "string"]];
const SELINUX: Table = [[1, "user", "string"], [2, "role", "string"], [3, "type", "string"], [4, "level", "string"]];

/** Limits of a container. */
export const RESOURCES: Table = [
  [1, "cpuPeriod", "int"],
  [2, "cpuQuota", "int"],
  [3, "cpuShares", "int"],
  [4, "memoryLimitInBytes", "int"],
  [5, "oomScoreAdj", "int"],
  [6, "cpusetCpus", "string"],
  [7, "cpusetMems", "string"],
  [8, "hugepageLimits", [[1, "pageSize", "string"], [2, "limit", "int"]], "repeated"],
  [9, "unified", "strings"],
  [10, "memorySwapLimitInBytes", "int"],
];

const SANDBOX_SECURITY: Table = [
  [1, "namespaceOptions", NAMESPACE_OPTION],
  [2, "selinuxOptions", SELINUX],
  [3, "runAsUser", INT64],
  [4, "readonlyRootfs", "bool"],
  [5, "supplementalGroups", "int", "repeated"],
  [6, "privileged", "bool"],
  [8, "runAsGroup", INT64],
  [9, "seccomp", PROFILE],
  [10, "apparmor", PROFILE],
  [11, "supplementalGroupsPolicy", GROUP_POLICY],
];

const SANDBOX_METADATA: Table = [
  [1, "name", "string"],
  [2, "uid", "string"],
  [3, "namespace", "string"],
  [4, "attempt", "int"],
];

/** How a sandbox is to be. */
export const SANDBOX_CONFIG: Table = [
  [1, "metadata", SANDBOX_METADATA],
  [2, "hostname", "string"],
  [3, "logDirectory", "string"],
  [4, "dnsConfig", [
    [1, "servers", "string", "repeated"],
    [2, "searches", "string", "repeated"],
    [3, "options", "string", "repeated"],
  ]],
  [
    5,
    "portMappings",
    [
      [1, "protocol", { words: PROTOCOLS }],
      [2, "containerPort", "int"],
      [3, "hostPort", "int"],
      [4, "hostIp", "string"],
    ],
    "repeated",
  ],
  [6, "labels", "strings"],
  [7, "annotations", "strings"],
  [8, "linux", [
    [1, "cgroupParent", "string"],
    [2, "securityContext", SANDBOX_SECURITY],
    [3, "sysctls", "strings"],
    [4, "overhead", RESOURCES],
    [5, "resources", RESOURCES],
  ]],
];

const SANDBOX_STATE: Words = { words: SANDBOX_STATES };

/** A sandbox in a list. */
export const SANDBOX: Table = [
  [1, "id", "string"],
  [2, "metadata", SANDBOX_METADATA],
  [3, "state", SANDBOX_STATE],
  [4, "createdAt", "id"],
  [5, "labels", "strings"],
  [6, "annotations", "strings"],
  [7, "runtimeHandler", "string"],
];

/** A sandbox by itself. */
export const SANDBOX_STATUS: Table = [
  [1, "id", "string"],
  [2, "metadata", SANDBOX_METADATA],
  [3, "state", SANDBOX_STATE],
  [4, "createdAt", "id"],
  [5, "network", [[1, "ip", "string"], [2, "additionalIps", [[1, "ip", "string"]], "repeated"]]],
  [6, "linux", [[1, "namespaces", [[2, "options", NAMESPACE_OPTION]]]]],
  [7, "labels", "strings"],
  [8, "annotations", "strings"],
  [9, "runtimeHandler", "string"],
];

const CONTAINER_SECURITY: Table = [
  [1, "capabilities", [[1, "addCapabilities", "string", "repeated"], [2, "dropCapabilities", "string", "repeated"]]],
  [2, "privileged", "bool"],
  [3, "namespaceOptions", NAMESPACE_OPTION],
  [4, "selinuxOptions", SELINUX],
  [5, "runAsUser", INT64],
  [6, "runAsUsername", "string"],
  [7, "readonlyRootfs", "bool"],
  [8, "supplementalGroups", "int", "repeated"],
  [11, "noNewPrivs", "bool"],
  [12, "runAsGroup", INT64],
  [13, "maskedPaths", "string", "repeated"],
  [14, "readonlyPaths", "string", "repeated"],
  [15, "seccomp", PROFILE],
  [16, "apparmor", PROFILE],
  [17, "supplementalGroupsPolicy", GROUP_POLICY],
];

const STOP_SIGNAL: Words = { words: STOP_SIGNALS };
const CONTAINER_METADATA: Table = [[1, "name", "string"], [2, "attempt", "int"]];

/** How a container is to be. */
export const CONTAINER_CONFIG: Table = [
  [1, "metadata", CONTAINER_METADATA],
  [2, "image", IMAGE_SPEC],
  [3, "command", "string", "repeated"],
  [4, "args", "string", "repeated"],
  [5, "workingDir", "string"],
  [6, "envs", [[1, "key", "string"], [2, "value", "string"]], "repeated"],
  [7, "mounts", MOUNT, "repeated"],
  [
    8,
    "devices",
    [[1, "containerPath", "string"], [2, "hostPath", "string"], [3, "permissions", "string"]],
    "repeated",
  ],
  [9, "labels", "strings"],
  [10, "annotations", "strings"],
  [11, "logPath", "string"],
  [12, "stdin", "bool"],
  [13, "stdinOnce", "bool"],
  [14, "tty", "bool"],
  [15, "linux", [[1, "resources", RESOURCES], [2, "securityContext", CONTAINER_SECURITY]]],
  [17, "cdiDevices", [[1, "name", "string"]], "repeated"],
  [18, "stopSignal", STOP_SIGNAL],
];

const CONTAINER_STATE: Words = { words: CONTAINER_STATES };

/** A container in a list. */
export const CONTAINER: Table = [
  [1, "id", "string"],
  [2, "podSandboxId", "string"],
  [3, "metadata", CONTAINER_METADATA],
  [4, "image", IMAGE_SPEC],
  [5, "imageRef", "string"],
  [6, "state", CONTAINER_STATE],
  [7, "createdAt", "id"],
  [8, "labels", "strings"],
  [9, "annotations", "strings"],
  [10, "imageId", "string"],
];

/** A container by itself. */
export const CONTAINER_STATUS: Table = [
  [1, "id", "string"],
  [2, "metadata", CONTAINER_METADATA],
  [3, "state", CONTAINER_STATE],
  [4, "createdAt", "id"],
  [5, "startedAt", "id"],
  [6, "finishedAt", "id"],
  [7, "exitCode", "int"],
  [8, "image", IMAGE_SPEC],
  [9, "imageRef", "string"],
  [10, "reason", "string"],
  [11, "message", "string"],
  [12, "labels", "strings"],
  [13, "annotations", "strings"],
  [14, "mounts", MOUNT, "repeated"],
  [15, "logPath", "string"],
  [17, "imageId", "string"],
  [18, "user", [[1, "linux", [[1, "uid", "int"], [2, "gid", "int"], [3, "supplementalGroups", "int", "repeated"]]]]],
  [19, "stopSignal", STOP_SIGNAL],
];

/** An image that is there. */
export const IMAGE: Table = [
  [1, "id", "string"],
  [2, "repoTags", "string", "repeated"],
  [3, "repoDigests", "string", "repeated"],
  [4, "size", "int"],
  [5, "uid", INT64],
  [6, "username", "string"],
  [8, "pinned", "bool"],
];

/** Credentials of a pull. */
export const AUTH: Table = [
  [1, "username", "string"],
  [2, "password", "string"],
  [3, "auth", "string"],
  [4, "serverAddress", "string"],
  [5, "identityToken", "string"],
  [6, "registryToken", "string"],
];

/** How full a file system is. */
export const FILESYSTEM: Table = [
  [1, "timestamp", "id"],
  [2, "fsId", [[1, "mountpoint", "string"]]],
  [3, "usedBytes", UINT64],
  [4, "inodesUsed", UINT64],
];

/** What a container uses. */
export const STATS: Table = [
  [1, "attributes", [
    [1, "id", "string"],
    [2, "metadata", CONTAINER_METADATA],
    [3, "labels", "strings"],
    [4, "annotations", "strings"],
  ]],
  [2, "cpu", [[1, "timestamp", "id"], [2, "usageCoreNanoSeconds", UINT64], [3, "usageNanoCores", UINT64]]],
  [3, "memory", [
    [1, "timestamp", "id"],
    [2, "workingSetBytes", UINT64],
    [3, "availableBytes", UINT64],
    [4, "usageBytes", UINT64],
    [5, "rssBytes", UINT64],
    [6, "pageFaults", UINT64],
    [7, "majorPageFaults", UINT64],
  ]],
  [4, "writableLayer", FILESYSTEM],
];

/** A way in which the runtime runs sandboxes. */
export const HANDLER: Table = [
  [1, "name", "string"],
  [2, "features", [[1, "recursiveReadOnlyMounts", "bool"], [2, "userNamespaces", "bool"]]],
];

/** What the runtime can do. */
export const FEATURES: Table = [
  [1, "supplementalGroupsPolicy", "bool"],
  [2, "userNamespacesHostNetwork", "bool"],
  [3, "mountOptions", "bool"],
];

/** What the runtime says of itself. */
export const CONDITION: Table = [
  [1, "type", "string"],
  [2, "status", "bool"],
  [3, "reason", "string"],
  [4, "message", "string"],
];
