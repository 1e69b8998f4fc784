/** Counts every request and its duration. */
import { StatusError } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import type { ServerMetrics } from "../metrics/registry.ts";
import type { RequestScope } from "../request.ts";

const READ = new Set(["get", "list", "watch"]);

/** See the top of the file. */
export function metricsFilter(metrics: ServerMetrics, now: () => number): Filter {
  return async (scope, next) => {
    const kind = READ.has(scope.info.verb) ? "readOnly" : "mutating";
    metrics.inflight.inc({ request_kind: kind });
    let code = 500;
    try {
      const response = await next();
      code = response.status;
      return response;
    } catch (e) {
      if (e instanceof StatusError) code = e.code;
      throw e;
    } finally {
      metrics.inflight.dec({ request_kind: kind });
      const labels = labelsOf(scope);
      metrics.requests.inc({ ...labels, code: String(code) });
      if (scope.info.verb !== "watch") metrics.durations.observe(labels, (now() - scope.startedAt) / 1000);
    }
  };
}

function labelsOf(scope: RequestScope) {
  const { info, served } = scope;
  return {
    verb: info.isResource ? info.verb.toUpperCase() : scope.request.method,
    dry_run: scope.url.searchParams.get("dryRun") === "All" ? "All" : "",
    group: served ? info.group : "",
    version: served ? info.version : "",
    resource: served ? info.resource : "",
    subresource: served ? info.subresource : "",
    scope: scopeOf(scope),
    component: "apiserver",
  };
}

function scopeOf({ info, served }: RequestScope): string {
  if (!served) return "";
  if (info.name !== "") return "resource";
  return info.namespace !== "" ? "namespace" : "cluster";
}
