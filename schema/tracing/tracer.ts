/** Begins spans: decides which traces are recorded, and gives them their ids. */
import { baggageOf, remoteContext, type SpanContext } from "./context.ts";
import {
  KIND,
  PassingSpan,
  RecordedSpan,
  type Span,
  type SpanAttributes,
  type SpanPlace,
  type SpanRecord,
} from "./span.ts";

/** What a tracer is made of. */
export interface TracerOptions {
  /** How many of a million traces that begin here are recorded; 0: those alone that others record. */
  readonly perMillion: number;
  /** Random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** ms since the epoch. */
  readonly now: () => number;
  /** ms since whenever, with fractions, never going back. */
  readonly elapsed: () => number;
  readonly ended: (span: SpanRecord) => void;
}

/** A request whose span begins. */
export interface SpanRequest {
  readonly name: string;
  readonly headers: { get(name: string): string | null };
  /** When the request came, ms since the epoch. */
  readonly startedAt: number;
  /**
   * The client's trace is gone on with. Otherwise one begins here, which names the client's: who is not trusted does not decide
   * what is recorded.
   */
  readonly trusted: boolean;
  readonly attributes: () => SpanAttributes;
}

const MILLION = 1_000_000;
/** Of a trace's id so many bits say whether it is recorded: all servers that sample alike decide alike. */
const BITS = 63n;

/** See the top of the file. */
export class Tracer {
  readonly #options: TracerOptions;
  /** Traces whose number lies below are recorded. */
  readonly #bound: bigint;

  constructor(options: TracerOptions) {
    this.#options = options;
    this.#bound = ((1n << BITS) * BigInt(Math.max(0, Math.min(MILLION, options.perMillion)))) / BigInt(MILLION);
  }

  /** The span of a request that came. */
  begin({ name, headers, startedAt, trusted, attributes }: SpanRequest): Span {
    const remote = remoteContext(headers), baggage = baggageOf(headers);
    const parent = trusted ? remote : undefined;
    const context = parent ? { ...parent, spanId: this.#id(8) } : this.#root();
    const place = parent ? { parentId: parent.spanId, remoteParent: true } : { link: remote };
    return this.#span({ name, context, kind: KIND.server, start: startedAt, ...place }, baggage, attributes);
  }

  /** The first span of a trace that begins here, now. */
  start(name: string, attributes: () => SpanAttributes, kind: number = KIND.internal): Span {
    return this.#span({ name, context: this.#root(), kind, start: this.#options.now() }, "", attributes);
  }

  #span(place: SpanPlace, baggage: string, attributes: () => SpanAttributes): Span {
    if (!place.context.sampled) return new PassingSpan(place.context, baggage);
    const { now, elapsed, ended } = this.#options;
    const wall = now(), since = elapsed();
    const trace = { now: () => wall + (elapsed() - since), newSpanId: () => this.#id(8), ended, baggage };
    return new RecordedSpan(place, trace, attributes());
  }

  #root(): SpanContext {
    const traceId = this.#id(16);
    return { traceId, spanId: this.#id(8), sampled: this.#chosen(traceId), state: "" };
  }

  #chosen(traceId: string): boolean {
    return this.#bound > 0n && (BigInt(`0x${traceId.slice(16)}`) >> 1n) < this.#bound;
  }

  /** Hexadecimal digits of so many random bytes, not all zeros. */
  #id(bytes: number): string {
    for (;;) {
      const id = this.#options.random(bytes);
      if (id.some((b) => b !== 0)) return id.toHex();
    }
  }
}
