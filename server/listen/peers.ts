/**
 * Who is at the other end of an internal connection.
 *
 * The inner server sees only the terminator's loopback source; this table says which outer connection it carries. A source is
 * entered before its first byte is forwarded and taken out before its socket goes, so a reused port never finds an old entry.
 */
import type { Connection } from "../request.ts";

/** One outer connection, with what the limits need to know of it. */
export interface Peer {
  readonly connection: Connection;
  /** Requests that the inner server has handed over and not finished. */
  inFlight: number;
  /** Speaks another protocol by now (WebSocket). */
  upgraded: boolean;
  /** Requests so far. */
  requests: number;
  /** When it was opened or its last request ended, by a clock that nobody sets, ms. */
  quietSince: number;
  /** A request begins or ends, or a piece of its body is read: what the client has sent was asked for. */
  heard(): void;
  /** Tells the client to go away, between frames; only where frames are watched. */
  goAway?: () => void;
}

/** Outer connections by internal source. All O(1). */
export class Peers {
  readonly #bySource = new Map<string, Peer>();

  add(address: string, port: number, peer: Peer): void {
    const source = `${address}:${port}`;
    if (this.#bySource.has(source)) throw new Error(`Cannot register the internal source "${source}": it is in use`);
    this.#bySource.set(source, peer);
  }

  find(address: string, port: number): Peer | undefined {
    return this.#bySource.get(`${address}:${port}`);
  }

  remove(address: string, port: number): void {
    this.#bySource.delete(`${address}:${port}`);
  }
}
