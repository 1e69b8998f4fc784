/** Connections through a proxy that speaks konnectivity: a gRPC stream on a Unix socket carries the bytes of one connection. */
import { Duplex } from "node:stream";
import { UNIX } from "../../host/grpc.ts";
import { callOf } from "../../schema/grpc/call.ts";
import { type ClientOptions, GrpcClient } from "../../schema/grpc/client.ts";
import type { GrpcError } from "../../schema/grpc/status.ts";
import type { GrpcStream } from "../../schema/grpc/stream.ts";
import type { Table } from "../../schema/grpc/wire.ts";

const TYPE = { dial: 0, dialed: 1, close: 2, closed: 3, data: 4, cancel: 5 } as const;
/** The packet of that protocol. Exported for proxies of tests. */
export const PACKET: Table = [
  [1, "type", "enum"],
  [2, "dial", [[1, "protocol", "string"], [2, "address", "string"], [3, "random", "id"]]],
  [3, "dialed", [[1, "error", "string"], [2, "id", "id"], [3, "random", "id"]]],
  [4, "data", [[1, "id", "id"], [2, "error", "string"], [3, "bytes", "bytes"]]],
  [5, "close", [[1, "id", "id"]]],
  [6, "closed", [[1, "error", "string"], [2, "id", "id"]]],
  [7, "cancel", [[1, "random", "id"]]],
];

/** One of the payloads, as its type says. */
export interface Packet {
  readonly type?: number;
  readonly dial?: { readonly protocol: string; readonly address: string; readonly random: bigint };
  readonly dialed?: { readonly error?: string; readonly id?: bigint; readonly random?: bigint };
  readonly data?: { readonly id?: bigint; readonly error?: string; readonly bytes?: Uint8Array };
  readonly close?: { readonly id?: bigint };
  readonly closed?: { readonly error?: string; readonly id?: bigint };
  readonly cancel?: { readonly random: bigint };
}

const PROXY = callOf<Packet, Packet>("/ProxyService/Proxy", PACKET, PACKET);
type Stream = GrpcStream<Packet, Packet>;

const OPTIONS: ClientOptions = { backOff: { first: 100, most: 1_000 }, waits: true };

/** Bytes of one packet at most. */
const PIECE = 64 * 1024;
/** How long the proxy may take to say that a connection is closed, ms. */
const CLOSING = 10_000;

/** Why there is no connection. */
export class TunnelError extends Error {
  /** `reached`: the proxy answered. */
  constructor(message: string, readonly reached: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}

/**
 * Opens a connection to `host:port` through the proxy behind a socket.
 * @throws TunnelError when there is none in so many ms
 */
export async function tunnel(socket: string, address: string, within: number): Promise<Tunnel> {
  const client = new GrpcClient(socket, UNIX, OPTIONS);
  try {
    const stream = await opened(client, within);
    return new Tunnel(client, stream, await dialled(stream, address, within));
  } catch (e) {
    client.close();
    throw e;
  }
}

async function opened(client: GrpcClient, within: number): Promise<Stream> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), within);
  try {
    return await client.open(PROXY, { signal: late.signal });
  } catch (e) {
    throw new TunnelError("is not reached", false, { cause: e });
  } finally {
    clearTimeout(timer);
  }
}

/** Asks for the connection; its id. */
async function dialled(stream: Stream, address: string, within: number): Promise<bigint> {
  const random = new DataView(crypto.getRandomValues(new Uint8Array(8)).buffer).getBigUint64(0) >> 1n;
  const fault = (why: string, cause?: unknown) => new TunnelError(`${why} when asked for ${address}`, true, { cause });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stream.write({ type: TYPE.cancel, cancel: { random } });
    stream.cancel();
  }, within);
  const next = () =>
    stream.next().catch((e: GrpcError) => {
      throw fault(late ? "did not answer in time" : e.details, e);
    });
  try {
    stream.write({ type: TYPE.dial, dial: { protocol: "tcp", address, random } });
    for (let packet = await next(); packet; packet = await next()) {
      const { type = TYPE.dial, dialed = {} } = packet;
      if (type === TYPE.cancel) throw fault("gave up");
      if (type !== TYPE.dialed || (dialed.random ?? 0n) !== random) continue;
      if (dialed.error) throw fault(`answered ${JSON.stringify(dialed.error)}`);
      return dialed.id ?? 0n;
    }
    throw fault("ended the stream");
  } finally {
    clearTimeout(timer);
  }
}

/** The connection. What sockets can be told besides is nothing to it. */
export class Tunnel extends Duplex {
  readonly connecting = false;
  readonly #client: GrpcClient;
  readonly #stream: Stream;
  readonly #id: bigint;
  #open = true;
  /** What is below, as sockets have it: stops and starts the reading; a stopped one does not start because there is room. */
  readonly below = {
    _handle: { readStop: (): number => this.#hold(true), readStart: (): number => this.#hold(false) },
  };
  #held = false;
  #hungry = false;
  #go: () => void = () => {};
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor(client: GrpcClient, stream: Stream, id: bigint) {
    super();
    this.#client = client;
    this.#stream = stream;
    this.#id = id;
    this.#receive().then(() => this.#closed(undefined), (e: Error) => this.#closed(e));
  }

  async #receive(): Promise<void> {
    for (;;) {
      while (this.#held || !this.#hungry) await new Promise<void>((go) => this.#go = go);
      const packet = await this.#stream.next();
      if (packet === undefined || !this.#open) return;
      this.#take(packet);
    }
  }

  #take({ type, data, closed }: Packet): void {
    this.#stirred = performance.now();
    if (type === TYPE.data && data?.bytes?.length) {
      if (!this.destroyed) this.#hungry = this.push(data.bytes);
    } else if (type === TYPE.closed) this.#closed(closed?.error ? new Error(closed.error) : undefined);
  }

  /** The other side is done. */
  #closed(e: Error | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#leaving);
    this.#client.close();
    if (this.destroyed) return;
    if (e) this.destroy(e);
    else {
      this.push(null);
      this.end();
    }
  }

  #hold(held: boolean): number {
    this.#held = held;
    this.#go();
    return 0;
  }

  override _read(): void {
    this.#hungry = true;
    this.#go();
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (e?: Error) => void): void {
    if (!this.#open) return done(new Error("the connection is closed"));
    this.#stirred = performance.now();
    this.#send(chunk).then(() => done());
  }

  async #send(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; at += PIECE) {
      await this.#stream.write({ type: TYPE.data, data: { id: this.#id, bytes: chunk.subarray(at, at + PIECE) } });
    }
  }

  override _final(done: () => void): void {
    done();
  }

  override _destroy(e: Error | null, done: (e: Error | null) => void): void {
    clearTimeout(this.#idle);
    if (this.#open) this.#leave();
    done(e);
  }

  /** Tells the proxy, and waits for its word a while. */
  #leave(): void {
    this.#hungry = true;
    this.#hold(false);
    this.#stream.write({ type: TYPE.close, close: { id: this.#id } });
    this.#stream.end();
    this.#leaving = setTimeout(() => this.#closed(undefined), CLOSING);
    Deno.unrefTimer(this.#leaving as unknown as number);
  }

  /** As sockets do it: who keeps connections that nobody uses ends them by this. Emits `timeout` after so many ms without a byte. */
  setTimeout(ms: number): this {
    this.timeout = ms;
    clearTimeout(this.#idle);
    this.#stirred = performance.now();
    if (ms > 0 && !this.destroyed) this.#wait(ms);
    return this;
  }
  timeout = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #stirred = 0;

  #wait(ms: number): void {
    this.#idle = setTimeout(() => {
      const left = this.timeout - (performance.now() - this.#stirred);
      if (left > 0) this.#wait(left);
      else this.emit("timeout");
    }, ms);
    Deno.unrefTimer(this.#idle as unknown as number);
  }

  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
