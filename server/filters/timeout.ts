/** Time that a request has (`--request-timeout`, or less by its own `timeout` parameter). */
import { badRequest, StatusError } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import { parseDuration } from "../options/duration.ts";
import { isLongRunning } from "./long_running.ts";

const late = (): StatusError =>
  new StatusError(504, "Timeout", "Timeout: request did not complete within the allotted timeout", {});

/**
 * Answers 504 when a request takes longer, and aborts its signal. Long-running requests have no such time.
 * @param limitMs 0 is no limit
 */
export function timeoutFilter(limitMs: number): Filter {
  return (scope, next) => {
    if (isLongRunning(scope.info)) return next();
    const own = scope.url.search === "" ? null : scope.url.searchParams.get("timeout");
    const ms = own === null || own === "" ? limitMs : atMost(limitMs, parsed(own));
    if (ms <= 0) return next();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        scope.cancel?.();
        reject(late());
      }, ms);
      const done = <T>(settle: (value: T) => void) => (value: T) => {
        clearTimeout(timer);
        settle(value);
      };
      next().then(done(resolve), done(reject));
    });
  };
}

const atMost = (limit: number, own: number): number => own === 0 ? limit : limit === 0 ? own : Math.min(limit, own);

function parsed(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 0) return ms;
  throw badRequest(`invalid timeout specified in the request URL: ${JSON.stringify(text)}`);
}
