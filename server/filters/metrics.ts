/** Counts every request and its duration. */
import type { Filter } from "../app_types.ts";
import type { RequestTally } from "../metrics/requests.ts";
import { after } from "./after.ts";
import { codeOf } from "./errors.ts";

/** See the top of the file. */
export function metricsFilter(requests: RequestTally, now: () => number): Filter {
  return (scope, next) => {
    requests.begin(scope);
    const ended = (code: number) => requests.end(scope, code, now() - scope.startedAt);
    return after(
      () => next(scope),
      (response) => ended(response.status),
      (error) => ended(codeOf(error)),
    );
  };
}
