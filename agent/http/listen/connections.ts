/** Connections of a listener, and which of them are over their time. */
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** Times and numbers that connections keep to. */
export interface Limits {
  /** More are closed as they come. */
  readonly connections: number;
  /** From a connection's coming to the end of its handshake, ms. */
  readonly handshakeMs: number;
  /** From there, or the end of a request, to the whole head of the next one, ms. */
  readonly idleMs: number;
  /** From a request's head to the end of its answer, or of the tunnel that it became, ms. */
  readonly answerMs: number;
  /** Requests of one connection that are not answered yet: one that sends more ahead is cut. */
  readonly ahead: number;
}

/** As the public agent's: it keeps idle connections for 90 s, and no request takes more than four hours. */
export const LIMITS: Limits = {
  connections: 4_000,
  handshakeMs: 32_000,
  idleMs: 90_000,
  answerMs: 4 * 3_600_000,
  ahead: 100,
};

/** Who is at the other end of a connection. */
export interface Peer {
  /** The socket that requests come by. */
  readonly socket: Socket;
  /** The accepted one: the same without TLS. */
  readonly raw: Socket;
  /** Of a TLS connection. */
  readonly secure?: TLSSocket;
}

/** A request of a connection, among the others of it. */
export interface Turn {
  /** When those before it are over; absent: there are none. */
  readonly begins?: Promise<void>;
  /** Called at its end, once. */
  over(): void;
}

/** One connection. */
interface Held {
  peer?: Peer;
  /** Requests that are not answered yet; one that became a tunnel stays one. */
  working: number;
  /** The end of the one that came last. */
  last?: Promise<void>;
  /** When it came, its handshake was done, its first request came, or one was answered: the last of these. */
  since: number;
}

/** See the top of the file. */
export class Connections {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #held = new Map<Socket, Held>();
  readonly #bySocket = new WeakMap<Socket, Held>();

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes a connection; false when there are too many. */
  accept(raw: Socket): boolean {
    if (this.#held.size >= this.#limits.connections) return false;
    this.#held.set(raw, { since: this.#now(), working: 0 });
    raw.once("close", () => this.#held.delete(raw));
    return true;
  }

  /** Its handshake is done. False: it has gone meanwhile. */
  join(peer: Peer): boolean {
    const held = this.#held.get(peer.raw);
    if (!held) return false;
    held.peer = peer;
    held.since = this.#now();
    this.#bySocket.set(peer.socket, held);
    return true;
  }

  /** Of the socket that a request came by. */
  peerOf(socket: Socket): Peer | undefined {
    return this.#bySocket.get(socket)?.peer;
  }

  /** A request came; undefined: its connection has sent too many ahead. */
  work(socket: Socket): Turn | undefined {
    const held = this.#bySocket.get(socket);
    if (!held || held.working >= this.#limits.ahead) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>(), { last } = held;
    held.last = promise;
    if (held.working++ === 0) held.since = this.#now();
    const over = () => {
      held.working--;
      held.since = this.#now();
      resolve();
    };
    return held.working === 1 || !last ? { over } : { begins: last, over };
  }

  /** Ends what is over its time. */
  sweep(): void {
    const now = this.#now(), { handshakeMs, idleMs, answerMs } = this.#limits;
    for (const [raw, { since, peer, working }] of this.#held) {
      if (now - since > (!peer ? handshakeMs : working === 0 ? idleMs : answerMs)) cut(raw, peer);
    }
  }

  /** Ends those that do nothing; true when none is left. */
  endIdle(): boolean {
    for (const [raw, { peer, working }] of this.#held) if (working === 0) cut(raw, peer);
    return this.#held.size === 0;
  }

  endAll(): void {
    for (const [raw, { peer }] of this.#held) cut(raw, peer);
  }
}

/**
 * From the TLS socket down: without its accepted socket one still takes a write, and the runtime (2.9.3) then ends the process.
 */
function cut(raw: Socket, peer: Peer | undefined): void {
  peer?.socket.destroy();
  raw.destroy();
}
