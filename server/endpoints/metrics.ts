/** Pages of metrics in the Prometheus text format. */
import type { PathHandler } from "../app_types.ts";

const TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** Metrics that a page shows. */
export interface MetricsPage {
  text(): Promise<string>;
  /** Counters and histograms count from nothing again. */
  reset(): Promise<void>;
}

/** The page: any method shows it, but for DELETE where `resets` (with `--profiling`). */
export function metricsPage(page: MetricsPage, resets: boolean): PathHandler {
  return async ({ request }) => {
    if (!resets || request.method !== "DELETE") {
      return new Response(await page.text(), { headers: { "content-type": TYPE } });
    }
    await page.reset();
    return new Response("metrics reset\n", { headers: { "content-type": "text/plain; charset=utf-8" } });
  };
}
