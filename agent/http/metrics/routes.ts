/** Paths of metrics and statistics. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { textAnswer } from "../answer.ts";
import type { HealthObserver } from "../health.ts";
import type { Route } from "../routes.ts";
import { Rates } from "../stats/rates.ts";
import { coreSummary, summaryPage, type SummarySources } from "../stats/summary.ts";
import type { HttpOptions, HttpParts } from "../types.ts";
import { cadvisorMetrics } from "./cadvisor.ts";
import { cadvisorSources } from "./cadvisor_sources.ts";
import { HealthMetrics } from "./health.ts";
import { resourceMetrics } from "./resource.ts";
import { promised } from "./stability.ts";
import { METRICS_TYPE, metricsText } from "./text.ts";
import { volumeMetrics } from "./volumes.ts";

/** The routes, and who they count health checks by. */
export function metricsRoutes(
  parts: HttpParts,
  options: Pick<HttpOptions, "rootDir" | "podLogsDir">,
): { readonly routes: readonly Route[]; readonly observe: HealthObserver } {
  const { log, clock } = parts, health = new HealthMetrics();
  const sources: SummarySources = {
    runtime: parts.runtime,
    pods: parts.pods,
    nodeName: parts.nodeName,
    rates: new Rates(),
    ...options,
    ...(parts.volumeStats ? { volumeStats: (pod) => parts.volumeStats!(pod) } : {}),
    hierarchy: parts.hierarchy,
    ...(parts.systemGroups ? { systemGroups: () => parts.systemGroups!() } : {}),
    ...(parts.tasks ? { tasks: (pod) => parts.tasks!(pod) } : {}),
  };
  const resource = async () => {
    const summary = await coreSummary(sources, clock.now()).catch((e) => {
      log("error", "no summary for /metrics/resource", e);
      return undefined;
    });
    return promised(metricsText(resourceMetrics(summary)));
  };
  const told = cadvisorSources(parts, sources);
  const cadvisor = async () => metricsText(cadvisorMetrics(await told()));
  const routes: Route[] = [
    {
      path: "/stats/summary",
      tree: "/stats/",
      methods: ["GET", "POST"],
      produces: ["application/json"],
      handler: async ({ query }) => {
        try {
          return await summaryPage(sources, clock.now(), query);
        } catch (e) {
          log("error", "no summary for /stats/summary", e);
          return textAnswer(500, `Internal Error: ${(e as Error).message}`);
        }
      },
    },
    page("/metrics", async () => promised(await parts.metrics.metrics() + metricsText(await volumeMetrics(parts)))),
    page("/metrics/probes", async () => promised(await parts.probeMetrics.metrics())),
    page("/metrics/slis", async () => promised(await health.registry.metrics())),
    page("/metrics/resource", resource),
    page("/metrics/cadvisor", cadvisor),
  ];
  return { routes, observe: health.observe };
}

const zipped = promisify(gzip);

/** A page of metrics, short for whoever can read that. */
const page = (path: string, text: () => Promise<string>): Route => ({
  path,
  handler: async ({ incoming: { request } }) => {
    const body = await text(), headers = { "content-type": METRICS_TYPE };
    if (!/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) return { status: 200, headers, body };
    return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: await zipped(body) };
  },
});
