/** Connections through a proxy: plain bytes both ways, on which TLS with the server beyond may begin. */
import { connect as connectPlain, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { hostPort } from "../../schema/values/host_port.ts";
import type { DialLabels, EgressMetrics } from "../metrics/egress.ts";
import type { Dial } from "../grpc/reach.ts";
import { nameOptions } from "../grpc/tls.ts";
import { pauseBelow } from "../../host/flow.ts";
import type { EgressWay, ProxyPlace, ProxyTlsFiles } from "./egress_config.ts";
import { readText } from "./files.ts";

/** Within this time a connection must be there, ms. */
const WITHIN = 30_000;
/** Longest head of a proxy's answer, bytes. */
const MAX_HEAD = 64 * 1024;
const OPTION = "egress-selector-config-file";

/** What goes wrong before a proxy is reached, and after. */
class StageError extends Error {
  constructor(readonly stage: "connect" | "proxy", message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The dialling of a way. @throws Error for TLS files that cannot be used */
export function diallerOf({ protocol, place }: EgressWay, metrics: EgressMetrics): Dial {
  const labels: DialLabels = { protocol, transport: "socket" in place ? "uds" : "tcp" };
  const open = protocol === "grpc" ? grpcOpener(place) : connectOpener(place);
  return async (host, port) => {
    const started = performance.now();
    metrics.started(labels);
    try {
      const socket = await open(hostPort(host, port));
      metrics.connected(labels, performance.now() - started);
      return socket;
    } catch (e) {
      metrics.failed(labels, e instanceof StageError ? e.stage : "connect");
      throw e;
    }
  };
}

/** The dialling through a proxy that takes CONNECT, with the credentials (of `Proxy-Authorization`) where there are some. */
export function dialThrough(place: ProxyPlace, credentials: string): Dial {
  const open = connectOpener(place, credentials);
  return (host, port) => open(hostPort(host, port));
}

type Opener = (address: string) => Promise<Duplex>;

function grpcOpener(place: ProxyPlace): Opener {
  const { socket } = place as { socket: string };
  return async (address) => {
    // Its gRPC is much code: only who asks for it loads it.
    const { tunnel, TunnelError } = await import("./konnectivity.ts");
    try {
      const made = await tunnel(socket, address, WITHIN);
      BELOW.set(made, made.below as unknown as Socket);
      return made;
    } catch (e) {
      const stage = e instanceof TunnelError && e.reached ? "proxy" : "connect";
      throw new StageError(stage, `proxy ${socket}: ${(e as Error).message}`, { cause: e });
    }
  };
}

function connectOpener(place: ProxyPlace, credentials = ""): Opener {
  const begin = beginner(place);
  const name = "socket" in place ? place.socket : `${place.host}:${place.port}`;
  return async (address) => {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(new Error("the connection timed out")), WITHIN);
    try {
      const socket = await connected(begin(), name, end.signal);
      return await asked(socket, name, { address, credentials }, end.signal);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Begins a connection to the proxy. */
function beginner(place: ProxyPlace): () => Socket {
  if ("socket" in place) return () => connectPlain(place.socket);
  const { host, port, tls } = place;
  const plain = () => connectPlain({ host, port, noDelay: true });
  if (!tls) return plain;
  const material = read(tls), name = tls.name || host;
  return () => {
    const below = plain();
    const socket = connectTls({ host, port, ...material, ...nameOptions(name), socket: below });
    below.on("error", (e) => socket.destroy(e)).on("close", () => socket.destroy());
    BELOW.set(socket, below);
    return socket;
  };
}

/** What is below a connection of a proxy that has TLS or speaks gRPC. */
const BELOW = new WeakMap<Duplex, Socket>();

/** The connection whose reading can be stopped at the system: under a dialled one, or it itself. */
export const bottomOf = (dialled: Duplex): Socket => BELOW.get(dialled) ?? dialled as Socket;

/** Has a dialled connection that is used as it is stop at the system when it is paused. */
export function heldBack(dialled: Duplex): Duplex {
  const bottom = bottomOf(dialled);
  if (bottom !== dialled) pauseBelow(dialled as Socket, bottom);
  return dialled;
}

function read({ ca, cert, key }: ProxyTlsFiles) {
  const authorities = ca === "" ? {} : { ca: readText(OPTION, ca) };
  if (cert === "") return authorities;
  const pair = { cert: readText(OPTION, cert), key: readText(OPTION, key) };
  const fail = (path: string, why: string, cause?: unknown): never => {
    throw new Error(`--${OPTION}: ${JSON.stringify(path)}: ${why}`, { cause });
  };
  const parsed = (path: string, text: string): X509Certificate => {
    try {
      return new X509Certificate(text);
    } catch (e) {
      return fail(path, "is no certificate", e);
    }
  };
  if (authorities.ca !== undefined) parsed(ca, authorities.ca);
  const certificate = parsed(cert, pair.cert);
  try {
    if (certificate.checkPrivateKey(createPrivateKey(pair.key))) return { ...pair, ...authorities };
  } catch (e) {
    fail(key, "is no private key", e);
  }
  return fail(key, `is not the key of ${JSON.stringify(cert)}`);
}

/** Waits until the proxy is there. */
function connected(socket: Socket, name: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => {
      socket.destroy();
      settle(() => reject(new StageError("connect", `proxy ${name}: ${why}`, { cause })));
    };
    const failed = (e: Error) => fail(e.message || String((e as { code?: string }).code), e);
    const closed = () => fail("the connection was closed");
    const cut = () => fail((signal.reason as Error).message);
    const there = "encrypted" in socket ? "secureConnect" : "connect";
    const ready = () => settle(() => resolve(socket));
    const settle = (work: () => void) => {
      socket.off("error", failed).off("close", closed).off(there, ready);
      // An error that comes later must find somebody.
      socket.on("error", () => socket.destroy());
      signal.removeEventListener("abort", cut);
      work();
    };
    socket.once("error", failed).once("close", closed).once(there, ready);
    signal.addEventListener("abort", cut, { once: true });
  });
}

/** What a proxy is asked for, and by whom. */
interface Asked {
  readonly address: string;
  readonly credentials: string;
}

/** Asks the proxy for a connection, and waits for its answer. */
function asked(
  socket: Socket,
  name: string,
  { address, credentials }: Asked,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let head = "";
    const fail = (why: string) => {
      socket.destroy();
      settle(() => reject(new StageError("proxy", `proxy ${name}: ${why}`)));
    };
    const failed = (e: Error) => fail(e.message);
    const closed = () => fail(`closed the connection while asked for ${address}`);
    const cut = () => fail((signal.reason as Error).message);
    const read = (chunk: Uint8Array) => {
      head += LATIN1.decode(chunk);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return head.length > MAX_HEAD && fail("sent too long a head");
      const status = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?\r\n/.exec(head);
      if (!status) return fail("sent no HTTP answer");
      if (status[1] !== "200") {
        return fail(`answered ${`${status[1]} ${status[2] ?? ""}`.trim()} when asked for ${address}`);
      }
      // A server that speaks first may have done so already.
      const more = head.length - end - 4;
      socket.pause();
      settle(() => resolve(socket));
      if (more > 0) socket.unshift(chunk.subarray(chunk.length - more));
    };
    const settle = (work: () => void) => {
      socket.off("error", failed).off("close", closed).off("data", read);
      signal.removeEventListener("abort", cut);
      work();
    };
    socket.once("error", failed).once("close", closed).on("data", read);
    signal.addEventListener("abort", cut, { once: true });
    const who = credentials === "" ? "" : `Proxy-Authorization: ${credentials}\r\n`;
    socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}\r\n${who}\r\n`);
  });
}

const LATIN1 = new TextDecoder("latin1");
