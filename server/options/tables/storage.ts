/** The store, the watch cache and what is kept for how long (specification, "API server serving options"). */
import type { OptionRow } from "../../../schema/flags/types.ts";

/** Time that a store has to answer where nothing else is said of it. */
export const STORE_ANSWERS = "2s";

/** Rows of the group "Storage". */
export const STORAGE = [
  {
    name: "storage-backend",
    type: "string",
    rule: { oneOf: ["", "denokv", "memory", "etcd3"] },
    help: "denokv, memory or etcd3; default etcd3 when --store-servers is given, else denokv",
  },
  {
    name: "storage-path",
    type: "string",
    help:
      "File, or URL (its token in DENO_KV_ACCESS_TOKEN), of the Deno KV store; default store.kv in the data directory",
  },
  {
    name: "data-dir",
    type: "path",
    default: ".orch",
    help: "Directory of what the server keeps for itself: store, generated keys and certificates",
  },
  {
    name: "storage-media-type",
    type: "string",
    default: "application/vnd.kubernetes.protobuf",
    help: "Encoding of stored objects: JSON, YAML or Protobuf; kinds without a Protobuf form are JSON",
  },
  {
    name: "storage-initialization-timeout",
    type: "duration",
    default: "1m0s",
    rule: { min: 0 },
    help: "Longest wait for the store before the server is ready",
  },
  {
    name: "store-servers",
    type: "strings",
    aliases: ["etcd-servers"],
    help: "Servers of the backing store, as scheme://host:port",
  },
  {
    name: "store-prefix",
    type: "string",
    default: "/registry",
    aliases: ["etcd-prefix"],
    help: "Prefix of all keys in the store",
  },
  { name: "store-cafile", type: "path", aliases: ["etcd-cafile"], help: "PEM file that verifies the store's servers" },
  { name: "store-certfile", type: "path", aliases: ["etcd-certfile"], help: "PEM file of the client certificate" },
  { name: "store-keyfile", type: "path", aliases: ["etcd-keyfile"], help: "PEM file of the client certificate's key" },
  {
    name: "store-servers-overrides",
    type: "strings",
    aliases: ["etcd-servers-overrides"],
    help: "etcd of single built-in resources, as group/resource#server;server; the core group is empty: /events#…",
  },
  {
    name: "store-compaction-interval",
    type: "duration",
    default: "5m0s",
    aliases: ["etcd-compaction-interval"],
    help: "How often history is cut; 0 is never",
  },
  {
    name: "store-healthcheck-timeout",
    type: "duration",
    default: STORE_ANSWERS,
    aliases: ["etcd-healthcheck-timeout"],
    help: "Time that the store has to answer a health check; 0 is the default",
  },
  {
    name: "store-readycheck-timeout",
    type: "duration",
    default: STORE_ANSWERS,
    aliases: ["etcd-readycheck-timeout"],
    help: "Time that the store has to answer a readiness check; 0 is the default",
  },
  {
    name: "store-count-metric-poll-period",
    type: "duration",
    default: "1m0s",
    aliases: ["etcd-count-metric-poll-period"],
    help: "How often objects are counted for the metrics; 0 is never",
  },
  {
    name: "store-db-metric-poll-interval",
    type: "duration",
    default: "30s",
    aliases: ["etcd-db-metric-poll-interval"],
    help: "How often the store's size is read for the metrics; 0 is never",
  },
  {
    name: "watch-cache",
    type: "bool",
    default: "true",
    help: "Serve reads from memory; without it they go to the store, watches stay on its log",
  },
  {
    name: "watch-cache-sizes",
    type: "strings",
    help: "resource[.group]#size; size 0 has reads of that resource go to the store, no other size changes anything",
  },
  {
    name: "encryption-provider-config",
    type: "path",
    help: "File that tells which resources are encrypted at rest, and how",
  },
  {
    name: "encryption-provider-config-automatic-reload",
    type: "bool",
    help: "Read that file again when it changes",
  },
  { name: "event-ttl", type: "duration", default: "1h0m0s", help: "How long events are kept; 0 for ever" },
  {
    name: "lease-reuse-duration-seconds",
    type: "int",
    default: "60",
    rule: { min: 1 },
    help: "How long one lease of the store is given to further expiring objects",
  },
  {
    name: "delete-collection-workers",
    type: "int",
    default: "1",
    rule: { min: 1 },
    help: "Deletions in flight of one deletecollection",
  },
  {
    name: "enable-garbage-collector",
    type: "bool",
    default: "true",
    help: "Collect objects whose owners are gone; the same for the server and its controllers",
  },
] as const satisfies readonly OptionRow[];
