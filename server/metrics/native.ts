/** Histograms whose bounds come of what is observed, each some 9 % above the one below: Prometheus's native ones. */

/** Buckets that lie side by side. */
export interface Span {
  /** Of the first one's number, or empty buckets since the span before. */
  readonly offset: number;
  length: number;
}

/** As a scraper is told of it. */
export interface Native {
  /** A power of two has 2^schema bounds. */
  readonly schema: number;
  /** What is at most that much is counted as nothing. */
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly positiveSpan: readonly Span[];
  /** Of each bucket in the spans, how much more than the one before it. */
  readonly positiveDelta: readonly number[];
}

/** As the public server has them: bounds at most a tenth apart. */
const SCHEMA = 3;
/** More than that, and each two become one. */
const MAX_BUCKETS = 160;
const ZERO_THRESHOLD = 2 ** -128;
/** So many empty buckets are told rather than a span begun. */
const MAX_GAP = 2;

/** Counts of one set of labels. */
export class NativeBuckets {
  #schema = SCHEMA;
  #zero = 0;
  /** By number: the upper bound is 2^(number / 2^schema). */
  #counts = new Map<number, number>();

  /** One observation, finite and not below nothing. */
  add(value: number): void {
    if (value <= ZERO_THRESHOLD) {
      this.#zero++;
      return;
    }
    const at = Math.ceil(Math.log2(value) * 2 ** this.#schema);
    this.#counts.set(at, (this.#counts.get(at) ?? 0) + 1);
    if (this.#counts.size > MAX_BUCKETS) this.#coarsen();
  }

  #coarsen(): void {
    const fine = this.#counts;
    this.#schema--;
    this.#counts = new Map();
    for (const [number, count] of fine) {
      const at = Math.ceil(number / 2);
      this.#counts.set(at, (this.#counts.get(at) ?? 0) + count);
    }
  }

  /** What there is now. */
  told(): Native {
    const positiveSpan: Span[] = [], positiveDelta: number[] = [];
    let next = 0, last = 0;
    const tell = (span: Span, count: number) => {
      span.length++;
      positiveDelta.push(count - last);
      last = count;
    };
    for (const [number, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      let span = positiveSpan.at(-1);
      if (!span || number - next > MAX_GAP) positiveSpan.push(span = { offset: number - next, length: 0 });
      else for (; next < number; next++) tell(span, 0);
      tell(span, count);
      next = number + 1;
    }
    return {
      schema: this.#schema,
      zeroThreshold: ZERO_THRESHOLD,
      zeroCount: this.#zero,
      positiveSpan,
      positiveDelta,
    };
  }
}
