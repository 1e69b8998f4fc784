/** What the pods' room needs of the others. */
import type { Registry } from "prom-client";
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine, Verbose } from "../../schema/log/log.ts";
import type { PodName } from "../network/hostname.ts";
import type { Gate } from "../resources/amounts.ts";
import type { HandlerFeatures, Runtime, Strings } from "../runtime/types.ts";
import type { Traces } from "../tracing/traces.ts";
import type {
  Admit,
  Claims,
  Clock,
  Devices,
  Environments,
  Events,
  Handlers,
  Images,
  Probes,
  Resources,
  StatusSink,
  Take,
  Volumes,
} from "../types.ts";
import type { ResizeOptions } from "./resize.ts";
import type { UserRanges } from "./user_ranges.ts";
import type { DnsConfig } from "./sandbox_config.ts";

/** What a pod's hosts file says. */
export interface HostsFacts extends PodName {
  readonly podIPs: readonly string[];
}

/** The other rooms, and what is known of the node. */
export interface PodParts {
  readonly runtime: Runtime;
  readonly volumes: Volumes;
  readonly environments: Environments;
  readonly images: Images;
  readonly resources: Resources;
  readonly devices: Devices;
  readonly claims: Claims;
  readonly probes: Probes;
  readonly handlers: Handlers;
  /** Ranges of users for pods that have their own. */
  readonly users: Pick<UserRanges, "of" | "release">;
  readonly status: StatusSink;
  readonly events: Events;
  /** Of a pod that the node has, whether it may change. */
  readonly admit: Admit;
  readonly take: Take;
  /** A pod's name service; undefined: the runtime's own. @throws Error */
  readonly dns: (pod: Pod) => DnsConfig | undefined | Promise<DnsConfig | undefined>;
  /** Writes a pod's hosts file; its path, or undefined for none. @throws Error */
  readonly hosts: (pod: Pod, facts: HostsFacts) => Promise<string | undefined>;
  /** The runtime's handler for a class; without a class the empty text. @throws Error: there is no such class */
  readonly runtimeHandler: (className: string | undefined) => Promise<string>;
  /** What a handler of the runtime can do; undefined: nobody knows of it. */
  readonly handlerFeatures?: (handler: string) => HandlerFeatures | undefined;
  /** Why pods can have no network yet. */
  readonly networkFault?: () => string | undefined;
  /** Whether a pod came from elsewhere than the API. */
  readonly isStatic: (pod: Pod) => boolean;
  /** All sources have delivered: what is in none of them is not wanted. */
  readonly sourcesReady: () => boolean;
  readonly hostIPs: () => readonly string[];
  readonly gate: Gate;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly log: LogLine;
  /** Told which pods come and go, module `pods`; absent: nobody wants that. */
  readonly verbose?: Verbose;
  /** Absent: nothing is traced. */
  readonly traces?: Traces;
  /** Absent: nobody reads figures. */
  readonly metrics?: Registry;
}

/** Options that matter here. Times in ms. */
export interface PodOptions extends ResizeOptions {
  /** How long a pod in which nothing happens is left alone. */
  readonly syncFrequency: number;
  readonly rootDir: string;
  /** `/var/log/pods` */
  readonly podLogsDir: string;
  /** Where links to logs lie, by which collectors find them: `/var/log/containers`; undefined: nowhere. */
  readonly containerLogsDir?: string;
  readonly clusterDomain: string;
  readonly seccompDefault?: boolean;
  /** Settings of the kernel for pods that do not make them. */
  readonly defaultPodSysctls?: Strings;
  /** How many ended tries of each container are kept. */
  readonly maximumDeadContainersPerContainer: number;
  /** And of all together; negative: any number. */
  readonly maximumDeadContainers: number;
  /** The longest pause before a container that keeps ending is started again; undefined: five minutes. */
  readonly maxContainerRestartPeriod?: number;
}
