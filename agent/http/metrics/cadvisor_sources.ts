/** Asks runtime and kernel for what `/metrics/cadvisor` tells. */
import { readFile } from "node:fs/promises";
import { identityOf } from "../../node/identity.ts";
import { ownerOf } from "../../pods/names.ts";
import { groupFigures } from "../../resources/group_figures.ts";
import { readMachine } from "../../resources/machine.ts";
import { coreFigures, type NodeSources } from "../stats/node.ts";
import { measuredContainers } from "../stats/pods.ts";
import { trafficOf } from "../stats/proc.ts";
import { Sandboxes } from "../stats/sandboxes.ts";
import type { HttpParts } from "../types.ts";
import type { Grouped, Networked, Told } from "./cadvisor.ts";

type Parts = Pick<HttpParts, "runtime" | "pods" | "hierarchy" | "clock">;

const KERNEL = { proc: "/proc", sys: "/sys" };
/** Ends of pods' networks on the host: what goes over them is told of the pods. */
const OF_PODS = /^(?:veth|docker)/;

/** What is called for each page. It throws RuntimeError. */
export function cadvisorSources(parts: Parts, sources: NodeSources): () => Promise<Told> {
  const sandboxes = new Sandboxes(parts.runtime, parts.hierarchy);
  return async () => {
    const [pods, host, node, machine, identity] = await Promise.all([
      podsTold(parts, sandboxes),
      hostNetwork(),
      coreFigures(sources, parts.clock.now()).catch(() => undefined),
      readMachine(KERNEL),
      identityOf(),
    ]);
    return { containers: pods.containers, networks: [host, ...pods.networks], node, machine, identity };
  };
}

async function hostNetwork(): Promise<Networked> {
  const dev = await readFile(`${KERNEL.proc}/net/dev`, "utf8").catch(() => "");
  return { sandbox: undefined, traffic: trafficOf(dev).filter(({ name }) => !OF_PODS.test(name)) };
}

/** Containers with their groups, and networks of sandboxes but of those that have the host's. */
async function podsTold(
  { runtime, pods, hierarchy }: Parts,
  sandboxes: Sandboxes,
): Promise<Pick<Told, "containers" | "networks">> {
  const measured = await measuredContainers(runtime);
  const running = new Map(measured.map(({ sandbox }) => [sandbox.id, sandbox]));
  sandboxes.keep(new Set(running.keys()));
  const own = [...running.values()].filter(({ labels }) => {
    const { namespace = "", name = "", uid } = ownerOf(labels) ?? {};
    return !pods.find(namespace, name, uid)?.spec?.hostNetwork;
  });
  const grouped = measured.map(async (m): Promise<Grouped> => {
    const group = await sandboxes.group(m.sandbox, m.container.id);
    if (group === undefined || !hierarchy) return { ...m, figures: {} };
    return { ...m, group, figures: await groupFigures(hierarchy, group) };
  });
  const networks = own.map(async (sandbox) => ({ sandbox, traffic: await sandboxes.traffic(sandbox) }));
  return { containers: await Promise.all(grouped), networks: await Promise.all(networks) };
}
