/** Time that a request has (`--request-timeout`, or less by its own `timeout` parameter). */
import { badRequest, StatusError } from "../../schema/status.ts";
import type { Filter, Handle } from "../app_types.ts";
import { parseDuration } from "../options/duration.ts";
import type { RequestScope } from "../request.ts";
import { isLongRunning } from "./long_running.ts";

/** Shorter times are kept to the millisecond, by a timer of their own (ms). */
const EXACT_MS = 5_000;

const late = (): StatusError =>
  new StatusError(504, "Timeout", "Timeout: request did not complete within the allotted timeout", {});

/** A request that is being answered. */
interface Pending {
  readonly deadline: number;
  readonly scope: RequestScope;
  readonly reject: (error: StatusError) => void;
}

/**
 * Answers 504 when a request takes longer, and aborts its signal. Long-running requests have no such time. A timer a request
 * would cost more than many requests do: the usual time is looked after by {@linkcode tick}.
 */
export class Deadlines {
  /** In the order of their deadlines, as all have the same time from their start. */
  readonly #pending = new Set<Pending>();
  readonly #limitMs: number;

  /** @param limitMs 0 is no limit */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Requests whose time is over are answered. To be called about once a second. */
  tick(now: number): void {
    for (const pending of this.#pending) {
      if (pending.deadline > now) return;
      this.#pending.delete(pending);
      pending.scope.cancel?.();
      pending.reject(late());
    }
  }

  readonly filter: Filter = (scope, next) => {
    if (isLongRunning(scope.info)) return next(scope);
    const limit = this.#limitMs;
    const own = scope.query.get("timeout");
    const ms = own === null || own === "" ? limit : atMost(limit, parsed(own));
    if (ms <= 0) return next(scope);
    return ms === limit && ms > EXACT_MS ? this.#watched(scope, next, ms) : timed(scope, next, ms);
  };

  #watched(scope: RequestScope, next: Handle, ms: number): Response | Promise<Response> {
    const answer = next(scope);
    if (!(answer instanceof Promise)) return answer;
    return new Promise((resolve, reject) => {
      const pending: Pending = { deadline: scope.startedAt + ms, scope, reject };
      this.#pending.add(pending);
      answer.then((response) => {
        this.#pending.delete(pending);
        resolve(response);
      }, (error) => {
        this.#pending.delete(pending);
        reject(error);
      });
    });
  }
}

function timed(scope: RequestScope, next: Handle, ms: number): Response | Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      scope.cancel?.();
      reject(late());
    }, ms);
    Promise.try(next, scope).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const atMost = (limit: number, own: number): number => own === 0 ? limit : limit === 0 ? own : Math.min(limit, own);

function parsed(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return Math.max(0, ms);
  throw badRequest(`invalid timeout specified in the request URL: ${JSON.stringify(text)}`);
}
