/** A line for each request, for those who want verbose lines of `httplog` at level 3 (`--v=3`, `--vmodule=httplog=3`). */
import type { Filter } from "../app_types.ts";
import type { Verbose } from "../../schema/log/log.ts";
import { metricVerb } from "../metrics/requests.ts";
import type { RequestScope } from "../request.ts";
import { after } from "./after.ts";
import { codeOf } from "./errors.ts";

/** See the top of the file. Told when the answer's head is there: watches go on after it. `now`: ms since the epoch. */
export function httpLog(verbose: Verbose, now: () => number): Filter {
  return (scope, next) => {
    const line = verbose("httplog", 3);
    if (!line) return next(scope);
    const told = (code: number) => line("HTTP", factsOf(scope, code, now()));
    return after(
      () => next(scope),
      (response) => told(response.status),
      (error) => told(codeOf(error)),
    );
  };
}

function factsOf(scope: RequestScope, resp: number, now: number) {
  const { request, url, connection, auditId } = scope;
  return {
    verb: metricVerb(scope),
    URI: url.pathname + url.search,
    latency: `${now - scope.startedAt}ms`,
    userAgent: request.headers.get("user-agent") ?? "",
    contentType: request.headers.get("content-type") ?? "",
    "audit-ID": auditId,
    srcIP: connection.remoteAddress,
    resp,
  };
}
