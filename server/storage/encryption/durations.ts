/** Times of encryption and decryption, counted with little work for each value and put together when they are read. */

interface Row {
  readonly labels: Readonly<Record<string, string>>;
  readonly buckets: Float64Array;
  sum: number;
}

const FIRST = 5e-6;
/** Bounds of the buckets, in seconds: from 5 µs on, each twice the one before. */
const BOUNDS = Array.from({ length: 25 }, (_, i) => FIRST * 2 ** i);

/** A histogram in the shape that a registry of metrics reads. */
export class Durations {
  readonly #rows = new Map<string, Row>();

  constructor(readonly name: string, readonly help: string) {}

  /** Counts one; `key` tells the labels apart. */
  add(key: string, labels: () => Record<string, string>, seconds: number): void {
    let row = this.#rows.get(key);
    if (!row) this.#rows.set(key, row = { labels: labels(), buckets: new Float64Array(BOUNDS.length + 1), sum: 0 });
    row.sum += seconds;
    let at = 0;
    while (at < BOUNDS.length && seconds > BOUNDS[at]!) at++;
    row.buckets[at]!++;
  }

  /** As the registry wants it. */
  async get() {
    const { name, help } = this;
    const values = [...this.#rows.values()].flatMap(({ labels, buckets, sum }) => {
      let count = 0;
      const rows = [...buckets].map((n, i) => {
        const le = i < BOUNDS.length ? String(BOUNDS[i]) : "+Inf";
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count += n };
      });
      return [
        ...rows,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { name, help, type: "histogram", aggregator: "sum", values };
  }

  reset(): void {
    this.#rows.clear();
  }
}
