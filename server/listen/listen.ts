/** The front: accepts, terminates TLS, and gives each connection its place behind. */
import net from "node:net";
import type tls from "node:tls";
import { connectionsFor } from "../../schema/values/descriptors.ts";
import { hostPort } from "../../schema/values/host_port.ts";
import { addressOf, socketHost } from "../../schema/values/socket_address.ts";
import { acceptedUnder, type Handshakes, handshakes, peerCertificates } from "./handshake.ts";
import { type Inner, serveInner } from "./inner.ts";
import { greet } from "./first_bytes.ts";
import { flowOf } from "../../host/flow.ts";
import { listenFault } from "../../host/listen_fault.ts";
import { Exchanges } from "./exchanges.ts";
import { FrameRewriter } from "./frames.ts";
import { DEFAULT_LIMITS, systemLimits, v6Only } from "./limits.ts";
import { randomLoopback } from "./loopback.ts";
import type { Connection } from "../request.ts";
import { type Peer, Peers } from "./peers.ts";
import { type Link, pipe, type Tap } from "./pipe.ts";
import { Unheard } from "./unheard.ts";
import { upgrade } from "./upgrade.ts";
import { clearStaleSocket, protectSocket } from "./unix.ts";
import type { AppHandler, Limits, Listening, ListenOptions, TlsOptions } from "./types.ts";

/** After so long without a byte the system asks whether a client is there: nobody writes to a quiet log or tunnel. */
const KEEP_ALIVE_MS = 30_000;

/** An accepted connection and how far it came. */
interface Held {
  readonly since: number;
  /** The TLS socket over it, once there is one. */
  secured?: net.Socket;
  /** Set when the handshake is done and the inner side is connected. */
  peer?: Peer;
}

class Front implements Listening {
  readonly hostname: string;
  readonly #options: ListenOptions;
  readonly #limits: Limits;
  readonly #random: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #peers = new Peers();
  readonly #unheard = new Unheard();
  readonly #inner: Inner;
  readonly #server: net.Server;
  readonly #held = new Map<net.Socket, Held>();
  /** Connections to the inner server. */
  readonly #links = new Set<net.Socket>();
  /** The accepted socket under each TLS socket, by the client's address and port. */
  readonly #handshaking = new Map<string, net.Socket>();
  readonly #sweeper: ReturnType<typeof setInterval>;
  #tls: Handshakes | undefined;
  /** The system lets all of 127.0.0.0/8 be a source; some have 127.0.0.1 only. */
  #anyLoopback = true;
  #closing: Promise<void> | undefined;

  constructor(handler: AppHandler, options: ListenOptions) {
    this.hostname = options.hostname;
    this.#options = options;
    const connections = connectionsFor(systemLimits(), DEFAULT_LIMITS.connections);
    this.#limits = { ...DEFAULT_LIMITS, connections, ...options.limits };
    this.#random = options.random ?? Math.random;
    this.#onError = (error) => options.onError?.(error);
    if (options.tls !== undefined) this.#tls = this.#handshakes(options.tls);
    const chance = options.http2?.goawayChance ?? 0;
    this.#inner = serveInner({
      handler,
      peers: this.#peers,
      onError: this.#onError,
      ...(chance > 0 ? { onRequest: (peer: Peer) => void (this.#random() < chance && peer.goAway?.()) } : {}),
    });
    this.#server = net.createServer((socket) => this.#accept(socket));
    this.#sweeper = setInterval(() => this.#sweep(performance.now()), 1000);
    Deno.unrefTimer(this.#sweeper as unknown as number);
  }

  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  get url(): string {
    const { path, tls } = this.#options;
    if (path !== undefined) return `unix:${path}`;
    return `${tls === undefined ? "http" : "https"}://${hostPort(this.hostname, this.port)}`;
  }

  get innerPort(): number {
    return this.#inner.port;
  }

  connections(): number {
    return this.#held.size;
  }

  reloadTls(options: TlsOptions): void {
    if (this.#tls === undefined) throw new Error("Cannot reload TLS: the listener is plain");
    this.#tls = this.#handshakes(options);
  }

  start(): Promise<void> {
    const { hostname, port, path, reusePort } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const at = path ?? hostPort(hostname, port);
    this.#server.once(
      "error",
      (cause) => reject(new Error(`Cannot listen on ${at}: ${listenFault(cause)}`, { cause })),
    );
    this.#server.listen(
      path !== undefined
        ? { path }
        : { host: socketHost(hostname, v6Only()), port, backlog: 1024, reusePort: reusePort ?? false },
      () => {
        this.#server.removeAllListeners("error").on("error", this.#onError);
        resolve();
      },
    );
    return promise.catch((error) => {
      clearInterval(this.#sweeper);
      void this.#inner.shutdown();
      throw error;
    });
  }

  close(graceMs: number, after: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#closing ??= this.#close(graceMs, after);
    return this.#closing;
  }

  async #close(graceMs: number, after: Promise<unknown>): Promise<void> {
    this.#server.close();
    for (const socket of this.#handshaking.values()) socket.destroy();
    const grace = Promise.withResolvers<void>();
    let timer: ReturnType<typeof setTimeout> | undefined, over = false;
    const begin = () => void (over || (timer = setTimeout(grace.resolve, graceMs)));
    after.then(begin, begin);
    await Promise.race([this.#inner.shutdown().then(() => this.#delivered()), grace.promise]);
    over = true;
    clearTimeout(timer);
    clearInterval(this.#sweeper);
    for (const [socket, held] of this.#held) cut(socket, held);
  }

  /** Resolves when clients were sent what the inner server has answered, or after the time for that. */
  async #delivered(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, this.#limits.lingerMs);
    const passed = Promise.all([...this.#links].map((link) => new Promise((done) => link.once("close", done))));
    const sent = passed.then(() =>
      Promise.all([...this.#held].map(([socket, { secured }]) => ended(secured ?? socket)))
    );
    await Promise.race([sent, late.promise]);
    clearTimeout(timer);
  }

  #handshakes(options: TlsOptions): Handshakes {
    return handshakes(options, {
      secure: (socket) => this.#secured(socket),
      failed: (error, socket) => {
        const raw = acceptedUnder(socket) ?? this.#finishHandshake(socket);
        if (raw !== undefined) this.#unsecured(raw, error.message);
        socket.destroy();
        raw?.destroy();
      },
    });
  }

  #accept(socket: net.Socket): void {
    const { connections } = this.#limits;
    const full = connections > 0 && this.#held.size >= connections;
    // Without an address the client has left already.
    const gone = socket.remoteAddress === undefined && this.#options.path === undefined;
    if (this.#closing !== undefined || full || gone) return void socket.destroy();
    this.#held.set(socket, { since: performance.now() });
    socket.on("error", () => {});
    socket.once("close", () => this.#held.delete(socket));
    if (this.#options.path === undefined) socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    if (this.#tls === undefined) return this.#join(socket, socket, []);
    const source = sourceOf(socket);
    this.#handshaking.set(source, socket);
    socket.once("close", () => this.#handshaking.delete(source));
    greet(socket, {
      handOn: () => this.#tls!(addressOf(socket.localAddress ?? "")).emit("connection", socket),
      plain: () => this.#unsecured(socket, "client sent an HTTP request to an HTTPS server"),
      refused: () => this.#unsecured(socket, "client offers no key exchange group that is allowed"),
    }, this.#options.tls?.groups ?? []);
  }

  #unsecured({ remoteAddress, remotePort }: net.Socket, why: string): void {
    this.#options.onHandshakeError?.(addressOf(remoteAddress ?? ""), remotePort ?? 0, why);
  }

  #finishHandshake(socket: net.Socket): net.Socket | undefined {
    const source = sourceOf(socket);
    const raw = this.#handshaking.get(source);
    this.#handshaking.delete(source);
    return raw;
  }

  #secured(socket: tls.TLSSocket): void {
    socket.on("error", () => {});
    const raw = this.#finishHandshake(socket);
    const held = raw && this.#held.get(raw);
    if (raw === undefined || held === undefined || socket.destroyed) return void socket.destroy();
    held.secured = socket;
    socket.once("close", () => raw.destroy());
    this.#join(raw, socket, peerCertificates(socket));
  }

  /** Joins a client to the inner server, once there is a way. */
  #join(raw: net.Socket, outer: net.Socket, certificates: readonly Uint8Array[]): void {
    let give: ReturnType<typeof pipe> | undefined;
    const connection: Connection = {
      remoteAddress: addressOf(raw.remoteAddress ?? ""),
      peerCertificates: certificates,
      tls: this.#tls !== undefined,
      upgrade,
      tunnel(other, head, first) {
        return peer.inFlight === 1 && give?.(other, head, first) === true;
      },
    };
    const unheard = this.#unheard.client(), heard = () => unheard.heard();
    outer.once("close", heard);
    const peer: Peer = { connection, inFlight: 0, upgraded: false, requests: 0, quietSince: performance.now(), heard };
    const renew = () => this.#link(peer), flow = flowOf(outer, raw);
    // Until there is a way nobody takes what the client sends: it would all be read into memory.
    flow.pause();
    renew().then((link) => {
      const held = this.#held.get(raw);
      if (held === undefined || outer.destroyed) {
        link.forget();
        link.socket.destroy();
        outer.destroy();
        return;
      }
      held.peer = peer;
      const { lingerMs, socketBytes } = this.#limits;
      const tap = this.#tap(outer, peer);
      const done = () => {
        peer.upgraded = false;
        peer.quietSince = performance.now();
      };
      let said = 0;
      const exchanges = new Exchanges();
      const may = (bytes: number) => {
        if (peer.upgraded) return (said += bytes) <= socketBytes;
        // A stream of HTTP/2 has its window, and its trailers are bounded.
        return exchanges.http2 && peer.inFlight > 0 || !outer.destroyed && unheard.sent(bytes, peer.inFlight);
      };
      give = pipe({ outer, flow, link, renew, exchanges, tap, lingerMs, may, done });
      flow.resume();
    }, () => outer.destroy());
  }

  /** A connection to the inner server, known as the peer's. */
  async #link(peer: Peer): Promise<Link> {
    const socket = await this.#connect();
    socket.setNoDelay(true);
    const { localAddress, localPort } = socket;
    if (localAddress === undefined || localPort === undefined) {
      socket.destroy();
      throw new Error("An internal connection has no source");
    }
    this.#peers.add(localAddress, localPort, peer);
    this.#links.add(socket);
    socket.once("close", () => this.#links.delete(socket));
    return { socket, forget: () => this.#peers.remove(localAddress, localPort) };
  }

  async #connect(): Promise<net.Socket> {
    const localAddress = this.#anyLoopback ? randomLoopback(this.#random) : "127.0.0.1";
    const socket = net.connect({ host: "127.0.0.1", port: this.#inner.port, localAddress });
    try {
      await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
      return socket;
    } catch (error) {
      socket.destroy();
      if (!this.#anyLoopback || !isUnavailable(error)) throw error;
      this.#anyLoopback = false;
      return await this.#connect();
    }
  }

  /** Frames are looked at only where an option needs it. */
  #tap(outer: net.Socket, peer: Peer): Tap | undefined {
    const { maxStreams = 0, goawayChance = 0, sendsAway = false } = this.#options.http2 ?? {};
    if (maxStreams === 0 && goawayChance === 0 && !sendsAway) return undefined;
    const rewriter = new FrameRewriter(maxStreams, (bytes) => void (outer.destroyed || outer.write(bytes)));
    peer.goAway = () => rewriter.goAway();
    return (chunk) => rewriter.push(chunk);
  }

  /** Cuts what is over its time. O(connections), once a second. */
  #sweep(now: number): void {
    const { handshakeMs, firstRequestMs, idleMs } = this.#limits;
    for (const [socket, held] of this.#held) {
      const { since, peer } = held;
      if (peer === undefined) {
        if (now - since > handshakeMs) cut(socket, held);
      } else if (peer.inFlight === 0 && !peer.upgraded) {
        if (now - peer.quietSince > (peer.requests === 0 ? firstRequestMs : idleMs)) cut(socket, held);
      }
    }
  }
}

/**
 * Ends a connection at once, from the TLS socket down. Without its accepted socket a TLS socket still takes a write, and the runtime
 * (2.9.3) then ends the process: it tells of the failed write while it holds what telling needs (docs/limits.md).
 */
function cut(socket: net.Socket, { secured }: Held): void {
  secured?.destroy();
  socket.destroy();
}

/** Ends what is written to a socket; resolves when it is on its way, or cannot be any more. */
const ended = (socket: net.Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : new Promise<void>((done) => socket.once("close", done).end(done));

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRNOTAVAIL";
}

function sourceOf(socket: net.Socket): string {
  return `${socket.remoteAddress}|${socket.remotePort}`;
}

/**
 * Listens, and answers by `handler`.
 * @throws Error when the address is taken, the TLS pair does not load, or TLS is asked for on a unix socket
 */
export async function listen(handler: AppHandler, options: ListenOptions): Promise<Listening> {
  const { path } = options;
  if (path !== undefined && options.tls !== undefined) throw new Error("Cannot listen with TLS on a unix socket");
  if (path !== undefined) await clearStaleSocket(path);
  const front = new Front(handler, options);
  await front.start();
  if (path !== undefined) await protectSocket(path);
  return front;
}
