/** Drivers of volumes that are registered with this node. */
import type { PluginHandler, PluginInfo } from "../../plugins/mod.ts";
import { CALLS } from "./calls.ts";
import { CsiDriver } from "./driver.ts";
import type { CsiNode } from "./node.ts";
import { highest, isBelow, type Version } from "./versions.ts";

interface Known {
  readonly driver: CsiDriver;
  readonly version: Version;
}

/** See the top of the file. Handles plugins of type `CSIPlugin`. */
export class CsiDrivers implements PluginHandler {
  readonly #known = new Map<string, Known>();

  constructor(readonly node: CsiNode) {}

  /** @throws Error: there is none of this name */
  get(name: string): CsiDriver {
    const known = this.#known.get(name);
    if (!known) throw new Error(`driver name ${name} not found in the list of registered CSI drivers`);
    return known.driver;
  }

  names(): readonly string[] {
    return [...this.#known.keys()];
  }

  validate(plugin: PluginInfo): void {
    try {
      this.#version("ValidatePlugin", plugin);
    } catch (e) {
      const { name, endpoint } = plugin;
      throw new Error(`validation failed for CSI Driver ${name} at endpoint ${endpoint}: ${(e as Error).message}`, {
        cause: e,
      });
    }
  }

  async register(plugin: PluginInfo, signal: AbortSignal): Promise<void> {
    const { name, endpoint } = plugin;
    const version = this.#version("RegisterPlugin", plugin);
    const before = this.#known.get(name);
    const driver = new CsiDriver(name, endpoint);
    this.#known.set(name, { driver, version });
    before?.driver.close();
    try {
      await this.node.install(name, await driver.call(CALLS.info, {}, signal), signal);
    } catch (e) {
      await this.deregister(plugin).catch(() => {});
      throw e;
    }
  }

  async deregister({ name, endpoint }: PluginInfo): Promise<void> {
    const known = this.#known.get(name);
    // Another one of this name has come in its place.
    if (known?.driver.endpoint !== endpoint) return;
    this.#known.delete(name);
    known.driver.close();
    await this.node.uninstall(name);
  }

  /** Asks a driver again what it says of the node. @throws Error */
  async update(name: string, signal: AbortSignal): Promise<void> {
    await this.node.update(name, await this.get(name).call(CALLS.info, {}, signal));
  }

  /** Calls under way end. */
  close(): void {
    for (const { driver } of this.#known.values()) driver.close();
    this.#known.clear();
  }

  #version(step: string, { name, versions }: PluginInfo): Version {
    const failed = `kubernetes.io/csi: ${step} for CSI driver "${name}" failed.`;
    if (versions.length === 0) throw new Error(`${failed} Plugin returned an empty list for supported versions`);
    const version = highest(versions);
    if (!version) {
      const list = versions.map((v) => JSON.stringify(v)).join(" ");
      throw new Error(`${failed} None of the versions specified [${list}] are supported`);
    }
    const known = this.#known.get(name)?.version;
    if (known && !isBelow(known, version)) {
      throw new Error(
        `${failed} Another driver with the same name is already registered with a higher supported version: "${
          known.join(".")
        }"`,
      );
    }
    return version;
  }
}
