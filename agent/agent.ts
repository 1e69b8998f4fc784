/** A whole agent, put together from its rooms (specification, "Node agent"). */
import { join } from "node:path";
import { Registry } from "prom-client";
import type { Pod } from "../schema/api/core_v1.ts";
import { flagTexts } from "../schema/flags/texts.ts";
import { fraction } from "../schema/values/random.ts";
import { admission, hasAppArmor } from "./admission/mod.ts";
import type { Base } from "./base.ts";
import { servingCertificates } from "./certificates/mod.ts";
import { NodeClaims } from "./claims/mod.ts";
import { configzOf } from "./config/mod.ts";
import { NodeDevices } from "./devices/mod.ts";
import { servePodResources } from "./devices/pod_resources.ts";
import { type Content, openContent } from "./content.ts";
import { eventSource, openEvents } from "./events/mod.ts";
import type { Evictions } from "./eviction/mod.ts";
import { openShutdown } from "./host_shutdown.ts";
import { featureMetrics, type HttpParts, type KeyPair, type Servers, startServers } from "./http/mod.ts";
import { Rates } from "./http/stats/rates.ts";
import { diskOf, openImages } from "./images/mod.ts";
import { LogRotation } from "./logs/rotate.ts";
import { lookups } from "./lookups.ts";
import { writeHostsFile } from "./network/hosts_file.ts";
import { keepUtilChains } from "./network/util_chains.ts";
import { checkedReservation } from "./node/capacity.ts";
import { declaredFeatures, hostNetwork, identityOf, OwnNode } from "./node/mod.ts";
import { LABEL, podDirectory, PodManager, refOf, subordinateIds, UserRanges } from "./pods/mod.ts";
import { ROWS } from "./options/mod.ts";
import { PluginWatch } from "./plugins/mod.ts";
import { HookHandlers, NodeProbes } from "./probes/mod.ts";
import { openRelief, preempt } from "./relief.ts";
import { Managers } from "./resources/managers/mod.ts";
import { readTopology } from "./resources/managers/topology.ts";
import { PodResources } from "./resources/mod.ts";
import { isStatic } from "./sources/annotations.ts";
import { Mirrors } from "./sources/mirrors.ts";
import { sourcesOf } from "./sources/mod.ts";
import { PodSet } from "./sources/pod_set.ts";
import { StatusManager } from "./status/mod.ts";
import type { StatusSink } from "./types.ts";
import { run } from "./volumes/command.ts";

/** Where links to logs of containers lie, by which collectors find them. */
const CONTAINER_LOGS = "/var/log/containers";
/** How long answers under way may take at the end, ms. */
const CLOSE_MS = 2_000;
/** Nobody to tell of statuses. */
const ALONE: StatusSink = { set: () => {}, ended: () => {} };

/** An agent at work. */
export interface Agent {
  readonly pods: PodManager;
  readonly node: OwnNode;
  readonly servers: Servers;
  /** Whether each source of pods has said what it has. */
  delivered(): boolean;
  /** Resolves when the agent's signal has ended it; pods run on. */
  readonly over: Promise<void>;
}

/** Starts it. @throws Error: it cannot start */
export async function startAgent(base: Base, sources = sourcesOf(base.options, base)): Promise<Agent> {
  const { options, client, clock, log, signal, random, runtime, machine, hierarchy, roots } = base;
  const { product, rootDir } = options;
  await Deno.mkdir(rootDir, { recursive: true, mode: 0o750 });
  const events = openEvents(client, {
    ...options,
    nodeName: base.nodeName,
    nodeUid: () => node.uid(),
    clock,
    random,
    log,
  });
  const found = lookups(client, product);
  const images = await openImages({
    runtime,
    options,
    events,
    clock,
    log,
    product,
    secrets: found.secret,
    accounts: found.accounts,
    disk: diskOf,
    signal,
    traces: base.traces,
  });
  const node = new OwnNode(options, {
    client,
    product,
    events,
    runtime,
    machine,
    identity: await identityOf(),
    network: hostNetwork(roots.proc),
    version: options.gitVersion,
    features: (can) => declaredFeatures(base.gate, can),
    pressure: () => evictions.pressure,
    images: (max) => images.list.images(max),
    faults: () =>
      [pods.fault(), content.volumes.csi.node.fault(), shutdown.fault()].filter((fault) => fault !== undefined),
    volumesInUse: (before) => content.volumes.csi.inUse(before),
    devices: () => devices.amounts(),
    emptied: () => devices.isNew,
    clock,
    random,
    log,
  });
  const shutdown = openShutdown(base, { events, pods: () => pods, node: () => node });
  const topology = await readTopology(roots.sys, machine);
  const active = () => set.allDelivered() ? pods.active() : undefined;
  const devices = new NodeDevices(options, {
    ...base,
    nodes: topology.nodes.map(({ id }) => id),
    pods: active,
    changed: (uid) => pods.changed(uid),
  });
  const claims = new NodeClaims(options, {
    ...base,
    api: client,
    product,
    pods: active,
    changed: (uid) => pods.changed(uid),
  });
  const managers = new Managers(options, {
    gate: base.gate,
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
    gate: base.gate,
    hierarchy,
    machine,
    roots,
    pods: () => pods.pods(),
    events,
    log,
    clock,
  });
  const content = openContent(base, events, node);
  const probes = new NodeProbes({
    ...base,
    events,
    random: () => fraction(random),
    agentStart: clock.now(),
    changed: (uid) => pods.changed(uid),
  });
  const mirrors = client && new Mirrors({
    api: client,
    product,
    clock,
    log,
    nodeName: base.nodeName,
    nodeUid: () => node.uid(),
    complete: () => set.allDelivered(),
    runs: (namespace, name) => pods.runs(namespace, name),
  });
  const set = new PodSet({
    sources,
    product,
    clock,
    events,
    log,
    set: (wanted) => pods.set(wanted),
    mirrors: (statics, standing) => mirrors?.take(statics, standing),
  });
  const statuses = client && new StatusManager({
    api: client,
    product,
    clock,
    log,
    seen: (uid) => set.find(uid),
    mirror: (pod) => mirrors?.of(pod),
  });
  const users = await UserRanges.open(options, await subordinateIds(eventSource(product), options.idsPerPod, run))
    .catch((e: Error) => {
      throw new Error(`create user namespace manager: ${e.message}`, { cause: e });
    });
  const pods: PodManager = new PodManager({
    runtime,
    volumes: content.volumes,
    environments: content.environments,
    dns: (pod) => content.dns.of(pod),
    images: images.images,
    resources,
    devices,
    claims,
    probes,
    users,
    handlers: new HookHandlers({ ...base, events }),
    gate: base.gate,
    status: statuses ?? ALONE,
    events,
    ...admission(options, {
      product,
      gate: base.gate,
      node: (pod) => devices.seenBy(pod, node.node()),
      pressure: () => evictions.pressure,
      allocate: (pod) => managers.admit(pod),
      take: (pod) => managers.take(pod),
      preempt: (victims) => preempt(base, { events, pods }, victims),
      shutdown: () => shutdown.refusal(),
      appArmor: await hasAppArmor(roots.sys),
    }),
    hosts: async (pod, facts) => {
      const path = join(podDirectory(rootDir, refOf(pod).uid), "etc-hosts");
      await writeHostsFile(path, pod, facts);
      return path;
    },
    runtimeHandler: found.runtimeHandler,
    handlerFeatures: (handler) => node.handler(handler),
    networkFault: () => node.networkFault(),
    isStatic: (pod) => isStatic(pod, product),
    sourcesReady: () => set.allDelivered(),
    hostIPs: () => node.hostIPs(),
    clock,
    random: () => fraction(random),
    log,
    traces: base.traces,
  }, { ...options, containerLogsDir: CONTAINER_LOGS });
  const figures = {
    runtime,
    pods,
    nodeName: base.nodeName,
    rootDir,
    podLogsDir: options.podLogsDir,
    rates: new Rates(),
    volumeStats: (pod: Pod) => content.volumes.stats(pod),
    tasks: (pod: Pod) => resources.tasks(pod),
  };
  const evictions: Evictions = openRelief(base, { events, pods, resources, images, figures });
  await resources.start();
  await devices.start();
  await node.prepare();
  const serving = await servingCertificates(options, {
    ...base,
    product,
    addresses: () => node.node().status?.addresses ?? [],
  });
  const pair = () => serving.pair();
  featureMetrics(base.metrics, options.gates);
  const servers = await startServers(httpParts(base, { pods, content, resources, pair }), options);
  const loops = [
    events.run(signal),
    node.run(signal),
    pods.run(signal),
    set.run(signal),
    images.run(),
    resources.run(signal),
    managers.run(signal),
    devices.run(signal),
    claims.run(signal),
    evictions.run(signal),
    shutdown.run(signal),
    new LogRotation(options, { runtime, clock, log }).run(signal),
    content.dns.checkHost(),
    content.volumes.csi.run(signal),
    new PluginWatch(join(rootDir, "plugins_registry"), {
      CSIPlugin: content.volumes.csi.drivers,
      DevicePlugin: devices.handler,
      DRAPlugin: claims.drivers,
    }, base).run(signal),
    keepUtilChains(options, { run, clock, say: (text) => log("warn", text) }, signal),
    serving.run(client, signal),
    ...(client ? [base.credentials!.run(client, signal)] : []),
    ...(mirrors ? [mirrors.run(signal)] : []),
    ...(statuses ? [statuses.run(signal)] : []),
  ];
  const podResources = await servePodResources({
    rootDir,
    pods: () => pods.active(),
    find: (namespace, name) => pods.find(namespace, name),
    devices,
    claims,
    pinned: managers,
    clock,
  });
  const over = ended(base, loops, servers, [content, podResources]);
  return { pods, node, servers, delivered: () => set.allDelivered(), over };
}

async function ended(
  base: Base,
  loops: readonly Promise<void>[],
  servers: Servers,
  rest: readonly { close(): void }[],
): Promise<void> {
  await Promise.all(loops);
  for (const one of rest) one.close();
  await servers.close(CLOSE_MS);
  await base.endTraces(CLOSE_MS);
}

interface HttpRooms {
  readonly pods: PodManager;
  readonly content: Content;
  readonly resources: PodResources;
  pair(): KeyPair;
}

function httpParts(base: Base, { pods, content, resources, pair }: HttpRooms): HttpParts {
  const { options, client, log } = base;
  return {
    ...base,
    pods,
    // Whoever reaches the agent has it ask: its own requests do not wait for these.
    ...(client ? { api: client.paced() } : {}),
    product: options.product,
    health: [{ name: "syncloop", check: () => Promise.resolve(pods.fault()) }],
    pair,
    configz: () => configzOf(options),
    flags: () => flagTexts(ROWS, options),
    version: options.gitVersion,
    ...(log.verbosity ? { verbosity: log.verbosity } : {}),
    volumeStats: (pod) => content.volumes.stats(pod),
    tasks: (pod) => resources.tasks(pod),
    probeMetrics: new Registry(),
  };
}
