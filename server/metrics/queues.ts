/** Queues of controllers, by name, under the public server's names. */
import { Buckets, type Sample } from "./buckets.ts";
import type { DerivedMetric } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server, one ten times the other. */
const SECONDS = Array.from({ length: 10 }).reduce<number[]>((all) => [...all, all.at(-1)! * 10], [1e-8]).slice(0, 10);

/** What a queue has waiting and at work now, each since when (ms). */
export interface QueueState {
  readonly waiting: ReadonlyMap<string, number>;
  readonly active: ReadonlyMap<string, number>;
}

/** The counts of a queue, and of those of its name before it. */
export class QueueCounts {
  adds = 0;
  retries = 0;
  /** From being added to the work, and the work, in seconds. */
  readonly waited = new Buckets(SECONDS);
  readonly worked = new Buckets(SECONDS);
  state: QueueState | undefined;
}

/** See the top of the file. */
export class QueueMetrics {
  readonly #all = new Map<string, QueueCounts>();

  /** @param now the queues' clock, ms */
  constructor(readonly now: () => number) {}

  /** The counts of a name: the same each time. */
  of(name: string): QueueCounts {
    let counts = this.#all.get(name);
    if (!counts) this.#all.set(name, counts = new QueueCounts());
    return counts;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const lines = (read: (counts: QueueCounts, metric: string, labels: { name: string }) => Sample[]) => (m: string) =>
      [...this.#all].flatMap(([name, counts]) => read(counts, m, { name }));
    const one = (name: string, help: string, type: "counter" | "gauge", read: (counts: QueueCounts) => number) => ({
      name: `workqueue_${name}`,
      help,
      type,
      samples: lines((counts, metricName, labels) => [{ metricName, labels, value: read(counts) }]),
    });
    const times = (name: string, help: string, read: (counts: QueueCounts) => Buckets): DerivedMetric => ({
      name: `workqueue_${name}`,
      help,
      type: "histogram",
      samples: lines((counts, metric, labels) => read(counts).samples(metric, labels)),
    });
    const ages = ({ state }: QueueCounts) =>
      [...state?.active.values() ?? []].map((since) => Math.max(0, this.now() - since) / 1000);
    return [
      one("adds_total", "Keys added", "counter", (c) => c.adds),
      one("depth", "Keys waiting", "gauge", (c) => c.state?.waiting.size ?? 0),
      times("queue_duration_seconds", "Time from being added to the work", (c) => c.waited),
      times("work_duration_seconds", "Time of the work on a key", (c) => c.worked),
      one("retries_total", "Keys put off because their work failed", "counter", (c) => c.retries),
      one(
        "unfinished_work_seconds",
        "Time that the work under way has taken, of all keys",
        "gauge",
        (c) => ages(c).reduce((sum, s) => sum + s, 0),
      ),
      one(
        "longest_running_processor_seconds",
        "Time that the longest work under way has taken",
        "gauge",
        (c) => Math.max(0, ...ages(c)),
      ),
    ];
  }
}
