/** An HTTP/2 connection of a client. It keeps the process alive while there are calls. */
import { streamOf } from "./byte_stream.ts";
import type { BeginSession, Connection, Http2Session, Http2Stream } from "./http2.ts";
import { SentFrames } from "./sent_frames.ts";

/** How long the other side may take to say its settings, ms. */
const WITHIN = 20_000;

/** While there are calls, the other side is asked for a sign of life every so many ms, and lost when none comes within so many. */
export interface KeepAlive {
  readonly every: number;
  readonly within: number;
}

/** See the top of the file. */
export class Link {
  /** Resolves when the other side has said its settings. @throws Error when the connection is lost before */
  readonly ready: Promise<void>;
  /** Resolves when it is no more, or takes no more calls. */
  readonly ended: Promise<void>;
  readonly #connection: Connection;
  readonly #session: Http2Session;
  readonly #authority: string | undefined;
  #lost: string | undefined;
  #said = false;
  #leaving = false;
  #calls = 0;
  readonly #keepAlive: KeepAlive | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;
  /** Who is told what has been sent, by stream. */
  readonly #sent = new Map<number, (count: number) => void>();

  /** @param authority what calls name as the server; without, its host and port */
  constructor(connection: Connection, begin: BeginSession, authority?: string, keepAlive?: KeepAlive) {
    this.#connection = connection;
    this.#authority = authority;
    this.#keepAlive = keepAlive;
    const frames = new SentFrames((stream, count) => this.#sent.get(stream)?.(count));
    const lost = (why: string) => this.#lost ??= why;
    this.#session = begin(streamOf(connection, lost, (bytes) => frames.read(bytes)));
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    this.#session.on("goaway", () => {
      this.#leaving = true;
      ended.resolve();
    });
    this.#session.on("error", (e: Error) => this.#lost ??= e.message);
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#lost ??= `no settings in ${WITHIN / 1000} s`;
        this.close();
      }, WITHIN);
      this.#session.on("remoteSettings", () => {
        clearTimeout(timer);
        this.#said = true;
        if (this.#calls === 0) connection.unref();
        resolve();
      });
      this.#session.on("close", () => {
        clearTimeout(timer);
        clearTimeout(this.#asking);
        this.#lost ??= "the connection is closed";
        ended.resolve();
        reject(new Error(this.#lost));
      });
    });
    // Calls see it too.
    this.ready.catch(() => {});
  }

  /** May take more calls. */
  get usable(): boolean {
    return this.#said && !this.#leaving && this.lost === undefined && !this.#session.closed;
  }

  /** Why there is no connection any more. */
  get lost(): string | undefined {
    return this.#lost ?? (this.#session.destroyed ? "the connection is closed" : undefined);
  }

  /**
   * Begins a call; {@linkcode release} ends it. @param sent told of bytes of the request's body that have been sent
   * @throws Error when the other side takes no more calls
   */
  request(headers: Record<string, string>, sent: (count: number) => void): Http2Stream {
    const stream = this.#begun(headers);
    this.#sent.set(stream.id!, sent);
    if (this.#calls++ === 0) {
      this.#connection.ref();
      this.#ask();
    }
    return stream;
  }

  #begun(headers: Record<string, string>): Http2Stream {
    try {
      const named = this.#authority === undefined ? headers : { ":authority": this.#authority, ...headers };
      return this.#session.request(named);
    } catch (e) {
      this.#leaving = true;
      throw e;
    }
  }

  release(stream: Http2Stream): void {
    this.#sent.delete(stream.id!);
    if (--this.#calls > 0) return;
    clearTimeout(this.#asking);
    if (this.#leaving) this.#session.close();
    else if (this.lost === undefined) this.#connection.unref();
  }

  /** Takes no more calls, and ends with the last of those under way. */
  leave(): void {
    this.#leaving = true;
    if (this.#calls === 0) this.close();
  }

  close(): void {
    this.#session.destroy();
  }

  #ask(): void {
    if (!this.#keepAlive) return;
    const { every, within } = this.#keepAlive;
    this.#asking = setTimeout(() => {
      this.#asking = setTimeout(() => {
        this.#lost ??= `no sign of life within ${within / 1000} s`;
        this.close();
      }, within);
      this.#session.ping(() => {
        clearTimeout(this.#asking);
        if (this.#calls > 0 && this.lost === undefined) this.#ask();
      });
    }, every);
  }
}
