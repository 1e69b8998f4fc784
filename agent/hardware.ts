/** What of the machine pods are given, put together: devices, claims, processors, memory, control groups. */
import type { Base } from "./base.ts";
import { NodeClaims } from "./claims/mod.ts";
import { NodeDevices } from "./devices/mod.ts";
import { checkedReservation } from "./node/capacity.ts";
import { LABEL } from "./pods/mod.ts";
import { Managers } from "./resources/managers/mod.ts";
import { readTopology } from "./resources/managers/topology.ts";
import { PodResources } from "./resources/mod.ts";
import type { Hardware, Later } from "./rooms.ts";
import type { Events } from "./types.ts";

/** Opens it. @throws Error: what was kept is damaged, or more is reserved than there is */
export async function openHardware(base: Base, events: Events, later: Later): Promise<Hardware> {
  const { options, client, clock, log, gate, runtime, machine, hierarchy, roots } = base;
  const { product } = options;
  const topology = await readTopology(roots.sys, machine);
  const active = () => {
    const { set, pods } = later();
    return set.allDelivered() ? pods.active() : undefined;
  };
  const changed = (uid: string) => later().pods.changed(uid);
  const devices = new NodeDevices(options, {
    ...base,
    nodes: topology.nodes.map(({ id }) => id),
    pods: active,
    changed,
  });
  const claims = new NodeClaims(options, { ...base, api: client, product, pods: active, changed });
  const managers = new Managers(options, {
    gate,
    topology,
    reservation: checkedReservation(machine, options),
    pods: active,
    runtime,
    devices: devices.giver,
    owner: ({ labels }) => ({ uid: labels[LABEL.uid] ?? "", container: labels[LABEL.container] ?? "" }),
    clock,
    log,
  });
  const resources = new PodResources(options, {
    pins: managers,
    product,
    gate,
    hierarchy,
    machine,
    roots,
    pods: () => later().pods.pods(),
    events,
    log,
    clock,
  });
  return { devices, claims, managers, resources };
}
