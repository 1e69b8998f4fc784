/** What a node is made of. */
import type { Registry } from "prom-client";
import type { ContainerImage } from "../../schema/api/core_v1.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import type { RandomBytes } from "../../schema/values/random.ts";
import type { ApiClient } from "../client/mod.ts";
import type { Machine } from "../resources/machine.ts";
import type { Runtime, RuntimeFeatures } from "../runtime/types.ts";
import type { Clock, Events } from "../types.ts";
import type { CapacityOptions, NodeAmounts } from "./capacity.ts";
import type { Pressure } from "../eviction/signals.ts";
import type { HostNetwork } from "./host_network.ts";
import type { HostIdentity } from "./identity.ts";
import type { RegistrationOptions } from "./registration.ts";

/** Options that the node follows; times in ms. */
export interface NodeOptions extends RegistrationOptions, CapacityOptions {
  readonly registerNode: boolean;
  readonly hostnameOverride: string;
  readonly nodeIp: string;
  readonly nodeStatusUpdateFrequency: number;
  readonly nodeStatusReportFrequency: number;
  readonly nodeStatusMaxImages: number;
  readonly nodeLeaseDurationSeconds: number;
  /** Of the agent's server. */
  readonly port: number;
  /** Of pods, where there is no API server to say. */
  readonly podCidr: string;
  readonly rootDir: string;
  readonly localStorageCapacityIsolation: boolean;
}

/** What it works with. */
export interface NodeParts {
  /** Undefined: there is no API server. */
  readonly client: Pick<ApiClient, "request" | "follow" | "paced" | "renew"> | undefined;
  readonly product: Product;
  readonly events: Events;
  readonly runtime: Pick<Runtime, "status" | "version" | "updateRuntimeConfig">;
  readonly machine: Machine;
  readonly identity: HostIdentity;
  readonly network: HostNetwork;
  /** Of the agent: `v1.37.0`. */
  readonly version: string;
  /** Conditions of pressure that hold. */
  pressure(): readonly Pressure[];
  /** The largest images, at most so many; -1: all. */
  images(max: number): readonly ContainerImage[];
  /** That the node declares, in order. */
  features(can: RuntimeFeatures | undefined): readonly string[];
  /** Unique names of volumes that it uses. @param before as they were told last */
  volumesInUse(before: readonly string[]): Promise<readonly string[]>;
  /** Nothing is known of devices that the node had before. */
  emptied(): boolean;
  /** Resources that plugins count. */
  devices(): NodeAmounts;
  /** What else makes the node not ready. */
  faults(): readonly string[];
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  /** Absent: nobody reads figures. */
  readonly metrics?: Registry;
}
