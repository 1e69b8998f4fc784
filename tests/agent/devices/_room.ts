/** The devices' room of an agent, with plugins that are processes of their own. */
import { Registry } from "prom-client";
import type { Container, Pod } from "../../../schema/api/core_v1.ts";
import { idsOf } from "../../../agent/devices/allocations.ts";
import { NodeDevices } from "../../../agent/devices/mod.ts";
import { DevicePlugin, type DevicePluginOptions } from "../../fixture/device_plugin.ts";
import { socketsClosed } from "../../fixture/sockets_closed.ts";
import { MovedClock } from "../../spec/_orchlet.ts";

/** The resource of plugins that say nothing else. */
export const RESOURCE = "example.com/dev";

/** A container that asks for so many. */
export const asking = (count: number, name = "c", more: Partial<Container> = {}): Container => ({
  name,
  resources: { limits: { [RESOURCE]: `${count}` } },
  ...more,
});

export const podWith = (uid: string, containers: Container[], initContainers: Container[] = []): Pod => ({
  metadata: { name: uid, namespace: "default", uid },
  spec: { containers, initContainers },
});

/** See the top of the file. */
export class Room {
  readonly directory = Deno.makeTempDirSync({ prefix: "orchlet-devices-" });
  readonly plugins = `${this.directory}/device-plugins`;
  readonly clock = new MovedClock();
  /** All pods of the node. */
  pods: Pod[] = [];
  /** Uids that were told of. */
  readonly changed: string[] = [];
  readonly logged: string[] = [];
  metrics = new Registry();
  devices!: NodeDevices;
  readonly #running = new Set<DevicePlugin>();
  #stop = new AbortController();
  #run: Promise<void> = Promise.resolve();

  async start(): Promise<this> {
    this.#stop = new AbortController();
    this.metrics = new Registry();
    this.devices = new NodeDevices({ rootDir: this.directory }, {
      gate: () => true,
      nodes: [0, 1],
      pods: () => this.pods,
      changed: (uid) => void this.changed.push(uid),
      clock: this.clock,
      log: (_, text, detail) => void this.logged.push(`${text} ${detail}`),
      signal: this.#stop.signal,
      metrics: this.metrics,
    });
    await this.devices.start();
    this.#run = this.devices.run(this.#stop.signal);
    return this;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#run;
  }

  plugin(more: Partial<DevicePluginOptions> = {}): DevicePlugin {
    const plugin = new DevicePlugin(this.plugins, more);
    this.#running.add(plugin);
    return plugin;
  }

  async end(plugin: DevicePlugin): Promise<void> {
    this.#running.delete(plugin);
    await plugin.stop();
  }

  /** Adds a pod, whose containers get what they ask for in their order. @throws Error */
  async give(pod: Pod): Promise<void> {
    if (!this.pods.includes(pod)) this.pods.push(pod);
    for (const container of [...pod.spec!.initContainers!, ...pod.spec!.containers!]) {
      const [hint] = this.devices.giver.hints(pod, container)?.get(RESOURCE) ?? [];
      await this.devices.giver.allocate(pod, container, hint ?? { nodes: undefined, preferred: false });
    }
  }

  /** Ids that a container has, in order. */
  ids(uid: string, container = "c"): readonly string[] {
    return [...this.devices.given(uid, container).values()].flatMap((given) => [...idsOf(given)]).sort();
  }

  /** What is counted of a resource, and what of it can be given. */
  amounts(resource = RESOURCE): string {
    const { capacity, allocatable } = this.devices.amounts();
    return `${capacity[resource]} ${allocatable[resource]}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const plugin of this.#running) await plugin.stop();
    await this.stop();
    await socketsClosed();
    await Deno.remove(this.directory, { recursive: true });
  }
}
