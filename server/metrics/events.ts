/** Events that watches are sent, by resource. */
import type { EventTally, ServedResource } from "../request.ts";
import { Buckets, type Sample } from "./buckets.ts";
import type { DerivedMetric } from "./by_labels.ts";

/** Upper bounds of the buckets, bytes: those of the public server. */
const BYTES = Array.from({ length: 8 }, (_, i) => 1024 * 2 ** i);

/** See the top of the file. */
export class EventMetrics {
  readonly #all = new Map<string, Sizes>();

  /** The tally of a served resource: the same each time. */
  of({ resource: { group, name }, version }: ServedResource): EventTally {
    const key = `${group} ${version} ${name}`;
    let sizes = this.#all.get(key);
    if (!sizes) this.#all.set(key, sizes = new Sizes({ group, version, resource: name }));
    return sizes;
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const all = (lines: (sizes: Sizes, metric: string) => Sample[]) => (metric: string) =>
      [...this.#all.values()].flatMap((s) => s.buckets.count > 0 ? lines(s, metric) : []);
    return [
      {
        name: "apiserver_watch_events_total",
        help: "Events sent to watches",
        type: "counter",
        samples: all(({ labels, buckets }, metricName) => [{ metricName, labels, value: buckets.count }]),
      },
      {
        name: "apiserver_watch_events_sizes",
        help: "Bytes of events sent to watches",
        type: "histogram",
        samples: all(({ labels, buckets }, metric) => buckets.samples(metric, labels)),
      },
    ];
  }
}

class Sizes implements EventTally {
  readonly buckets = new Buckets(BYTES);
  constructor(readonly labels: Readonly<Record<string, string>>) {}

  sent(bytes: Uint8Array, lengths?: readonly number[]): void {
    if (!lengths) this.buckets.add(bytes.length);
    else for (let i = 0; i < lengths.length; i++) this.buckets.add(lengths[i]!);
  }
}
