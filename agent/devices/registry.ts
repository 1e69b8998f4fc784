/** Device plugins: who comes, what each has, who goes. */
import { join } from "node:path";
import type { LogLine } from "../../schema/log/log.ts";
import { qualifiedName } from "../../schema/rules/checks/formats.ts";
import type { NodeAmounts } from "../node/capacity.ts";
import { isExtended } from "../resources/amounts.ts";
import type { Clock } from "../types.ts";
import { type RegisterRequest, VERSION } from "./messages.ts";
import type { DeviceMetrics } from "./metrics.ts";
import { Plugin } from "./plugin.ts";
import { Stock } from "./stock.ts";

/** What it works with. */
export interface RegistryParts {
  readonly clock: Clock;
  readonly log: LogLine;
  readonly metrics: DeviceMetrics;
  /** The agent's life. */
  readonly signal: AbortSignal;
  /** Devices came, or their health changed. */
  readonly changed: (resource: string, ids: readonly string[]) => void;
}

/** See the top of the file. */
export class DeviceRegistry {
  readonly #stocks = new Map<string, Stock>();
  /** By plugin: what ends its watch. */
  readonly #ends = new Map<Plugin, AbortController>();
  readonly #watches = new Set<Promise<void>>();

  /** @param directory where sockets of plugins are */
  constructor(readonly directory: string, readonly parts: RegistryParts) {}

  /** Devices of a resource; undefined: none such is counted, any more. */
  stock(resource: string): Stock | undefined {
    const stock = this.#stocks.get(resource);
    return stock?.isOver(this.parts.clock.ticks()) ? undefined : stock;
  }

  /** What can be given, by resource. */
  healthy(): Readonly<Record<string, readonly string[]>> {
    const stocks = [...this.#stocks].filter(([resource]) => this.stock(resource));
    return Object.fromEntries(stocks.map(([resource, { healthy }]) => [resource, [...healthy]]));
  }

  /** Resources that had plugins before the agent started: they are counted on, with nothing, until those come again. */
  restore(resources: readonly string[]): void {
    for (const resource of resources) this.#stocks.set(resource, new Stock(this.parts.clock.ticks()));
  }

  /** Of a resource that once was there, nothing. */
  amounts(): NodeAmounts {
    const all = [...this.#stocks.keys()].map((resource) => [resource, this.stock(resource)] as const);
    return {
      capacity: Object.fromEntries(all.map(([resource, stock]) => [resource, `${stock?.count ?? 0}`])),
      allocatable: Object.fromEntries(all.map(([resource, stock]) => [resource, `${stock?.healthy.size ?? 0}`])),
    };
  }

  /** A plugin makes itself known. @throws Error that says why it is not taken */
  async register({ version, endpoint, resourceName }: RegisterRequest): Promise<void> {
    this.parts.metrics.registered(resourceName);
    if (version !== VERSION) {
      throw new Error(
        `requested API version ${
          JSON.stringify(version)
        } is not supported by kubelet. Supported version is ["${VERSION}"]`,
      );
    }
    checkName(resourceName);
    await this.connect(resourceName, join(this.directory, endpoint));
  }

  /** Asks a plugin what it has, until it goes. @throws Error: it does not answer, or is connected already */
  async connect(resource: string, socket: string): Promise<void> {
    const { log, signal } = this.parts;
    const plugin = await Plugin.connect(resource, socket, signal);
    const stock = this.stock(resource) ?? new Stock();
    if (stock.hasPlugin(socket)) {
      plugin.close();
      throw new Error(`device plugin already connected: ${socket}`);
    }
    this.#stocks.set(resource, stock);
    stock.connect(plugin);
    log("info", `the device plugin of ${resource} is connected`, socket);
    const end = new AbortController();
    this.#ends.set(plugin, end);
    const watch = this.#watch(plugin, stock, AbortSignal.any([signal, end.signal]));
    this.#watches.add(watch);
    watch.then(() => this.#watches.delete(watch));
  }

  /** A plugin goes. */
  disconnect(resource: string, socket: string): void {
    for (const [plugin, end] of this.#ends) {
      if (plugin.resource === resource && plugin.socket === socket) end.abort();
    }
  }

  /** Resolves when no plugin is listened to any more, after the agent's signal. */
  async over(): Promise<void> {
    await Promise.all(this.#watches);
  }

  async #watch(plugin: Plugin, stock: Stock, signal: AbortSignal): Promise<void> {
    const { log, clock, changed } = this.parts, { resource, socket } = plugin;
    try {
      for await (const devices of plugin.devices(signal)) {
        changed(resource, stock.tell(devices));
        log("info", `${resource}: ${stock.healthy.size} of ${stock.count} devices can be given`);
      }
    } catch (fault) {
      if (!signal.aborted) log("warn", `the device plugin of ${resource} is lost`, (fault as Error).message);
    }
    this.#ends.delete(plugin);
    plugin.close();
    stock.disconnect(plugin, clock.ticks());
    log("info", `the device plugin of ${resource} is gone`, socket);
  }
}

/** @throws Error: no resource that a plugin may have is called so */
export function checkName(resource: string): void {
  if (isExtended(resource) && qualifiedName(`requests.${resource}`).length === 0) return;
  throw new Error(`the ResourceName ${JSON.stringify(resource)} is invalid`);
}
