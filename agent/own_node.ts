/** The node's object, put together from what the rooms say of the node. */
import type { Base } from "./base.ts";
import type { AgentImages } from "./images/mod.ts";
import { declaredFeatures, hostNetwork, identityOf, inUserNamespace, OwnNode } from "./node/mod.ts";
import type { Later } from "./rooms.ts";
import type { Events } from "./types.ts";

/** See the top of the file. */
export async function openNode(base: Base, events: Events, images: AgentImages, later: Later): Promise<OwnNode> {
  const { options, client, runtime, machine, roots, clock, random, log } = base;
  const users = base.gate("KubeletInUserNamespace") ? { runningInUserNamespace: await inUserNamespace() } : {};
  return new OwnNode(options, {
    client,
    product: options.product,
    events,
    runtime,
    machine,
    identity: { ...await identityOf(), ...users },
    network: hostNetwork(roots.proc),
    version: options.gitVersion,
    features: (can) => declaredFeatures(base.gate, can),
    pressure: () => later().evictions.pressure,
    images: (max) => images.list.images(max),
    faults: () => {
      const { pods, content, shutdown } = later();
      return [pods.fault(), content.volumes.csi.node.fault(), shutdown.fault()].filter((fault) => fault !== undefined);
    },
    volumesInUse: (before) => later().content.volumes.csi.inUse(before),
    devices: () => later().devices.amounts(),
    emptied: () => later().devices.isNew,
    clock,
    random,
    log,
    metrics: base.metrics,
  });
}
