/** Times of encryption and decryption, counted with little work for each value and put together when they are read. */

const FIRST = 5e-6;
/** Bounds of the buckets, in seconds: from 5 µs on, each twice the one before. */
const BOUNDS = Array.from({ length: 25 }, (_, i) => FIRST * 2 ** i);

/** The times of some labels. */
export class DurationRow {
  readonly buckets = new Float64Array(BOUNDS.length + 1);
  sum = 0;

  constructor(readonly labels: Readonly<Record<string, string>>) {}

  /** Counts one, in seconds. */
  add(seconds: number): void {
    this.sum += seconds;
    let at = 0;
    while (at < BOUNDS.length && seconds > BOUNDS[at]!) at++;
    this.buckets[at]!++;
  }
}

/** A histogram in the shape that a registry of metrics reads. */
export class Durations {
  readonly #rows = new Map<string, DurationRow>();

  constructor(readonly name: string, readonly help: string) {}

  /** The row of some labels, made when it is not there. */
  row(labels: Readonly<Record<string, string>>): DurationRow {
    const key = Object.values(labels).join(" ");
    let row = this.#rows.get(key);
    if (!row) this.#rows.set(key, row = new DurationRow(labels));
    return row;
  }

  /** As the registry wants it. */
  async get() {
    const { name, help } = this;
    const values = [...this.#rows.values()].flatMap(({ labels, buckets, sum }) => {
      if (buckets.every((n) => n === 0)) return [];
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
}
