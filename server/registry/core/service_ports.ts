/** Node ports of services: each is held by a key of its own. */
import { needsHealthCheck, needsNodePort, opensNodePorts } from "../../../schema/rules/core/service_types.ts";
import { items, type Tree } from "../../../schema/rules/tree.ts";
import { internal } from "../../../schema/status.ts";
import type { Change } from "../../storage/backend.ts";
import type { AllocationMetrics, Usage } from "./allocation_metrics.ts";
import { bandOf } from "./port_account.ts";
import { type Held, held, nodePortKey } from "./service_holdings.ts";
import { type Pending, refuse, type ServiceOptions, type ServiceWork } from "./service_work.ts";

/** What a dry run shows for a port that it does not look for: one above those of the request, or above the default range. */
const standIn = ({ highest }: ServiceWork): number => highest > 0 ? highest + 1 : 32769;

/** Gives ports, and lets them go. */
export class ServicePorts {
  readonly #o: ServiceOptions;
  readonly #pending: Pending;
  readonly #metrics: AllocationMetrics;
  #known: { changes: number; ports: ReadonlyMap<number, number> } | undefined;

  constructor(options: ServiceOptions, pending: Pending, metrics: AllocationMetrics) {
    this.#o = options;
    this.#pending = pending;
    this.#metrics = metrics;
  }

  /** Gives a service the node ports that it should have and has not. @throws StatusError 422, 500 */
  give(work: ServiceWork): void {
    const spec = work.service["spec"], own = new Set<number>(work.had.ports);
    if (needsNodePort(spec)) {
      if (work.old) this.#change(work, work.old, own);
      else this.#fill(work, own);
    }
    if (!needsHealthCheck(spec) || (work.old && needsHealthCheck(work.old))) return;
    const asked = spec.healthCheckNodePort, why = asked && this.#claim(asked, own, work);
    if (why) throw internal(`failed to allocate requested HealthCheck NodePort ${asked}: ${why}`);
    if (!asked) spec.healthCheckNodePort = this.#next(own, work);
  }

  /** Writes of the keys of ports that the service has got. */
  taken({ service, had, account }: ServiceWork, now: Held): Change[] {
    const taken = now.ports.filter((p) => !had.ports.includes(p));
    const name = new TextEncoder().encode(`${service.metadata.namespace}/${service.metadata.name}`);
    // Services that go by a public server leave their keys here; there the account says who may have a port.
    const free = account ? {} : { expect: 0 }, { prefix } = this.#o.services().resource;
    const keys = taken.map((port) => ({ key: nodePortKey(prefix, port), value: name, ...free }));
    return account && taken.length ? [...keys, account.change(taken, [])] : keys;
  }

  /** Writes that let ports go. */
  released(had: Held, now: Held): Change[] {
    const { prefix } = this.#o.services().resource;
    return this.left(had, now).map((p) => ({ key: nodePortKey(prefix, p), value: null }));
  }

  /** How full the range is. */
  usage(): Usage | undefined {
    const { from, to } = this.#o.nodePorts;
    if (!this.#o.services().cache.ready) return undefined;
    const allocated = [...this.#inUse().keys()].filter((p) => p >= from && p <= to).length;
    return { allocated, available: to - from + 1 - allocated };
  }

  /** Ports that a service gives up and no other one has: what comes by its status names what it was not given. */
  left(had: Held, now: Held): number[] {
    return had.ports.filter((p) => !now.ports.includes(p) && (this.#inUse().get(p) ?? 0) <= 1);
  }

  /** Protocols of one port share a node port. */
  #fill(work: ServiceWork, own: Set<number>): void {
    const spec = work.service["spec"], list = items(spec.ports);
    const shared = new Map<number, number>(), wanted = new Map<number, number>();
    for (const { port, nodePort } of list) if (nodePort && !wanted.has(port)) wanted.set(port, nodePort);
    for (const [i, port] of list.entries()) {
      if (!port["nodePort"] && !opensNodePorts(spec)) continue;
      const known = shared.get(port["port"]);
      if (known) {
        if (!port["nodePort"]) port["nodePort"] = known;
        else if (port["nodePort"] !== known) this.#ask(port["nodePort"], i, own, work);
        continue;
      }
      const asked = wanted.get(port["port"]);
      if (asked) this.#ask(asked, i, own, work);
      port["nodePort"] = asked ?? this.#next(own, work);
      shared.set(port["port"], port["nodePort"]);
    }
  }

  /** Ports may keep node ports that ports had, and share new ones; the one of health checks is taken like any other. */
  #change(work: ServiceWork, old: Tree, own: Set<number>): void {
    const spec = work.service["spec"], used = new Set<string>();
    const kept = new Set<number>(needsNodePort(old) ? items(old["ports"]).map((p) => p["nodePort"]) : []);
    for (const [i, port] of items(spec.ports).entries()) {
      if (!port["nodePort"] && !opensNodePorts(spec)) continue;
      if (!port["nodePort"]) port["nodePort"] = this.#next(own, work);
      else if (!kept.has(port["nodePort"])) {
        this.#ask(port["nodePort"], i, own, work);
        kept.add(port["nodePort"]);
      }
      const key = `${port["protocol"]}/${port["nodePort"]}`;
      if (used.has(key)) throw internal(`duplicate nodePort: ${key}`);
      used.add(key);
    }
  }

  #ask(port: number, index: number, own: Set<number>, work: ServiceWork): void {
    const why = this.#claim(port, own, work);
    if (why) work.errors.invalid(`spec.ports[${index}].nodePort`, port, why);
    refuse(work);
  }

  /** Takes a port; gives the reason where it cannot be had. Dry runs do not look at the range. */
  #claim(port: number, own: Set<number>, work: ServiceWork): string | undefined {
    const why = this.#refusal(port, own, work);
    if (!work.dryRun) this.#metrics.port(why ? "errors" : "total", "static");
    if (why) return why;
    this.#take(port, own, work);
    return undefined;
  }

  #take(port: number, own: Set<number>, work: ServiceWork): void {
    own.add(work.reserve(port));
    work.highest = Math.max(work.highest, port);
  }

  #refusal(port: number, own: ReadonlySet<number>, { dryRun }: ServiceWork): string | undefined {
    const { from, to } = this.#o.nodePorts;
    if (!dryRun && (port < from || port > to)) {
      return `provided port is not in the valid range. The range of valid ports is ${from}-${to}`;
    }
    const held = own.has(port) || this.#inUse().has(port) || this.#pending.has(port);
    return held ? "provided port is already allocated" : undefined;
  }

  #next(own: Set<number>, work: ServiceWork): number {
    const port = work.dryRun ? standIn(work) : this.#pick(own, work);
    this.#take(port, own, work);
    return port;
  }

  #pick(own: ReadonlySet<number>, { account }: ServiceWork): number {
    const { from, to } = this.#o.nodePorts;
    const used = this.#inUse();
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
  #inUse(): ReadonlyMap<number, number> {
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
}
