/** Images of containers: pulled when needed, taken away when nobody uses them. */
import { join } from "node:path";
import { statfs } from "node:fs/promises";
import { Registry } from "prom-client";
import type { Secret } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import type { Runtime } from "../runtime/types.ts";
import type { Traces } from "../tracing/traces.ts";
import type { Clock, Events, Images } from "../types.ts";
import { type Disk, ImageCollector } from "./collect.ts";
import { EnsureImages } from "./ensure.ts";
import { ImageList } from "./list.ts";
import { ImageMetrics } from "./metrics.ts";
import { NodeLogins } from "./node_logins.ts";
import type { CollectOptions, PullOptions } from "./options.ts";
import { readPlugins } from "./plugin_config.ts";
import { Plugins, type ServiceAccounts } from "./plugins.ts";
import { Puller } from "./pull.ts";
import { PulledImages } from "./pulled.ts";
export type { Disk } from "./collect.ts";
export type { ServiceAccounts } from "./plugins.ts";

/** What images need of the agent. */
export interface ImageParts {
  readonly runtime: Runtime;
  readonly options: PullOptions & CollectOptions;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: LogLine;
  readonly product: Product;
  /** A secret of the API. @throws when it cannot be had */
  readonly secrets: (namespace: string, name: string) => Promise<Secret>;
  readonly accounts: ServiceAccounts;
  /** {@linkcode diskOf}, or another measure. */
  readonly disk: (path: string) => Promise<Disk>;
  /** The agent's life: pulls and plugins end with it. */
  readonly signal: AbortSignal;
  /** Absent: nothing is traced. */
  readonly traces?: Traces;
  /** Absent: nobody reads figures. */
  readonly metrics?: Registry;
}

/** See the top of the file. */
export interface AgentImages {
  readonly images: Images;
  readonly list: ImageList;
  readonly collector: ImageCollector;
  /** Keeps the list up to date and collects, until the agent ends. */
  run(): Promise<void>;
}

function ofPlugins(cause: Error): never {
  throw new Error(`--image-credential-provider-config: ${cause.message}`, { cause });
}

/** Opens it. @throws Error that says what is wrong with the plugins' configuration, and when what was pulled cannot be kept */
export async function openImages(parts: ImageParts): Promise<AgentImages> {
  const { runtime, options, clock, log, product, accounts, signal } = parts;
  const pulled = await PulledImages.open(
    join(options.rootDir, "image_manager", "pulled.json"),
    options.imagePullCredentialsVerificationPolicy,
    options.preloadedImagesVerificationAllowlist,
    log,
  );
  const { imageCredentialProviderConfig: path, imageCredentialProviderBinDir: binDir } = options;
  const configs = path && binDir ? await readPlugins(path, binDir, product).catch(ofPlugins) : [];
  const plugins = new Plugins(configs, { binDir, clock, log, accounts, signal });
  const node = new NodeLogins(options.rootDir, clock);
  const list = new ImageList(runtime, clock, log);
  const metrics = new ImageMetrics(parts.metrics ?? new Registry());
  const collector = new ImageCollector(options, { ...parts, metrics, pulled });
  const images = new EnsureImages({
    ...parts,
    metrics,
    pulled,
    puller: new Puller(runtime, options, clock, signal),
    others: async (repository, pod) => [await node.keyring(), await plugins.keyring(repository, pod)],
  });
  return {
    images,
    list,
    collector,
    run: async () => void await Promise.all([list.run(signal), collector.run(signal)]),
  };
}

/** Capacity and what is available of the file system that holds a path. @throws Error */
export async function diskOf(path: string): Promise<Disk> {
  const { bsize, blocks, bavail } = await statfs(path);
  return { capacity: bsize * blocks, available: bsize * bavail };
}
