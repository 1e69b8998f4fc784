/** An HTTP/2 connection of a client. It keeps the process alive while there are calls. */
import type { Connection, DuplexOptions, Http2Session, Http2Stream, Platform } from "./http2.ts";

/** Bytes read at once. */
const PIECE = 64 * 1024;
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

/** A connection as a stream. @param lost told why it ended, where that was not asked for */
function streamOf(connection: Connection, lost: (why: string) => void): DuplexOptions {
  const buffer = new Uint8Array(PIECE);
  let closed = false;
  return {
    allowHalfOpen: false,
    read() {
      connection.read(buffer).then((count) => {
        if (closed) return;
        if (count === null) lost("the other side closed the connection");
        this.push(count === null ? null : buffer.slice(0, count));
      }, (e: Error) => {
        if (closed) return;
        lost(e.message);
        this.destroy();
      });
    },
    write(chunk, _encoding, done) {
      writeAll(connection, chunk).then(() => done(), (e: Error) => {
        if (!closed) lost(e.message);
        done(e);
      });
    },
    destroy(e, done) {
      closed = true;
      connection.close();
      done(e);
    },
  };
}

async function writeAll(connection: Connection, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}
