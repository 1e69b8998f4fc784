/** Devices of one resource: which there are, and which of them can be given. */
import { HEALTHY, type ToldDevice } from "./messages.ts";
import type { Plugin } from "./plugin.ts";

/** A device. */
export interface Device {
  readonly id: string;
  readonly healthy: boolean;
  /** NUMA nodes that it is near to; empty: not told. */
  readonly nodes: readonly number[];
}

/** How long a resource without a plugin is still counted, so that pods can be told apart from a node that never had it, ms. */
const GRACE = 5 * 60_000;

/** See the top of the file. */
export class Stock {
  #devices: ReadonlyMap<string, Device> = new Map();
  #healthy: ReadonlySet<string> = new Set();
  #count = 0;
  /** By socket. */
  readonly #plugins = new Map<string, Plugin>();
  #plugin: Plugin | undefined;
  /** When the last plugin went. */
  #goneAt: number | undefined;

  /** @param now of a resource that was there before the agent started, and has no plugin yet */
  constructor(now?: number) {
    this.#goneAt = now;
  }

  /** The plugin that is asked, or was last; undefined: none came since the agent started. */
  get plugin(): Plugin | undefined {
    return this.#plugin;
  }

  /** All that were told last, in the plugin's order. */
  get devices(): ReadonlyMap<string, Device> {
    return this.#devices;
  }

  /** Ids of those that can be given, in the plugin's order. */
  get healthy(): ReadonlySet<string> {
    return this.#healthy;
  }

  /** All that are counted. */
  get count(): number {
    return this.#count;
  }

  /** Whether some device says where it lies. */
  get isPlaced(): boolean {
    return [...this.#devices.values()].some(({ nodes }) => nodes.length > 0);
  }

  /** It is no longer counted: its last plugin is gone for long. */
  isOver(now: number): boolean {
    return this.#goneAt !== undefined && now - this.#goneAt > GRACE;
  }

  hasPlugin(socket: string): boolean {
    return this.#plugins.has(socket);
  }

  /** Of several the one that came last is asked. */
  connect(plugin: Plugin): void {
    this.#plugins.set(plugin.socket, plugin);
    this.#plugin = plugin;
    this.#goneAt = undefined;
  }

  /** Without any plugin no device can be given. */
  disconnect(plugin: Plugin, now: number): void {
    if (this.#plugins.get(plugin.socket) !== plugin) return;
    this.#plugins.delete(plugin.socket);
    const [other] = this.#plugins.values();
    if (other) return void (this.#plugin = other);
    this.#goneAt = now;
    this.#healthy = new Set();
  }

  /** Takes over what a plugin tells. Returns ids of devices that are new, or well or ill again. */
  tell(told: readonly ToldDevice[]): readonly string[] {
    const before = this.#devices;
    const devices = told.map(({ id, health, topology }): Device => ({
      id,
      healthy: health === HEALTHY,
      nodes: (topology?.nodes ?? []).map((node) => node.id),
    }));
    this.#devices = new Map(devices.map((device) => [device.id, device]));
    this.#healthy = new Set(devices.filter(({ healthy }) => healthy).map(({ id }) => id));
    this.#count = this.#devices.size;
    return [...this.#devices.values()].filter(({ id, healthy }) => before.get(id)?.healthy !== healthy)
      .map(({ id }) => id);
  }
}
