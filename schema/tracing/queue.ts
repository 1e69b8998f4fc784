/** Spans on their way out: sent in batches, one at a time; what cannot be sent is dropped and counted, and nobody waits. */
import type { SpanRecord } from "./span.ts";

/** Sends spans; how many of them were not taken. @throws ExportError */
export type SendSpans = (spans: readonly SpanRecord[], signal: AbortSignal) => Promise<number>;

/** Why spans could not be sent. */
export class ExportError extends Error {
  override readonly name = "ExportError";
  /** `again`: a later attempt may succeed. */
  constructor(message: string, readonly again: boolean, options?: { cause?: unknown }) {
    super(message, options);
  }
}

/** Bounds. Times in ms. */
export interface QueueLimits {
  /** Spans held; those past it are dropped. */
  readonly spans: number;
  /** Spans sent at once. */
  readonly batch: number;
  /** A batch is sent when it is so old, however small. */
  readonly wait: number;
  /** One attempt. */
  readonly attempt: number;
  /** All attempts for one batch, and the first pause between two. */
  readonly total: number;
  readonly pause: number;
}

/** Those of the public server. */
export const QUEUE_LIMITS: QueueLimits = {
  spans: 2048,
  batch: 512,
  wait: 5_000,
  attempt: 10_000,
  total: 30_000,
  pause: 1_000,
};

/** What became of spans. */
export interface SpanCounts {
  readonly sent: number;
  /** Because the queue was full. */
  readonly dropped: number;
  /** Because the collector did not take them. */
  readonly failed: number;
}

/** See the top of the file. */
export class SpanQueue {
  #held: SpanRecord[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<void> | undefined;
  #closed = false;
  readonly #counts = { sent: 0, dropped: 0, failed: 0 };
  readonly #end = new AbortController();

  /** `told` hears of each batch that is lost. */
  constructor(
    readonly send: SendSpans,
    readonly told: (e: unknown) => void,
    readonly limits: QueueLimits = QUEUE_LIMITS,
  ) {}

  get counts(): SpanCounts {
    return this.#counts;
  }

  /** Takes a span, or drops it. */
  add(span: SpanRecord): void {
    const { spans, batch, wait } = this.limits;
    if (this.#closed || this.#held.length >= spans) return void this.#counts.dropped++;
    this.#held.push(span);
    if (this.#working) return;
    if (this.#held.length >= batch) this.#work();
    else this.#timer ??= setTimeout(() => this.#work(), wait);
  }

  /** Sends what there is; resolves when that is done, at most so many ms later. Nothing is taken after. */
  async close(ms: number): Promise<void> {
    this.#closed = true;
    const timer = setTimeout(() => this.#end.abort(new ExportError("the process stops", false)), ms);
    if (!this.#working && this.#held.length > 0) this.#work();
    await this.#working;
    clearTimeout(timer);
    clearTimeout(this.#timer);
  }

  #work(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#working = this.#sendAll().finally(() => {
      this.#working = undefined;
      if (!this.#closed && this.#held.length > 0) this.#timer ??= setTimeout(() => this.#work(), this.limits.wait);
    });
  }

  /** Full batches, and at the end all there is. */
  async #sendAll(): Promise<void> {
    do await this.#sendBatch(this.#held.splice(0, this.limits.batch)); while (
      this.#held.length >= this.limits.batch || (this.#closed && this.#held.length > 0)
    );
  }

  async #sendBatch(batch: readonly SpanRecord[]): Promise<void> {
    const until = performance.now() + this.limits.total;
    for (let { pause } = this.limits;; pause *= 2) {
      try {
        const refused = await this.send(batch, this.#attempt());
        this.#counts.sent += batch.length - refused;
        this.#counts.failed += refused;
        return;
      } catch (e) {
        const again = e instanceof ExportError && e.again && !this.#closed && performance.now() + pause < until;
        if (!again || !await paused(pause, this.#end.signal)) {
          this.#counts.failed += batch.length;
          return this.told(e);
        }
      }
    }
  }

  #attempt(): AbortSignal {
    return AbortSignal.any([this.#end.signal, AbortSignal.timeout(this.limits.attempt)]);
  }
}

/** Waits; false when the signal aborts before. */
function paused(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const end = (whole: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cut);
      resolve(whole);
    };
    const cut = () => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal.addEventListener("abort", cut, { once: true });
  });
}
