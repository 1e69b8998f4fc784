/** What the agent's servers are given, and how they are set. */
import type { Registry } from "prom-client";
import type { KeyPair } from "../../pki/pair.ts";
import type { Pod } from "../../schema/api/core_v1.ts";
import type { LogLine, Verbose } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import type { Hierarchy } from "../resources/hierarchy.ts";
import type { Runtime } from "../runtime/types.ts";
import type { Traces } from "../tracing/traces.ts";
import type { Api, Clock, PodView } from "../types.ts";
import type { LogPlaces } from "./node_logs/places.ts";
import type { SystemGroups } from "./stats/system.ts";
import type { VolumeFigures } from "./stats/types.ts";

/** Options of the servers: members by their flags' names, times in ms. */
export interface HttpOptions {
  readonly enableServer: boolean;
  readonly address: string;
  /** 0: any that is free. */
  readonly port: number;
  /** 0: none. */
  readonly readOnlyPort: number;
  readonly healthzBindAddress: string;
  /** 0: none. */
  readonly healthzPort: number;
  readonly enableDebuggingHandlers: boolean;
  /** Of the configuration file: `/logs/`, default on. */
  readonly enableSystemLogHandler?: boolean;
  /** Of the configuration file: `/logs/?query=`, default off. */
  readonly enableSystemLogQuery?: boolean;
  /** Of the configuration file: `/debug/pprof/`, default on. */
  readonly enableProfilingHandler?: boolean;
  /** Of the configuration file: `/debug/flags/v`, default on. */
  readonly enableDebugFlagsHandler?: boolean;
  /** 0: none. */
  readonly streamingConnectionIdleTimeout: number;
  readonly rootDir: string;
  /** Of the configuration file: where the runtime puts pods' logs. */
  readonly podLogsDir: string;
  /** IANA names; empty: all that are sound. */
  readonly tlsCipherSuites: readonly string[];
  /** `VersionTLS12`; empty: that. */
  readonly tlsMinVersion: string;
  /** Empty: certificates of clients are not looked at. */
  readonly clientCaFile: string;
  readonly anonymousAuth: boolean;
  readonly authenticationTokenWebhook: boolean;
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly authorizationMode: "AlwaysAllow" | "Webhook";
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
}

/** Something that can be unwell. */
export interface HealthCheck {
  /** `syncloop` */
  readonly name: string;
  /** What is wrong, undefined when nothing is. */
  check(): Promise<string | undefined>;
}

/** What the servers ask and tell of. */
export interface HttpParts {
  readonly pods: PodView;
  readonly runtime: Runtime;
  /** Absent: standalone. */
  readonly api?: Api;
  readonly product: Product;
  readonly nodeName: string;
  readonly clock: Clock;
  readonly log: LogLine;
  /** Told of each request, module `httplog`; absent: nobody wants that. */
  readonly verbose?: Verbose;
  /** Beside `ping` and `log`, which are always well. */
  readonly health: readonly HealthCheck[];
  /** The serving pair as it is now. It is asked at every connection. */
  pair(): KeyPair;
  /** Whether a feature gate is on. */
  gate(name: string): boolean;
  /** The configuration in effect (KubeletConfiguration). */
  configz(): object;
  /** Flags and their values, of `/flagz`. */
  flags(): Iterable<readonly [name: string, value: string]>;
  /** Of the agent: `v1.37.0` */
  readonly version: string;
  /** What `/debug/flags/v` sets. */
  readonly verbosity?: { level: number };
  /** How full a pod's volumes are, as `/stats/summary` says it. */
  volumeStats?(pod: Pod): Promise<readonly VolumeFigures[]>;
  /** How many processes and threads a pod has. */
  tasks?(pod: Pod): Promise<number | undefined>;
  /** Groups that are no pod's, whose figures `/stats/summary` tells. */
  systemGroups?(): Promise<SystemGroups>;
  /** The host's control groups; absent: nobody asks them. */
  readonly hierarchy?: Hierarchy;
  /** Absent: nothing is traced. */
  readonly traces?: Traces;
  /** Where logs of the host are; absent: where they are. */
  readonly logPlaces?: LogPlaces;
  /** Metrics of `/metrics`: the servers add theirs, and those of the process. */
  readonly metrics: Registry;
  /** Metrics of `/metrics/probes`. */
  readonly probeMetrics: Registry;
}

/** The servers at work. */
export interface Servers {
  /** Of TLS; 0: there is none. */
  readonly port: number;
  readonly readOnlyPort: number;
  /** 0 too while it cannot be had. */
  readonly healthzPort: number;
  /** Takes no more connections, and cuts those that are left after so many ms. */
  close(graceMs: number): Promise<void>;
}
