/** Cluster addresses of services: each is held by an `IPAddress` object. */
import type { Obj } from "../../../schema/model/types.ts";
import { pathSegment } from "../../../schema/rules/checks/formats.ts";
import { items } from "../../../schema/rules/tree.ts";
import { internal } from "../../../schema/status.ts";
import type { Entry } from "../../cache/mod.ts";
import type { Change } from "../../storage/backend.ts";
import { builtinOwned } from "../own_writes.ts";
import { AddressPools } from "./address_pools.ts";
import type { AllocationMetrics, Usage } from "./allocation_metrics.ts";
import { type Family, familyOf, settleFamilies, staysPreferDual } from "./service_families.ts";
import { addressObject, type Held, nameOf } from "./service_holdings.ts";
import { type Pending, refuse, type ServiceOptions, type ServiceWork } from "./service_work.ts";

/** Gives addresses, and lets them go. */
export class ServiceAddresses {
  readonly #o: ServiceOptions;
  readonly #pools: AddressPools;
  readonly #pending: Pending;
  readonly #metrics: AllocationMetrics;

  constructor(options: ServiceOptions, pending: Pending, metrics: AllocationMetrics) {
    this.#o = options;
    this.#pools = new AddressPools(options.ranges, options.blocks);
    this.#pending = pending;
    this.#metrics = metrics;
  }

  /** Gives a service the addresses that it should have and has not. @throws StatusError 422, 500 */
  give(work: ServiceWork): void {
    const { service, old, errors } = work, spec = service["spec"];
    const ctx = {
      ...this.#o.services().ctx.rules,
      verb: old ? "update" as const : "create" as const,
      subresource: "",
    };
    settleFamilies({ spec, old, configured: this.#pools.families, ctx }, errors);
    refuse(work);
    const families = items<Family>(spec.ipFamilies);
    if (spec.type === "ExternalName" || spec.clusterIPs?.[0] === "None") return;
    if (!old || old["type"] === "ExternalName") return this.#fill(work, families, 0);
    if (staysPreferDual(spec, old) || old["clusterIPs"]?.[0] === "None") return;
    if (items(old["ipFamilies"]).length === 1 && families.length === 2) this.#fill(work, families, 1);
  }

  /** Writes of the objects of addresses that the service has got. */
  taken({ service, had }: ServiceWork, now: Held): Change[] {
    const store = this.#o.addresses();
    if (!store) return [];
    return now.ips.filter((ip) => !had.ips.includes(ip) && familyOf(ip)).map((ip) => {
      const own = this.#own(ip, service);
      // Written as it is: another server may be about to let it go.
      if (own) return { key: store.key("", own.name), value: own.stored, expect: own.revision };
      const made = addressObject(store.resource.storageKind, ip, service, this.#o.local);
      return store.creation(builtinOwned(store, undefined, made, {}));
    });
  }

  /** Writes that let addresses go. */
  released(service: Obj, had: Held, now: Held): Change[] {
    const store = this.#o.addresses();
    if (!store) return [];
    return had.ips.filter((ip) => !now.ips.includes(ip) && this.#isOwn(ip, service))
      .map((ip) => ({ key: store.key("", nameOf(ip)), value: null }));
  }

  /** How full the ranges are. */
  usage(): ReadonlyMap<string, Usage> {
    const out = new Map<string, Usage>(), store = this.#o.addresses(), blocks = this.#o.blocks();
    if (!store?.cache.ready || blocks?.cache.ready === false) return out;
    const names = Array.from(store.cache.snapshot().range(), (entry) => entry.name);
    for (const pool of this.#pools.all()) {
      const allocated = names.filter((name) => pool.has(name)).length;
      out.set(pool.range, { allocated, available: pool.size - allocated });
    }
    return out;
  }

  /** Gives an address of each family from the `from`th on, or takes the one that was asked for. */
  #fill(work: ServiceWork, families: readonly Family[], from: number): void {
    const spec = work.service["spec"], ips: string[] = [...items<string>(spec.clusterIPs)];
    for (const [i, family] of families.entries()) {
      if (i < from || !this.#pools.families.includes(family)) continue;
      const asked = ips[i];
      if (asked) this.#claim(asked, family, work);
      else this.#refuse(work, "", this.#unnamed(work));
      // A dry run looks for no free address: it shows the range's first, which is never given out.
      const ip = asked || (work.dryRun ? this.#pools.own(family).first : this.#pick(family));
      work.reserve(nameOf(ip));
      ips[i] = ip;
    }
    spec.clusterIPs = ips;
    spec.clusterIP = ips[0];
  }

  #pick(family: Family): string {
    for (const pool of this.#pools.of(family)) {
      const ip = pool.pick((a) => this.#inUse(a), () => this.#o.random());
      this.#metrics.address(ip === undefined ? "errors" : "total", pool.range, "dynamic");
      if (ip !== undefined) return ip;
    }
    throw internal(`failed to allocate a serviceIP: range is full`);
  }

  #claim(ip: string, family: Family, work: ServiceWork): void {
    const pool = this.#pools.of(family).find((p) => p.has(ip));
    const why = !pool ? "the provided IP is not in the valid range" : this.#unnamed(work) ??
      (!work.dryRun && this.#inUse(ip) && !this.#mayHave(ip, work) ? "provided IP is already allocated" : undefined);
    if (pool && !work.dryRun) this.#metrics.address(why ? "errors" : "total", pool.range, "static");
    this.#refuse(work, ` ${ip}`, why);
  }

  #refuse(work: ServiceWork, which: string, why: string | undefined): void {
    if (!why) return;
    work.errors.invalid(
      "spec.clusterIPs",
      work.service["spec"].clusterIPs ?? [""],
      `failed to allocate IP${which}: ${why}`,
    );
    refuse(work);
  }

  /** Why the object of an address could not name the service that holds it. The service's own name is looked at after this. */
  #unnamed({ service, dryRun }: ServiceWork): string | undefined {
    if (dryRun || !this.#o.addresses()) return undefined;
    const { name } = service.metadata;
    return name ? pathSegment(name)[0] : "its service has no name";
  }

  #inUse(ip: string): boolean {
    const name = nameOf(ip);
    return this.#pending.has(name) || this.#o.addresses()?.cache.get("", name) !== undefined;
  }

  /** Whether an address in use is left of the service itself: before it was deleted, or of an earlier type. */
  #mayHave(ip: string, { service, old }: ServiceWork): boolean {
    const { namespace = "", name = "" } = service.metadata;
    return this.#isOwn(ip, service) && (!!old || !this.#o.services().cache.get(namespace, name));
  }

  #isOwn(ip: string, service: Obj): boolean {
    return this.#own(ip, service) !== undefined;
  }

  /** The object by which the service holds the address already. */
  #own(ip: string, service: Obj): Entry | undefined {
    const entry = this.#o.addresses()?.cache.get("", nameOf(ip));
    const parent = entry?.peek()["spec"]?.parentRef;
    const own = parent?.resource === "services" && parent.namespace === service.metadata.namespace &&
      parent.name === service.metadata.name;
    return own ? entry : undefined;
  }
}
