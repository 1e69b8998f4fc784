/** A call under way. */
import type { Call } from "./call.ts";
import { cancelled, type Ending } from "./ending.ts";
import { framed, MessageReader } from "./framing.ts";
import { endOf, headFault, requestHeaders } from "./headers.ts";
import type { Headers, Http2Stream } from "./http2.ts";
import type { Link } from "./link.ts";
import { GrpcError, statusOfReset } from "./status.ts";

/** Bytes of one message at most. */
export interface MessageLimits {
  readonly received: number;
  readonly sent: number;
}

/** Bytes of requests that wait to be sent, before who writes waits; and of answers that wait to be asked for. */
const ROOM = 64 * 1024;
/** What an answer takes beside its bytes. */
const BESIDE = 64;
const REFUSED = 7;
const CANCEL = 8;
const END_STREAM = 1;

/** See the top of the file. Of answers that nobody has asked for yet, it holds 64 KiB and those of one piece; then the other side waits. */
export class GrpcStream<Q, R> {
  readonly #call: Call<Q, R>;
  readonly #limits: MessageLimits;
  readonly #link: Link;
  readonly #ending: Ending;
  readonly #stream: Http2Stream;
  readonly #reader: MessageReader;
  readonly #arrived: R[] = [];
  /** Bytes of answers that have come since there were none. */
  #held = 0;
  #asking: { resolve(message: R | undefined): void; reject(e: GrpcError): void } | undefined;
  /** Bytes of requests that have not been sent. */
  #unsent = 0;
  /** Who waits for room. */
  readonly #writers: (() => void)[] = [];
  #http = 0;
  #trailers: Headers | undefined;
  #cause: Error | undefined;
  /** All is read and sent: the stream closes by itself. */
  #done = false;
  #over = false;
  #error: GrpcError | undefined;

  /** @throws Error when the link takes no more calls */
  constructor(call: Call<Q, R>, limits: MessageLimits, link: Link, ending: Ending) {
    this.#call = call;
    this.#limits = limits;
    this.#link = link;
    this.#ending = ending;
    this.#reader = new MessageReader(limits.received);
    const stream = this.#stream = link.request(
      requestHeaders(call.path, ending.left, call.headers),
      (n) => this.#sent(n),
    );
    stream.on("response", (headers: Headers, flags: number) => this.#head(headers, flags));
    stream.on("trailers", (trailers: Headers) => this.#trailers = trailers);
    stream.on("data", (piece: Uint8Array) => this.#take(piece));
    stream.on("error", (e: Error) => this.#cause = e);
    // After a reset that is no error, `close` does not come while bytes of the request wait for room.
    stream.on("end", () => this.#trailers ? this.#finish() : this.#closed());
    stream.on("close", () => this.#closed());
    ending.tell((e) => this.#settle(e));
  }

  /** The next answer; undefined: there is none more. One asks at a time. @throws GrpcError */
  next(): Promise<R | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#arrived.length > 0) return resolve(this.#arrived.shift());
      if (this.#over) return this.#error ? reject(this.#error) : resolve(undefined);
      this.#asking = { resolve, reject };
      if (this.#held > ROOM) this.#stream.resume();
      this.#held = 0;
    });
  }

  /** The server has not begun it: it may be asked again. */
  get refused(): boolean {
    return this.#http === 0 && this.#stream.rstCode === REFUSED;
  }

  /** Time that is left to the call, ms; undefined: no end of it. */
  get left(): number | undefined {
    return this.#ending.left;
  }

  /** Resolves when there is room for more, or the call is over, which {@linkcode next} tells. */
  async write(request: Q): Promise<void> {
    const bytes = this.#framed(request);
    if (bytes === undefined) return;
    this.#stream.write(bytes);
    if (this.#unsent <= ROOM) return;
    await new Promise<void>((resolve) => this.#writers.push(resolve));
  }

  /** Nothing more is asked, or this last. */
  end(last?: Q): void {
    if (last === undefined) return void (this.#over || this.#stream.end());
    const bytes = this.#framed(last);
    if (bytes) this.#stream.end(bytes);
  }

  /** Ends a call that is not over. */
  cancel(): void {
    this.#settle(cancelled());
  }

  #framed(request: Q): Uint8Array | undefined {
    if (this.#over) return undefined;
    try {
      const bytes = framed(this.#call.encode(request), this.#limits.sent);
      this.#unsent += bytes.length;
      return bytes;
    } catch (e) {
      this.#settle(errorOf(e, "Request message serialization failure"));
      return undefined;
    }
  }

  #sent(count: number): void {
    this.#unsent -= count;
    if (this.#unsent <= ROOM) this.#drained();
  }

  #drained(): void {
    for (const write of this.#writers.splice(0)) write();
  }

  #head(headers: Headers, flags: number): void {
    this.#http = Number(headers[":status"]);
    // An answer may be of trailers only.
    if (flags & END_STREAM && headers["grpc-status"] !== undefined) return void (this.#trailers = headers);
    const fault = headFault(headers);
    if (fault) this.#settle(fault);
  }

  #take(piece: Uint8Array): void {
    if (this.#over) return;
    try {
      for (const bytes of this.#reader.read(piece)) this.#arrive(this.#call.decode(bytes), bytes.length);
    } catch (e) {
      return this.#settle(errorOf(e, "Response message parsing error"));
    }
    if (this.#held > ROOM) this.#stream.pause();
  }

  #arrive(message: R, length: number): void {
    const asking = this.#asking;
    this.#asking = undefined;
    if (asking) return asking.resolve(message);
    this.#arrived.push(message);
    this.#held += BESIDE + length;
  }

  /** All answers are there, and the trailers. */
  #finish(): void {
    const error = endOf(this.#trailers!, this.#http);
    if (this.#stream.writableEnded && this.#unsent === 0) this.#done = true;
    if (error || this.#reader.empty) this.#settle(error);
    else this.#settle(new GrpcError("Internal", "Received a part of a message at the end"));
  }

  /** The stream is closed; this says why where nothing did before. */
  #closed(): void {
    if (this.#over) return;
    const { lost } = this.#link, { rstCode } = this.#stream;
    const told = this.#trailers && endOf(this.#trailers, this.#http);
    if (told) this.#settle(told);
    else if (lost !== undefined) this.#settle(new GrpcError("Unavailable", `Connection dropped: ${lost}`, this.#why));
    else {
      // The server's clock may be the quicker one.
      const status = rstCode === CANCEL && this.#ending.late ? "DeadlineExceeded" : statusOfReset(rstCode);
      this.#settle(new GrpcError(status, `Received RST_STREAM with code ${rstCode}`, this.#why));
    }
  }

  get #why(): ErrorOptions {
    return { cause: this.#cause };
  }

  #settle(error: GrpcError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#error = error;
    this.#ending.stop();
    if (!this.#done) this.#stream.close(CANCEL);
    this.#link.release(this.#stream);
    this.#drained();
    const asking = this.#asking;
    this.#asking = undefined;
    if (error) asking?.reject(error);
    else asking?.resolve(undefined);
  }
}

const errorOf = (e: unknown, what: string): GrpcError =>
  e instanceof GrpcError ? e : new GrpcError("Internal", `${what}: ${(e as Error).message}`, { cause: e });
