/** What a server is made of. */
import type { PluginConfigs } from "./admission/config.ts";
import type { AppParts } from "./app.ts";
import type { AuditInputs } from "./audit/types.ts";
import type { LogDirectory } from "./endpoints/logs.ts";
import type { ExternalSigner } from "./authentication/external_signer/mod.ts";
import type { LogLine, Verbose } from "../schema/log/log.ts";
import type { TimeProfile } from "../schema/pages.ts";
import type { ProcessFigures } from "../schema/values/process_figures.ts";
import type { AllowedLabels } from "./metrics/allowed_labels.ts";
import type { EgressMetrics } from "./metrics/egress.ts";
import type { Options } from "./options/mod.ts";
import type { Outside, SecurityFiles } from "./security.ts";
import type { Backend } from "./storage/backend.ts";
import type { Encryption } from "./storage/encryption/encryption.ts";
import type { Tracing } from "../schema/tracing/mod.ts";

/** What a server is made of beside its options: what only the process outside can give. */
export interface ServerInputs {
  readonly options: Options;
  readonly backend: Backend;
  /** Stores of single resources, by public id (`--store-servers-overrides`). */
  readonly stores?: ReadonlyMap<string, Backend>;
  /** What the backend's values are encrypted by: its checks and metrics are the server's. */
  readonly encryption?: Encryption;
  readonly files: SecurityFiles;
  /** What signs service account tokens, and its keys, in place of those of the files. */
  readonly signer?: ExternalSigner;
  readonly outside: Outside;
  /** Metrics of connections through proxies, where there are such. */
  readonly egress?: EgressMetrics;
  /** How many TLS connections did not come about; absent, nobody is asked for one. */
  readonly handshakes?: { readonly failed: number };
  /** `host:port` that clients reach the server by. */
  readonly address: { readonly host: string; readonly port: number };
  readonly hostname: string;
  /** `linux/amd64`. */
  readonly platform: string;
  /** Shared by all servers of a store: makes continue tokens. */
  readonly secret: Uint8Array;
  /** Tells who asks, in place of what the options say (a server inside another program). */
  readonly authenticate?: AppParts["authenticate"];
  /** What the admission configuration file says to plugins. */
  readonly pluginConfigs?: PluginConfigs;
  /** Their manifests by plugin, as they are at the time. */
  readonly manifests?: ReadonlyMap<string, () => string>;
  /** The machine's log files, to be served. */
  readonly logs?: LogDirectory;
  /** What is recorded of requests, and where it goes; without it nothing is. */
  readonly audit?: AuditInputs;
  /** How requests are traced; without it they are not. */
  readonly tracing?: Tracing;
  /** Bytes that the process takes, by kind. */
  readonly memory?: () => Readonly<Record<string, number>>;
  /** What takes its time. */
  readonly timeProfile?: TimeProfile;
  /** What the process takes of its host, where that can be told. */
  readonly process?: () => ProcessFigures | undefined;
  /** ms since the epoch: what is told to others, and what they told. */
  now(): number;
  /** ms since whenever, never going back: how long something lasts. Clocks are set while a server works. */
  elapsed(): number;
  random(bytes: number): Uint8Array;
  readonly log: LogLine;
  /** What modules say to those who want more than that; absent, nothing. */
  readonly verbose?: Verbose;
  /** The level of all modules, from 0 on, to be set (`/debug/flags/v`); absent, it cannot be. */
  readonly verbosity?: { level: number } | undefined;
  /** Values that labels of metrics may take (`--allow-metric-labels`). */
  readonly metricLabels?: AllowedLabels;
}

/** Stores beside the first, each once. */
export const otherStores = ({ stores }: Pick<ServerInputs, "stores">): Backend[] => [...new Set(stores?.values())];
