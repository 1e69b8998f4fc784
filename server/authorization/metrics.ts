/** Who decides, and what calls of authorization webhooks come to, under the public server's names. */
import { Buckets } from "../metrics/buckets.ts";
import { ByLabels, counterOf, type DerivedMetric, histogramOf } from "../metrics/by_labels.ts";
import type { CallResult } from "../authentication/webhook_client.ts";
import type { Authorizer, Decision } from "./types.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const CALLS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CONDITIONS = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

const DECIDED = { allow: "allowed", deny: "denied" } as const;

/** Whose decisions are counted: its type and its name in the configuration. */
export interface Decider {
  readonly type: string;
  readonly name: string;
}

/** What a webhook tells of its work. */
export interface HookTold {
  /** A call, or an attempt at one, took so many ms. */
  called(result: CallResult, ms: number): void;
  /** It could not be asked, and others decide. */
  failedOpen(result: CallResult): void;
  /** Its conditions were evaluated. `excluded`: it is not asked. */
  conditions(end: "met" | "excluded" | "error", ms: number): void;
}

/** Counters of a server's authorizers. Names come from configurations, so there are few. */
export class AuthorizationMetrics {
  readonly #decisions = new ByLabels(() => 0);
  readonly #calls = new ByLabels(() => 0);
  readonly #durations = new ByLabels(() => new Buckets(CALLS));
  readonly #open = new ByLabels(() => 0);
  readonly #excluded = new ByLabels(() => 0);
  readonly #errors = new ByLabels(() => 0);
  readonly #evaluations = new ByLabels(() => new Buckets(CONDITIONS));

  /** The same, its decisions counted. Those that it leaves to others are not. */
  deciding({ type, name }: Decider, authorizer: Authorizer): Authorizer {
    const counts: { allow?: { value: number }; deny?: { value: number } } = {};
    const count = (made: Decision): Decision => {
      const { decision } = made;
      if (decision !== "no-opinion") {
        (counts[decision] ??= this.#decisions.at({ type, name, decision: DECIDED[decision] })).value++;
      }
      return made;
    };
    const { rulesFor } = authorizer;
    return {
      name: authorizer.name,
      called: name,
      authorize: (attributes, asking) => {
        const decision = authorizer.authorize(attributes, asking);
        return decision instanceof Promise ? decision.then(count) : count(decision);
      },
      ...(rulesFor ? { rulesFor: (user, namespace) => rulesFor.call(authorizer, user, namespace) } : {}),
    };
  }

  /** What hears of the work of a webhook. */
  hook({ type, name }: Decider): HookTold {
    return {
      called: (result, ms) => {
        this.#calls.at({ name, result }).value++;
        this.#durations.at({ name, result }).value.add(ms / 1000);
      },
      failedOpen: (result) => this.#open.at({ name, result }).value++,
      conditions: (end, ms) => {
        this.#evaluations.at({ type, name }).value.add(ms / 1000);
        if (end === "excluded") this.#excluded.at({ type, name }).value++;
        else if (end === "error") this.#errors.at({ type, name }).value++;
      },
    };
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const counter = (name: string, help: string, all: ByLabels<number>): DerivedMetric => (
      { name: `apiserver_authorization_${name}`, help, type: "counter", samples: counterOf(all) }
    );
    const histogram = (name: string, help: string, all: ByLabels<Buckets>): DerivedMetric => (
      { name: `apiserver_authorization_${name}`, help, type: "histogram", samples: histogramOf(all) }
    );
    return [
      counter("decisions_total", "Decisions of authorizers, by who took them", this.#decisions),
      counter("webhook_evaluations_total", "Calls of authorization webhooks", this.#calls),
      histogram("webhook_duration_seconds", "Time of calls of authorization webhooks", this.#durations),
      counter(
        "webhook_evaluations_fail_open_total",
        "Failures of authorization webhooks passed over",
        this.#open,
      ),
      counter(
        "match_condition_exclusions_total",
        "Times that an authorization webhook was not asked because of a condition",
        this.#excluded,
      ),
      counter(
        "match_condition_evaluation_errors_total",
        "Times that conditions of an authorization webhook could not be evaluated",
        this.#errors,
      ),
      histogram(
        "match_condition_evaluation_seconds",
        "Time that conditions of authorization webhooks take",
        this.#evaluations,
      ),
    ];
  }
}
