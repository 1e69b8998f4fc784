/** What became of the requests of one flow schema at one level. */
import { Buckets } from "../metrics/buckets.ts";

/** Why a request was not let in. */
export type Refusal = "concurrency-limit" | "queue-full" | "time-out" | "cancelled";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Upper bounds of the buckets of seats. */
const SEATS = [1, 2, 4, 8, 16, 32, 64, 100];

/** See the top of the file. */
export class FlowCounts {
  dispatched = 0;
  readonly refused = new Map<Refusal, number>();
  /** Seats that those wanted who came. */
  readonly wanted = new Buckets(SEATS);
  /** Waits of those that were let in then, in seconds. */
  readonly waited = new Buckets(SECONDS);
  /** Waits of those that were not. */
  readonly waitedInVain = new Buckets(SECONDS);
  /** Work on those that were let in. */
  readonly worked = new Buckets(SECONDS);

  /** How many were refused for one of these reasons; by default for any. */
  refusals(...reasons: readonly Refusal[]): number {
    const asked = reasons.length > 0 ? reasons : [...this.refused.keys()];
    return asked.reduce((n, reason) => n + (this.refused.get(reason) ?? 0), 0);
  }
}
