/** Lets requests in by priority and fairness (`--enable-priority-and-fairness`; specification, "Limits"). */
import { tooManyRequests } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import type { Fairness } from "../flowcontrol/fairness.ts";
import type { Asking } from "../flowcontrol/level.ts";
import type { RequestScope } from "../request.ts";
import { after } from "./after.ts";
import { isLongRunning } from "./long_running.ts";

const RETRY_SECONDS = 1;
/** A list takes a seat for each so many objects, at most so many seats. */
const OBJECTS_A_SEAT = 100;
const MOST_SEATS = 10;
/** Part of its time that a request may spend in a queue, and how long it may at most, ms. */
const QUEUE_PART = 4;
const LONGEST_WAIT_MS = 60_000;

/** What the filter is told of the server. */
export interface FairnessOptions {
  /** Time of a request that has none of its own, ms. */
  readonly limitMs: number;
  /** Objects that a list would go through. */
  count(scope: RequestScope): number;
  /** ms since the epoch */
  now(): number;
  /** Headers of every answer, in the dialect: by which schema and level it came. */
  readonly headers: { readonly schema: string; readonly level: string };
}

/** See the top of the file. A watch takes its seat while it is opened. */
export function fairnessFilter(fairness: Fairness<RequestScope>, options: FairnessOptions): Filter {
  return (scope, next) => {
    if (isLongRunning(scope.info) && scope.info.verb !== "watch") return next(scope);
    const place = fairness.place(scope);
    if (!place) return next(scope);
    const { level, schema } = place;
    scope.head[options.headers.schema] = schema.uid;
    scope.head[options.headers.level] = level.rules.uid;
    const { exempt } = level.rules;
    const asking: Asking<RequestScope> = {
      flow: place.flow,
      schema: schema.name,
      seats: exempt ? 1 : level.width(seatsOf(scope, options)),
      of: scope,
    };
    const waiting = level.enter(asking, waitOf(scope, options), () => scope.signal);
    const counts = level.countsOf(schema.name), asked = options.now();
    counts.wanted.add(asking.seats);
    const seated = (now: number) => {
      counts.waited.add((now - asked) / 1000);
      const leave = () => {
        counts.worked.add((options.now() - now) / 1000);
        level.leave(asking);
        if (!exempt) fairness.left(level);
      };
      return after(() => next(scope), leave, leave);
    };
    if (!waiting) return seated(asked);
    scope.tally?.waiting(scope, true);
    return waiting.then((refusal) => {
      scope.tally?.waiting(scope, false);
      const now = asking.startedAt = options.now();
      if (refusal) {
        counts.waitedInVain.add((now - asked) / 1000);
        refuse(scope);
      }
      scope.waitedMs = now - asked;
      return seated(now);
    });
  };
}

function refuse(scope: RequestScope): never {
  scope.tally?.terminated(scope, 429);
  throw tooManyRequests("too many requests, please try again later", RETRY_SECONDS);
}

const waitOf = ({ limitMs }: RequestScope, options: FairnessOptions): number =>
  Math.min(LONGEST_WAIT_MS, (limitMs ?? options.limitMs) / QUEUE_PART);

function seatsOf(scope: RequestScope, options: FairnessOptions): number {
  if (!scope.info.isResource || scope.info.verb !== "list") return 1;
  const limit = Number(scope.query.get("limit") ?? 0);
  const count = options.count(scope);
  const objects = limit > 0 ? Math.min(limit, count) : count;
  return Math.max(1, Math.min(MOST_SEATS, Math.ceil(objects / OBJECTS_A_SEAT)));
}
