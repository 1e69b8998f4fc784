/**
 * Services: their cluster addresses and node ports. An address is held by an `IPAddress` object, a port by a key of its
 * own; both are committed with the service, against their absence, so that two servers never give out the same one.
 */
import { clusterAddresses } from "../../../schema/rules/core/service_addresses.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { internal, invalid } from "../../../schema/status.ts";
import type { Change } from "../../storage/backend.ts";
import type { Store } from "../store.ts";
import { addressObject, type Held, held, nameOf, nodePortKey } from "./service_holdings.ts";
import type { Side, Strategy } from "../strategy.ts";
import { AddressPool } from "./address_pool.ts";
import { type Family, familyOf, isHeadless, settleFamilies, settlePolicy } from "./service_families.ts";

/** What allocation needs. */
export interface ServiceOptions {
  /** `--service-cluster-ip-range`. */
  readonly ranges: readonly string[];
  /** `--service-node-port-range`, both ends inclusive. */
  readonly nodePorts: { readonly from: number; readonly to: number };
  /** Registry of `ipaddresses`; undefined where they are not served. */
  addresses(): Store | undefined;
  services(): Store;
  local(name: string): string;
  /** A number in [0, 1). */
  random(): number;
}

const NODE_TYPES = new Set(["NodePort", "LoadBalancer"]);
const ADDRESS_TYPES = new Set([undefined, "ClusterIP", "NodePort", "LoadBalancer"]);

/** Allocation of one server. */
export class ServiceAllocator implements Strategy {
  readonly returnsDeleted = true;
  readonly #o: ServiceOptions;
  readonly #pools: ReadonlyMap<Family, AddressPool>;
  /** Picked by writes in flight. */
  readonly #pending = new Set<string | number>();

  constructor(options: ServiceOptions) {
    this.#o = options;
    const pools = options.ranges.map((r) => new AddressPool(r));
    this.#pools = new Map(pools.map((p) => [p.family, p]));
  }

  beforeCreate(service: Obj): Side {
    return this.#allocate(service, undefined);
  }

  beforeUpdate(service: Obj, old: Obj): Side {
    return this.#allocate(service, old);
  }

  /** Of a mere name no traffic inside is told. */
  settle(service: Obj): void {
    if (service["spec"].type === "ExternalName") delete service["spec"].internalTrafficPolicy;
  }

  beforeRemove(service: Obj): Side {
    return { changes: this.#releases(held(service), held(undefined)) };
  }

  #allocate(service: Obj, old: Obj | undefined): Side {
    const errors = new ErrorList();
    const taken: (string | number)[] = [];
    const before = structuredClone(service["spec"]);
    const undo = () => {
      for (const t of taken) this.#pending.delete(t);
      service["spec"] = before;
    };
    const reserve = <T extends string | number>(t: T): T => {
      this.#pending.add(t);
      taken.push(t);
      return t;
    };
    try {
      if (ADDRESS_TYPES.has(service["spec"].type)) this.#addresses(service, old, errors, reserve);
      if (errors.empty) this.#nodePorts(service, old, errors, reserve);
      if (!errors.empty) throw invalid("", "Service", service.metadata.name ?? "", errors.causes);
      return {
        changes: this.#changes(service, held(old)),
        undo,
        done: () => taken.forEach((t) => this.#pending.delete(t)),
      };
    } catch (e) {
      undo();
      throw e;
    }
  }

  #addresses(
    service: Obj,
    old: Obj | undefined,
    errors: ErrorList,
    reserve: <T extends string | number>(t: T) => T,
  ): void {
    const spec = service["spec"], had = held(old);
    settlePolicy(spec, old?.["spec"]);
    // What the four members say together is looked at before anything is taken; the rest of validation comes after.
    const verb = old ? "update" : "create";
    clusterAddresses(spec, old?.["spec"], errors, { ...this.#o.services().ctx.rules, verb, subresource: "" });
    if (!errors.empty) return;
    settleFamilies(spec, old?.["spec"], [...this.#pools.keys()], errors);
    if (!errors.empty || isHeadless(service) || !spec.ipFamilies) return;
    const ips: string[] = [...(spec.clusterIPs ?? [])].slice(0, spec.ipFamilies.length);
    for (const [i, family] of (spec.ipFamilies as Family[]).entries()) {
      const pool = this.#pools.get(family);
      if (!pool) continue;
      const asked = ips[i];
      if (asked && had.ips.includes(asked)) continue;
      if (asked) this.#claim(asked, pool, service, errors);
      const ip = asked ?? pool.pick((a) => this.#inUse(a), () => this.#o.random());
      if (ip === undefined) throw internal(`failed to allocate a serviceIP: range is full`);
      ips[i] = reserve(ip);
    }
    spec.clusterIPs = ips;
    spec.clusterIP = ips[0];
  }

  #claim(ip: string, pool: AddressPool, service: Obj, errors: ErrorList): void {
    const why = !pool.has(ip)
      ? "the provided IP is not in the valid range"
      : this.#inUse(ip) && !this.#isOwn(ip, service)
      ? "provided IP is already allocated"
      : undefined;
    if (why) errors.invalid("spec.clusterIPs", service["spec"].clusterIPs, `failed to allocate IP ${ip}: ${why}`);
  }

  #inUse(ip: string): boolean {
    return this.#pending.has(ip) || this.#o.addresses()?.cache.get("", nameOf(ip)) !== undefined;
  }

  #isOwn(ip: string, service: Obj): boolean {
    const parent = this.#o.addresses()?.cache.get("", nameOf(ip))?.peek()["spec"]?.parentRef;
    return parent?.resource === "services" && parent.namespace === service.metadata.namespace &&
      parent.name === service.metadata.name;
  }

  #nodePorts(
    service: Obj,
    old: Obj | undefined,
    errors: ErrorList,
    reserve: <T extends string | number>(t: T) => T,
  ): void {
    const spec = service["spec"], had: Held = held(old);
    if (!NODE_TYPES.has(spec.type)) return;
    const automatic = spec.type !== "LoadBalancer" || spec.allocateLoadBalancerNodePorts !== false;
    const own = new Set<number>(had.ports);
    /** Node ports by service port: in a new service, protocols of one port share one. */
    const shared = new Map<number, number>();
    for (const [i, port] of (spec.ports ?? []).entries()) {
      if (port.nodePort) this.#claimPort(port.nodePort, own, `spec.ports[${i}].nodePort`, errors, reserve);
      if (port.nodePort) shared.set(port.port, port.nodePort);
    }
    if (!errors.empty) return;
    for (const port of spec.ports ?? []) {
      if (port.nodePort || !automatic) continue;
      port.nodePort = (old ? undefined : shared.get(port.port)) ?? reserve(this.#pickPort(own));
      shared.set(port.port, port.nodePort);
      own.add(port.nodePort);
    }
    const checked = spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
    if (!checked) return;
    if (spec.healthCheckNodePort) {
      this.#claimPort(spec.healthCheckNodePort, own, "spec.healthCheckNodePort", errors, reserve);
    } else spec.healthCheckNodePort = reserve(this.#pickPort(own));
  }

  #claimPort(port: number, own: Set<number>, path: string, errors: ErrorList, reserve: (t: number) => number): void {
    if (own.has(port)) return;
    const { from, to } = this.#o.nodePorts;
    if (port < from || port > to) {
      errors.invalid(path, port, `provided port is not in the valid range. The range of valid ports is ${from}-${to}`);
    } else if (this.#portsInUse().has(port) || this.#pending.has(port)) {
      errors.invalid(path, port, "provided port is already allocated");
    } else own.add(reserve(port));
  }

  #pickPort(own: ReadonlySet<number>): number {
    const { from, to } = this.#o.nodePorts;
    const used = this.#portsInUse();
    const free = (p: number) => !used.has(p) && !own.has(p) && !this.#pending.has(p);
    for (let i = 0; i < 64; i++) {
      const p = from + Math.floor(this.#o.random() * (to - from + 1));
      if (free(p)) return p;
    }
    for (let p = from; p <= to; p++) if (free(p)) return p;
    throw internal("failed to allocate a nodePort: range is full");
  }

  /** Ports of all services; kept until one of them changes. */
  #portsInUse(): ReadonlySet<number> {
    const { cache } = this.#o.services();
    if (this.#known?.changes !== cache.changes) {
      const ports = new Set<number>();
      for (const e of cache.snapshot().range()) for (const p of held(e.peek()).ports) ports.add(p);
      this.#known = { changes: cache.changes, ports };
    }
    return this.#known.ports;
  }
  #known: { changes: number; ports: ReadonlySet<number> } | undefined;

  #changes(service: Obj, had: Held): Change[] {
    const now = held(service);
    const out = this.#releases(had, now);
    const addresses = this.#o.addresses();
    for (const ip of now.ips.filter((ip) => !had.ips.includes(ip) && familyOf(ip))) {
      if (addresses && !this.#isOwn(ip, service)) {
        out.push(addresses.creation(addressObject(addresses.resource.storageKind, ip, service, this.#o.local)));
      }
    }
    const name = new TextEncoder().encode(`${service.metadata.namespace}/${service.metadata.name}`);
    for (const port of now.ports.filter((p) => !had.ports.includes(p))) {
      out.push({ key: nodePortKey(this.#o.services().resource.prefix, port), value: name, expect: 0 });
    }
    return out;
  }

  #releases(had: Held, now: Held): Change[] {
    const addresses = this.#o.addresses();
    const ips = addresses ? had.ips.filter((ip) => !now.ips.includes(ip) && addresses.cache.get("", nameOf(ip))) : [];
    return [
      ...ips.map((ip) => ({ key: addresses!.key("", nameOf(ip)), value: null })),
      ...had.ports.filter((p) => !now.ports.includes(p)).map((p) => ({
        key: nodePortKey(this.#o.services().resource.prefix, p),
        value: null,
      })),
    ];
  }
}
