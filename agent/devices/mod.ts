/** Devices of the host that plugins know of, and the containers that have them. */
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "prom-client";
import type { Node, Pod, ResourceStatus } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import { fileFault, orAbsent } from "../files.ts";
import { type GrpcServer, serveGrpc } from "../grpc_server.ts";
import type { NodeAmounts } from "../node/capacity.ts";
import type { PluginHandler } from "../plugins/mod.ts";
import type { Gate } from "../resources/amounts.ts";
import type { Nodes } from "../resources/managers/hints.ts";
import type { AnyContainer, Clock, ContainerDevices, Devices } from "../types.ts";
import { Allocations, type Given } from "./allocations.ts";
import { readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { DeviceGiver } from "./giver.ts";
import { REGISTER, type RegisterRequest, VERSION } from "./messages.ts";
import { type DeviceMetrics, deviceMetrics } from "./metrics.ts";
import { checkName, DeviceRegistry } from "./registry.ts";
import type { Device } from "./stock.ts";

/** Options that it follows. */
export interface DeviceOptions {
  readonly rootDir: string;
}

/** What it works with. */
export interface DeviceParts {
  readonly gate: Gate;
  /** NUMA nodes of the machine. */
  readonly nodes: Nodes;
  /** Pods that may have something running; undefined while it is not known of all. */
  readonly pods: () => readonly Pod[] | undefined;
  /** A device of the pod is well, or ill. */
  readonly changed: (uid: string) => void;
  readonly clock: Clock;
  readonly log: LogLine;
  readonly signal: AbortSignal;
  readonly metrics: Registry;
}

// What plugins and other tools look for, in every dialect.
const DIRECTORY = "device-plugins", SOCKET = "kubelet.sock", CHECKPOINT = "kubelet_internal_checkpoint";

/** See the top of the file. */
export class NodeDevices implements Devices {
  readonly giver: DeviceGiver;
  readonly registry: DeviceRegistry;
  readonly metrics: DeviceMetrics;
  readonly #allocations = new Allocations();
  readonly #directory: string;
  #server: GrpcServer | undefined;
  #isNew = false;

  constructor({ rootDir }: DeviceOptions, readonly parts: DeviceParts) {
    this.#directory = join(rootDir, DIRECTORY);
    this.metrics = deviceMetrics(parts.metrics);
    const changed = (resource: string, ids: readonly string[]) => {
      this.#tryKeep();
      for (const uid of this.#allocations.holders(resource, ids)) parts.changed(uid);
    };
    this.registry = new DeviceRegistry(this.#directory, { ...parts, metrics: this.metrics, changed });
    this.giver = new DeviceGiver({
      ...parts,
      registry: this.registry,
      allocations: this.#allocations,
      metrics: this.metrics,
      keep: () => this.#keep(),
    });
  }

  /** Takes up what was kept, and lets plugins register; those that did before see their sockets go, and come again. @throws Error */
  async start(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o750 });
    this.#restore();
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name);
      // A plugin that sees the server's socket go may take its own away at the same time.
      if ((await orAbsent(lstat(path)))?.isSocket()) {
        await rm(path, { force: true }).catch((e) => {
          throw fileFault("remove", path, e);
        });
      }
    }
    this.#server = serveGrpc(join(this.#directory, SOCKET), [{
      path: "/v1beta1.Registration/Register",
      request: REGISTER,
      response: [],
      answer: async (request: RegisterRequest) => {
        await this.registry.register(request);
        return {};
      },
    }]);
  }

  /** Until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) await new Promise((ended) => signal.addEventListener("abort", ended, { once: true }));
    this.#server?.close();
    await this.registry.over();
  }

  /** Of plugins that want to be found, in the directory of those of all kinds. */
  readonly handler: PluginHandler = {
    validate: ({ name, versions }) => {
      if (!versions.includes(VERSION)) {
        throw new Error(`manager version, ${VERSION}, is not among plugin supported versions [${versions.join(" ")}]`);
      }
      try {
        checkName(name);
      } catch (e) {
        throw new Error(`invalid name of device plugin socket: ${(e as Error).message}`, { cause: e });
      }
    },
    register: ({ name, endpoint }) => this.registry.connect(name, endpoint),
    deregister: async ({ name, endpoint }) => this.registry.disconnect(name, endpoint),
  };

  /** Why no plugin can register; undefined: they can. */
  fault(): string | undefined {
    if (this.#server) return undefined;
    return "device registration error: no server listens by which device plugins can register";
  }

  /** Nothing was kept, as on a host that was made anew. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** For the node's status. */
  amounts(): NodeAmounts {
    return this.registry.amounts();
  }

  /** The node as a pod that has devices sees it. */
  seenBy(pod: Pod, node: Node): Node {
    return this.giver.seenBy(pod, node);
  }

  of(pod: Pod, container: AnyContainer): Promise<ContainerDevices> {
    return this.giver.of(pod, container);
  }

  health(uid: string, container: string): readonly ResourceStatus[] {
    return this.giver.health(uid, container);
  }

  /** What a container has, by resource. */
  given(uid: string, container: string): ReadonlyMap<string, Given> {
    return this.#allocations.of(uid, container);
  }

  /** Those that can be given or are, by resource. */
  healthy(): readonly (readonly [resource: string, devices: readonly Device[]])[] {
    return Object.entries(this.registry.healthy()).map(([resource, ids]) => {
      const { devices } = this.registry.stock(resource)!;
      return [resource, ids.map((id) => devices.get(id)!)];
    });
  }

  #restore(): void {
    try {
      const kept = readCheckpoint(join(this.#directory, CHECKPOINT));
      this.#isNew = kept === undefined;
      for (const entry of kept?.entries ?? []) this.#allocations.add(entry);
      this.registry.restore(Object.keys(kept?.registered ?? {}));
    } catch (fault) {
      this.parts.log("error", "it is not known any more which devices containers have", fault);
    }
  }

  /** @throws Error */
  #keep(): void {
    writeCheckpoint(join(this.#directory, CHECKPOINT), {
      entries: this.#allocations.entries(),
      registered: this.registry.healthy(),
    });
  }

  #tryKeep(): void {
    try {
      this.#keep();
    } catch (fault) {
      this.parts.log("error", "it cannot be kept which devices there are", fault);
    }
  }
}
