/** A node of its own: real but for the container runtime, whose state the test sets. */
import { declaredFeatures, identityOf, type NodeOptions, type NodeParts, OwnNode } from "../../../agent/node/mod.ts";
import type { HostNetwork } from "../../../agent/node/host_network.ts";
import type { Pressure } from "../../../agent/eviction/signals.ts";
import type { Machine } from "../../../agent/resources/machine.ts";
import type { RuntimeHandler } from "../../../agent/runtime/types.ts";
import type { Clock } from "../../../agent/types.ts";
import { realClock, type World, zeros } from "../client/_client.ts";

export const MACHINE: Machine = {
  cpus: [0, 1],
  memory: 8 * 1024 ** 3,
  swap: 0,
  pids: 32768,
  hugePages: [{ size: 2 * 1024 ** 2, count: 0 }],
};

/** A host with those addresses; the first of them is that of the default route. */
export const hostWith = (...addresses: string[]): HostNetwork => ({
  interfaces: () => [
    { name: "lo", address: "127.0.0.1" },
    ...addresses.map((address, i) => ({ name: `eth${i}`, address })),
  ],
  defaultInterfaces: async (family) =>
    addresses.flatMap((a, i) => a.includes(":") === (family === 6) ? [`eth${i}`] : []).slice(0, 1),
  lookup: async () => [],
});

/** Looks at what there is often; the server has its time to answer all the same. */
const CLOCK: Clock = { ...realClock, wait: (ms, signal) => realClock.wait(Math.min(ms, 250), signal) };

/** See the top of the file. */
export class TestNode {
  readonly own: OwnNode;
  readonly events: string[] = [];
  readonly ranges: string[] = [];
  readonly #stop = new AbortController();
  #end: Promise<void> | undefined;
  network = false;
  handlers: readonly RuntimeHandler[] = [];
  pressure: readonly Pressure[] = [];

  constructor(
    { api, product }: Pick<World, "product"> & { readonly api: World["api"] | undefined },
    o: Partial<NodeOptions>,
    parts: Pick<NodeParts, "identity" | "emptied">,
  ) {
    const options: NodeOptions = {
      registerNode: true,
      hostnameOverride: "Node-A",
      nodeIp: "",
      nodeLabels: {},
      registerWithTaints: [],
      providerId: "",
      cloudProvider: "",
      enableControllerAttachDetach: true,
      nodeStatusUpdateFrequency: 10_000,
      nodeStatusReportFrequency: 300_000,
      nodeStatusMaxImages: 50,
      nodeLeaseDurationSeconds: 40,
      maxPods: 110,
      podsPerCore: 0,
      port: 10250,
      podCidr: "",
      rootDir: "/",
      localStorageCapacityIsolation: true,
      orchReserved: {},
      systemReserved: {},
      reservedCpus: "",
      evictionHard: { "memory.available": "100Mi", "nodefs.available": "10%" },
      ...o,
    };
    const runtime: NodeParts["runtime"] = {
      version: async () => ({
        version: "0.1.0",
        runtimeName: "containerd",
        runtimeVersion: "1.6.20",
        runtimeApiVersion: "v1",
      }),
      status: async () => ({
        conditions: [
          { type: "RuntimeReady", status: true, reason: "", message: "" },
          this.network
            ? { type: "NetworkReady", status: true, reason: "", message: "" }
            : { type: "NetworkReady", status: false, reason: "NetworkPluginNotReady", message: "no plugin" },
        ],
        handlers: this.handlers,
        features: {
          supplementalGroupsPolicy: this.handlers.length > 0,
          userNamespacesHostNetwork: false,
          mountOptions: true,
        },
      }),
      updateRuntimeConfig: async (range) => void this.ranges.push(range),
    };
    this.own = new OwnNode(options, {
      client: api,
      product,
      events: { pod: () => {}, node: (_, reason) => void this.events.push(reason) },
      runtime,
      machine: MACHINE,
      ...parts,
      network: hostWith("192.0.2.7"),
      version: "v1.37.0",
      features: (can) => declaredFeatures((name) => name !== "ExtendWebSocketsToKubelet", can),
      pressure: () => this.pressure,
      volumesInUse: () => Promise.resolve([]),
      images: () => [{ names: ["registry.test/a@sha256:1", "registry.test/a:1"], sizeBytes: 7 }],
      devices: () => ({ capacity: {}, allocatable: {} }),
      faults: () => [],
      clock: CLOCK,
      random: zeros,
      log: () => {},
    });
  }

  /** Runs it until {@linkcode stop}. */
  start(): void {
    this.#end = this.own.run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#end;
  }
}

/** Runs with a node that runs. */
export async function withNode(
  world: Pick<World, "product"> & { readonly api: World["api"] | undefined },
  o: Partial<NodeOptions>,
  run: (node: TestNode) => Promise<void>,
  emptied = false,
): Promise<void> {
  const node = new TestNode(world, o, { identity: await identityOf(), emptied: () => emptied });
  node.start();
  try {
    await run(node);
  } finally {
    await node.stop();
  }
}
