/** What a gRPC client needs of its process: of `node:http2`, `node:stream` and sockets so much as is used. */

/** Headers and trailers. */
export type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** What tells of events: these tell something with it. */
export interface Emitter {
  on(event: "error", listener: (e: Error) => void): unknown;
  on(event: "response", listener: (headers: Headers, flags: number) => void): unknown;
  on(event: "trailers", listener: (trailers: Headers) => void): unknown;
  on(event: "data", listener: (piece: Uint8Array) => void): unknown;
  on(event: string, listener: () => void): unknown;
}

/** One request and its answer. */
export interface Http2Stream extends Emitter {
  /** There from the beginning where the other side has said its settings. */
  readonly id?: number | undefined;
  readonly rstCode: number;
  readonly writableEnded: boolean;
  /** Holds all that there is no room for yet. */
  write(bytes: Uint8Array): unknown;
  end(bytes?: Uint8Array): unknown;
  /** Resets it with the code. */
  close(code: number): void;
  pause(): unknown;
  resume(): unknown;
}

/** An HTTP/2 connection, from the client's side. */
export interface Http2Session extends Emitter {
  readonly closed: boolean;
  readonly destroyed: boolean;
  request(headers: Record<string, string>): Http2Stream;
  /** Asks for a sign of life; `answered` is told of it. */
  ping(answered: () => void): boolean;
  /** Ends when the streams have ended. */
  close(): void;
  destroy(): void;
}

/** A connection of bytes. What is pending on it keeps the process alive unless it is `unref`. */
export interface Connection {
  /** Resolves to the count of bytes; null: the other side is done. */
  read(into: Uint8Array): Promise<number | null>;
  /** Resolves to the count of bytes taken. */
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
  ref(): void;
  unref(): void;
}

/** What a stream of bytes is made of. */
export interface DuplexOptions {
  readonly allowHalfOpen: boolean;
  read(this: Readable): void;
  write(chunk: Uint8Array, encoding: string, done: (e?: Error) => void): void;
  /** All that came while the last write was under way. */
  writev(chunks: readonly { readonly chunk: Uint8Array }[], done: (e?: Error) => void): void;
  destroy(e: Error | null, done: (e: Error | null) => void): void;
}

/** A stream as it is seen from its own `read`. */
export interface Readable {
  push(bytes: Uint8Array | null): boolean;
  destroy(): unknown;
}

/** Begins HTTP/2 as a client on a stream, without push. */
export type BeginSession = (stream: DuplexOptions) => Http2Session;

/** See the top of the file. */
export interface Platform {
  /** Opens a connection: of a Unix socket `target` is the path, the name of an abstract one begins with a zero byte. */
  dial(target: string): Promise<Connection>;
  /** What calls name as the server (`:authority`); without, its host and port. */
  readonly authority?: string;
  /** Loads HTTP/2; not before it is asked for. */
  http2(): Promise<BeginSession>;
}
