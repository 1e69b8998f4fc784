/** Computes the node's status. */
import { statfs } from "node:fs/promises";
import type { Node } from "../../schema/api/core_v1.ts";
import type { Ip } from "../../schema/values/ip.ts";
import { nowTime } from "../../schema/values/time.ts";
import { addressesOf } from "./addresses.ts";
import { nodeAmounts } from "./capacity.ts";
import type { NodeOptions, NodeParts } from "./options.ts";
import { isExternal } from "./registration.ts";
import type { RuntimeState } from "./runtime_state.ts";
import { type NextNode, nextNode } from "./status.ts";

/** See the top of the file. */
export class NodeComputer {
  /** @throws Error for reservations that are none */
  constructor(
    private readonly name: string,
    private readonly nodeIps: readonly Ip[],
    private readonly o: NodeOptions,
    private readonly p: NodeParts,
    private readonly state: RuntimeState,
  ) {
    nodeAmounts(p.machine, undefined, o);
  }

  /** The node with the status of now. Never throws: what cannot be told stays as it was. */
  async next(before: Node): Promise<NextNode> {
    const { p, o, state } = this, was = before.status;
    const or = <T>(what: string, asked: Promise<T>, otherwise: T): Promise<T> =>
      asked.catch((e) => {
        p.log("warn", `the node's ${what} cannot be told`, e instanceof Error ? e.message : e);
        return otherwise;
      });
    const terms = { hostname: this.name, nodeIps: this.nodeIps, external: isExternal(o.cloudProvider) };
    const [runtime, addresses, storage] = await Promise.all([
      state.version(),
      or("addresses", addressesOf(terms, was?.addresses ?? [], p.network), was?.addresses ?? []),
      o.localStorageCapacityIsolation ? or("storage", storageOf(o.rootDir), undefined) : undefined,
    ]);
    const lacking = storage === undefined && o.localStorageCapacityIsolation
      ? ["missing node capacity for resources: ephemeral-storage"]
      : [];
    return nextNode(before, {
      identity: p.identity,
      amounts: nodeAmounts(p.machine, storage, o),
      devices: p.devices(),
      swap: p.machine.swap,
      runtime,
      version: p.version,
      addresses,
      images: p.images(o.nodeStatusMaxImages),
      features: p.features(state.features()),
      handlers: state.handlers(),
      can: state.features(),
      port: o.port,
      pressure: p.pressure(),
      volumesInUse: await p.volumesInUse(was?.volumesInUse ?? []),
      faults: [...state.faults(), ...p.faults(), ...lacking],
      time: nowTime(p.clock.now()),
    }, p.product);
  }
}

/** Bytes of the file system that a directory is on. @throws Error when there is none */
async function storageOf(directory: string): Promise<number> {
  const { bsize, blocks } = await statfs(directory);
  return bsize * blocks;
}
