/** What pods are done with, from the rooms. */
import { join } from "node:path";
import { fraction } from "../schema/values/random.ts";
import { admission, hasAppArmor } from "./admission/mod.ts";
import type { Admission } from "./admission/mod.ts";
import type { Base } from "./base.ts";
import { eventSource } from "./events/mod.ts";
import type { Lookups } from "./lookups.ts";
import { writeHostsFile } from "./network/hosts_file.ts";
import { podDirectory, type PodParts, refOf, subordinateIds, UserRanges } from "./pods/mod.ts";
import { HookHandlers, NodeProbes, probeMetrics } from "./probes/mod.ts";
import { preempt } from "./relief.ts";
import type { Later, Rooms } from "./rooms.ts";
import { isStatic } from "./sources/annotations.ts";
import type { StatusSink } from "./types.ts";
import { run } from "./volumes/command.ts";

/** Nobody to tell of statuses. */
const ALONE: StatusSink = { set: () => {}, ended: () => {} };

/** See the top of the file. @throws Error: users of pods, or options, that cannot be */
export async function podParts(
  base: Base,
  open: Omit<Rooms, "pods" | "evictions">,
  { runtimeHandler }: Lookups,
  later: Later,
): Promise<PodParts> {
  const { options: { product, rootDir }, runtime, gate, clock, random, log } = base;
  const { content, images, resources, devices, claims, changes, statuses, events, node, set } = open;
  return {
    runtime,
    volumes: content.volumes,
    environments: content.environments,
    dns: (pod) => content.dns.of(pod),
    images: images.images,
    resources,
    devices,
    claims,
    probes: new NodeProbes({
      ...base,
      events,
      metrics: probeMetrics(base.probeMetrics),
      verbose: log.verbose,
      random: () => fraction(random),
      agentStart: clock.ticks(),
      changed: (uid) => later().pods.changed(uid),
    }),
    users: await userRanges(base),
    handlers: new HookHandlers({ ...base, events }),
    gate,
    status: changes.with(statuses ?? ALONE),
    events,
    ...await admissionOf(base, open, later),
    hosts: async (pod, facts) => {
      const path = join(podDirectory(rootDir, refOf(pod).uid), "etc-hosts");
      await writeHostsFile(path, pod, facts);
      return path;
    },
    runtimeHandler,
    handlerFeatures: (handler) => node.handler(handler),
    networkFault: () => node.networkFault(),
    isStatic: (pod) => isStatic(pod, product),
    sourcesReady: () => set.allDelivered(),
    hostIPs: () => node.hostIPs(),
    clock,
    random: () => fraction(random),
    log,
    verbose: log.verbose,
    traces: base.traces,
    metrics: base.metrics,
  };
}

async function userRanges({ options }: Base): Promise<UserRanges> {
  const ids = await subordinateIds(eventSource(options.product), options.idsPerPod, run);
  return await UserRanges.open(options, ids).catch((e: Error) => {
    throw new Error(`create user namespace manager: ${e.message}`, { cause: e });
  });
}

async function admissionOf(
  base: Base,
  { devices, managers, node, events, shutdown }: Omit<Rooms, "pods" | "evictions">,
  later: Later,
): Promise<Admission> {
  return admission(base.options, {
    product: base.options.product,
    gate: base.gate,
    node: (pod) => devices.seenBy(pod, node.node()),
    pressure: () => later().evictions.pressure,
    allocate: (pod) => managers.admit(pod),
    take: (pod) => managers.take(pod),
    preempt: (victims) => preempt(base, { events, pods: later().pods }, victims),
    shutdown: () => shutdown.refusal(),
    appArmor: await hasAppArmor(base.roots.sys),
    features: () => node.features(),
  });
}
