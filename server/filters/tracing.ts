/** Traces requests of somebody (`--tracing-config-file`). Without that file there are no such filters. */
import type { Filter } from "../app_types.ts";
import { answerAttributes, requestAttributes, spanName, trusted, verbAttributes, verbName } from "./request_span.ts";
import type { Tracer } from "../../schema/tracing/tracer.ts";
import type { ErrorResponses } from "./errors.ts";
import { atEnd, goesOn } from "./long_running.ts";

/** The span of a request: from its coming to its answer, of a watch to the watch's end. The first filter after authentication. */
export function tracingFilter(tracer: Tracer, errors: ErrorResponses): Filter {
  return async (scope, next) => {
    const span = scope.span = tracer.begin({
      name: spanName(scope),
      headers: scope.headers,
      startedAt: scope.startedAt,
      trusted: trusted(scope),
      attributes: () => requestAttributes(scope),
    });
    let response: Response;
    try {
      response = await next(scope);
    } catch (error) {
      response = errors.respond(error, scope);
    }
    // Whoever works on it may not know yet that nobody waits for the answer.
    const code = scope.timedOut?.code ?? response.status;
    span.set(answerAttributes(scope, response, code));
    if (code >= 500) span.failed("");
    if (goesOn(scope, response)) atEnd(scope, () => span.end());
    else span.end();
    return response;
  };
}

/** A span for the work of a verb, within that of its request. */
export const verbSpans: Filter = async (scope, next) => {
  const outer = scope.span;
  if (!outer || !scope.info.isResource) return await next(scope);
  const span = scope.span = outer.child(verbName(scope.info), verbAttributes(scope));
  try {
    return await next(scope);
  } finally {
    span.end();
  }
};
