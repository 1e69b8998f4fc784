/** Metrics of spans on their way out. The public server has none. */
import type { SpanCounts } from "../../schema/tracing/queue.ts";
import type { ServerMetrics } from "./registry.ts";

/** Shows what became of a server's spans. */
export function spanMetrics(metrics: ServerMetrics, counts: SpanCounts): void {
  metrics.figure(
    "apiserver_tracing_spans_total",
    "Spans that the collector took (sent), that it did not take (failed), and those too many to be held (dropped)",
    "counter",
    () => (["sent", "failed", "dropped"] as const).map((result) => [{ result }, counts[result]] as const),
  );
}
