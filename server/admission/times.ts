/** How long plugins take, by plugin, phase, operation and outcome. */
import { Buckets, type Sample } from "../metrics/buckets.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** Counter of one plugin in one phase on one operation. */
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
    const { name, phase: type, operation } = this;
    return [this.#let, this.#rejected].flatMap((buckets, i) =>
      buckets.count === 0 ? [] : buckets.samples(metric, { name, type, operation, rejected: String(i === 1) })
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

  /** The timer of a plugin in a phase on an operation: the same each time. */
  timer(name: string, phase: string, operation: string): PluginTimer {
    const key = `${name} ${phase} ${operation}`;
    let timer = this.#timers.get(key);
    if (!timer) this.#timers.set(key, timer = new PluginTimer(name, phase, operation, this.#now));
    return timer;
  }

  /** The histogram, under a metric's name. */
  samples(metric: string): Sample[] {
    return [...this.#timers.values()].flatMap((timer) => timer.samples(metric));
  }
}
