/** Connections through a proxy that speaks konnectivity: a gRPC stream on a Unix socket carries the bytes of one connection. */
import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";
import * as grpc from "@grpc/grpc-js";
import { decode, encode, type Table } from "../../schema/grpc/wire.ts";

const PATH = "/ProxyService/Proxy";
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

type Stream = grpc.ClientDuplexStream<Packet, Packet>;

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
  const client = new grpc.Client(`unix:${socket.startsWith("@") ? `\0${socket.slice(1)}` : socket}`, INSECURE, {
    "grpc.default_authority": "localhost",
    "grpc.enable_retries": 0,
    "grpc.max_receive_message_length": -1,
    "grpc.use_local_subchannel_pool": 1,
  });
  try {
    await ready(client, within);
    const stream = client.makeBidiStreamRequest(PATH, bytesOf, packetOf);
    const id = await dialled(stream, address, within);
    return new Tunnel(client, stream, id);
  } catch (e) {
    client.close();
    throw e;
  }
}

const INSECURE = grpc.credentials.createInsecure();
const bytesOf = (packet: Packet): Buffer => Buffer.from(encode(PACKET, packet));
const packetOf = (bytes: Buffer): Packet => decode<Packet>(PACKET, Uint8Array.from(bytes));

function ready(client: grpc.Client, within: number): Promise<void> {
  return new Promise((resolve, reject) =>
    client.waitForReady(
      Date.now() + within,
      (e) => e ? reject(new TunnelError("is not reached", false, { cause: e })) : resolve(),
    )
  );
}

/** Asks for the connection; its id. */
function dialled(stream: Stream, address: string, within: number): Promise<bigint> {
  const random = new DataView(crypto.getRandomValues(new Uint8Array(8)).buffer).getBigUint64(0) >> 1n;
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => {
      settle();
      stream.on("error", () => {});
      stream.cancel();
      reject(new TunnelError(`${why} when asked for ${address}`, true, { cause }));
    };
    const timer = setTimeout(() => {
      stream.write({ type: TYPE.cancel, cancel: { random } });
      fail("did not answer in time");
    }, within);
    const failed = (e: Error) => fail((e as Partial<grpc.ServiceError>).details || e.message, e);
    const ended = () => fail("ended the stream");
    const read = ({ type = TYPE.dial, dialed = {} }: Packet) => {
      if (type === TYPE.cancel) return fail("gave up");
      if (type !== TYPE.dialed || (dialed.random ?? 0n) !== random) return;
      if (dialed.error) return fail(`answered ${JSON.stringify(dialed.error)}`);
      settle();
      stream.pause();
      resolve(dialed.id ?? 0n);
    };
    const settle = () => {
      clearTimeout(timer);
      stream.off("data", read).off("error", failed).off("end", ended);
    };
    stream.on("data", read).on("error", failed).on("end", ended);
    stream.write({ type: TYPE.dial, dial: { protocol: "tcp", address, random } });
  });
}

/** The connection. What sockets can be told besides is nothing to it. */
export class Tunnel extends Duplex {
  readonly connecting = false;
  readonly #client: grpc.Client;
  readonly #stream: Stream;
  readonly #id: bigint;
  #open = true;
  /** What is below, as sockets have it: stops and starts the reading; a stopped one does not start because there is room. */
  readonly below = {
    _handle: { readStop: (): number => this.#hold(true), readStart: (): number => this.#hold(false) },
  };
  #held = false;

  constructor(client: grpc.Client, stream: Stream, id: bigint) {
    super();
    this.#client = client;
    this.#stream = stream;
    this.#id = id;
    stream.on("data", (packet: Packet) => this.#take(packet));
    stream.on("error", (e) => this.#closed(e));
    stream.on("end", () => this.#closed(undefined));
    stream.pause();
  }

  #take({ type, data, closed }: Packet): void {
    this.#stirred = performance.now();
    if (type === TYPE.data && data?.bytes?.length) {
      if (!this.push(data.bytes)) this.#stream.pause();
    } else if (type === TYPE.closed) this.#closed(closed?.error ? new Error(closed.error) : undefined);
  }

  /** The other side is done. */
  #closed(e: Error | undefined): void {
    if (!this.#open) return;
    this.#open = false;
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
    if (held) this.#stream.pause();
    else this.#stream.resume();
    return 0;
  }

  override _read(): void {
    if (!this.#held) this.#stream.resume();
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (e?: Error) => void): void {
    if (!this.#open) return done(new Error("the connection is closed"));
    this.#stirred = performance.now();
    let more = true;
    for (let at = 0; at < chunk.length; at += PIECE) {
      const bytes = new Uint8Array(chunk.subarray(at, at + PIECE));
      more = this.#stream.write({ type: TYPE.data, data: { id: this.#id, bytes } });
    }
    if (more) return done();
    const drained = () => {
      this.#stream.off("drain", drained).off("close", drained);
      done();
    };
    this.#stream.on("drain", drained).on("close", drained);
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
    this.#stream.resume();
    this.#stream.write({ type: TYPE.close, close: { id: this.#id } });
    this.#stream.end();
    const timer = setTimeout(() => {
      this.#stream.cancel();
      this.#closed(undefined);
    }, CLOSING);
    Deno.unrefTimer(timer as unknown as number);
    this.#stream.once("close", () => clearTimeout(timer));
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
