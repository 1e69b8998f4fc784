/** Pages of metrics in the Prometheus text format. */
import type { PathHandler } from "../app_types.ts";
import { takesGzip, zipped } from "./gzip.ts";

const TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** Metrics that a page shows. */
export interface MetricsPage {
  text(): Promise<string>;
  /** Counters and histograms count from nothing again. */
  reset(): Promise<void>;
}

/** The page, compressed for who takes that: any method shows it, but for DELETE where `resets` (with `--profiling`). */
export function metricsPage(page: MetricsPage, resets: boolean): PathHandler {
  return async ({ request }) => {
    if (!resets || request.method !== "DELETE") {
      const text = await page.text();
      if (!takesGzip(request.headers)) return new Response(text, { headers: { "content-type": TYPE } });
      return new Response(await zipped(text), { headers: { "content-type": TYPE, "content-encoding": "gzip" } });
    }
    await page.reset();
    return new Response("metrics reset\n", { headers: { "content-type": "text/plain; charset=utf-8" } });
  };
}
