/** Metrics of the store and the watch caches, and of leases that several servers want. */
import type { Cacher, ResourceCache } from "../cache/mod.ts";
import { LONGEST_MS } from "../pause.ts";
import type { Backend } from "../storage/backend.ts";
import type { ServerMetrics } from "./registry.ts";

/** Times in ms; 0 is never. */
export interface StoreMetricsOptions {
  readonly countPeriod: number;
  readonly sizeInterval: number;
  /** The full name of a resource in the dialect, by its public id. */
  nameOf(id: string): string;
  now(): number;
}

/** A resource's name and group, from its full name. */
function named(full: string): { group: string; resource: string } {
  const dot = full.indexOf(".");
  return dot < 0 ? { group: "", resource: full } : { group: full.slice(dot + 1), resource: full.slice(0, dot) };
}

/** Figures of each watch cache. */
const FIGURES: readonly (readonly [
  name: string,
  help: string,
  type: "counter" | "gauge",
  read: (cache: ResourceCache) => number,
])[] = [
  [
    "apiserver_watch_cache_events_received_total",
    "Changes that a watch cache has taken from the store",
    "counter",
    (c) => c.stats.received,
  ],
  ["apiserver_storage_events_received_total", "Changes that the store has told of", "counter", (c) => c.stats.received],
  [
    "apiserver_watch_cache_events_dispatched_total",
    "Changes that a watch cache has shown to its watches",
    "counter",
    (c) => c.stats.received,
  ],
  [
    "apiserver_watch_cache_initializations_total",
    "Times that a watch cache was loaded",
    "counter",
    (c) => c.stats.loaded,
  ],
  [
    "apiserver_watch_cache_initialization_errors_total",
    "Times that a watch cache could not be loaded or lost its log",
    "counter",
    (c) => c.stats.broke,
  ],
  ["apiserver_terminated_watchers_total", "Watches ended for their slowness", "counter", (c) => c.stats.tooSlow],
  [
    "apiserver_watch_cache_resource_version",
    "The version up to which a watch cache has come",
    "gauge",
    (c) => c.revision,
  ],
  [
    "apiserver_watch_cache_history_events",
    "Changes that a watch cache holds, for watches to resume from",
    "gauge",
    (c) => c.stats.historyEvents,
  ],
];

/** Registers figures of the store and the caches. The size is polled until the signal aborts. */
export function storeMetrics(
  metrics: ServerMetrics,
  cacher: Cacher,
  stores: readonly Backend[],
  o: StoreMetricsOptions,
  signal: AbortSignal,
): void {
  if (o.countPeriod > 0) countMetrics(metrics, cacher, o);
  for (const [name, help, type, read] of FIGURES) {
    metrics.figure(name, help, type, () => caches(cacher).map((c) => [named(o.nameOf(c.id)), read(c)]));
  }
  metrics.figure(
    "apiserver_registered_watchers",
    "Watches at work, by resource",
    "gauge",
    () => caches(cacher).filter((c) => c.stats.watchers > 0).map((c) => [named(o.nameOf(c.id)), c.stats.watchers]),
  );
  metrics.derived(metrics.store.rows((id) => named(o.nameOf(id))));
  metrics.figure("apiserver_watch_cache_bytes", "Estimate of all that the caches hold", "gauge", () => [
    [{}, cacher.memory()],
  ]);
  if (o.sizeInterval > 0) sizeMetric(metrics, stores, o.sizeInterval, signal);
}

const caches = (cacher: Cacher) => cacher.ready().map(({ id }) => cacher.cache(id)!).filter((c) => c !== undefined);

/** Counted at most once in a period, however often it is asked. */
function countMetrics(metrics: ServerMetrics, cacher: Cacher, o: StoreMetricsOptions): void {
  let counted = -Infinity;
  let counts: [{ group: string; resource: string }, number][] = [];
  const current = () => {
    if (Math.abs(o.now() - counted) >= o.countPeriod) {
      counted = o.now();
      counts = caches(cacher).filter((c) => c.ready).map((c) => [named(o.nameOf(c.id)), c.stats.entries]);
    }
    return counts;
  };
  metrics.figure("apiserver_resource_objects", "Stored objects, by group and resource", "gauge", current);
  const joined = () =>
    current().map(([{ group, resource }, n]): [Record<string, string>, number] => [
      { resource: group === "" ? resource : `${resource}.${group}` },
      n,
    ]);
  metrics.figure("apiserver_storage_objects", "Stored objects, by resource", "gauge", joined);
}

function sizeMetric(metrics: ServerMetrics, stores: readonly Backend[], interval: number, signal: AbortSignal): void {
  const sizes = new Map<Backend, number | undefined>();
  const poll = () => stores.forEach((store) => store.size().then((n) => void sizes.set(store, n), () => {}));
  const timer = setInterval(poll, Math.min(interval, LONGEST_MS));
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  poll();
  metrics.figure(
    "apiserver_storage_size_bytes",
    "Bytes that the store takes",
    "gauge",
    () =>
      stores.flatMap((store, i): [Record<string, string>, number][] => {
        const size = sizes.get(store);
        return size === undefined
          ? []
          : [[{ storage_cluster_id: i === 0 ? store.name : `${store.name}-${i - 1}` }, size]];
      }),
  );
}

/** Registers who holds the leases that several servers want, by name. */
export function leaderMetrics(metrics: ServerMetrics, leading: ReadonlyMap<string, boolean>): void {
  metrics.figure(
    "leader_election_master_status",
    "1 where this server holds the lease, 0 where it waits for it, by the lease's name",
    "gauge",
    () => [...leading].map(([name, is]): [Record<string, string>, number] => [{ name }, is ? 1 : 0]),
  );
}
