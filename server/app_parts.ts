/** What the application of a server is made of, from its parts. */
import { uuid } from "../schema/values/random.ts";
import { apiParts } from "./api_parts.ts";
import type { AppParts } from "./app.ts";
import type { PathHandler } from "./app_types.ts";
import type { HealthCheck } from "./endpoints/health.ts";
import { httpLog } from "./filters/http_log.ts";
import { impersonationFilter } from "./filters/impersonate.ts";
import { metricsFilter } from "./filters/metrics.ts";
import { storageVersionFilter } from "./filters/storage_versions.ts";
import { tracingFilter, verbSpans } from "./filters/tracing.ts";
import type { ServerInputs } from "./inputs.ts";
import type { ServerParts } from "./parts.ts";
import { serverPaths } from "./paths.ts";
import { returnsDeleted } from "./registry/strategy.ts";

/** See the top of the file. `checks`: those of health, as they are at the time. */
export function appParts(inputs: ServerInputs, parts: ServerParts, checks: () => HealthCheck[]): AppParts {
  const { verbose, now } = inputs;
  const { metrics, security, filters } = parts;
  return {
    early: verbose ? [httpLog(verbose, now), ...filters.early] : filters.early,
    api: apiParts(inputs, parts),
    authorizer: metrics.access.authorizing(security.authorizer),
    others: parts.aggregator,
    authenticate: metrics.access.authenticating(inputs.authenticate ?? security.authenticate),
    errors: parts.errors,
    filters: knownFilters(inputs, parts),
    late: lateFilters(inputs, parts),
    paths: pathsOf(inputs, parts, checks),
    now,
    auditId: () => uuid(inputs.random),
    tally: metrics.requests,
  };
}

/** Between authentication and authorization, in this order. */
function knownFilters({ options, tracing, now }: ServerInputs, parts: ServerParts): AppParts["filters"] {
  const { data: { rules }, security, audit } = parts;
  return [
    ...(tracing ? [tracingFilter(tracing.tracer, parts.errors)] : []),
    ...(audit ? [audit.known] : []),
    metricsFilter(parts.metrics.requests, now),
    impersonationFilter(
      security.authorizer,
      options.product,
      parts.metrics.impersonation,
      rules.gate("ConstrainedImpersonation"),
    ),
    ...parts.filters.admission,
  ];
}

/** After authorization, in this order: what they tell is for those alone who may. */
function lateFilters({ options, tracing }: ServerInputs, { data, versions }: ServerParts): AppParts["late"] {
  return [
    ...(versions ? [storageVersionFilter(versions, data.catalog, options.product.systemNamespace)] : []),
    ...(tracing ? [verbSpans] : []),
  ];
}

function pathsOf(inputs: ServerInputs, parts: ServerParts, checks: () => HealthCheck[]): Map<string, PathHandler> {
  const { catalog, registries } = parts.data;
  return serverPaths({
    inputs,
    catalog,
    media: parts.media,
    startedAt: parts.startedAt,
    returnsDeleted: (id, version) => returnsDeleted(registries.byId(id)?.strategy ?? {}, version),
    peers: parts.peers.documents,
    checks,
    metrics: parts.metrics,
    slis: parts.slis,
    fairness: parts.filters.fairness,
    others: parts.aggregator,
  });
}
