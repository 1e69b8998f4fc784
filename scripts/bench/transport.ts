/** What goes over a connection, and what carries it. */

/** One request. */
export interface Call {
  readonly method?: string;
  /** With query. */
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Content type of the body. Default `application/json`. */
  readonly type?: string;
  readonly accept?: string;
  /** Status that the answer must have. Default 200. */
  readonly expect?: number;
}

/** An answer, its body not yet read. */
export interface Answer {
  readonly status: number;
  /** Its headers, by lower-case names. */
  head(): Record<string, string>;
  /** Hears each piece; resolves at the end, and when {@linkcode Answer.cancel} was called. @throws what broke it off */
  read(piece: (bytes: Uint8Array) => void): Promise<void>;
  cancel(): void;
}

/** A way to send. */
export interface Transport {
  send(call: Call, headers: Record<string, string>): Promise<Answer>;
  close(): void;
}
