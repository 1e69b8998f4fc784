/** A gRPC client of one connection. It connects with the first call, and again with the next one after a loss. */
import type { Call } from "./call.ts";
import { type CallLimits, Ending } from "./ending.ts";
import type { Platform } from "./http2.ts";
import { type KeepAlive, Link } from "./link.ts";
import { GrpcError } from "./status.ts";
import { GrpcStream, type MessageLimits } from "./stream.ts";

/** Options of a client. */
export interface ClientOptions {
  /** Between attempts to connect that fail, ms: at first, and at most. */
  readonly backOff: { readonly first: number; readonly most: number };
  /** Calls wait for somebody who listens, within their time. Otherwise they fail at once, and while the client backs off. */
  readonly waits: boolean;
  readonly limits?: MessageLimits;
  readonly keepAlive?: KeepAlive;
}

/** What others take by default, bytes. */
const LIMITS: MessageLimits = { received: 4 * 1024 * 1024, sent: Infinity };
/** A pause of the back-off to the one before. */
const FACTOR = 1.6;

interface Asked<Q, R> {
  readonly stream: GrpcStream<Q, R>;
  readonly answer: R | undefined;
}

const CLOSED = new GrpcError("Canceled", "the connection is closed");

/** See the top of the file. */
export class GrpcClient {
  readonly #calls = new Set<Ending>();
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  /** The last failure to connect, and the pause after it. */
  #failure: { readonly error: GrpcError; readonly pause: number; readonly until: number } | undefined;
  #closed = false;

  /** @param target as the platform dials it: of a socket its path, or the name of an abstract one after `@` */
  constructor(readonly target: string, readonly platform: Platform, readonly options: ClientOptions) {}

  /** One message each way. @throws GrpcError */
  async call<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<R> {
    const { stream, answer } = await this.#asked(call, request, limits);
    if (answer === undefined) throw new GrpcError("Internal", "Received no message");
    if (await stream.next() === undefined) return answer;
    stream.cancel();
    throw new GrpcError("Internal", "Received more than one message");
  }

  /** One request, and its answers as they come. Who stops to read cancels the call; the signal ends it while one is awaited. @throws GrpcError */
  async *stream<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): AsyncGenerator<R, void> {
    const { stream, answer } = await this.#asked(call, request, limits);
    try {
      for (let at = answer; at !== undefined; at = await stream.next()) yield at;
    } finally {
      stream.cancel();
    }
  }

  /**
   * Connects where there is no connection. Gives what resolves when that takes no more calls.
   * @throws GrpcError when there is none
   */
  async connect(limits: CallLimits): Promise<{ readonly lost: Promise<void> }> {
    const ending = new Ending(limits, (ended) => this.#calls.delete(ended));
    this.#calls.add(ending);
    try {
      return { lost: (await this.#connected(ending)).ended };
    } catch (e) {
      throw this.#explained(e);
    } finally {
      ending.stop();
    }
  }

  /** Messages both ways. @throws GrpcError when there is no connection */
  async open<Q, R>(call: Call<Q, R>, limits: CallLimits): Promise<GrpcStream<Q, R>> {
    const ending = new Ending(limits, (ended) => this.#calls.delete(ended));
    this.#calls.add(ending);
    try {
      try {
        return await this.#begun(call, ending);
      } catch (e) {
        // A GOAWAY that had come, but was not told yet.
        if (e instanceof GrpcError) throw e;
        return await this.#begun(call, ending);
      }
    } catch (e) {
      ending.stop();
      throw this.#explained(e);
    }
  }

  /** Takes no more calls; the connection ends with the last of those under way. */
  leave(): void {
    this.#closed = true;
    this.#link?.leave();
  }

  /** Ends calls under way, and the connection. */
  close(): void {
    this.#closed = true;
    for (const call of this.#calls) call.end(CLOSED);
    this.#link?.close();
  }

  /** Asks, and waits for the first answer. What the server has refused to begin, as it does after GOAWAY, is asked once more. */
  async #asked<Q, R>(call: Call<Q, R>, request: Q, limits: CallLimits): Promise<Asked<Q, R>> {
    const stream = await this.open(call, limits);
    stream.end(request);
    try {
      return { stream, answer: await stream.next() };
    } catch (e) {
      if (!stream.refused) throw e;
    }
    const again = await this.open(call, { ...limits, timeout: stream.left });
    again.end(request);
    return { stream: again, answer: await again.next() };
  }

  async #begun<Q, R>(call: Call<Q, R>, ending: Ending): Promise<GrpcStream<Q, R>> {
    return new GrpcStream(call, this.options.limits ?? LIMITS, await this.#connected(ending), ending);
  }

  async #connected(ending: Ending): Promise<Link> {
    for (;;) {
      if (this.#closed) throw CLOSED;
      if (this.#link?.usable) return this.#link;
      try {
        return await ending.during(this.#opening ??= this.#begin().finally(() => this.#opening = undefined));
      } catch (e) {
        if (!this.options.waits || ending.ended) throw e;
      }
      await ending.pause(this.#backingOff);
    }
  }

  /** Who has waited in vain is told for what; a connection that ends as the call begins is there no more. */
  #explained(e: unknown): GrpcError {
    if (!(e instanceof GrpcError)) return new GrpcError("Unavailable", (e as Error).message, { cause: e });
    const why = this.#failure?.error;
    if (!why || e.status !== "DeadlineExceeded") return e;
    return new GrpcError(e.status, `${e.details}: ${why.details}`, { cause: why });
  }

  /** What is left of the pause, ms. */
  get #backingOff(): number {
    return Math.max((this.#failure?.until ?? 0) - performance.now(), 0);
  }

  async #begin(): Promise<Link> {
    if (this.#failure && this.#backingOff > 0) throw this.#failure.error;
    try {
      const begin = await this.platform.http2();
      const connection = await this.platform.dial(this.target.replace(/^@/, "\0"));
      this.#link = new Link(connection, begin, this.platform.authority, this.options.keepAlive);
      if (this.#closed) this.#link.close();
      await this.#link.ready;
      this.#failure = undefined;
      return this.#link;
    } catch (e) {
      const { first, most } = this.options.backOff;
      const pause = this.#failure ? Math.min(this.#failure.pause * FACTOR, most) : first;
      const why = `No connection established. Last error: connect ${this.target}: ${(e as Error).message}`;
      const error = new GrpcError("Unavailable", why, { cause: e });
      this.#failure = { error, pause, until: performance.now() + pause };
      throw error;
    }
  }
}
