/** How long plugins take, by plugin, phase, operation and outcome. */
import { Buckets, type Sample } from "../metrics/buckets.ts";
import type { DerivedMetric } from "../metrics/by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** Counter of one plugin in one phase on one operation; without a name, of all plugins together. */
export class PluginTimer {
  readonly #let = new Buckets(BOUNDS);
  readonly #rejected = new Buckets(BOUNDS);

  constructor(readonly name: string, readonly phase: string, readonly operation: string, readonly now: () => number) {}

  /** Adds a run of so many milliseconds. */
  add(ms: number, rejected: boolean): void {
    (rejected ? this.#rejected : this.#let).add(ms / 1000);
  }

  /** Lines of both outcomes, those that ever came about. */
  samples(metric: string): Sample[] {
    const { name, phase: type, operation } = this, named = name === "" ? {} : { name };
    return [this.#let, this.#rejected].flatMap((buckets, i) =>
      buckets.count === 0 ? [] : buckets.samples(metric, { ...named, type, operation, rejected: String(i === 1) })
    );
  }
}

/** Timers of a server. */
export class PluginTimes {
  readonly #timers = new Map<string, PluginTimer>();
  readonly #now: () => number;

  /** @param now the clock, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The timer of a plugin, or of all (`""`), in a phase on an operation: the same each time. */
  timer(name: string, phase: string, operation: string): PluginTimer {
    const key = `${name} ${phase} ${operation}`;
    let timer = this.#timers.get(key);
    if (!timer) this.#timers.set(key, timer = new PluginTimer(name, phase, operation, this.#now));
    return timer;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const of = (all: boolean) => (metric: string) =>
      [...this.#timers.values()].flatMap((timer) => (timer.name === "") === all ? timer.samples(metric) : []);
    return [
      {
        name: "apiserver_admission_controller_admission_duration_seconds",
        help: "Time that an admission plugin takes, by plugin, phase, operation and outcome",
        type: "histogram",
        samples: of(false),
      },
      {
        name: "apiserver_admission_step_admission_duration_seconds",
        help: "Time that all admission plugins take, by phase, operation and outcome",
        type: "histogram",
        samples: of(true),
      },
    ];
  }
}
