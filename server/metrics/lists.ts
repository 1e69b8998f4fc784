/** What lists read of caches and stores, by resource, under the public server's names. */
import type { ListRead, ServedResource } from "../request.ts";
import { Buckets, type Sample } from "./buckets.ts";
import { ByLabels, type DerivedMetric, histogramOf } from "./by_labels.ts";

/** Upper bounds of the buckets, seconds: those of the public server. */
const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

interface Sums {
  lists: number;
  fetched: number;
  evaluated: number;
  returned: number;
}

/** See the top of the file. */
export class ListMetrics {
  readonly #sums = new ByLabels((): Sums => ({ lists: 0, fetched: 0, evaluated: 0, returned: 0 }));
  readonly #times = new ByLabels(() => new Buckets(SECONDS));

  /** A list has read what it needs. */
  read({ resource: { group, name: resource } }: ServedResource, read: ListRead): void {
    const { storage, index, fetched, returned, ms } = read;
    const sums = this.#sums.at({ group, resource, storage, index }).value;
    sums.lists++;
    sums.fetched += fetched;
    sums.returned += returned;
    if (storage === "watchcache") return;
    sums.evaluated += fetched;
    this.#times.at({ group, resource, streamed: "false" }).value.add(ms / 1000);
  }

  /** All metrics. */
  rows(): readonly DerivedMetric[] {
    const byIndex = (sum: keyof Sums) => (metricName: string): Sample[] =>
      this.#sums.entries().map(({ labels, value }) => ({ metricName, labels, value: value[sum] }));
    const byStorage = (sum: keyof Sums) => (metricName: string): Sample[] => {
      const all = new ByLabels(() => 0);
      for (const { labels: { index: _, ...rest }, value } of this.#sums.entries()) all.at(rest).value += value[sum];
      return all.entries().map(({ labels, value }) => ({ metricName, labels, value }));
    };
    const counter = (name: string, help: string, samples: DerivedMetric["samples"]): DerivedMetric => (
      { name: `apiserver_storage_list_${name}`, help, type: "counter", samples }
    );
    return [
      counter("total", "Lists, by where they were read and by which index", byIndex("lists")),
      counter("fetched_objects_total", "Objects that lists have gone through", byIndex("fetched")),
      counter(
        "evaluated_objects_total",
        "Objects that the store gave and a list has looked into",
        byStorage("evaluated"),
      ),
      counter("returned_objects_total", "Objects that lists have given", byStorage("returned")),
      {
        name: "apiserver_storage_list_duration_seconds",
        help: "Time that lists took of the store, past the watch caches",
        type: "histogram",
        samples: histogramOf(this.#times),
      },
    ];
  }
}
