/** The node's object as it should be. */
import type { ContainerImage, Node, NodeAddress, NodeStatus } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { isHugePages } from "../../schema/rules/checks/resources.ts";
import { isExtended } from "../resources/amounts.ts";
import type { NodeAmounts } from "./capacity.ts";
import type { RuntimeFeatures, RuntimeHandler } from "../runtime/types.ts";
import type { Pressure } from "../eviction/signals.ts";
import { judge } from "./conditions.ts";
import { type HostIdentity, PLATFORM } from "./identity.ts";
import { withPlatform } from "./labels.ts";

/** What the status is made from. */
export interface StatusFacts {
  readonly identity: HostIdentity;
  readonly amounts: NodeAmounts;
  /** Resources that plugins count. */
  readonly devices: NodeAmounts;
  /** Bytes of swap. */
  readonly swap: number;
  /** Name and version of the runtime. */
  readonly runtime: string;
  /** Of the agent. */
  readonly version: string;
  readonly addresses: readonly NodeAddress[];
  readonly images: readonly ContainerImage[];
  readonly features: readonly string[];
  /** Of the runtime. */
  readonly handlers: readonly RuntimeHandler[];
  /** What the runtime can do; undefined: it does not tell. */
  readonly can: RuntimeFeatures | undefined;
  readonly port: number;
  readonly pressure: readonly Pressure[];
  /** Unique names. */
  readonly volumesInUse: readonly string[];
  /** Why the node is not ready. */
  readonly faults: readonly string[];
  /** Of now, as the API writes it. */
  readonly time: string;
}

/** A node, and the reasons of events that its changes make. */
export interface NextNode {
  readonly node: Node;
  readonly events: readonly string[];
}

/** The node with the status of now. What others have set stays. */
export function nextNode(before: Node, f: StatusFacts, product: Product): NextNode {
  const was: NodeStatus = before.status ?? {};
  const { conditions, events } = judge(was.conditions ?? [], f.pressure, f.faults, f.time);
  const status: NodeStatus = {
    ...was,
    capacity: { ...known(was.capacity), ...f.amounts.capacity, ...f.devices.capacity },
    allocatable: {
      ...known(was.allocatable),
      ...extended(was.capacity),
      ...f.amounts.allocatable,
      ...f.devices.allocatable,
    },
    conditions: [...conditions],
    addresses: [...f.addresses],
    daemonEndpoints: { kubeletEndpoint: { Port: f.port } },
    nodeInfo: {
      ...f.identity,
      containerRuntimeVersion: f.runtime,
      kubeletVersion: f.version,
      kubeProxyVersion: "",
      operatingSystem: PLATFORM.os,
      architecture: PLATFORM.arch,
      ...(f.swap > 0 ? { swap: { capacity: f.swap } } : {}),
    },
    images: [...f.images],
    declaredFeatures: [...f.features],
    runtimeHandlers: f.handlers.map((handler) => ({ ...handler })),
    ...(f.can ? { features: { supplementalGroupsPolicy: f.can.supplementalGroupsPolicy } } : {}),
    volumesInUse: [...f.volumesInUse],
  };
  const metadata = { ...before.metadata, labels: { ...withPlatform(product, before.metadata?.labels ?? {}) } };
  return { node: { ...before, metadata, status }, events };
}

type Amounts = Readonly<Record<string, string>> | undefined;

const only = (amounts: Amounts, is: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => is(name)));
/** Pages of a size that the machine no longer has are no longer told of; what others count stays. */
const known = (amounts: Amounts) => only(amounts, (name) => !isHugePages(name));
/** What others count is all for pods. */
const extended = (amounts: Amounts) => only(amounts, isExtended);
