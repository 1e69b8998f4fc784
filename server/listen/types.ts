/** The contract of the listener (architecture, "The listener"). */
import type { KeyPair } from "../../pki/pair.ts";
import type { Connection } from "../request.ts";

/** The application: web-standard request in, response out, and the connection that it came by. */
export interface AppHandler {
  (request: Request, connection: Connection): Response | Promise<Response>;
}

/**
 * A pair served to clients that name one of `names` (exact, or `*.` and a suffix), or that name none and came to an address among
 * them; without names, those of the certificate.
 */
export interface SniPair extends KeyPair {
  readonly names?: readonly string[];
}

/** What one TLS handshake goes by. May be replaced while listening by {@linkcode Listening.reloadTls}. */
export interface TlsOptions extends KeyPair {
  /** More pairs; the first that fits is taken, exact names before wildcards and told ones before those of certificates. */
  readonly sni?: readonly SniPair[];
  /** Authorities named to the client when it is asked for a certificate, PEM. Nothing is verified by it here. */
  readonly clientCa?: string;
  /** Ask for a client certificate (never required). Default true. */
  readonly requestCert?: boolean;
  /** `VersionTLS10` … `VersionTLS13`. Default `VersionTLS12`, which is also the least that this runtime speaks. */
  readonly minVersion?: string;
  /**
   * IANA names of the suites allowed with TLS 1.2; empty allows all that the runtime has. A client that would share an allowed suite
   * but settles on another one is refused too: the runtime chooses among its own.
   */
  readonly cipherSuites?: readonly string[];
  /**
   * Numbers of the key exchange groups of which a client must offer one; empty: any. The runtime chooses among its own, so a client
   * that offers others too may get one of these. Those that it listens with hold as long as it listens.
   */
  readonly groups?: readonly number[];
  /** Offer HTTP/1.1 only. */
  readonly disableHttp2?: boolean;
}

/** Bounds on what one client, and all together, may hold. Times in ms. */
export interface Limits {
  /** A TLS handshake not done by then is cut. Default 32,000. */
  readonly handshakeMs: number;
  /** A new connection without a complete request head by then is cut. Default 32,000. */
  readonly firstRequestMs: number;
  /** A connection with no request in flight is cut this long after its last one. Default 180,000. */
  readonly idleMs: number;
  /** Connections held at once; those past it are closed at once. 0: no bound. Default 20,000, or a fourth of the descriptors. */
  readonly connections: number;
  /** What a closing side may still take to read the last bytes. Default 5,000. */
  readonly lingerMs: number;
  /** Bytes that a client may send in all over a WebSocket that this server answers: its connection is cut past them. Default 2 MiB. */
  readonly socketBytes: number;
}

/** Rules for HTTP/2 that are kept by rewriting frames in the pipe. */
export interface Http2Options {
  /** Streams a client may have open on one connection; 0 leaves the runtime's own (200). */
  readonly maxStreams?: number;
  /** Share of requests, 0 to 0.02, whose connection is told to go away (finishing what is open). */
  readonly goawayChance?: number;
  /** Clients that are answered 429 with `connection: close` are told to go away. */
  readonly sendsAway?: boolean;
}

/** How to listen. Either `hostname` and `port`, or `path` of a unix socket. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Listen on this unix socket instead. A stale socket file is replaced. */
  readonly path?: string;
  /** Without: plain HTTP. */
  readonly tls?: TlsOptions;
  readonly http2?: Http2Options;
  readonly limits?: Partial<Limits>;
  /** Let several processes listen on the port (`--permit-port-sharing`). */
  readonly reusePort?: boolean;
  /** Hears of errors that belong to no request. Default: nothing. */
  onError?(error: unknown): void;
  /** Hears of clients, by address and port, with whom no TLS connection came about, and why. Default: nothing. */
  onHandshakeError?(host: string, port: number, why: string): void;
  /** 0 ≤ x < 1. Default `Math.random`. */
  random?(): number;
}

/** A listener at work. */
export interface Listening {
  readonly hostname: string;
  readonly port: number;
  /** `https://host:port`, `http://host:port` or `unix:path`. */
  readonly url: string;
  /** The loopback port behind the terminator; for tests, which show that it answers nobody else. */
  readonly innerPort: number;
  /** Connections held, handshakes not done included. */
  connections(): number;
  /** New handshakes go by these. @throws Error when the pair does not load; the old one then stays. */
  reloadTls(tls: TlsOptions): void;
  /**
   * Stops accepting, tells HTTP/2 clients to go away, lets requests in flight end for up to `graceMs`, then cuts what is left. The
   * grace begins when `after` resolves, by default at once. Idempotent.
   */
  close(graceMs: number, after?: Promise<unknown>): Promise<void>;
}
