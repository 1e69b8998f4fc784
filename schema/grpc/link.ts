/** An HTTP/2 connection of a client. It keeps the process alive while there are calls. */
import { streamOf } from "./byte_stream.ts";
import type { Connection, Http2Session, Http2Stream, Platform } from "./http2.ts";

/** How long the other side may take to say its settings, ms. */
const WITHIN = 20_000;

/** See the top of the file. */
export class Link {
  /** Resolves when the other side has said its settings. @throws Error when the connection is lost before */
  readonly ready: Promise<void>;
  readonly #connection: Connection;
  readonly #session: Http2Session;
  #lost: string | undefined;
  #said = false;
  #leaving = false;
  #calls = 0;

  constructor(connection: Connection, platform: Platform) {
    this.#connection = connection;
    this.#session = platform.session(streamOf(connection, (why) => this.#lost ??= why));
    this.#session.on("goaway", () => this.#leaving = true);
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
        this.#lost ??= "the connection is closed";
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

  /** Begins a call; {@linkcode release} ends it. */
  request(headers: Record<string, string>): Http2Stream {
    const stream = this.#session.request(headers);
    if (this.#calls++ === 0) this.#connection.ref();
    return stream;
  }

  release(): void {
    if (--this.#calls === 0 && this.lost === undefined) this.#connection.unref();
  }

  close(): void {
    this.#session.destroy();
  }
}
