/** How long plugins take, by plugin, phase and operation: counted in plain numbers, turned into a metric when read. */

/** Upper bounds of the buckets, seconds: those of the public server. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** Counts of one outcome. */
interface Tally {
  readonly buckets: number[];
  count: number;
  sum: number;
}

/** Counter of one plugin in one phase on one operation. */
export class PluginTimer {
  readonly tallies: readonly [Tally, Tally] = [tally(), tally()];

  constructor(readonly name: string, readonly phase: string, readonly operation: string) {}

  /** Adds a run of so many milliseconds. */
  add(ms: number, rejected: boolean): void {
    const t = this.tallies[rejected ? 1 : 0];
    const seconds = ms / 1000;
    t.count++;
    t.sum += seconds;
    for (let i = 0; i < BOUNDS.length; i++) {
      if (seconds <= BOUNDS[i]!) {
        t.buckets[i]!++;
        return;
      }
    }
  }
}

const tally = (): Tally => ({ buckets: BOUNDS.map(() => 0), count: 0, sum: 0 });

/** One line of a histogram in the Prometheus model. */
export interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Timers of a server. */
export class PluginTimes {
  readonly #timers = new Map<string, PluginTimer>();

  /** The timer of a plugin in a phase on an operation: the same each time. */
  timer(name: string, phase: string, operation: string): PluginTimer {
    const key = `${name} ${phase} ${operation}`;
    let timer = this.#timers.get(key);
    if (!timer) this.#timers.set(key, timer = new PluginTimer(name, phase, operation));
    return timer;
  }

  /** The histogram, under a metric's name. Outcomes that never came about are left out. */
  samples(metric: string): Sample[] {
    return [...this.#timers.values()].flatMap((timer) =>
      timer.tallies.flatMap((t, i) => t.count === 0 ? [] : samplesOf(metric, timer, t, i === 1))
    );
  }
}

function samplesOf(metric: string, timer: PluginTimer, t: Tally, rejected: boolean): Sample[] {
  const labels = {
    name: timer.name,
    type: timer.phase,
    operation: timer.operation,
    rejected: String(rejected),
  };
  const out: Sample[] = [];
  let total = 0;
  BOUNDS.forEach((le, i) => {
    total += t.buckets[i]!;
    out.push({ metricName: `${metric}_bucket`, labels: { ...labels, le: String(le) }, value: total });
  });
  out.push({ metricName: `${metric}_bucket`, labels: { ...labels, le: "+Inf" }, value: t.count });
  out.push({ metricName: `${metric}_sum`, labels, value: t.sum });
  out.push({ metricName: `${metric}_count`, labels, value: t.count });
  return out;
}
