/** Joins an outer and an inner socket: bytes both ways, back-pressure both ways, one end for both. */
import type { Socket } from "node:net";
import type { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import type { Exchanges } from "./exchanges.ts";
import type { Flow } from "../../host/flow.ts";
import { passedToClients } from "./passed_bytes.ts";

/** Changes bytes that are on their way to the client. */
export interface Tap {
  (chunk: Uint8Array): Uint8Array;
}

/** A connection to the inner server, or to another one that the client was given to. */
export interface Link {
  readonly socket: Duplex;
  /** Takes it out of the table of peers: called once, before its socket is destroyed. */
  forget(): void;
}

/** Two sockets to join. */
export interface Pipe {
  readonly outer: Socket;
  /** Of the outer socket. */
  readonly flow: Flow;
  readonly link: Link;
  /** Another one, when the inner server has ended the first. Rejects when there is none. */
  renew(): Promise<Link>;
  /** Of the outer connection. */
  readonly exchanges: Exchanges;
  readonly tap: Tap | undefined;
  readonly lingerMs: number;
  /** Whether the client may send so many bytes more; asked where its exchanges are not followed. Else it is cut. */
  may(bytes: number): boolean;
  /** The inner side is done for good: from now on the client's time runs as of one who asks for nothing. */
  done(): void;
}

/**
 * Pipes until either side ends. The outer client's end cuts the inner side at once, which is how a request of a client that went
 * away is aborted; the inner side's end lets the outer one flush, and for `lingerMs` more, but where {@linkcode Exchanges} says that
 * the next request may go by another link. Returns what gives the client to another server in the inner one's place
 * (`Connection.tunnel`).
 */
export function pipe(parts: Pipe): (other: Duplex, head: Uint8Array, first: Uint8Array) => boolean {
  const joint = new Joint(parts);
  joint.start();
  return (other, head, first) => joint.give(other, head, first);
}

class Joint {
  readonly #parts: Pipe;
  #link: Link | undefined;
  /** Came while there was no link. */
  #waiting: Uint8Array[] = [];
  #ended = false;
  #flushing = false;
  /** The client was given to another server. */
  #given = false;

  constructor(parts: Pipe) {
    this.#parts = parts;
  }

  start(): void {
    const { outer, link } = this.#parts;
    const gone = () => {
      this.#ended = true;
      this.#drop();
    };
    outer.once("end", gone).once("close", gone).on("error", gone);
    outer.on("data", (chunk: Buffer) => this.#fromClient(chunk));
    outer.on("drain", () => this.#link?.socket.resume());
    this.#attach(link);
  }

  /** See `Connection.tunnel`. */
  give(other: Duplex, head: Uint8Array, first: Uint8Array): boolean {
    const { outer, exchanges } = this.#parts;
    if (this.#ended || !this.#link || outer.destroyed || other.destroyed || !exchanges.over) return false;
    this.#drop();
    this.#given = true;
    this.#attach({ socket: other, forget() {} });
    this.#fromInner(head, other);
    if (first.length > 0) this.#fromInner(first, other);
    return true;
  }

  #attach(link: Link): void {
    const { socket } = this.#link = link;
    const ended = () => {
      if (this.#link === link) this.#flush();
    };
    socket.once("end", ended).once("close", ended).on("error", ended);
    socket.on("data", (chunk: Buffer) => this.#link === link && this.#fromInner(chunk, socket));
    socket.on("drain", () => this.#parts.flow.resume());
  }

  /** Takes the link away for good. */
  #drop(): void {
    const link = this.#link;
    this.#link = undefined;
    link?.forget();
    link?.socket.destroy();
  }

  #fromClient(sent: Uint8Array): void {
    const { exchanges, flow, outer, may } = this.#parts;
    if (exchanges.over && !this.#given && !may(sent.length)) return void outer.destroy();
    const chunk = exchanges.over ? sent : exchanges.request(sent);
    if (!this.#link) return this.#wait(chunk);
    const { socket } = this.#link;
    if (!socket.destroyed && !socket.write(chunk)) flow.pause();
  }

  #fromInner(chunk: Uint8Array, inner: Duplex): void {
    const { exchanges, tap, outer, flow } = this.#parts;
    const seen = exchanges.over ? chunk : exchanges.answer(chunk);
    const bytes = tap === undefined ? seen : tap(seen);
    if (bytes.length > 0 && !outer.destroyed && !outer.write(bytes)) inner.pause();
    passedToClients.add(chunk.length);
    if (exchanges.done) return this.#flush();
    if (!exchanges.spent) return;
    this.#drop();
    // It may have been asked to wait for room in the link that is gone.
    flow.resume();
  }

  /** Keeps what came and asks for a link; the client is held back meanwhile. */
  #wait(chunk: Uint8Array): void {
    if (this.#ended) return;
    const { flow, renew, exchanges } = this.#parts;
    flow.pause();
    if (this.#waiting.push(chunk) > 1) return;
    renew().then((link) => {
      if (this.#ended) {
        link.forget();
        link.socket.destroy();
        return;
      }
      exchanges.renewed();
      this.#attach(link);
      for (const bytes of this.#waiting.splice(0)) link.socket.write(bytes);
      flow.resume();
    }, () => this.#flush());
  }

  /**
   * The inner side is done; a client takes the rest as slowly as an idle connection may. Of one who was given to another server all is read off until
   * it goes: who closes before, or leaves something unread, resets the connection, and what is on its way is lost.
   */
  #flush(): void {
    const { outer, flow, lingerMs } = this.#parts;
    this.#ended = true;
    this.#drop();
    if (this.#flushing || outer.destroyed) return;
    this.#flushing = true;
    this.#parts.done();
    if (!this.#given) {
      outer.once("finish", () => {
        const timer = setTimeout(() => outer.destroy(), lingerMs);
        outer.once("close", () => clearTimeout(timer));
      });
    }
    outer.end();
    if (this.#given) flow.resume();
  }
}
