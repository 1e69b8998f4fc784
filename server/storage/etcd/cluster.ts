/** Calls to whichever member answers: the same one as long as it does, the next one when it does not. */
import type { Call } from "../../../schema/grpc/call.ts";
import { targetOf } from "../../../schema/grpc/target.ts";
import type { Dial } from "../../grpc/reach.ts";
import type { Material } from "../../grpc/tls.ts";
import { pause } from "../../pause.ts";
import { StorageError } from "../backend.ts";
import { judge, storageError } from "./errors.ts";
import { GrpcTransport } from "./grpc.ts";
import { RPC } from "./messages.ts";
import { pemText, type Tls, type Transport } from "./transport.ts";
import { WebTransport } from "./web.ts";

/** TLS files, or a way to read them again: they are looked at before each new connection and every minute. */
export type TlsSource = Tls | (() => Tls | Promise<Tls>);

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
  /** Of TLS files that were replaced: calls under way go on. */
  #left: Transport[] = [];
  #lookedAt = -Infinity;
  #seen = "";
  readonly #closed = new AbortController();

  private constructor(
    readonly endpoints: readonly string[],
    readonly source: TlsSource,
    readonly random: () => number,
    readonly dial: Dial | undefined,
  ) {}

  /** @throws StorageError when there is no endpoint */
  static async open(
    endpoints: readonly string[],
    source: TlsSource,
    random: () => number,
    dial?: Dial,
  ): Promise<Cluster> {
    if (endpoints.length === 0) throw new StorageError("unavailable", "etcd: no endpoint is given");
    const cluster = new Cluster(endpoints, source, random, dial);
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

  /** It is time to read TLS files again. */
  get #due(): boolean {
    return typeof this.source === "function" && performance.now() - this.#lookedAt >= RELOAD_EVERY;
  }

  /** Reads TLS files again, and connects anew when they have changed. */
  async refresh(): Promise<void> {
    this.#lookedAt = performance.now();
    const tls = typeof this.source === "function" ? await this.source() : this.source;
    const material = Object.fromEntries(Object.entries(tls).map(([name, pem]) => [name, pemText(pem)]));
    const seen = JSON.stringify(material);
    if (seen === this.#seen) return;
    const old = this.#transports;
    this.#seen = seen;
    this.#transports = this.endpoints.map((endpoint) => connect(endpoint, material, this.dial));
    for (const transport of this.#left) transport.close();
    for (const transport of old) transport.leave();
    this.#left = old;
  }

  /** Makes a call. @throws StorageError, or GrpcError when the store's words are wanted for it (`judge`) */
  async call<Q, R>(rpc: Call<Q, R>, request: Q, options: CallOptions): Promise<R> {
    // Files that cannot be read now leave the old ones in use.
    if (this.#due) await this.refresh().catch(() => {});
    const until = performance.now() + (options.within ?? TOTAL);
    for (let ms = 10;; ms = Math.min(500, ms * 2)) {
      const { transport } = this;
      try {
        const timeout = Math.max(100, Math.min(ATTEMPT, until - performance.now()));
        return await transport.call(rpc, request, { signal: options.signal, timeout });
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
        if (performance.now() + ms > until) throw storageError(error, options.doing);
      }
      await this.pause(ms);
    }
  }

  /** Pauses between attempts, for about so many ms; ends at once when the store is closed. */
  pause(ms: number): Promise<void> {
    return pause(ms * (0.5 + this.random()), this.#closed.signal);
  }

  /** What a member says of itself. */
  status(options: CallOptions) {
    return this.call(RPC.status, {}, options);
  }

  close(): void {
    this.#closed.abort();
    for (const transport of [...this.#transports, ...this.#left]) transport.close();
  }
}

/**
 * `grpc-web+http(s)://…`, `http(s)://host:port`, `unix:///path`, or `host:port`, which is reached by TLS where there is material for it.
 * @throws StorageError for one that is none, or that no proxy leads to
 */
function connect(endpoint: string, material: Material, dial: Dial | undefined): Transport {
  const refuse = (why: string): never => {
    throw new StorageError("unavailable", `etcd: endpoint ${JSON.stringify(endpoint)} ${why}`);
  };
  if (endpoint.startsWith(WEB)) {
    if (dial) refuse("cannot be reached through a proxy");
    return new WebTransport(endpoint.slice(WEB.length).replace(/\/+$/, ""), material);
  }
  const [, scheme, address = ""] = /^(?:(https?):\/\/)?(.+?)\/?$/.exec(endpoint) ?? [];
  const target = targetOf(address) ?? refuse("is no URL");
  const secure = scheme === undefined ? Object.keys(material).length > 0 : scheme === "https";
  return new GrpcTransport(address, target, { ...(secure ? { tls: material } : {}), dial });
}
