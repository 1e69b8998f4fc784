/** Spans as messages of the OpenTelemetry protocol (`opentelemetry.proto.collector.trace.v1`). */
import { decode, encode, type Table } from "../grpc/wire.ts";
import type { AttributeValue, SpanRecord } from "./span.ts";

/** The call that takes spans. */
export const EXPORT_PATH = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

const ANY: Table = [[1, "string", "string"], [2, "bool", "bool"], [3, "int", "int"], [4, "double", "double"]];
const KEY_VALUE: Table = [[1, "key", "string"], [2, "value", ANY]];
const LINK: Table = [
  [1, "traceId", "bytes"],
  [2, "spanId", "bytes"],
  [3, "state", "string"],
  [6, "flags", "fixed32"],
];
const SPAN: Table = [
  [1, "traceId", "bytes"],
  [2, "spanId", "bytes"],
  [3, "state", "string"],
  [4, "parentId", "bytes"],
  [5, "name", "string"],
  [6, "kind", "enum"],
  [7, "start", "fixed64"],
  [8, "end", "fixed64"],
  [9, "attributes", KEY_VALUE, "repeated"],
  [10, "lostAttributes", "enum"],
  [13, "links", LINK, "repeated"],
  [15, "status", [[2, "message", "string"], [3, "code", "enum"]]],
  [16, "flags", "fixed32"],
];
const SCOPE_SPANS: Table = [[1, "scope", [[1, "name", "string"]]], [2, "spans", SPAN, "repeated"]];
const RESOURCE_SPANS: Table = [
  [1, "resource", [[1, "attributes", KEY_VALUE, "repeated"]]],
  [2, "scopeSpans", SCOPE_SPANS, "repeated"],
];
/** The request of the call. Exported for collectors of tests. */
export const EXPORT_REQUEST: Table = [[1, "resourceSpans", RESOURCE_SPANS, "repeated"]];
const EXPORT_RESPONSE: Table = [[1, "partial", [[1, "rejected", "int"], [2, "message", "string"]]]];

const ERROR = 2;
/** Bits of flags: recorded; it is told whether the parent is remote; it is. */
const SAMPLED = 0x1, TOLD = 0x100, REMOTE = 0x200;

/** Who sends spans. */
export interface Sender {
  /** What is said of the process. */
  readonly resource: Readonly<Record<string, AttributeValue>>;
  /** What of it makes them. */
  readonly scope: string;
}

/** Bytes of a call that takes spans. */
export function exportRequest(spans: readonly SpanRecord[], { resource, scope }: Sender): Uint8Array {
  return encode(EXPORT_REQUEST, {
    resourceSpans: [{
      resource: { attributes: keyValues(Object.entries(resource)) },
      scopeSpans: [{ scope: { name: scope }, spans: spans.map(spanOf) }],
    }],
  });
}

/** What a collector did not take of what it was sent. @throws Error for bytes that are no answer */
export function rejectedOf(answer: Uint8Array): { readonly spans: number; readonly message: string } {
  const { partial } = decode<{ partial?: { rejected?: number; message?: string } }>(EXPORT_RESPONSE, answer);
  return { spans: partial?.rejected ?? 0, message: partial?.message ?? "" };
}

function spanOf(span: SpanRecord): object {
  const { context, parentId, link, lost, failure } = span;
  const remote = TOLD | (span.remoteParent ? REMOTE : 0);
  return {
    ...named(context),
    parentId: parentId === "" ? undefined : Uint8Array.fromHex(parentId),
    name: span.name,
    kind: span.kind,
    start: nanos(span.start),
    end: nanos(span.end),
    attributes: keyValues(span.attributes),
    lostAttributes: lost || undefined,
    links: link ? [{ ...named(link), flags: (link.sampled ? SAMPLED : 0) | TOLD | REMOTE }] : [],
    status: failure === undefined ? undefined : { message: failure || undefined, code: ERROR },
    flags: SAMPLED | remote,
  };
}

function named({ traceId, spanId, state }: SpanRecord["context"]): object {
  return {
    traceId: Uint8Array.fromHex(traceId),
    spanId: Uint8Array.fromHex(spanId),
    state: state === "" ? undefined : state,
  };
}

function keyValues(all: Iterable<readonly [string, AttributeValue]>): object[] {
  return [...all].map(([key, value]) => ({ key, value: anyOf(value) }));
}

function anyOf(value: AttributeValue): object {
  if (typeof value === "string") return { string: value };
  if (typeof value === "boolean") return { bool: value };
  return Number.isSafeInteger(value) ? { int: value } : { double: value };
}

/** Nanoseconds of milliseconds, exact to the microsecond. */
const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * 1000n;
