/** Connections by which requests are passed on: HTTP/1.1, with the authority of each server, kept open between requests. */
import type { ClientRequest, IncomingMessage } from "node:http";
import type https from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { ConnectionOptions } from "node:tls";
import { compact } from "../../schema/values/bytes.ts";
import { readsOn } from "../../schema/values/reads_on.ts";
import { sentOnce } from "../../schema/values/sent_once.ts";
import { pauseBelow } from "../../host/flow.ts";
import type { Network } from "../network.ts";
import { DialTurns, type GiveBack } from "./dial_turns.ts";
import type { Egress } from "./egress.ts";
import { plainOver, secureOver } from "./egress_agent.ts";
import { pinned } from "./pinned_agent.ts";
import type { Dial } from "../grpc/reach.ts";
import { pastStale, told } from "./https_exchange.ts";
import { boundInterimAnswers } from "./interim_answers.ts";
import type {
  ProxyAnswer,
  ProxyHeaders,
  ProxyRequest,
  ProxyTarget,
  ProxyTransport,
  ProxyTunnel,
} from "../proxy/types.ts";

/** Connections kept without use, to one server. How many are in use is bounded by the requests of clients. */
const MAX_IDLE = 25;
/** How long an idle connection is kept, ms. */
const IDLE_MS = 90_000;
/** Within this time a connection must be there, TLS included, where the target says no other, ms. */
const CONNECT_MS = 30_000;
/** After so long without a byte the system asks whether the other side is there. */
const ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 } as const;
/** Methods, without a body, of which it is all the same whether the other server has heard them before. */
const AGAIN = new Set(["GET", "HEAD", "OPTIONS"]);
/** Bytes of an answer that wait for the client. */
const WAITING = 64 * 1024;

/** The clients and what they keep open. */
interface Clients {
  readonly request: typeof https.request;
  readonly requestPlain: typeof https.request;
  readonly secure: https.Agent;
  /** Keeps nothing. */
  readonly once: https.Agent;
  readonly plain: https.Agent;
  readonly oncePlain: https.Agent | false;
}

const again = ({ method, body }: ProxyRequest): boolean => body === null && AGAIN.has(method);

/** The process's transport. Nothing is loaded or opened before the first request. */
export function proxyTransport(egress?: Egress): ProxyTransport {
  const clients = new Map<Network | undefined, Promise<Clients>>();
  const to = (network: Network | undefined): Promise<Clients> => {
    let known = clients.get(network);
    if (!known) clients.set(network, known = load(egress?.to(network)));
    return known;
  };
  const open = async (target: ProxyTarget, request: ProxyRequest, upgrade: boolean) => {
    const { request: secure, requestPlain, ...agents } = await to(egress && target.network);
    const agent = target.tls ? (upgrade ? agents.once : agents.secure) : upgrade ? agents.oncePlain : agents.plain;
    return sentOnce((target.tls ? secure : requestPlain)(
      { ...optionsOf(target, request), agent } as https.RequestOptions,
    ));
  };
  const turns = new DialTurns();
  const exchanged = async (target: ProxyTarget, request: ProxyRequest, signal: AbortSignal, upgrade: boolean) => {
    const { tls, network, host, port, connectMs = CONNECT_MS } = target;
    const giveBack = tls ? await turns.turn(`${network} ${host} ${port}`, connectMs, signal) : () => {};
    try {
      return await exchange(await open(target, request, upgrade), connectMs, giveBack, request, signal, upgrade);
    } finally {
      giveBack();
    }
  };
  return {
    async send(target, request, signal) {
      const once = async () => await exchanged(target, request, signal, false) as ProxyAnswer;
      return await pastStale(once, () => !again(request) || signal.aborted);
    },
    upgrade: (target, request, signal) => exchanged(target, request, signal, true),
    close() {
      for (const one of clients.values()) {
        one.then(({ secure, plain }) => {
          secure.destroy();
          plain.destroy();
        });
      }
    },
  };
}

async function load(dial: Dial | undefined): Promise<Clients> {
  const [{ default: https }, { default: http }, { default: tls }, { default: net }] = await Promise.all([
    import("node:https"),
    import("node:http"),
    import("node:tls"),
    import("node:net"),
  ]);
  const overTls = (agent: https.Agent) => pinned(dial ? secureOver(agent, dial) : bounded(agent, tls, net));
  const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS, scheduling: "lifo" } as const;
  return {
    request: https.request,
    requestPlain: http.request as typeof https.request,
    secure: overTls(new https.Agent(kept)),
    once: overTls(new https.Agent()),
    plain: plainOver(new http.Agent(kept), dial) as https.Agent,
    oncePlain: dial ? plainOver(new http.Agent(), dial) as https.Agent : false,
  };
}

/** Has the agent's connections stop at the system when they are paused, which those of the runtime do not. */
function bounded(agent: https.Agent, tls: typeof import("node:tls"), net: typeof import("node:net")): https.Agent {
  const createConnection = (options: ConnectionOptions) => {
    const raw = net.connect({ ...ALIVE, host: options.host!, port: Number(options.port), noDelay: true });
    const socket = tls.connect({ ...options, socket: raw });
    pauseBelow(socket, raw);
    return socket;
  };
  return Object.assign(agent, { createConnection });
}

function optionsOf({ host, port, tls, authority, path }: ProxyTarget, request: ProxyRequest): https.RequestOptions {
  return {
    method: request.method,
    host,
    port,
    path,
    setHost: false,
    headers: grouped([["host", authority], ...framed(request)]),
    ...(tls
      ? {
        // Empty: the host's address is verified. Absent would be the name in the header `Host`, which may be the client's.
        servername: isIP(tls.name) ? "" : tls.name,
        ...(tls.ca ? { ca: tls.ca } : {}),
        ...(tls.cert && tls.key ? { cert: tls.cert, key: tls.key } : {}),
        rejectUnauthorized: !tls.insecure,
      }
      : {}),
  };
}

/**
 * Headers that say where the body ends: what follows a request on its connection is never taken for a part of it, nor a part for more.
 * A length that a client has told twice (`3, 3`) is one that not every server reads.
 */
function framed({ headers, body }: ProxyRequest): ProxyHeaders {
  const told = headers.find(isLength);
  if (body !== null && told && /^\d+$/.test(told[1])) return headers;
  const others = told ? headers.filter((h) => !isLength(h)) : headers;
  return body !== null ? [...others, ["transfer-encoding", "chunked"]] : others;
}

const isLength = ([name]: ProxyHeaders[number]): boolean => name.toLowerCase() === "content-length";

/** Values by names; those of one name in their order. */
function grouped(headers: ProxyHeaders): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const before = Object.hasOwn(out, name) ? out[name] : undefined;
    out[name] = before === undefined ? value : [before, value].flat();
  }
  return out;
}

function exchange(
  request: ClientRequest,
  connectMs: number,
  giveBack: GiveBack,
  sent: ProxyRequest,
  signal: AbortSignal,
  upgrade: boolean,
): Promise<ProxyAnswer | ProxyTunnel> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      request.destroy();
      reject(signal.reason);
    };
    const failed = (e: Error) => {
      signal.removeEventListener("abort", cancel);
      reject(signal.aborted ? signal.reason : told(request, e));
    };
    request.on("error", failed);
    boundInterimAnswers(request, failed);
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel, { once: true });
    const over = () => signal.removeEventListener("abort", cancel);
    connectWithin(request, connectMs, giveBack, failed);
    request.once("response", (response) => resolve(answerOf(response, request, signal, over)));
    // After an answer or a failure this says nothing more. The runtime ends some without a word.
    request.once("close", () => reject(new Error("the connection was closed without an answer")));
    request.once("upgrade", (response, stream, head) => {
      if (!upgrade) {
        stream.destroy();
        return failed(new Error("the server answered with an upgrade that nobody asked for"));
      }
      readsOn(stream);
      stream.once("close", over).on("error", () => stream.destroy());
      signal.addEventListener("abort", () => stream.destroy(), { once: true });
      resolve({ status: 101, headers: pairs(response), first: head, stream: stream as Duplex });
    });
    void send(request, sent, signal);
  });
}

/** Ends a request whose connection is not there in time. While it is dialled by a proxy's way the request itself says nothing. */
function connectWithin(request: ClientRequest, ms: number, giveBack: GiveBack, failed: (e: Error) => void): void {
  const late = () => {
    const e = new Error("the connection timed out");
    giveBack(e);
    request.destroy(e);
    failed(e);
  };
  const timer = setTimeout(late, ms);
  const there = () => {
    clearTimeout(timer);
    giveBack();
  };
  request.once("close", there).once("response", there).once("error", there).once("upgrade", there);
  request.once("socket", (socket) => {
    // A dialled connection without TLS, and one whose certificate was looked at here, is there when the request gets it.
    const [begun, opening] = "encrypted" in socket
      ? ["secureConnect", Reflect.get(socket, "secureConnecting") !== false] as const
      : ["connect", socket.connecting] as const;
    if (request.reusedSocket || !opening) return there();
    socket.once(begun, there);
  });
}

/**
 * Sends the body. One of a known length ends with its last chunk: where an answer comes while the end is still to be
 * written, the runtime keeps the connection, and the next request on it is never sent.
 */
async function send(
  request: ClientRequest,
  { body, headers }: ProxyRequest,
  signal: AbortSignal,
): Promise<void> {
  if (body === null) return void request.end();
  if (headers.some(([, value]) => BEYOND_ASCII.test(value))) await headSent(request);
  const length = headers.find(isLength)?.[1] ?? "";
  let left = /^\d+$/.test(length) ? Number(length) : Infinity;
  const reader = body.getReader();
  request.once("close", () => void reader.cancel().catch(() => {}));
  // Answered before all was sent: the connection is not used again.
  request.once("response", (response) => left > 0 && response.once("end", () => request.destroy()));
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      left -= next.value.length;
      // Small pieces wait together, each in 64 KiB of the runtime's otherwise.
      const bytes = compact(next.value);
      if (left <= 0) return void request.end(bytes);
      if (!request.write(bytes)) await drained(request);
    }
    request.end();
  } catch (e) {
    // A client that goes in the midst of its body has asked for nothing.
    request.destroy(signal.aborted ? signal.reason : e as Error);
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Sends the head by itself, a byte for each character of its values. Where head and body go over TLS in one piece, the runtime
 * writes characters beyond ASCII as two bytes each.
 */
function headSent(request: ClientRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  request.once("close", () => resolve());
  request.write("", "latin1", () => resolve());
  return promise;
}

/** Resolves when more can be written, or nothing can any more. */
function drained(request: ClientRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    request.off("drain", done).off("close", done);
    resolve();
  };
  request.on("drain", done).on("close", done);
  return promise;
}

/** The answer; its body is read from the connection as fast as it is taken. */
function answerOf(
  response: IncomingMessage,
  request: ClientRequest,
  signal: AbortSignal,
  over: () => void,
): ProxyAnswer {
  let ended = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const finish = (end: () => void) => {
        if (ended) return;
        ended = true;
        over();
        end();
      };
      response.on("data", (chunk: Uint8Array) => {
        if (ended) return;
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) response.pause();
      });
      response.once("end", () => finish(() => controller.close()));
      const broken = (e?: Error) =>
        finish(() => {
          if (signal.aborted && isPlain(signal.reason)) controller.close();
          else controller.error(signal.aborted ? signal.reason : e ?? new Error("the answer was cut off"));
        });
      response.on("error", broken).once("aborted", () => broken()).once("close", () => broken());
    },
    pull: () => void response.resume(),
    cancel() {
      ended = true;
      over();
      request.destroy();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: WAITING }));
  return { status: response.statusCode ?? 0, headers: pairs(response), body };
}

/** The abort of somebody who gave no reason: whoever read the answer is gone, and nobody is to be told. */
const isPlain = (reason: unknown): boolean => reason instanceof DOMException && reason.name === "AbortError";

function pairs({ rawHeaders }: IncomingMessage): ProxyHeaders {
  const out: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) out.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return out;
}
