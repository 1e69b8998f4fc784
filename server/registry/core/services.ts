/**
 * Services: their cluster addresses and node ports. An address is held by an `IPAddress` object, a port by a key of its
 * own; both are committed with the service, against their absence, so that two servers never give out the same one. Where public
 * servers keep an account of ports on the same store, it is that which is written against its revision.
 */
import { copyTree } from "../../../schema/values/copy.ts";
import type { Obj } from "../../../schema/model/types.ts";
import { ErrorList } from "../../../schema/rules/errors.ts";
import { needsNodePort } from "../../../schema/rules/core/service_types.ts";
import type { Caller } from "../context.ts";
import type { Side, Strategy } from "../strategy.ts";
import { AllocationMetrics } from "./allocation_metrics.ts";
import { PortAccount, release } from "./port_account.ts";
import { ServiceAddresses } from "./service_addresses.ts";
import { held } from "./service_holdings.ts";
import { ServicePorts } from "./service_ports.ts";
import type { ServiceOptions, ServiceWork } from "./service_work.ts";

/** Allocation of one server. */
export class ServiceAllocator implements Strategy {
  readonly returnsDeleted = true;
  readonly #o: ServiceOptions;
  readonly #addresses: ServiceAddresses;
  readonly #ports: ServicePorts;
  readonly #pending = new Set<string | number>();

  constructor(options: ServiceOptions) {
    const metrics = new AllocationMetrics();
    this.#o = options;
    this.#addresses = new ServiceAddresses(options, this.#pending, metrics);
    this.#ports = new ServicePorts(options, this.#pending, metrics);
    const usages = { addresses: () => this.#addresses.usage(), ports: () => this.#ports.usage() };
    options.measured(metrics.rows(usages, options.local("kube-apiserver").replace("-", "_")));
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
    const had = held(service), now = held(undefined), ports = this.#ports.left(had, now);
    const { namespace = "", name = "" } = service.metadata;
    const done = async () => {
      this.#released(ports);
      // Whoever takes the name next does not find the endpoints of this one; mostly there are none.
      await this.#o.deleteEndpoints(namespace, name).catch(() => {});
    };
    const changes = [...this.#addresses.released(service, had, now), ...this.#ports.released(had, now)];
    return { changes, done };
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
    const work: ServiceWork = {
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
      this.#addresses.give(work);
      this.#ports.give(work);
      const { had } = work, now = held(service), left = this.#ports.left(had, now);
      return {
        changes: [
          ...this.#addresses.released(service, had, now),
          ...this.#ports.released(had, now),
          ...this.#addresses.taken(work, now),
          ...this.#ports.taken(work, now),
        ],
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
}
