/**
 * The endpoints of the API's own service: the addresses of all servers of a store. Each keeps a key with its address, which goes
 * by itself when the server does not renew it; public servers on the same store do the same with the same keys.
 */
import type { JsonMap, Kind, Obj } from "../../schema/model/types.ts";
import { encodeObject } from "../../schema/codec/mod.ts";
import { isNotFound } from "../../schema/status.ts";
import { familyOf } from "../registry/core/service_families.ts";
import { isConflict } from "./caller.ts";
import { follow } from "./follow.ts";
import type { Controller, ControllerContext } from "./types.ts";

const ENDPOINTS = "endpoints";
const SLICES = "endpointslices.discovery.k8s.io";
/** How often a server shows that it is there, and for how long that counts, ms. */
const EVERY_MS = 10_000;
const HOLDS_MS = 15_000;
/** Servers by address, beside the keys of resources. */
const SERVERS = "masterleases/";

/** Makes the controller; undefined for a server that members of the cluster cannot reach. */
export function apiEndpoints(ctx: ControllerContext): Controller | undefined {
  const { serviceAddress: address } = ctx;
  const store = ctx.registries.byId(ENDPOINTS);
  if (address === undefined || !store) return undefined;
  const servers = store.resource.prefix.replace(/services\/endpoints\/$/, SERVERS);
  const keeper = new Keeper(ctx, servers, address);
  return {
    start(signal) {
      const keeping = () =>
        void keeper.keep().catch((e) => ctx.log("warn", "the endpoints of the API are tried again", e));
      const timer = setInterval(keeping, EVERY_MS);
      signal.addEventListener("abort", () => clearInterval(timer), { once: true });
      ctx.atLeave(() => (clearInterval(timer), keeper.leave()));
      keeping();
      for (const id of [ENDPOINTS, SLICES]) {
        follow(ctx.registries.byId(id), signal, ({ namespace, name }, deleted) => {
          if (deleted && namespace === "default" && name === ctx.product.service) keeping();
        });
      }
    },
  };
}

class Keeper {
  readonly #kind: Kind;
  #renewals = 0;
  #left = false;
  /** Settles when all is told that was begun. */
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ctx: ControllerContext,
    private readonly servers: string,
    private readonly address: string,
  ) {
    this.#kind = ctx.registries.byId(ENDPOINTS)!.resource.storageKind;
  }

  /** Shows that this server is there, and has the endpoints say who is. @throws StatusError, StorageError */
  async keep(): Promise<void> {
    if (this.#left || this.ctx.leaving()) return;
    const kept = this.#keep();
    this.#keeping = Promise.allSettled([this.#keeping, kept]);
    await kept;
  }

  async #keep(): Promise<void> {
    const generation = ++this.#renewals;
    const server = {
      kind: this.#kind.kind,
      apiVersion: this.#kind.apiVersion,
      metadata: { generation },
      subsets: [{ addresses: [{ ip: this.address }] }],
    };
    const value = encodeObject(server, this.#kind, "protobuf");
    const key = this.servers + this.address;
    await this.ctx.backend.commit([{ key, value, expiresAt: this.ctx.now() + HOLDS_MS }]);
    await this.#reconcile(generation === 1);
  }

  /** Takes this server out. The last one stays: endpoints without addresses help nobody. */
  async leave(): Promise<void> {
    this.#left = true;
    // It would put this server in again.
    await this.#keeping;
    await this.ctx.backend.commit([{ key: this.servers + this.address, value: null }]);
    await this.#reconcile(false);
  }

  /** `ports`: they become this server's. Servers that listen on several would never agree. */
  async #reconcile(ports: boolean): Promise<void> {
    const { items } = await this.ctx.backend.range(this.servers);
    const addresses = items.map(({ key }) => key.slice(this.servers.length)).sort();
    if (addresses.length === 0) return;
    const port = { name: "https", port: this.ctx.port, protocol: "TCP" };
    await this.#ensure(ENDPOINTS, {}, ({ subsets }) => {
      const [subset, ...others] = subsets ?? [];
      const right = subset && others.length === 0 && sameSet((subset.addresses ?? []).map(ipOf), addresses);
      const kept = subset?.ports && !ports ? subset.ports : [port];
      if (right && JSON.stringify(kept.map(numberOf)) === JSON.stringify((subset.ports ?? []).map(numberOf))) {
        return undefined;
      }
      return { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: kept }] };
    });
    // A slice has addresses of one family.
    const type = familyOf(addresses[0]!)!, ofType = addresses.filter((a) => familyOf(a) === type);
    await this.#ensure(SLICES, { addressType: type }, ({ endpoints, ports: had }) => {
      const right = sameSet((endpoints ?? []).map((e: { addresses: string[] }) => e.addresses?.[0]), ofType);
      const kept = had?.length && !ports ? had : [port];
      if (right && JSON.stringify(kept.map(numberOf)) === JSON.stringify((had ?? []).map(numberOf))) return undefined;
      return { endpoints: ofType.map((a) => ({ addresses: [a], conditions: { ready: true } })), ports: kept };
    });
  }

  /** Changes the object of the API's own service, or makes it; anew where what cannot change is not as it is to be. */
  async #ensure(id: string, fixed: JsonMap, change: (object: Obj) => JsonMap | undefined): Promise<void> {
    const { registries, product: { service: name } } = this.ctx, { live, lister } = registries;
    if (!registries.byId(id)) return;
    const first = { ...this.#first(id, name), ...fixed };
    let current = lister.get(id, "default", name);
    try {
      if (current && Object.entries(fixed).some(([k, v]) => current![k] !== v)) {
        await registries.delete(id, "default", name, current.metadata.resourceVersion);
        current = undefined;
      }
      if (!current) await live.create(id, { ...first, ...change(first) });
      else if (change(current)) await live.update(id, "default", name, (object) => ({ ...object, ...change(object) }));
    } catch (e) {
      if (!isConflict(e) && !isNotFound(e)) throw e; // somebody else does the same
    }
  }

  /** The object without addresses. */
  #first(id: string, name: string): Obj {
    const { registries, product } = this.ctx, { kind, apiVersion } = registries.byId(id)!.resource.storageKind;
    const labels = id === ENDPOINTS
      ? { [product.local("endpointslice.kubernetes.io/skip-mirror")]: "true" }
      : { [product.local("kubernetes.io/service-name")]: name };
    return { kind, apiVersion, metadata: { name, namespace: "default", labels } };
  }
}

const ipOf = ({ ip }: { ip: string }): string => ip;
const numberOf = ({ port }: { port: number }): number => port;
const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((x) => b.includes(x));
