/** Pages of metrics in Prometheus's formats. */
import type { PathHandler } from "../app_types.ts";
import { parseRanges } from "../negotiation/media.ts";
import { takesGzip, zipped } from "./gzip.ts";

/** Metrics that a page shows. */
export interface MetricsPage {
  text(): Promise<string>;
  /** Messages, each after its length. */
  protobuf(): Promise<Uint8Array>;
  /** Counters and histograms count from nothing again. */
  reset(): Promise<void>;
}

/** How pages are shown. */
export interface PageOptions {
  /** DELETE resets (with `--profiling`). */
  readonly resets: boolean;
  /** Of the server, ms since the epoch. */
  readonly startedAt: number;
}

/** The page, compressed for who takes that: any method shows it, but for DELETE where that resets. */
export function metricsPage(page: MetricsPage, { resets, startedAt }: PageOptions): PathHandler {
  const start = { "process-start-time-unix": String(Math.floor(startedAt / 1000)) };
  return async ({ request }) => {
    if (resets && request.method === "DELETE") {
      await page.reset();
      return new Response("metrics reset\n", { headers: { "content-type": "text/plain; charset=utf-8" } });
    }
    const { protobuf, type } = formOf(request.headers.get("accept"));
    const body = protobuf ? await page.protobuf() : await page.text();
    const headers = { ...start, "content-type": type };
    if (!takesGzip(request.headers)) return new Response(body as BodyInit, { headers });
    return new Response(await zipped(body), { headers: { ...headers, "content-encoding": "gzip" } });
  };
}

/** The first form that a scraper names and that there is; else text. Whatever escape it names is true of names that need none. */
function formOf(accept: string | null): { readonly protobuf: boolean; readonly type: string } {
  let escaping = "underscores";
  for (const { type, subtype, params } of parseRanges(accept ?? "")) {
    if (ESCAPES.has(params.escaping ?? "")) escaping = params.escaping!;
    const { version = TEXT_VERSION, proto, encoding } = params;
    if (type === "text" && subtype === "plain" && version === TEXT_VERSION) break;
    if (`${type}/${subtype}` === PROTOBUF && proto === MESSAGE && encoding === "delimited") {
      return { protobuf: true, type: `${PROTOBUF}; proto=${MESSAGE}; encoding=${encoding}; escaping=${escaping}` };
    }
  }
  return { protobuf: false, type: `text/plain; version=${TEXT_VERSION}; charset=utf-8; escaping=${escaping}` };
}

const TEXT_VERSION = "0.0.4",
  PROTOBUF = "application/vnd.google.protobuf",
  MESSAGE = "io.prometheus.client.MetricFamily";
const ESCAPES = new Set(["allow-utf-8", "underscores", "dots", "values"]);
