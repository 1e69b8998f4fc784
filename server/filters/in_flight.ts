/** Bounds on requests at work, when priority and fairness is off (`--max-requests-inflight` and its mutating twin). */
import { tooManyRequests } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import { after } from "./after.ts";
import { isLongRunning, isReadOnly } from "./long_running.ts";

const RETRY_SECONDS = 1;

/**
 * Refuses with 429 what is above its limit. Of each limit 0 is none. Administrators get through a full house, and take nobody's
 * place: somebody must be able to mend it.
 */
export function inFlightFilter(limits: { readonly reads: number; readonly writes: number }): Filter {
  const reads = { limit: limits.reads, now: 0 };
  const writes = { limit: limits.writes, now: 0 };
  return (scope, next) => {
    if (isLongRunning(scope.info)) return next(scope);
    const seats = isReadOnly(scope.info) ? reads : writes;
    if (seats.limit === 0) return next(scope);
    if (seats.now >= seats.limit) {
      if (scope.user.groups.includes("system:masters")) return next(scope);
      scope.tally?.terminated(scope, 429);
      throw tooManyRequests("Too many requests, please try again later.", RETRY_SECONDS);
    }
    seats.now++;
    const left = () => void seats.now--;
    return after(() => next(scope), left, left);
  };
}
