/** Paths of metrics and statistics. */
import type { Registry } from "prom-client";
import { readMachine } from "../../resources/machine.ts";
import { type Answer, textAnswer } from "../answer.ts";
import type { HealthObserver } from "../health.ts";
import type { Route } from "../routes.ts";
import { measuredContainers } from "../stats/pods.ts";
import { Rates } from "../stats/rates.ts";
import { coreSummary, summaryPage, type SummarySources } from "../stats/summary.ts";
import type { HttpOptions, HttpParts } from "../types.ts";
import { cadvisorMetrics } from "./cadvisor.ts";
import { HealthMetrics } from "./health.ts";
import { resourceMetrics } from "./resource.ts";
import { type Family, METRICS_TYPE, metricsText } from "./text.ts";
import { volumeMetrics } from "./volumes.ts";

const KERNEL = { proc: "/proc", sys: "/sys" };

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
    ...(parts.tasks ? { tasks: (pod) => parts.tasks!(pod) } : {}),
  };
  const resource = async () => {
    const summary = await coreSummary(sources, clock.now()).catch((e) => {
      log("error", "no summary for /metrics/resource", e);
      return undefined;
    });
    return pageOf(resourceMetrics(summary));
  };
  const cadvisor = async () =>
    pageOf(cadvisorMetrics(await measuredContainers(parts.runtime), await readMachine(KERNEL)));
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
    {
      path: "/metrics",
      handler: async () => page(await parts.metrics.metrics() + metricsText(await volumeMetrics(parts))),
    },
    { path: "/metrics/probes", handler: () => registryPage(parts.probeMetrics) },
    { path: "/metrics/slis", handler: () => registryPage(health.registry) },
    { path: "/metrics/resource", handler: resource },
    { path: "/metrics/cadvisor", handler: cadvisor },
  ];
  return { routes, observe: health.observe };
}

const page = (body: string): Answer => ({ status: 200, headers: { "content-type": METRICS_TYPE }, body });
const pageOf = (families: readonly Family[]): Answer => page(metricsText(families));
const registryPage = async (registry: Registry): Promise<Answer> => page(await registry.metrics());
