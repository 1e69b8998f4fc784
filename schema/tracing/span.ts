/** Spans: what was done for a request, from when to when. */
import { type SpanContext, type TraceHeaders, traceHeaders } from "./context.ts";

/** A value that a span is described by. */
export type AttributeValue = string | number | boolean;
/** Values by name. Those undefined are left out. */
export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Who calls whom, as OTLP numbers it. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

/** Something that is done for a request. */
export interface Span {
  /** Begins a part of it. */
  child(name: string, attributes?: SpanAttributes, kind?: number): Span;
  set(attributes: SpanAttributes): void;
  /** It did not succeed; `why` is for operators. */
  failed(why: string): void;
  /** It is over: nothing may be told of it any more. Later calls do nothing. */
  end(): void;
  /** Headers by which another server goes on with the trace. */
  headers(): TraceHeaders;
}

/** A span that is over. */
export interface SpanRecord {
  readonly context: SpanContext;
  /** Empty: the first of its trace. */
  readonly parentId: string;
  /** The parent is another server's. */
  readonly remoteParent: boolean;
  /** A trace that led here and was not gone on with. */
  readonly link: SpanContext | undefined;
  readonly name: string;
  readonly kind: number;
  /** ms since the epoch, with fractions. */
  readonly start: number;
  readonly end: number;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** How many attributes were beyond the bounds. */
  readonly lost: number;
  /** Why it did not succeed. */
  readonly failure: string | undefined;
}

/** What the spans of one trace share. */
export interface Trace {
  /** ms since the epoch, never going back. */
  readonly now: () => number;
  readonly newSpanId: () => string;
  readonly ended: (span: SpanRecord) => void;
  readonly baggage: string;
}

/** Where a span has its place. */
export interface SpanPlace {
  readonly name: string;
  readonly context: SpanContext;
  readonly kind: number;
  readonly start: number;
  readonly parentId?: string;
  readonly remoteParent?: boolean;
  readonly link?: SpanContext | undefined;
}

/** Bounds of a span: attributes, characters of a value. */
const MAX_ATTRIBUTES = 128;
const MAX_VALUE = 4096;

/** A span that is recorded. */
export class RecordedSpan implements Span {
  readonly #attributes = new Map<string, AttributeValue>();
  #lost = 0;
  #failure: string | undefined;
  #ended = false;

  constructor(readonly place: SpanPlace, readonly trace: Trace, attributes: SpanAttributes = {}) {
    this.set(attributes);
  }

  child(name: string, attributes: SpanAttributes = {}, kind: number = KIND.internal): Span {
    const { context } = this.place, { trace } = this;
    const own = { ...context, spanId: trace.newSpanId() };
    return new RecordedSpan(
      { name, context: own, kind, start: trace.now(), parentId: context.spanId },
      trace,
      attributes,
    );
  }

  set(attributes: SpanAttributes): void {
    this.#lost += fill(this.#attributes, attributes);
  }

  failed(why: string): void {
    this.#failure = why.slice(0, MAX_VALUE);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const { name, context, kind, start, parentId = "", remoteParent = false, link } = this.place;
    this.trace.ended({
      context,
      parentId,
      remoteParent,
      link,
      name,
      kind,
      start,
      end: Math.max(start, this.trace.now()),
      attributes: this.#attributes,
      lost: this.#lost,
      failure: this.#failure,
    });
  }

  headers(): TraceHeaders {
    return traceHeaders(this.place.context, this.trace.baggage);
  }
}

/** Adds values; how many there was no room for. */
function fill(into: Map<string, AttributeValue>, attributes: SpanAttributes): number {
  let lost = 0;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    if (into.size >= MAX_ATTRIBUTES && !into.has(name)) lost++;
    else into.set(name, typeof value === "string" ? value.slice(0, MAX_VALUE) : value);
  }
  return lost;
}

/** A span of a trace that is not recorded: others are told so, and nothing else is done. */
export class PassingSpan implements Span {
  constructor(readonly context: SpanContext, readonly baggage: string) {}

  child(): Span {
    return this;
  }

  set(): void {}
  failed(): void {}
  end(): void {}

  headers(): TraceHeaders {
    return traceHeaders(this.context, this.baggage);
  }
}
