/** Lets requests in by priority and fairness (`--enable-priority-and-fairness`; specification, "Limits"). */
import { tooManyRequests } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import type { Fairness, Place } from "../flowcontrol/fairness.ts";
import type { RequestScope } from "../request.ts";
import { isLongRunning } from "./long_running.ts";
import { isUpgrade } from "./upgraded.ts";

const RETRY_SECONDS = 1;
/** A list takes a seat for each so many objects, at most so many seats. */
const OBJECTS_A_SEAT = 100;
const MOST_SEATS = 10;

/** What the filter is told of the server. */
export interface FairnessOptions {
  /** Longest wait in a queue, ms. */
  readonly waitMs: number;
  /** Objects that a list would go through. */
  count(scope: RequestScope): number;
  /** Headers of every answer, in the dialect: by which schema and level it came. */
  readonly headers: { readonly schema: string; readonly level: string };
}

/** See the top of the file. A watch takes its seat while it is opened. */
export function fairnessFilter(fairness: Fairness, options: FairnessOptions): Filter {
  return async (scope, next) => {
    if (isLongRunning(scope.info) && scope.info.verb !== "watch") return await next();
    const place = fairness.place(scope);
    if (!place) return await next();
    let response: Response;
    try {
      response = place.level.rules.exempt ? await next() : await seated(fairness, place, scope, options, next);
    } catch (e) {
      const { schema, level } = options.headers;
      scope.errorHeaders = { [schema]: place.schema.uid, [level]: place.level.rules.uid };
      throw e;
    }
    if (isUpgrade(response)) return response;
    response.headers.set(options.headers.schema, place.schema.uid);
    response.headers.set(options.headers.level, place.level.rules.uid);
    return response;
  };
}

async function seated(
  fairness: Fairness,
  place: Place,
  scope: RequestScope,
  options: FairnessOptions,
  next: () => Promise<Response>,
): Promise<Response> {
  const { level } = place;
  const seats = level.width(seatsOf(scope, options));
  const waiting = level.enter(place.flow, seats, options.waitMs, () => scope.signal);
  const refusal = waiting && await waiting;
  if (refusal) throw tooManyRequests("too many requests, please try again later", RETRY_SECONDS);
  try {
    return await next();
  } finally {
    level.leave(seats);
    fairness.wakeOthers(level);
  }
}

function seatsOf(scope: RequestScope, options: FairnessOptions): number {
  if (!scope.info.isResource || scope.info.verb !== "list") return 1;
  const limit = Number(scope.url.searchParams.get("limit") ?? 0);
  const count = options.count(scope);
  const objects = limit > 0 ? Math.min(limit, count) : count;
  return Math.max(1, Math.min(MOST_SEATS, Math.ceil(objects / OBJECTS_A_SEAT)));
}
