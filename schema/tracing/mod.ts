/** Traces of what a process does, as it uses them. */
import { type QueueLimits, type SendSpans, type SpanCounts, SpanQueue } from "./queue.ts";
import { Tracer, type TracerOptions } from "./tracer.ts";

/** What a process's tracing is made of. */
export interface TracingParts extends Pick<TracerOptions, "perMillion" | "random" | "now" | "elapsed"> {
  readonly send: SendSpans;
  /** Hears of each batch of spans that is lost. */
  readonly told: (e: unknown) => void;
  readonly limits?: QueueLimits;
}

/** A process's tracing. */
export interface Tracing {
  readonly tracer: Tracer;
  readonly counts: SpanCounts;
  /** Sends what there is, in at most so many ms. */
  close(ms: number): Promise<void>;
}

/** Makes it. */
export function tracing({ send, told, limits, ...options }: TracingParts): Tracing {
  const queue = new SpanQueue(send, told, limits);
  const tracer = new Tracer({ ...options, ended: (span) => queue.add(span) });
  return { tracer, counts: queue.counts, close: (ms) => queue.close(ms) };
}
