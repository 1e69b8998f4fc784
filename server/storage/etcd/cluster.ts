/** Calls to whichever member answers: the same one as long as it does, the next one when it does not. */
import { StorageError } from "../backend.ts";
import { judge, storageError } from "./errors.ts";
import { GrpcTransport } from "./grpc.ts";
import { RPC, type Rpc } from "./messages.ts";
import { CODE, pemText, RpcError, type Tls, type Transport } from "./transport.ts";
import { WebTransport } from "./web.ts";

/** TLS files, or a way to read them again: they are looked at before each new connection and every minute. */
export type TlsSource = Tls | (() => Tls | Promise<Tls>);

/** A socket of this process's own that leads to an endpoint. */
export interface EtcdWay {
  readonly path: string;
  close(): void;
}

/** Opens one. */
export type LeadEtcd = (host: string, port: number) => Promise<EtcdWay>;

/** Longest time for one attempt at one member, and for all attempts, ms. */
const ATTEMPT = 5_000;
const TOTAL = 15_000;
const RELOAD_EVERY = 60_000;
/** Before the URL of an endpoint. */
const WEB = "grpc-web+";

/** How a call is to be made. */
export interface CallOptions {
  /** In the words of an error. */
  readonly doing: string;
  /** It may be carried out twice: reads, and writes that only one of two can win. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal;
  /** All attempts together, ms; 15 s without. */
  readonly within?: number;
  /** Told when an attempt may have been carried out although it failed. */
  readonly doubtful?: () => void;
}

/** See the top of the file. */
export class Cluster {
  #transports: Transport[] = [];
  #current = 0;
  #tls: Tls = {};
  #lookedAt = -Infinity;
  #seen = "";
  readonly #closed = new AbortController();

  private constructor(
    readonly endpoints: readonly string[],
    readonly source: TlsSource,
    readonly random: () => number,
    readonly ways: ReadonlyMap<string, EtcdWay>,
  ) {}

  /** @throws StorageError when there is no endpoint */
  static async open(
    endpoints: readonly string[],
    source: TlsSource,
    random: () => number,
    lead?: LeadEtcd,
  ): Promise<Cluster> {
    if (endpoints.length === 0) throw new StorageError("unavailable", "etcd: no endpoint is given");
    const cluster = new Cluster(endpoints, source, random, lead ? await waysTo(endpoints, lead) : new Map());
    await cluster.refresh();
    return cluster;
  }

  get closed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** The member that calls go to now. */
  get transport(): Transport {
    return this.#transports[this.#current]!;
  }

  /** Told of each member that is left because it does not answer. */
  readonly left = new Set<(transport: Transport) => void>();

  /** That one does not answer: the next one's turn. */
  leave(transport: Transport): void {
    if (this.transport !== transport || this.#transports.length === 1) return;
    this.#current = (this.#current + 1) % this.#transports.length;
    for (const tell of this.left) tell(transport);
  }

  /** Reads TLS files again if it is time, and connects anew when they have changed. */
  async refresh(force = true): Promise<void> {
    if (!force && (typeof this.source !== "function" || performance.now() - this.#lookedAt < RELOAD_EVERY)) return;
    this.#lookedAt = performance.now();
    const tls = typeof this.source === "function" ? await this.source() : this.source;
    const seen = JSON.stringify([tls.ca, tls.cert, tls.key].map((pem) => pem && pemText(pem)));
    if (seen === this.#seen) return;
    const old = this.#transports;
    this.#seen = seen;
    this.#tls = tls;
    this.#transports = this.endpoints.map((e) => connect(e, this.#tls, this.ways.get(e)?.path));
    for (const transport of old) transport.close();
  }

  /** Makes a call. @throws StorageError, or RpcError when the store's words are wanted for it (`judge`) */
  async call<Q, R>(rpc: Rpc<Q, R>, request: Q, options: CallOptions): Promise<R> {
    // Files that cannot be read now leave the old ones in use.
    await this.refresh(false).catch(() => {});
    const until = performance.now() + (options.within ?? TOTAL);
    for (let pause = 10;; pause = Math.min(500, pause * 2)) {
      const { transport } = this;
      try {
        return await this.#attempt(transport, rpc, request, options.signal, until);
      } catch (error) {
        if (this.closed) throw new StorageError("closed", "the store is closed");
        if (options.signal?.aborted) throw new StorageError("unavailable", `${options.doing}: cancelled`);
        const verdict = judge(error);
        if (!verdict.undone) options.doubtful?.();
        if (!verdict.again && verdict.kind !== "cancelled") throw error;
        this.leave(transport);
        if (!verdict.undone && !options.repeatable) {
          throw new StorageError("unknown", `${options.doing}: etcd may or may not have done it`, { cause: error });
        }
        if (performance.now() + pause > until) throw storageError(error, options.doing);
      }
      await this.#pause(pause * (0.5 + this.random()));
    }
  }

  async #attempt<Q, R>(
    transport: Transport,
    rpc: Rpc<Q, R>,
    request: Q,
    signal: AbortSignal | undefined,
    until: number,
  ): Promise<R> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const timer = setTimeout(stop, Math.max(100, Math.min(ATTEMPT, until - performance.now())));
    signal?.addEventListener("abort", stop, { once: true });
    this.#closed.signal.addEventListener("abort", stop, { once: true });
    try {
      if (signal?.aborted || this.closed) throw new RpcError(CODE.cancelled, "cancelled");
      return await transport.call(rpc, request, abort.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      this.#closed.signal.removeEventListener("abort", stop);
    }
  }

  /** Waits, not longer than the store is open. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#closed.signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#closed.signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Pauses between attempts to follow; ends at once when the store is closed. */
  async pause(ms: number): Promise<void> {
    if (!this.closed) await this.#pause(ms * (0.5 + this.random()));
  }

  /** What a member says of itself. */
  status(options: CallOptions) {
    return this.call(RPC.status, {}, options);
  }

  close(): void {
    this.#closed.abort();
    for (const transport of this.#transports) transport.close();
    for (const way of this.ways.values()) way.close();
  }
}

/** Sockets that lead to endpoints. @throws StorageError for an endpoint that none can lead to */
async function waysTo(endpoints: readonly string[], lead: LeadEtcd): Promise<Map<string, EtcdWay>> {
  const hosts = new Map<string, [host: string, port: number]>();
  for (const endpoint of endpoints) {
    if (endpoint.startsWith("unix:")) continue;
    const address = /^(?:https?:\/\/)?([^/]+?)\/?$/.exec(endpoint)?.[1];
    const [, host, port] = /^(.*):(\d+)$/.exec(address ?? "") ?? [];
    if (endpoint.startsWith(WEB) || !host) {
      throw new StorageError("unavailable", `etcd: ${JSON.stringify(endpoint)} cannot be reached through a proxy`);
    }
    hosts.set(endpoint, [host.replace(/^\[|\]$/g, ""), Number(port)]);
  }
  const ways = new Map<string, EtcdWay>();
  for (const [endpoint, place] of hosts) ways.set(endpoint, await lead(...place));
  return ways;
}

/** `grpc-web+http(s)://…`, `http(s)://host:port`, `unix:///path`, `host:port`. */
function connect(endpoint: string, tls: Tls, through: string | undefined): Transport {
  if (endpoint.startsWith(WEB)) return new WebTransport(endpoint.slice(WEB.length).replace(/\/+$/, ""), tls);
  if (endpoint.startsWith("unix:")) return new GrpcTransport(endpoint, false);
  const [, scheme, address] = /^(?:(https?):\/\/)?([^/]+)\/?$/.exec(endpoint) ?? [];
  if (!address) throw new StorageError("unavailable", `etcd: endpoint ${JSON.stringify(endpoint)} is no URL`);
  return new GrpcTransport(address, scheme === "https", tls, through);
}
