/** What containers are given: volumes, environments, names of other hosts. */
import { fraction } from "../schema/values/random.ts";
import type { Base } from "./base.ts";
import { createEnvironments } from "./environment/mod.ts";
import { Services } from "./environment/services.ts";
import { PodDns } from "./network/dns.ts";
import type { OwnNode } from "./node/mod.ts";
import type { Environments, Events } from "./types.ts";
import { NodeVolumes } from "./volumes/mod.ts";
import { objectTtl, ReferencedObjects } from "./volumes/objects.ts";

/** See the top of the file. */
export interface Content {
  readonly volumes: NodeVolumes;
  readonly environments: Environments;
  readonly dns: PodDns;
  /** Follows nothing any more. */
  close(): void;
}

/** Opens it. */
export function openContent(base: Base, events: Events, node: OwnNode): Content {
  const { options, client: api, clock, random, signal } = base, { product } = options;
  const objects = new ReferencedObjects(api, clock, { ...options, ttl: () => objectTtl(node.node(), product) });
  const allocatable = () => (node.node().status?.allocatable ?? {}) as Readonly<Record<string, string>>;
  const volumes = new NodeVolumes(options, {
    api,
    objects,
    node: {
      name: base.nodeName,
      allocatable,
      labels: () => node.node().metadata?.labels ?? {},
      uid: () => node.uid() ?? "",
      status: () => node.node().status ?? {},
      report: (signal) => node.sync(signal),
    },
    clock,
    events,
    product,
    random: () => fraction(random),
    log: base.log,
    gate: base.gate,
    metrics: base.metrics,
  });
  const environments = createEnvironments({
    objects,
    services: api && new Services(api, signal),
    allocatable,
    volumePath: (uid, volume) => volumes.pathOf(uid, volume),
    product,
  });
  return {
    volumes,
    environments,
    dns: new PodDns(options, events, () => node.hostIPs()),
    close() {
      volumes.close();
      objects.close();
    },
  };
}
