/** Drivers of dynamic resources that are registered with this node. */
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { GrpcError } from "../../schema/grpc/status.ts";
import type { Call } from "../../schema/grpc/call.ts";
import type { GrpcClient } from "../../schema/grpc/client.ts";
import type { RandomBytes } from "../../schema/values/random.ts";
import { growing } from "../client/mod.ts";
import { openPlugin, type PluginHandler, type PluginInfo } from "../plugins/mod.ts";
import { type Api, type Clock, isNotFound } from "../types.ts";
import type { DeviceHealth } from "./health.ts";
import { type ClaimRef, type Results, type Service, SERVICES } from "./messages.ts";
import type { ClaimMetrics } from "./metrics.ts";

/** What they work with. */
export interface DriverParts {
  /** Undefined: there is no API server. */
  readonly api: Pick<Api, "request"> | undefined;
  readonly product: Product;
  readonly nodeName: string;
  readonly metrics: ClaimMetrics;
  readonly health: DeviceHealth;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  /** The agent's life. */
  readonly signal: AbortSignal;
}

/** Of a call, ms. */
const CALL_MS = 45_000;
/** How long a driver may be away until what it offers is taken back; pauses between attempts at that, and to connect, ms. */
const AWAY_MS = 30_000, RETRY_MS = 1_000, MAX_RETRY_MS = 300_000, CONNECT_MS = 1_000;

/** One driver. */
export interface ClaimDriver {
  readonly name: string;
  /** Asks it about claims, all of which it answers for. @throws Error in the public words */
  ask<T>(what: (service: Service) => ClaimCall<T>, claims: readonly ClaimRef[]): Promise<ReadonlyMap<string, T>>;
}

type ClaimCall<T> = Call<{ readonly claims: readonly ClaimRef[] }, Results<T>>;

interface Endpoint {
  readonly path: string;
  readonly service: Service;
  readonly client: GrpcClient;
  /** Ends listening to it. */
  readonly end: AbortController;
  /** Somebody listens there. */
  connected: boolean;
}

/** See the top of the file. Handles plugins of type `DRAPlugin`. */
export class ClaimDrivers implements PluginHandler {
  /** By name, the newest last. */
  readonly #endpoints = new Map<string, Endpoint[]>();
  /** By name: what ends taking back what a driver offers. */
  readonly #wipes = new Map<string, AbortController>();

  constructor(readonly parts: DriverParts) {}

  /** Takes back what drivers offered before the agent started: none has come yet. Never throws. */
  async run(): Promise<void> {
    await this.#wipe(undefined, this.parts.signal);
    const { signal } = this.parts;
    if (!signal.aborted) await new Promise((ended) => signal.addEventListener("abort", ended, { once: true }));
    for (const { client } of [...this.#endpoints.values()].flat()) client.close();
  }

  /** @throws Error: it is not registered */
  get(name: string): ClaimDriver {
    const all = this.#endpoints.get(name) ?? [], endpoint = all.findLast(({ connected }) => connected) ?? all.at(-1);
    if (!endpoint) throw new Error(`DRA driver ${name} is not registered`);
    return { name, ask: (what, claims) => this.#ask(name, endpoint, what(endpoint.service), claims) };
  }

  validate({ name, endpoint, versions }: PluginInfo): void {
    serviceOf(name, endpoint, versions);
  }

  register({ name, endpoint: path, versions }: PluginInfo): Promise<void> {
    const service = serviceOf(name, path, versions), all = this.#endpoints.get(name) ?? [];
    if (all.some((one) => one.path === path)) {
      return Promise.reject(new Error(`endpoint ${path} already registered for DRA driver plugin ${name}`));
    }
    const client = openPlugin(path), end = new AbortController();
    const endpoint: Endpoint = { path, service, client, end, connected: false };
    this.#endpoints.set(name, [...all, endpoint]);
    const signal = AbortSignal.any([this.parts.signal, end.signal]);
    this.parts.health.watch(name, client, versions, signal);
    this.#follow(name, endpoint, signal);
    this.#settle(name);
    return Promise.resolve();
  }

  deregister({ name, endpoint: path }: PluginInfo): Promise<void> {
    const all = this.#endpoints.get(name) ?? [], left = all.filter((one) => one.path !== path);
    for (const { client, end } of all.filter((one) => one.path === path)) {
      end.abort();
      client.close();
    }
    if (left.length > 0) this.#endpoints.set(name, left);
    else this.#endpoints.delete(name);
    if (left.length < all.length) this.#settle(name);
    return Promise.resolve();
  }

  async #ask<T>(name: string, { client }: Endpoint, call: ClaimCall<T>, claims: readonly ClaimRef[]) {
    const method = call.path.slice(call.path.lastIndexOf("/") + 1), done = this.parts.metrics.asking(name, call.path);
    const { claims: results } = await client.call(call, { claims }, { timeout: CALL_MS, signal: this.parts.signal })
      .then((answer) => {
        done("OK");
        return answer;
      }, (e) => {
        const [code, text] = e instanceof GrpcError ? [e.status, e.details] : ["Unknown", (e as Error).message];
        done(code);
        throw new Error(`${method}: rpc error: code = ${code} desc = ${text}`, { cause: e });
      });
    const out = new Map<string, T>();
    for (const { key, value } of results) {
      const claim = claims.find(({ uid }) => uid === key);
      if (!claim) throw new Error(`${method} returned result for unknown claim UID ${key}`);
      if (value?.error) throw new Error(`${method} failed for ResourceClaim ${claim.name}: ${value.error}`);
      if (value) out.set(key, value);
    }
    const skipped = claims.length - results.length;
    if (skipped > 0) throw new Error(`${method} skipped ${skipped} ResourceClaims`);
    return out;
  }

  /** Keeps a connection, so that one that is gone shows. Never throws. */
  async #follow(name: string, endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    const told = (connected: boolean) => {
      endpoint.connected = connected;
      if (!signal.aborted) this.#settle(name);
    };
    while (!signal.aborted) {
      try {
        const { lost } = await endpoint.client.connect({ signal });
        told(true);
        await lost;
        told(false);
      } catch {
        // Nobody listens there.
      }
      await this.parts.clock.wait(CONNECT_MS, signal);
    }
  }

  /** What a driver offers is taken back once it has been away for long, and stays when it is back before. */
  #settle(name: string): void {
    const pending = this.#wipes.get(name);
    if (this.#endpoints.get(name)?.some(({ connected }) => connected)) {
      pending?.abort();
      this.#wipes.delete(name);
    } else if (!pending) this.#wipeLater(name);
  }

  #wipeLater(name: string): void {
    const { clock, signal } = this.parts, end = new AbortController();
    this.#wipes.set(name, end);
    const both = AbortSignal.any([signal, end.signal]);
    clock.wait(AWAY_MS, both).then(() => this.#wipe(name, both)).then(() => {
      if (this.#wipes.get(name) === end) this.#wipes.delete(name);
    });
  }

  /** @param driver undefined: of all */
  async #wipe(driver: string | undefined, signal: AbortSignal): Promise<void> {
    const { api, product, nodeName, clock, random, log } = this.parts;
    const pauses = growing(RETRY_MS, MAX_RETRY_MS, random);
    const fieldSelector = `spec.nodeName=${nodeName}${driver === undefined ? "" : `,spec.driver=${driver}`}`;
    while (api && !signal.aborted) {
      try {
        const path = product.local("/apis/resource.k8s.io/v1/resourceslices");
        return void await api.request("DELETE", path, { query: { fieldSelector }, signal });
      } catch (e) {
        if (signal.aborted || isNotFound(e)) return;
        log("info", `resource slices of ${fieldSelector} are not deleted`, (e as Error).message);
        await clock.wait(pauses.next(), signal);
      }
    }
  }
}

/** @throws Error: it speaks none that the agent does */
function serviceOf(name: string, endpoint: string, versions: readonly string[]): Service {
  const found = versions.flatMap((version) => SERVICES.filter((service) => service === version))[0];
  if (found) return found;
  const quoted = (list: readonly string[]) => `[${list.map((one) => JSON.stringify(one)).join(" ")}]`;
  const why = versions.length === 0
    ? "empty list of supported gRPC services (aka supported versions)"
    : `none of services supported by the plugin (${quoted(versions)}) are supported by the kubelet (${
      quoted(SERVICES)
    })`;
  throw new Error(`invalid supported gRPC versions of DRA driver plugin ${name} at endpoint ${endpoint}: ${why}`);
}
