/** A whole agent, put together from its rooms (specification, "Node agent"). */
import { join } from "node:path";
import type { KeyPair } from "../pki/pair.ts";
import { flagTexts } from "../schema/flags/texts.ts";
import type { Base } from "./base.ts";
import { type ServingCertificates, servingCertificates } from "./certificates/mod.ts";
import { configzOf } from "./config/mod.ts";
import { openContent } from "./content.ts";
import { servePodResources } from "./devices/pod_resources.ts";
import { openEvents } from "./events/mod.ts";
import { openHardware } from "./hardware.ts";
import { openShutdown } from "./host_shutdown.ts";
import { fileFault } from "./files.ts";
import { featureMetrics, type HttpParts, type Servers, startServers } from "./http/mod.ts";
import { diskOf, openImages } from "./images/mod.ts";
import { LogRotation } from "./logs/rotate.ts";
import { lookups } from "./lookups.ts";
import { keepUtilChains } from "./network/util_chains.ts";
import type { OwnNode } from "./node/mod.ts";
import { ROWS } from "./options/mod.ts";
import { openNode } from "./own_node.ts";
import { PluginWatch } from "./plugins/mod.ts";
import { podParts } from "./pod_parts.ts";
import { PodManager, servePods } from "./pods/mod.ts";
import { openRelief } from "./relief.ts";
import { groupOfProcess } from "./resources/processes.ts";
import type { Rooms } from "./rooms.ts";
import { sourcesOf } from "./sources/mod.ts";
import type { Source } from "./types.ts";
import { run } from "./volumes/command.ts";
import { shareMounts } from "./volumes/shared_root.ts";
import { openWanted } from "./wanted.ts";

/** Where links to logs of containers lie, by which collectors find them. */
const CONTAINER_LOGS = "/var/log/containers";
/** How long answers under way may take at the end, ms. */
const CLOSE_MS = 2_000;

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
  const { options, clock } = base, { product, rootDir } = options;
  await Deno.mkdir(rootDir, { recursive: true, mode: 0o750 }).catch((e) => {
    throw fileFault("make", rootDir, e, "root-dir");
  });
  await shareMounts(rootDir).catch((e) =>
    base.log("warn", "mounts below the root directory are not shared", e.message)
  );
  const rooms = await openRooms(base, sources);
  const { node, pods, set, changes, devices, claims, managers, resources, content } = rooms;
  await resources.start();
  await node.prepare();
  const serving = await servingCertificates(options, {
    ...base,
    product,
    addresses: () => node.node().status?.addresses ?? [],
  });
  featureMetrics(base.metrics, options.gates);
  const servers = await startServers(httpParts(base, rooms, () => serving.pair()), options);
  // Who cannot listen does not start: another agent may be at work here, whose plugins would be lost to it.
  await devices.start();
  const loops = loopsOf(base, rooms, serving);
  const podResources = await servePodResources({
    rootDir,
    pods: () => pods.active(),
    find: (namespace, name) => pods.find(namespace, name),
    devices,
    claims,
    pinned: managers,
    clock,
  });
  const podService = base.gate("PodsAPI")
    ? [await servePods({ rootDir, changes, ready: () => set.allDelivered(), clock })]
    : [];
  const over = ended(base, loops, servers, [content, podResources, ...podService]);
  return { pods, node, servers, delivered: () => set.allDelivered(), over };
}

/** Each made of those before it; those behind it are asked at work. */
async function openRooms(base: Base, sources: readonly Source[]): Promise<Rooms> {
  const { options, client, clock, random, log } = base;
  const later = () => rooms;
  const events = openEvents(client, {
    ...options,
    nodeName: base.nodeName,
    nodeUid: () => node.uid(),
    clock,
    random,
    log,
  });
  const found = lookups(client, options.product);
  const images = await openImages({
    ...base,
    product: options.product,
    events,
    secrets: found.secret,
    accounts: found.accounts,
    disk: diskOf,
  });
  const node = await openNode(base, events, images, later);
  const shutdown = openShutdown(base, { events, node, pods: () => rooms.pods });
  const hardware = await openHardware(base, events, later);
  const content = openContent(base, events, node);
  const wanted = openWanted(base, sources, events, later);
  const open = { events, images, node, shutdown, content, ...hardware, ...wanted };
  const pods = new PodManager(await podParts(base, open, found, later), {
    ...options,
    containerLogsDir: CONTAINER_LOGS,
  });
  const evictions = openRelief(base, { ...open, pods });
  const rooms: Rooms = { ...open, pods, evictions };
  return rooms;
}

/** What works by itself. */
function loopsOf(base: Base, rooms: Rooms, serving: ServingCertificates): Promise<void>[] {
  const { options, client, runtime, clock, log, signal } = base;
  const { content: { dns, volumes }, devices, claims, mirrors, statuses } = rooms;
  return [
    rooms.events.run(signal),
    rooms.node.run(signal),
    rooms.pods.run(signal),
    rooms.set.run(signal),
    rooms.images.run(),
    rooms.resources.run(signal),
    rooms.managers.run(signal),
    devices.run(signal),
    claims.run(signal),
    rooms.evictions.run(signal),
    rooms.shutdown.run(signal),
    new LogRotation(options, { runtime, clock, log }).run(signal),
    dns.checkHost(),
    volumes.csi.run(signal),
    new PluginWatch(join(options.rootDir, "plugins_registry"), {
      CSIPlugin: volumes.csi.drivers,
      DevicePlugin: devices.handler,
      DRAPlugin: claims.drivers,
    }, base).run(signal),
    keepUtilChains(options, { run, clock, say: (text) => log("warn", text) }, signal),
    serving.run(client, signal),
    ...(client ? [base.credentials!.run(client, signal)] : []),
    ...(mirrors ? [mirrors.run(signal)] : []),
    ...(statuses ? [statuses.run(signal)] : []),
  ];
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

function httpParts(base: Base, { pods, content, devices, resources }: Rooms, pair: () => KeyPair): HttpParts {
  const { options, client, log } = base;
  return {
    ...base,
    verbose: log.verbose,
    pods,
    // Whoever reaches the agent has it ask: its own requests do not wait for these.
    ...(client ? { api: client.paced() } : {}),
    product: options.product,
    health: [
      { name: "syncloop", check: () => Promise.resolve(pods.fault()) },
      { name: "device-plugin", check: () => Promise.resolve(devices.fault()) },
    ],
    pair,
    configz: () => configzOf(options),
    flags: () => flagTexts(ROWS, options),
    version: options.gitVersion,
    ...(log.verbosity ? { verbosity: log.verbosity } : {}),
    volumeStats: (pod) => content.volumes.stats(pod),
    tasks: (pod) => resources.tasks(pod),
    systemGroups: async () => ({
      kubelet: options.kubeletCgroups || await groupOfProcess("self", base.roots.proc, base.hierarchy.version),
      runtime: options.runtimeCgroups,
      misc: options.systemCgroups,
      pods: resources.root,
    }),
  };
}
