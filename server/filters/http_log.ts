/** A line for each request, for those who want verbose lines of `httplog` at level 3 (`--v=3`, `--vmodule=httplog=3`). */
import { StatusError } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import type { VerboseLine } from "../log.ts";
import { metricVerb } from "../metrics/requests.ts";
import type { RequestScope } from "../request.ts";
import { after } from "./after.ts";

/** The module's name, and the level from which it speaks. */
export const HTTP_LOG = ["httplog", 3] as const;

/** See the top of the file. Told when the answer's head is there: watches go on after it. */
export function httpLog(line: VerboseLine, now: () => number): Filter {
  return (scope, next) => {
    const told = (code: number) => line("HTTP", factsOf(scope, code, now()));
    return after(
      () => next(scope),
      (response) => told(response.status),
      (error) => told(error instanceof StatusError ? error.code : 500),
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
