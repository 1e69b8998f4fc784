/** Counts every request and its duration. */
import type { Filter } from "../app_types.ts";
import type { RequestTally } from "../metrics/requests.ts";
import { after } from "./after.ts";
import { codeOf } from "./errors.ts";

/** See the top of the file. */
export function metricsFilter(requests: RequestTally, now: () => number): Filter {
  return (scope, next) => {
    requests.begin(scope);
    // Whoever works on it may not know yet that nobody waits for the answer.
    const ended = (code: number) => requests.end(scope, scope.timedOut?.code ?? code, now() - scope.startedAt);
    return after(
      () => next(scope),
      (response) => ended(response.status),
      (error) => ended(codeOf(error)),
    );
  };
}
