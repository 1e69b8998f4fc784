/** Time that a request has (`--request-timeout`, or less by its own `timeout` parameter). */
import { badRequest, StatusError } from "../../schema/status.ts";
import type { Filter, Handle } from "../app_types.ts";
import { durationFault, parseDuration } from "../../schema/flags/duration.ts";
import { LONGEST_MS } from "../pause.ts";
import type { RequestScope } from "../request.ts";
import { isLongRunning } from "./long_running.ts";

/** Shorter times are kept to the millisecond, by a timer of their own (ms). */
const EXACT_MS = 5_000;

/** Ends the work on a request; gives what its client is told. */
function late(scope: RequestScope): StatusError {
  const text = "Timeout: request did not complete within the allotted timeout";
  scope.timedOut = new StatusError(504, "Timeout", text, {});
  scope.cancel?.();
  scope.tally?.terminated(scope, 504);
  return scope.timedOut;
}

/** A request that is being answered, among those that began before and after it. */
interface Pending {
  readonly deadline: number;
  readonly scope: RequestScope;
  readonly reject: (error: StatusError) => void;
  before: Pending | undefined;
  after: Pending | undefined;
}

/**
 * Answers 504 when a request takes longer, and aborts its signal. Long-running requests have no such time. A timer a request
 * would cost more than many requests do: the usual time is looked after by {@linkcode tick}.
 */
export class Deadlines {
  /**
   * In the order of their deadlines, as all have the same time from when they came here. A list of their own: the tables that a set
   * outgrows or leaves behind lead on to the next, with all that stood in them, and so keep every request alive until the next
   * full collection.
   */
  #first: Pending | undefined;
  #last: Pending | undefined;
  readonly #limitMs: number;
  readonly #elapsed: () => number;

  /**
   * @param limitMs 0 is no limit
   * @param elapsed ms since whenever, never going back
   */
  constructor(limitMs: number, elapsed: () => number) {
    this.#limitMs = limitMs;
    this.#elapsed = elapsed;
  }

  /** Requests whose time is over are answered. To be called about once a second, by the same clock. */
  tick(now: number): void {
    for (let pending = this.#first; pending && pending.deadline <= now; pending = this.#first) {
      this.#remove(pending);
      pending.reject(late(pending.scope));
    }
  }

  #add(pending: Pending): void {
    if (this.#last) this.#last.after = pending;
    else this.#first = pending;
    this.#last = pending;
  }

  #remove(pending: Pending): void {
    const { before, after } = pending;
    if (before) before.after = after;
    else if (this.#first === pending) this.#first = after;
    else return;
    if (after) after.before = before;
    else this.#last = before;
    pending.before = pending.after = undefined;
  }

  readonly filter: Filter = (scope, next) => {
    if (isLongRunning(scope.info)) return next(scope);
    const limit = this.#limitMs;
    const own = scope.query.get("timeout");
    const ms = own === null || own === "" ? limit : atMost(limit, parsed(own));
    if (ms <= 0) return next(scope);
    scope.limitMs = ms;
    return ms === limit && ms > EXACT_MS ? this.#watched(scope, next, ms) : timed(scope, next, ms);
  };

  #watched(scope: RequestScope, next: Handle, ms: number): Response | Promise<Response> {
    const deadline = this.#elapsed() + ms, answer = next(scope);
    if (!(answer instanceof Promise)) return answer;
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        deadline,
        scope,
        reject,
        before: this.#last,
        after: undefined,
      };
      this.#add(pending);
      answer.then((response) => {
        this.#remove(pending);
        resolve(response);
      }, (error) => {
        this.#remove(pending);
        reject(error);
      });
    });
  }
}

function timed(scope: RequestScope, next: Handle, ms: number): Response | Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late(scope)), Math.min(ms, LONGEST_MS));
    Promise.try(next, scope).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const atMost = (limit: number, own: number): number => own === 0 ? limit : limit === 0 ? own : Math.min(limit, own);

function parsed(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return Math.max(0, ms);
  throw badRequest(`invalid timeout specified in the request URL - ${durationFault(text)}`);
}
