/** Takes servers that are gone out of `StorageVersion` objects, and deletes those that no server is left in. */
import type { Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import { serversIn, withServers } from "../storageversions/status.ts";
import { AS_CONTROLLER, isConflict } from "./caller.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const VERSIONS = "storageversions.internal.apiserver.k8s.io";
const LEASES = "leases.coordination.k8s.io";
/** The key of all versions. */
const EVERY = "*";
/** Leases that are not loaded are waited for so long at a time (ms). */
const LATER_MS = 100;

/** Makes the controller; undefined with one of its gates off or where the objects are not served. */
export function storageVersionCollector(ctx: ControllerContext): Controller | undefined {
  const { registries } = ctx;
  const [versions, leases] = [registries.byId(VERSIONS), registries.byId(LEASES)];
  if (!ctx.gate("StorageVersionAPI") || !ctx.gate("APIServerIdentity") || !versions || !leases) return undefined;
  return {
    start(signal) {
      const queue = workQueue(ctx, "storage-version-garbage-collector", {
        workers: 1,
        onError: (name, e) => ctx.log("warn", `servers that are gone stay in storage version ${name} for now`, e),
        work: async (name) => {
          if (!leases.cache.ready) return LATER_MS;
          if (name !== EVERY) return await settle(ctx, name);
          for (const { metadata } of registries.lister.list(VERSIONS)) queue.add(metadata.name!);
        },
      });
      queue.start(signal);
      follow(versions, signal, (entry, deleted) => {
        const version = deleted ? undefined : entry.readable();
        if (version && serversIn(version).length > 0) queue.add(entry.name);
      });
      follow(leases, signal, (entry, deleted) => {
        if (!deleted || entry.namespace !== ctx.product.systemNamespace) return;
        for (const v of registries.lister.list(VERSIONS)) {
          if (serversIn(v).some((s) => s["apiServerID"] === entry.name)) queue.add(v.metadata.name!);
        }
      }, () => queue.add(EVERY));
    },
  };
}

async function settle(ctx: ControllerContext, name: string): Promise<number | void> {
  const { lister, live } = ctx.registries, current = lister.get(VERSIONS, "", name);
  if (!current || serversIn(current).every((s) => lives(ctx, String(s["apiServerID"] ?? "")))) return;
  await ctx.registries.byId(LEASES)?.fresh();
  let empty = false;
  const change = (obj: Obj) => {
    const left = serversIn(obj).filter((s) => lives(ctx, String(s["apiServerID"] ?? "")));
    empty = left.length === 0 && serversIn(obj).length > 0;
    return empty ? undefined : withServers(obj, left, ctx.now());
  };
  try {
    const looked = await live.update(VERSIONS, "", name, change, { ...AS_CONTROLLER, subresource: "status" });
    if (empty) await ctx.registries.delete(VERSIONS, "", name, looked.metadata.resourceVersion);
  } catch (e) {
    if (isConflict(e)) return LATER_MS;
    if (!isNotFound(e)) throw e;
  }
}

/** Whether a server has its identity lease. */
function lives(ctx: ControllerContext, server: string): boolean {
  const lease = ctx.registries.lister.get(LEASES, ctx.product.systemNamespace, server);
  const { local } = ctx.product;
  return lease?.metadata.labels?.[local("apiserver.kubernetes.io/identity")] === local("kube-apiserver");
}
