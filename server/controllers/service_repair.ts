/**
 * Addresses and node ports of services, made right at the start and now and then: what a service has and nobody holds for it
 * is held again, what is held for no service is let go. What somebody takes from a service is held again at once.
 */
import type { Obj } from "../../schema/model/types.ts";
import { isNotFound } from "../../schema/status.ts";
import type { Store } from "../registry/store.ts";
import {
  addressObject,
  held,
  MANAGED_BY,
  MANAGER,
  nameOf,
  nodePortKey,
  nodePortPrefix,
} from "../registry/core/service_holdings.ts";
import { isConflict } from "./caller.ts";
import { follow } from "./follow.ts";
import { workQueue } from "./queue.ts";
import type { Controller, ControllerContext } from "./types.ts";

const ADDRESSES = "ipaddresses.networking.k8s.io";
const EVERY_MS = 600_000;
/** The key of a look at all services; other keys are `namespace/name`. */
const ALL = "services";
/** An address that is younger may belong to a service that is being written by another server (ms). */
const YOUNG_MS = 60_000;

/** Makes the controller. */
export function serviceRepair(ctx: ControllerContext): Controller {
  return {
    start(signal) {
      const queue = workQueue(ctx, "service-repair", {
        workers: 1,
        onError: (what, e) => ctx.log("warn", `the repair of ${what} is tried again`, e),
        work: async (what) => {
          if (what !== ALL) return await hold(ctx, what);
          await repair(ctx);
          return EVERY_MS;
        },
      });
      queue.start(signal);
      queue.add(ALL);
      follow(ctx.registries.byId(ADDRESSES), signal, (entry, deleted) => {
        const parent = deleted ? entry.readable()?.["spec"]?.parentRef : undefined;
        if (parent?.resource === "services") queue.add(`${parent.namespace}/${parent.name}`);
      });
    },
  };
}

/** A service that goes lets its addresses go with it; one that stays has them held again. @throws StatusError */
async function hold(ctx: ControllerContext, key: string): Promise<void> {
  const [namespace = "", name = ""] = key.split("/"), { registries, product } = ctx;
  const services = registries.byId("services"), addresses = registries.byId(ADDRESSES);
  if (!services || !addresses) return;
  await services.fresh();
  const service = services.cache.get(namespace, name)?.readable();
  for (const ip of held(service).ips) {
    if (addresses.cache.get("", nameOf(ip))) continue;
    const object = addressObject(addresses.resource.storageKind, ip, service!, product.local);
    await quietly(registries.live.create(ADDRESSES, object));
  }
}

/** One look at all services. @throws StatusError, StorageError */
async function repair(ctx: ControllerContext): Promise<void> {
  const services = ctx.registries.byId("services");
  if (!services) return;
  await repairPorts(services);
  const addresses = ctx.registries.byId(ADDRESSES);
  if (addresses) await repairAddresses(ctx, services, addresses);
}

/** Keys are read first: the cache, caught up after that, knows every service that they can belong to. */
async function repairPorts(services: Store): Promise<void> {
  const prefix = services.resource.prefix;
  const { backend } = services.ctx;
  const { items } = await backend.range(nodePortPrefix(prefix));
  await services.fresh();
  const keys = new Set(items.map((i) => i.key));
  const wanted = new Map<string, string>(), unread = new Set<string>();
  for (const entry of services.cache.snapshot().range()) {
    const service = entry.readable();
    if (!service) unread.add(entry.key);
    else for (const port of held(service).ports) wanted.set(nodePortKey(prefix, port), entry.key);
  }
  for (const { key, value, revision } of items) {
    if (wanted.has(key) || unread.has(new TextDecoder().decode(value))) continue;
    await backend.commit([{ key, value: null, expect: revision }]);
  }
  for (const [key, name] of wanted) {
    if (!keys.has(key)) await backend.commit([{ key, value: new TextEncoder().encode(name), expect: 0 }]);
  }
}

async function repairAddresses(ctx: ControllerContext, services: Store, addresses: Store): Promise<void> {
  const wanted = new Map<string, Obj>();
  for (const service of ctx.registries.lister.list("services")) {
    for (const ip of held(service).ips) wanted.set(nameOf(ip), service);
  }
  for (const entry of addresses.cache.snapshot().range()) {
    const { name } = entry, address = entry.readable(), service = wanted.get(name);
    if (!address || (service && belongs(address, service))) wanted.delete(name);
    else if (isStray(ctx, services, address, service)) {
      await quietly(ctx.registries.delete(ADDRESSES, "", name, String(entry.revision)));
    } else wanted.delete(name); // somebody else's: the service goes on with it
  }
  const { local } = ctx.product;
  for (const [ip, service] of wanted) {
    const object = addressObject(addresses.resource.storageKind, ip, service, local);
    await quietly(ctx.registries.live.create(ADDRESSES, object));
  }
}

function belongs(address: Obj, service: Obj): boolean {
  const parent = address["spec"]?.parentRef;
  return parent?.resource === "services" && parent.namespace === service.metadata.namespace &&
    parent.name === service.metadata.name;
}

/** Held by this server's kind for a service that does not have it, and not just now. */
function isStray(ctx: ControllerContext, services: Store, address: Obj, service: Obj | undefined): boolean {
  const { local } = ctx.product;
  if (address.metadata.labels?.[local(MANAGED_BY)] !== local(MANAGER) || address.metadata.deletionTimestamp) {
    return false;
  }
  const { parentRef } = address["spec"] ?? {};
  const entry = services.cache.get(parentRef?.namespace ?? "", parentRef?.name ?? ""), owner = entry?.readable();
  if (entry && !owner) return false;
  const has = owner && held(owner).ips.some((ip) => nameOf(ip) === address.metadata.name);
  if (has) return false;
  return service !== undefined || ctx.now() - Date.parse(address.metadata.creationTimestamp!) > YOUNG_MS;
}

async function quietly(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (e) {
    if (!isConflict(e) && !isNotFound(e)) throw e;
  }
}
