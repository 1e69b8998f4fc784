/** What new requests are told while the server stops (`--shutdown-send-retry-after`), and who is still being served. */
import { tooManyRequests } from "../../schema/status.ts";
import type { Filter } from "../app_types.ts";
import type { RequestScope } from "../request.ts";
import { after } from "./after.ts";
import { atEnd, goesOn, isLongRunning } from "./long_running.ts";

const RETRY_SECONDS = 5;
const HEALTH = /^\/(livez|readyz|healthz)(\/|$)/;

/** Counts requests, and refuses new ones once told to. */
export class ShutdownGate {
  #refusing = false;
  #short = 0;
  readonly #waiters = new Set<() => void>();
  readonly #lasting = new Set<RequestScope>();

  /** Requests at work: those that end by themselves, and those that last. */
  get active(): { readonly short: number; readonly long: number } {
    return { short: this.#short, long: this.#lasting.size };
  }

  /** Those that last. */
  get lasting(): Iterable<RequestScope> {
    return this.#lasting;
  }

  /** From now on everything but health checks is answered 429 with `Retry-After`. */
  refuse(): void {
    this.#refusing = true;
  }

  /** Ends all requests that last: watches close as at their own time's end. */
  endLasting(): void {
    for (const scope of this.#lasting) scope.cancel?.();
    this.#lasting.clear();
  }

  /** Resolves when no short request is at work, or after so many ms. */
  idle(ms: number): Promise<void> {
    if (this.#short === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiters.add(done);
    });
  }

  /** The filter; the first of all. */
  readonly filter: Filter = (scope, next) => {
    if (this.#refusing && !HEALTH.test(scope.info.path)) {
      scope.head["connection"] = "close";
      throw tooManyRequests("The server is shutting down, please try again on another connection", RETRY_SECONDS);
    }
    if (isLongRunning(scope.info)) {
      const done = () => void this.#lasting.delete(scope);
      this.#lasting.add(scope);
      atEnd(scope, done);
      // What goes on after its answer has begun tells of its end by the signal.
      return after(() => next(scope), (response) => scope.upgraded || goesOn(scope, response) || done(), done);
    }
    this.#short++;
    return after(() => next(scope), this.#ended, this.#ended);
  };

  readonly #ended = (): void => {
    if (--this.#short === 0) { for (const done of this.#waiters) done(); }
  };
}
