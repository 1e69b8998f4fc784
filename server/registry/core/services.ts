/**
 * Services: their cluster addresses and node ports. An address is held by an `IPAddress` object, a port by a key of its
 * own; both are committed with the service, against their absence, so that two servers never give out the same one. Where public
 * servers keep an account of ports on the same store, it is that which is written against its revision.
 */
import { copyTree } from "../../../schema/values/copy.ts";
import { pathSegment } from "../../../schema/rules/checks/formats.ts";
import { needsHealthCheck, needsNodePort, opensNodePorts } from "../../../schema/rules/core/service_types.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { internal, invalid } from "../../../schema/status.ts";
import type { Entry } from "../../cache/mod.ts";
import type { Change } from "../../storage/backend.ts";
import type { Caller } from "../context.ts";
import { builtinOwned } from "../own_writes.ts";
import type { Store } from "../store.ts";
import { addressObject, type Held, held, nameOf, nodePortKey } from "./service_holdings.ts";
import type { Side, Strategy } from "../strategy.ts";
import { AllocationMetrics, type Usage } from "./allocation_metrics.ts";
import type { DerivedMetric } from "../../metrics/by_labels.ts";
import { bandOf, PortAccount, type PortRange, release } from "./port_account.ts";
import { AddressPools } from "./address_pools.ts";
import { type Family, familyOf, settleFamilies, staysPreferDual } from "./service_families.ts";

/** What allocation needs. */
export interface ServiceOptions {
  /** `--service-cluster-ip-range`. */
  readonly ranges: readonly string[];
  /** `--service-node-port-range`, both ends inclusive. */
  readonly nodePorts: PortRange;
  /** Registry of `ipaddresses`; undefined where they are not served. */
  addresses(): Store | undefined;
  /** Registry of `servicecidrs`; undefined where they are not served. */
  blocks(): Store | undefined;
  services(): Store;
  /** Deletes the endpoints of that name. @throws StatusError */
  deleteEndpoints(namespace: string, name: string): Promise<void>;
  local(name: string): string;
  /** A number in [0, 1). */
  random(): number;
  /** Takes the metrics of allocation, once. */
  measured(rows: readonly DerivedMetric[]): void;
}

/** One write of a service. */
interface Work {
  readonly service: Obj;
  /** The spec before an update. */
  readonly old: Tree | undefined;
  /** What the service held before. */
  readonly had: Held;
  readonly dryRun: boolean;
  readonly errors: ErrorList;
  /** What public servers say of node ports. */
  readonly account: PortAccount | undefined;
  /** The highest node port that was given or asked for; 0: none was yet. */
  highest: number;
  /** Keeps others from picking the same until the write is over. */
  reserve<T extends string | number>(what: T): T;
}

/** What a dry run shows for a port that it does not look for: one above those of the request, or above the default range. */
const standIn = ({ highest }: Work): number => highest > 0 ? highest + 1 : 32769;

function refuse({ service, errors }: Work): void {
  if (!errors.empty) throw invalid("", "Service", service.metadata.name ?? "", errors.causes);
}

/** Allocation of one server. */
export class ServiceAllocator implements Strategy {
  readonly returnsDeleted = true;
  readonly #o: ServiceOptions;
  readonly #pools: AddressPools;
  readonly #metrics = new AllocationMetrics();
  /** Picked by writes in flight. */
  readonly #pending = new Set<string | number>();

  constructor(options: ServiceOptions) {
    this.#o = options;
    this.#pools = new AddressPools(options.ranges, options.blocks);
    const usages = { addresses: () => this.#addressUsage(), ports: () => this.#portUsage() };
    options.measured(this.#metrics.rows(usages, options.local("kube-apiserver").replace("-", "_")));
  }

  settle({ spec }: Obj): void {
    // Services outside the cluster have no traffic inside it, whatever a client says.
    if (spec.type === "ExternalName") delete spec.internalTrafficPolicy;
  }

  beforeCreate(service: Obj, caller: Caller): Side | Promise<Side> {
    return this.#withAccount(service, undefined, caller.dryRun);
  }

  beforeUpdate(service: Obj, old: Obj, caller: Caller): Side | Promise<Side> {
    return this.#withAccount(service, old, caller.dryRun);
  }

  beforeRemove(service: Obj): Side {
    const had = held(service), now = held(undefined), ports = this.#portsLeft(had, now);
    const { namespace = "", name = "" } = service.metadata;
    const done = async () => {
      this.#released(ports);
      // Whoever takes the name next does not find the endpoints of this one; mostly there are none.
      await this.#o.deleteEndpoints(namespace, name).catch(() => {});
    };
    return { changes: this.#releases(service, had, now), done };
  }

  #withAccount(service: Obj, old: Obj | undefined, dryRun: boolean): Side | Promise<Side> {
    if (dryRun || !needsNodePort(service["spec"])) return this.#allocate(service, old, dryRun, undefined);
    const { ctx, resource } = this.#o.services();
    return PortAccount.read(ctx, resource.prefix, this.#o.nodePorts).then((account) =>
      this.#allocate(service, old, dryRun, account)
    );
  }

  /** Public servers may have these ports again. */
  #released(ports: readonly number[]): void {
    const { ctx, resource } = this.#o.services();
    if (ports.length) void release(ctx, resource.prefix, this.#o.nodePorts, ports);
  }

  /** What is refused by what a cache shows that is behind its store is looked at again: another server may have let it go. */
  #allocate(
    service: Obj,
    old: Obj | undefined,
    dryRun: boolean,
    account: PortAccount | undefined,
  ): Side | Promise<Side> {
    try {
      return this.#allocateOnce(service, old, dryRun, account);
    } catch (e) {
      const behind = this.#o.services().behind();
      if (!behind) throw e;
      return behind.then(() => this.#allocateOnce(service, old, dryRun, account));
    }
  }

  #allocateOnce(service: Obj, old: Obj | undefined, dryRun: boolean, account: PortAccount | undefined): Side {
    const taken: (string | number)[] = [];
    const before = copyTree(service["spec"]);
    const undo = () => {
      for (const t of taken) this.#pending.delete(t);
      service["spec"] = before;
    };
    const reserve = <T extends string | number>(t: T): T => {
      // A dry run takes nothing, and so keeps nothing from others.
      if (dryRun) return t;
      this.#pending.add(t);
      taken.push(t);
      return t;
    };
    const work: Work = {
      service,
      old: old?.["spec"],
      had: held(old),
      dryRun,
      errors: new ErrorList(),
      account,
      highest: 0,
      reserve,
    };
    try {
      this.#addresses(work);
      this.#nodePorts(work);
      const left = this.#portsLeft(work.had, held(service));
      return {
        changes: this.#changes(work),
        undo,
        done: () => {
          taken.forEach((t) => this.#pending.delete(t));
          if (!dryRun) this.#released(left);
        },
      };
    } catch (e) {
      undo();
      throw e;
    }
  }

  #addresses(work: Work): void {
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
    if (!old || old["type"] === "ExternalName") return this.#give(work, families, 0);
    if (staysPreferDual(spec, old) || old["clusterIPs"]?.[0] === "None") return;
    if (items(old["ipFamilies"]).length === 1 && families.length === 2) this.#give(work, families, 1);
  }

  /** Gives an address of each family from the `from`th on, or takes the one that was asked for. */
  #give(work: Work, families: readonly Family[], from: number): void {
    const spec = work.service["spec"], ips: string[] = [...items<string>(spec.clusterIPs)];
    for (const [i, family] of families.entries()) {
      if (i < from || !this.#pools.families.includes(family)) continue;
      const asked = ips[i];
      if (asked) this.#claim(asked, family, work);
      else this.#refuseAddress(work, "", this.#unnamed(work));
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

  #claim(ip: string, family: Family, work: Work): void {
    const pool = this.#pools.of(family).find((p) => p.has(ip));
    const why = !pool ? "the provided IP is not in the valid range" : this.#unnamed(work) ??
      (!work.dryRun && this.#inUse(ip) && !this.#mayHave(ip, work) ? "provided IP is already allocated" : undefined);
    if (pool && !work.dryRun) this.#metrics.address(why ? "errors" : "total", pool.range, "static");
    this.#refuseAddress(work, ` ${ip}`, why);
  }

  #addressUsage(): ReadonlyMap<string, Usage> {
    const out = new Map<string, Usage>(), store = this.#o.addresses(), blocks = this.#o.blocks();
    if (!store?.cache.ready || blocks?.cache.ready === false) return out;
    const names = Array.from(store.cache.snapshot().range(), (entry) => entry.name);
    for (const pool of this.#pools.all()) {
      const allocated = names.filter((name) => pool.has(name)).length;
      out.set(pool.range, { allocated, available: pool.size - allocated });
    }
    return out;
  }

  #portUsage(): Usage | undefined {
    const { from, to } = this.#o.nodePorts;
    if (!this.#o.services().cache.ready) return undefined;
    const allocated = [...this.#portsInUse().keys()].filter((p) => p >= from && p <= to).length;
    return { allocated, available: to - from + 1 - allocated };
  }

  #refuseAddress(work: Work, which: string, why: string | undefined): void {
    if (!why) return;
    work.errors.invalid(
      "spec.clusterIPs",
      work.service["spec"].clusterIPs ?? [""],
      `failed to allocate IP${which}: ${why}`,
    );
    refuse(work);
  }

  /** Why the object of an address could not name the service that holds it. The service's own name is looked at after this. */
  #unnamed({ service, dryRun }: Work): string | undefined {
    if (dryRun || !this.#o.addresses()) return undefined;
    const { name } = service.metadata;
    return name ? pathSegment(name)[0] : "its service has no name";
  }

  #inUse(ip: string): boolean {
    const name = nameOf(ip);
    return this.#pending.has(name) || this.#o.addresses()?.cache.get("", name) !== undefined;
  }

  /** Whether an address in use is left of the service itself: before it was deleted, or of an earlier type. */
  #mayHave(ip: string, { service, old }: Work): boolean {
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

  #nodePorts(work: Work): void {
    const spec = work.service["spec"], own = new Set<number>(work.had.ports);
    if (needsNodePort(spec)) {
      if (work.old) this.#changedNodePorts(work, work.old, own);
      else this.#newNodePorts(work, own);
    }
    if (!needsHealthCheck(spec) || (work.old && needsHealthCheck(work.old))) return;
    const asked = spec.healthCheckNodePort, why = asked && this.#claimPort(asked, own, work);
    if (why) throw internal(`failed to allocate requested HealthCheck NodePort ${asked}: ${why}`);
    if (!asked) spec.healthCheckNodePort = this.#nextPort(own, work);
  }

  /** Protocols of one port share a node port. */
  #newNodePorts(work: Work, own: Set<number>): void {
    const spec = work.service["spec"], list = items(spec.ports);
    const shared = new Map<number, number>(), wanted = new Map<number, number>();
    for (const { port, nodePort } of list) if (nodePort && !wanted.has(port)) wanted.set(port, nodePort);
    for (const [i, port] of list.entries()) {
      if (!port["nodePort"] && !opensNodePorts(spec)) continue;
      const known = shared.get(port["port"]);
      if (known) {
        if (!port["nodePort"]) port["nodePort"] = known;
        else if (port["nodePort"] !== known) this.#askPort(port["nodePort"], i, own, work);
        continue;
      }
      const asked = wanted.get(port["port"]);
      if (asked) this.#askPort(asked, i, own, work);
      port["nodePort"] = asked ?? this.#nextPort(own, work);
      shared.set(port["port"], port["nodePort"]);
    }
  }

  /** Ports may keep node ports that ports had, and share new ones; the one of health checks is taken like any other. */
  #changedNodePorts(work: Work, old: Tree, own: Set<number>): void {
    const spec = work.service["spec"], used = new Set<string>();
    const kept = new Set<number>(needsNodePort(old) ? items(old["ports"]).map((p) => p["nodePort"]) : []);
    for (const [i, port] of items(spec.ports).entries()) {
      if (!port["nodePort"] && !opensNodePorts(spec)) continue;
      if (!port["nodePort"]) port["nodePort"] = this.#nextPort(own, work);
      else if (!kept.has(port["nodePort"])) {
        this.#askPort(port["nodePort"], i, own, work);
        kept.add(port["nodePort"]);
      }
      const key = `${port["protocol"]}/${port["nodePort"]}`;
      if (used.has(key)) throw internal(`duplicate nodePort: ${key}`);
      used.add(key);
    }
  }

  #askPort(port: number, index: number, own: Set<number>, work: Work): void {
    const why = this.#claimPort(port, own, work);
    if (why) work.errors.invalid(`spec.ports[${index}].nodePort`, port, why);
    refuse(work);
  }

  /** Takes a port; gives the reason where it cannot be had. Dry runs do not look at the range. */
  #claimPort(port: number, own: Set<number>, work: Work): string | undefined {
    const why = this.#portRefusal(port, own, work);
    if (!work.dryRun) this.#metrics.port(why ? "errors" : "total", "static");
    if (why) return why;
    this.#taken(port, own, work);
    return undefined;
  }

  #taken(port: number, own: Set<number>, work: Work): void {
    own.add(work.reserve(port));
    work.highest = Math.max(work.highest, port);
  }

  #portRefusal(port: number, own: ReadonlySet<number>, { dryRun }: Work): string | undefined {
    const { from, to } = this.#o.nodePorts;
    if (!dryRun && (port < from || port > to)) {
      return `provided port is not in the valid range. The range of valid ports is ${from}-${to}`;
    }
    const held = own.has(port) || this.#portsInUse().has(port) || this.#pending.has(port);
    return held ? "provided port is already allocated" : undefined;
  }

  #nextPort(own: Set<number>, work: Work): number {
    const port = work.dryRun ? standIn(work) : this.#pickPort(own, work);
    this.#taken(port, own, work);
    return port;
  }

  #pickPort(own: ReadonlySet<number>, { account }: Work): number {
    const { from, to } = this.#o.nodePorts;
    const used = this.#portsInUse();
    const free = (p: number) => !used.has(p) && !own.has(p) && !this.#pending.has(p) && !account?.has(p);
    const above = from + bandOf(this.#o.nodePorts);
    let picked: number | undefined;
    for (let i = 0; i < 64 && picked === undefined; i++) {
      const p = above + Math.floor(this.#o.random() * (to - above + 1));
      if (free(p)) picked = p;
    }
    for (const [first, last] of [[above, to], [from, above - 1]] as const) {
      for (let p = first; p <= last && picked === undefined; p++) if (free(p)) picked = p;
    }
    this.#metrics.port(picked === undefined ? "errors" : "total", "dynamic");
    if (picked === undefined) throw internal("failed to allocate a nodePort: range is full");
    return picked;
  }

  /** How many services have each port; kept until one of them changes. */
  #portsInUse(): ReadonlyMap<number, number> {
    const { cache } = this.#o.services();
    if (this.#known?.changes !== cache.changes) {
      const ports = new Map<number, number>();
      for (const e of cache.snapshot().range()) {
        if (!needsNodePort({ type: e.fields["spec.type"] })) continue; // most have none: they are not looked into
        const service = e.readable();
        if (!service) continue; // what it has is held by keys all the same
        for (const p of held(service).ports) ports.set(p, (ports.get(p) ?? 0) + 1);
      }
      this.#known = { changes: cache.changes, ports };
    }
    return this.#known.ports;
  }
  #known: { changes: number; ports: ReadonlyMap<number, number> } | undefined;

  /** Ports that a service gives up and no other one has: what comes by its status names what it was not given. */
  #portsLeft(had: Held, now: Held): number[] {
    return had.ports.filter((p) => !now.ports.includes(p) && (this.#portsInUse().get(p) ?? 0) <= 1);
  }

  #changes({ service, had, account }: Work): Change[] {
    const now = held(service);
    const out = this.#releases(service, had, now);
    const addresses = this.#o.addresses();
    for (const ip of now.ips.filter((ip) => !had.ips.includes(ip) && familyOf(ip))) {
      if (!addresses) continue;
      const own = this.#own(ip, service);
      if (own) {
        // Written as it is: another server may be about to let it go.
        out.push({ key: addresses.key("", own.name), value: own.stored, expect: own.revision });
        continue;
      }
      const made = addressObject(addresses.resource.storageKind, ip, service, this.#o.local);
      out.push(addresses.creation(builtinOwned(addresses, undefined, made, {})));
    }
    const name = new TextEncoder().encode(`${service.metadata.namespace}/${service.metadata.name}`);
    const taken = now.ports.filter((p) => !had.ports.includes(p));
    // Services that go by a public server leave their keys here; there the account says who may have a port.
    const free = account ? {} : { expect: 0 };
    for (const port of taken) {
      out.push({ key: nodePortKey(this.#o.services().resource.prefix, port), value: name, ...free });
    }
    if (account && taken.length) out.push(account.change(taken, []));
    return out;
  }

  #releases(service: Obj, had: Held, now: Held): Change[] {
    const addresses = this.#o.addresses();
    const ips = addresses ? had.ips.filter((ip) => !now.ips.includes(ip) && this.#isOwn(ip, service)) : [];
    const { prefix } = this.#o.services().resource;
    return [
      ...ips.map((ip) => ({ key: addresses!.key("", nameOf(ip)), value: null })),
      ...this.#portsLeft(had, now).map((p) => ({ key: nodePortKey(prefix, p), value: null })),
    ];
  }
}
