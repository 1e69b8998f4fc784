/** The rooms of an agent. Each is opened with those that it stands on; what it asks of others it finds here at work. */
import type { NodeClaims } from "./claims/mod.ts";
import type { Content } from "./content.ts";
import type { NodeDevices } from "./devices/mod.ts";
import type { EventQueue } from "./events/mod.ts";
import type { Evictions } from "./eviction/mod.ts";
import type { AgentImages } from "./images/mod.ts";
import type { OwnNode } from "./node/mod.ts";
import type { PodChanges, PodManager } from "./pods/mod.ts";
import type { Managers } from "./resources/managers/mod.ts";
import type { PodResources } from "./resources/mod.ts";
import type { NodeShutdown } from "./shutdown/mod.ts";
import type { Mirrors } from "./sources/mirrors.ts";
import type { PodSet } from "./sources/pod_set.ts";
import type { StatusManager } from "./status/mod.ts";

/** What of the machine pods are given. */
export interface Hardware {
  readonly devices: NodeDevices;
  readonly claims: NodeClaims;
  /** Processors and memory of their own. */
  readonly managers: Managers;
  readonly resources: PodResources;
}

/** Which pods there are to be, and their statuses on the way back. */
export interface Wanted {
  readonly set: PodSet;
  /** Of all pods, for others on the host. */
  readonly changes: PodChanges;
  /** Undefined: there is no API server. */
  readonly mirrors: Mirrors | undefined;
  readonly statuses: StatusManager | undefined;
}

/** See the top of the file. */
export interface Rooms extends Hardware, Wanted {
  readonly events: EventQueue;
  readonly images: AgentImages;
  readonly node: OwnNode;
  readonly shutdown: NodeShutdown;
  readonly content: Content;
  readonly pods: PodManager;
  readonly evictions: Evictions;
}

/** All rooms, once they are open. */
export type Later = () => Rooms;
