/** The W3C's trace context: which trace a request belongs to, as headers carry it from server to server. */

/** A span of a trace, as others name it. */
export interface SpanContext {
  /** 32 and 16 hexadecimal digits, lower case, not all zeros. */
  readonly traceId: string;
  readonly spanId: string;
  /** The trace is recorded. */
  readonly sampled: boolean;
  /** What vendors add, as it came; empty without. */
  readonly state: string;
}

/** Headers by lower-case names. */
export type TraceHeaders = Readonly<Record<string, string>>;

interface Readable {
  get(name: string): string | null;
}

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const ZEROS = /^0+$/;
/** Names of vendors' parts, or of a tenant at a vendor; then printable text without commas, not ending in a blank. */
const MEMBER =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;
/** Longest `baggage` that is passed on, characters: what the standard asks for. */
const MAX_BAGGAGE = 8192;

/** The context that a request came with; undefined without one that is well-formed. */
export function remoteContext(headers: Readable): SpanContext | undefined {
  const text = headers.get("traceparent");
  if (text === null) return undefined;
  const [, version, traceId, spanId, flags] = PARENT.exec(text) ?? [];
  if (!version || !traceId || !spanId || !flags || version === "ff") return undefined;
  const bits = parseInt(flags, 16);
  // Of version 0 everything is known: nothing may follow, and no other flag be set.
  if (version === "00" && (text.length > 55 || bits > 2)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (bits & 1) === 1, state: stateOf(headers.get("tracestate")) };
}

/** One part that is malformed makes the whole unusable. */
function stateOf(text: string | null): string {
  if (!text) return "";
  const members = text.split(",").map((m) => m.trim()).filter((m) => m !== "");
  return members.length <= MAX_MEMBERS && members.every((m) => MEMBER.test(m)) ? members.join(",") : "";
}

/** The headers that make a context another server's. */
export function traceHeaders(context: SpanContext, baggage: string): TraceHeaders {
  const { traceId, spanId, sampled, state } = context;
  return {
    traceparent: `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`,
    ...(state === "" ? {} : { tracestate: state }),
    ...(baggage === "" ? {} : { baggage }),
  };
}

/** What the client wants every server on the way to know; empty without. */
export function baggageOf(headers: Readable): string {
  const text = headers.get("baggage") ?? "";
  return text.length <= MAX_BAGGAGE ? text : "";
}

/** Headers of calls for a request that is not traced here: what it came with is passed on. */
export function passedOn(headers: Readable): TraceHeaders {
  const context = remoteContext(headers), baggage = baggageOf(headers);
  if (context) return traceHeaders(context, baggage);
  return baggage === "" ? {} : { baggage };
}
