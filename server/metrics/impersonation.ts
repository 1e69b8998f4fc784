/** What becomes of requests that act as somebody else, under the public server's names. */
import type { AuthorizationAttributes, Authorizer, Decision } from "../authorization/types.ts";
import { Buckets } from "./buckets.ts";
import { ByLabels, type DerivedMetric, histogramOf, observedOf } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);

/** The way that a verb stands for: `impersonate:<mode>`, `impersonate-on:<mode>:<verb>`, or the plain one. */
const modeOf = (verb: string): string => verb.split(":")[1] ?? "legacy";

/** See the top of the file. Decisions are `allowed` and `denied`. */
export class ImpersonationMetrics {
  readonly #attempts = new ByLabels(() => new Buckets(SECONDS));
  readonly #questions = new ByLabels(() => new Buckets(SECONDS));

  /** @param now the clock that both are timed by, ms */
  constructor(readonly now: () => number) {}

  /** An attempt, counted. It gives the verb that allowed it; undefined: the plain one. It throws where it was not allowed. */
  async attempt(work: () => Promise<string | undefined>): Promise<void> {
    const start = this.now();
    let labels = { mode: "", decision: "denied" };
    try {
      labels = { mode: modeOf(await work() ?? ""), decision: "allowed" };
    } finally {
      this.#attempts.at(labels).value.add(this.#since(start));
    }
  }

  /** The same, each question counted. */
  asking(authorizer: Authorizer): Authorizer {
    return {
      name: authorizer.name,
      authorize: async (attributes: AuthorizationAttributes): Promise<Decision> => {
        const start = this.now(), made = await authorizer.authorize(attributes);
        const decision = made.decision === "allow" ? "allowed" : "denied";
        this.#questions.at({ mode: modeOf(attributes.verb), decision }).value.add(this.#since(start));
        return made;
      },
    };
  }

  /** Seconds. */
  #since(start: number): number {
    return (this.now() - start) / 1000;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const rows = (name: string, what: string, all: ByLabels<Buckets>): DerivedMetric[] => [
      { name: `apiserver_impersonation_${name}_total`, help: what, type: "counter", samples: observedOf(all) },
      {
        name: `apiserver_impersonation_${name}_duration_seconds`,
        help: `Time of ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
        type: "histogram",
        samples: histogramOf(all),
      },
    ];
    return [
      ...rows("attempts", "Attempts to act as somebody else, by the way and what it came to", this.#attempts),
      ...rows("authorization_attempts", "Questions whether somebody may", this.#questions),
    ];
  }
}
